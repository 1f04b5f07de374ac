"""The systems on record as pipelines, by name: which system each one is, what differs, and what it needs first.

The record is CLEF JOKER Task 1, 2024 to 2026. Original weights can mostly not be had; the shipped detector and
encoder stand in for a fine-tuned classifier and a sentence encoder.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["RECORD", "RecordPreset"]


class RecordPreset(NamedTuple):
    """A pipeline, the system it stands for, what differs from it, and the command that makes what it needs."""

    pipeline: str
    system: str
    differs: str
    needs: str = ""


_DETECTOR = "the shipped wordplay model in place of the fine-tuned classifier"
_ENCODER = "the shipped encoder (MiniLM space) in place of the original's"
_RERANKER = "rimshot train reranker --lang LANG --data DIR"
_RANKER = "rimshot train ranker --collection DIR --index DIR"
_AUGMENT = "rimshot augment DIR --endpoint URL --model NAME"


def _tuned(loss: str) -> str:
    train = f"rimshot train encoder --lang LANG --data DIR --loss {loss} --out MODEL"
    return f"{train}; rimshot annotate DIR --encoder MODEL --column tuned_{loss}"


def _column(learner: str) -> str:
    name = learner.replace("-", "_")
    train = f"rimshot train classical {learner} --lang LANG --data DIR --out MODEL"
    return f"{train}; rimshot annotate DIR --model MODEL --column {name}"


# Calibrated to collections where three texts in a hundred are jokes, 0.1 is what 0.5 is among the texts learnt from, of which
# every fifth is one: the learner's own yes or no.
_CLASSICAL = {
    "logistic": "jokester, Tomislav&Rowan (2024): TF-IDF, logistic regression",
    "tree": "Arampatzis (2024): decision tree",
    "forest": "Arampatzis (2024): random forest",
    "xgboost": "Arampatzis (2024): XGBoost",
    "lightgbm": "Arampatzis (2024): LightGBM",
    "svm": "Arampatzis (2024): SVM",
    "naive-bayes": "Arampatzis (2024): Gaussian naive Bayes",
    "neighbours": "Arampatzis (2024): nearest neighbours",
    "net": "Arampatzis (2024): neural net",
    "lstm": "Arampatzis (2024): LSTM",
}


def _classical() -> dict[str, RecordPreset]:
    found = {}
    for learner, system in _CLASSICAL.items():
        column, needs = learner.replace("-", "_"), _column(learner)
        soft = f"Tfidf() >> Humour(column='{column}') % 1000"
        hard = f"Tfidf() >> AtLeast(threshold=0.1, column='{column}') % 1000"
        differs = "trained on labelled texts, not on the judged queries; "
        found[f"tfidf-{learner}"] = RecordPreset(soft, system, differs + "its probability multiplies TF-IDF", needs)
        found[f"tfidf-{learner}-filter"] = RecordPreset(hard, system, differs + "what it says no to is dropped", needs)
    return found


RECORD: dict[str, RecordPreset] = {
    "bm25": RecordPreset(
        "Bm25() % 1000", "UAms BM25 (2024, 2025)", "nothing: Anserini's formula, stemmer and defaults"
    ),
    "rm3": RecordPreset("Bm25() >> Rm3() >> Bm25() % 1000", "UAms RM3 (2024, 2025)", "nothing: Anserini's defaults"),
    "ce100": RecordPreset(
        "Bm25() % 100 >> Reranker()", "UAms CE100", "a cross-encoder trained here, not MS MARCO's", _RERANKER
    ),
    "ce1k": RecordPreset(
        "Bm25() % 1000 >> Reranker()", "UAms CE1K", "a cross-encoder trained here, not MS MARCO's", _RERANKER
    ),
    "bm25-filter": RecordPreset("Bm25() >> AtLeast() % 1000", "UAms BM25 with a BERT filter (2024)", _DETECTOR),
    "rm3-filter": RecordPreset(
        "Bm25() >> Rm3() >> Bm25() >> AtLeast() % 1000", "UAms RM3 with a T5 filter (best of 2024)", _DETECTOR
    ),
    "rm3-drop60": RecordPreset("Bm25() >> Rm3() >> Bm25() >> Drop()", "UAms RM3RoBERTa_drop60 (2025)", _DETECTOR),
    "tfidf": RecordPreset("Tfidf() % 1000", "AB&DPV (2024): TF-IDF ranking", "stems and no stop list"),
    "iterative": RecordPreset(
        "Iterative() >> Humour(column='logistic') % 1000",
        "Petra&Regina (2024): logistic regression, iterative relevance scoring",
        "the published words do not say how relevance is scored again; here the query moves towards its best hits",
        _column("logistic"),
    ),
    "iterative-humour": RecordPreset(
        "Iterative() >> Humour() % 1000", "Petra&Regina (2024), with the shipped model", _DETECTOR
    ),
    **_classical(),
    "wordnet-filter": RecordPreset(
        "Expand(down=0, spelled=5) >> Dense(depth=100000, above=0.3) >> AtLeast() % 1000",
        "LIS MiniLM-T5 (2024): WordNet synonyms, dense similarity with a threshold, T5 pun filter",
        _DETECTOR,
    ),
    "bm25-humour": RecordPreset(
        "Bm25() >> Humour() % 1000", "Frane (2024): BM25 with a fine-tuned BERT's humour score", _DETECTOR
    ),
    "tfidf-humour": RecordPreset(
        "Tfidf() >> Humour() % 1000",
        "Dajana&Kathy (2024): TF-IDF, BM25, fine-tuned BERT",
        _DETECTOR + "; stems, no lemmas",
    ),
    "rasion": RecordPreset(
        "Dense(depth=100000, above=0.1) >> Mix(norm='none') % 1000",
        "rasion (2025): multilingual mpnet, cosine > 0.1, then 0.3 cosine + 0.7 P",
        f"{_ENCODER}; the classifier reads the text alone, not the pair",
    ),
    "cryptix": RecordPreset(
        "Nearest(vectors='tuned_cosine', depth=100000) >> Humour() % 1000",
        "cryptix (2025): SBERT tuned with cosine loss, humour intensity",
        "tuned on topics made from labelled puns, not on the judged queries; P(humour) for the annotated intensity",
        _tuned("cosine"),
    ),
    "maxsim": RecordPreset(
        "MaxSim() % 1000",
        "PICT / tanishc228 (2025): ColBERT",
        "vectors of words by themselves, of texts that may be funny, with those of their translation in Portuguese",
    ),
    "pict-ensemble": RecordPreset(
        "Rrf(Tfidf(), Bm25() >> Rm3() >> Bm25(), MaxSim()) % 1000",
        "PICT / tanishc228 (2025): ensemble of TF-IDF, ColBERT and RM3",
        "fused by rank; late interaction over words",
    ),
    "pict-learned": RecordPreset(
        "Bm25() + Dense() >> Learned() % 1000",
        "PICT / tanishc228 (2025): learning to rank over wordplay features",
        "LightGBM's LambdaMART over retrieval scores, P(humour) and counted signs of wordplay",
        _RANKER,
    ),
    "hybrid": RecordPreset(
        "Rrf(Bm25(), Dense()) % 1000", "igoranchik (2025), without tuning and cross-encoder", f"{_ENCODER}; no Qdrant"
    ),
    "igoranchik": RecordPreset(
        "Rrf(Bm25(), Nearest(vectors='tuned_mnrl')) % 100 >> Reranker()",
        "igoranchik (2025): e5-small tuned (MNRL), BM25, RRF, MiniLM cross-encoder",
        "queries made by the wordnet, not by GPT-4o-mini; exact search, no Qdrant; a cross-encoder trained here reads the first hundred",
        f"{_tuned('mnrl')}; {_RERANKER}",
    ),
    "igoranchik-margin": RecordPreset(
        "Rrf(Bm25(), Nearest(vectors='tuned_margin')) % 100 >> Reranker()",
        "igoranchik (2025): the same with the adaptive margin",
        "as igoranchik; the published words do not give the margin: here it falls with the likeness of the two texts",
        f"{_tuned('margin')}; {_RERANKER}",
    ),
    "dense": RecordPreset("Dense() % 1000", "DUTH / arampaegos (2025): XLM-R dense", _ENCODER),
    "dense-ce": RecordPreset(
        "Dense() % 100 >> Reranker()", "DUTH / arampaegos (2025): XLM-R dense and rerank", _ENCODER, _RERANKER
    ),
    "explained": RecordPreset(
        "Nearest(depth=100000) >> AtLeast(column='flagged') % 1000",
        "pjmathematician (best of 2025): an LLM flags jokes and explains them, dense retrieval over text + explanation",
        "any model behind an OpenAI-compatible address for Qwen3, and for the figures here, which had none, the verdicts and "
        "explanations of the index (`--own` for the endpoint and the model); the shipped encoder for Qwen3-Embedding",
        _AUGMENT,
    ),
    "flagged": RecordPreset(
        "Dense(depth=100000) >> AtLeast(column='flagged') % 1000",
        "pjmathematician (2025), without explanations",
        "as explained",
        _AUGMENT,
    ),
    "iroh": RecordPreset(
        "Rrf(Bm25(), Dense()) % 1000 >> Mix()",
        "IROH (best of 2026): BM25 + dense, RRF; 0.3 relevance + 0.7 humour",
        "the shipped wordplay model in place of three LLM judges; no cross-encoder",
    ),
    "iroh-ce": RecordPreset(
        "Rrf(Bm25(), Dense()) % 100 >> Reranker() >> Mix(norm='none')",
        "IROH (best of 2026), with the tuned cross-encoder",
        "the shipped wordplay model in place of three LLM judges",
        _RERANKER,
    ),
}
