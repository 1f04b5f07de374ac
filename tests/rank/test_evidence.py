"""The evidence for a topic, against the same formulas worked out one document and one word at a time."""

import numpy as np
import pytest
from tests.rank.conftest import HashEncoder

from rimshot.corpus import Doc, Query
from rimshot.corpus.analyser import Analyser
from rimshot.corpus.query import ABOUT
from rimshot.index import build_index, open_index, write_index
from rimshot.index.annotate import annotate_index
from rimshot.index.encode_words import rarity
from rimshot.lexicon import related
from rimshot.rank import dense, search
from rimshot.rank.bm25 import Bm25, bm25_idf
from rimshot.rank.candidates import Words, candidates
from rimshot.rank.evidence import EVIDENCE, KINDS, NEAR_ENOUGH, topic_evidence
from rimshot.rank.jokes import WEIGHTS, Jokes
from rimshot.rank.ranking import Ranking
from rimshot.rank.translate import Translate
from rimshot.wordplay.detector import Scores

TEXTS = [
    "The banker lost interest in the river bank.",
    "A dog and a cat met a dog.",
    "Bakers knead bread because they need the dough.",
    "!!!",
    "Night fell without breaking anything.",
    "My cat paints in every colour, but mostly in red.",
    "The poodle had a ruff day at the bank.",
    "Nothing to see here.",
    "Dogs cannot bank on cats.",
    "A plain red door.",
]
HUMOUR = [0.9, 0.3, 0.8, 0.5, 0.001, 0.4, 0.95, 0.0, 0.6, 0.05]


class Judge(HashEncoder):
    """Says of each text what stands above."""

    languages = ("en",)

    def score(self, texts, langs, progress=None):
        humour = np.array([HUMOUR[TEXTS.index(text)] for text in texts], np.float32)
        nothing = np.full(len(texts), -1, np.int32)
        return Scores(humour, nothing, nothing, np.zeros(len(texts), np.float32), self.encode(texts, langs))


@pytest.fixture
def bilingual(tmp_path, monkeypatch):
    """The first texts, and as many in Portuguese."""
    monkeypatch.setattr(dense, "_encoder", HashEncoder)
    dense._vectors.clear()
    monkeypatch.setattr(Judge, "score", lambda self, texts, langs, progress=None: even(self, texts, langs))
    docs = [Doc(str(n), text, "en") for n, text in enumerate(TEXTS[:3])]
    docs += [Doc(str(n), text, "pt") for n, text in enumerate(["O gato fugiu.", "O banco fechou.", "Nada."], 3)]
    build_index(docs, tmp_path / "i")
    annotate_index(tmp_path / "i", Judge(), Judge())
    with write_index(tmp_path / "i") as writer:
        writer.set_field("pun", [""] * len(docs))
    yield open_index(tmp_path / "i")
    dense._vectors.clear()


def even(judge, texts, langs):
    nothing = np.full(len(texts), -1, np.int32)
    even = np.full(len(texts), 0.5, np.float32)
    return Scores(even, nothing, nothing, np.zeros(len(texts), np.float32), judge.encode(texts, langs))


@pytest.fixture
def grown(tmp_path, monkeypatch):
    """An index of three segments, one document of which is deleted."""
    monkeypatch.setattr(dense, "_encoder", HashEncoder)
    dense._vectors.clear()
    docs = [Doc(str(n), text, "en") for n, text in enumerate(TEXTS)]
    build_index(docs[:4], tmp_path / "i")
    for part in (docs[4:7], docs[7:]):
        with write_index(tmp_path / "i") as writer:
            writer.add(part)
    annotate_index(tmp_path / "i", Judge(), Judge())
    with write_index(tmp_path / "i") as writer:
        writer.set_field("pun", ["money money river" if "bank" in text else "animal" for text in TEXTS])
        writer.delete(["6"])
    yield open_index(tmp_path / "i")
    dense._vectors.clear()


def expected(text, number, index):
    """Give the evidence of one document, by the formulas and nothing else."""
    encode = lambda words: HashEncoder().encode([words], "en")[0]  # noqa: E731
    unit = lambda vector: vector / max(np.linalg.norm(vector), 1e-9)  # noqa: E731
    words = sorted({word.lower() for word in Analyser.split(TEXTS[number])})
    cosines = [float(encode(word).astype(np.float16).astype(np.float32) @ encode(text)) for word in words]
    weights = [rarity(word, "en") for word in words]
    near = [max(c - NEAR_ENOUGH, 0) / (1 - NEAR_ENOUGH) * w for c, w in zip(cosines, weights, strict=True)]
    whole = sum(w * encode(word) for word, w in zip(words, weights, strict=True)) if words else np.zeros(16)
    sentence = (unit(encode(ABOUT["en"].format(text))) + unit(encode(text))) / 2
    terms = index.query_terms(Query("1", text))
    field, pun = index.field("text"), index.field("pun")
    most = sum(bm25_idf(field.docs, field.df(term)) for term in terms)
    kinds = {}
    for name, weight in related(text, "en", limit=KINDS):
        for term in index.analysers["en"].terms(name) if " " not in name else ():
            kinds[term] = max(kinds.get(term, 0.0), weight)
    counts = [dict(zip(*map(np.ndarray.tolist, pun.postings(term)), strict=True)).get(number, 0) for term in terms]
    return {
        "word": score(terms, number, index) / max(most, 1e-6),
        "kind": min(score(kinds, number, index) / 10, 1.0),
        "sense": sum(count / (count + 1) / len(terms) for count in counts),
        "meaning": (float(encode(TEXTS[number]) @ sentence) + float(unit(whole) @ encode(text))) / 2,
        "near": max(near, default=0.0),
    }


def score(terms, number, index):
    found = search(Bm25(), Query("1", "any", terms=terms), index)
    return dict(zip(found.docs.tolist(), found.scores.tolist(), strict=True)).get(number, 0.0)


@pytest.mark.parametrize("text", ["bank", "dogs and cats", "colour", "money", "nowhere xyzzy", "bread dough"])
def test_evidence_is_what_the_formulas_say(grown, text):
    found, numbers = topic_evidence(Query("1", text), grown), candidates(grown).docs.tolist()
    assert numbers == [0, 1, 2, 3, 5, 8, 9]
    for row, number in enumerate(numbers):
        wanted = expected(text, number, grown)
        # Vectors are stored in half precision.
        assert {name: float(found[name][row]) for name in EVIDENCE} == pytest.approx(wanted, abs=2e-3), number


def test_jokes_multiply_topic_and_humour(grown):
    stage = Jokes(depth=3)
    found, evidence = search(stage, "dogs", grown), topic_evidence(Query("1", "dogs"), grown)
    weights = WEIGHTS["en"]
    logit = weights.bias + sum(getattr(weights, name) * evidence[name] for name in EVIDENCE)
    scores = candidates(grown).humour ** weights.humour / (1 + np.exp(-logit))
    assert found.scores.tolist() == pytest.approx(sorted(scores.tolist(), reverse=True)[:3])
    again = search(Jokes(depth=3, humour=0.1), "dogs", grown)
    assert again.scores.tolist() != found.scores.tolist()


def test_weights_go_by_the_language_of_the_query_unless_they_are_given():
    assert Jokes().weights(["pt"]) == WEIGHTS["pt"] != WEIGHTS["en"] == Jokes().weights(["en"])
    assert Jokes(word=0.0).weights(["pt"]) == WEIGHTS["pt"]._replace(word=0.0)
    assert Jokes().weights(["en", "pt"]).bias == (WEIGHTS["en"].bias + WEIGHTS["pt"].bias) / 2


def test_words_by_candidate():
    members, sizes = np.array([0, 2, 1, 0]), [2, 0, 2]
    words = Words(
        vectors=np.eye(3, dtype=np.float32),
        weights=np.ones(3, np.float32),
        norms=np.ones(len(sizes), np.float32),
        members=members,
        filled=np.array([0, 2]),
        starts=np.array([0, 2]),
        holders=np.array([0, 2, 2, 0]),
        pointers=np.array([0, 2, 3, 4]),
    )
    values = np.array([0.2, 0.9, 0.0], np.float32)
    assert words.greatest(-values).tolist() == pytest.approx([0.0, 0.0, -0.2])
    assert words.greatest(values).tolist() == pytest.approx([0.2, 0.0, 0.9])
    assert words.totals(values).tolist() == pytest.approx([0.2, 0.0, 1.1])
    for sparse in ([0.0, 0.4, 0.0], [0.0, 0.0, 0.0], [0.1, 0.4, 0.2]):
        given = np.array(sparse, np.float32)
        assert words.greatest_positive(given).tolist() == words.greatest(given).tolist()


@pytest.mark.parametrize(("asked", "lang", "number"), [("felines", "en", 3), ("felinos", "pt", 1)])
def test_kinds_of_a_query_carried_over_are_looked_for_in_the_other_language(bilingual, asked, lang, number):
    query = Query("1", asked, lang)
    carried = Translate().apply(Ranking(query), bilingual).query
    assert topic_evidence(query, bilingual)["kind"][number] == 0
    assert topic_evidence(carried, bilingual)["kind"][number] > 0
