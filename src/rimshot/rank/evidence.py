"""Evidence that a joke is about a topic, for every document that may be a joke.

Most jokes about a topic do not contain its word, and either sense of the pun counts. So each document is looked at in five
ways, each a number near 0 when it says nothing and near 1 when it says much:

    word      the query's words are in the text (BM25, divided by what a perfect match of rare words could give)
    kind      words for kinds, parts and near synonyms of the topic are in the text (the wordnet, weights falling with distance)
    sense     the topic is among what the located pun word can mean (synonyms and hypernyms of its senses)
    meaning   the text is near the topic in meaning (cosines of the sentence vector and of the sum of its word vectors)
    near      some word of the text is near the topic in meaning (the nearest word, rare words counting more)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rimshot.corpus.query import Query
from rimshot.errors import IndexFault
from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.index.words import WordTable, has_words, read_words
from rimshot.rank.bm25 import Bm25, bm25_idf
from rimshot.rank.dense import cosines, query_vector, word_vector
from rimshot.rank.lexical import accumulate
from rimshot.rank.ranking import Array

__all__ = ["EVIDENCE", "Candidates", "candidates", "topic_evidence"]

EVIDENCE = ("word", "kind", "sense", "meaning", "near")
ABOUT = {"en": "This text is about {}.", "pt": "Este texto é sobre {}."}
NEAR_ENOUGH = 0.35
KINDS = 150
_KIND_SCALE = 10.0


@dataclass(frozen=True, eq=False)
class Candidates:
    """The live documents that may be jokes, rising, with their P(humour), and their words."""

    docs: Array
    humour: Array
    tables: tuple[tuple[WordTable, Array, Array], ...]


def candidates(index: Index) -> Candidates:
    """Give the documents worth looking at; the same for every query, so worked out once."""
    return index.memo("candidates", lambda: _candidates(index))


def _candidates(index: Index) -> Candidates:
    docs, tables, base_row = [], [], 0
    for segment, base in zip(index.segments, index.bases, strict=True):
        if not has_words(segment):
            raise IndexFault(f"{index.path} is not annotated; complete it: rimshot annotate {index.path}")
        table = read_words(segment)
        keep = np.ones(len(table.docs), bool) if segment.live is None else segment.live[table.docs]
        docs.append(table.docs[keep] + np.int32(base))
        tables.append((table, np.ascontiguousarray(table.vectors, dtype=np.float32), keep))
        base_row += int(keep.sum())
    joined = np.concatenate(docs) if docs else np.empty(0, np.int32)
    return Candidates(joined, index.column("humour")[joined].astype(np.float64), tuple(tables))


def asked_languages(query: Query, index: Index) -> list[str]:
    """Give the languages to read a query in: its own, or those of the index whose wordnet knows it, or all of them."""
    if query.lang:
        return [query.lang]
    from rimshot.lexicon.related import topic_lemmas

    knowing = [lang for lang in index.languages if topic_lemmas(query.text, lang)]
    return knowing or list(index.languages)


def topic_evidence(query: Query, index: Index) -> dict[str, Array]:
    """Give, under each name of ``EVIDENCE``, a number for each candidate."""
    found = candidates(index)
    langs = asked_languages(query, index)
    terms = index.query_terms(query)
    text = index.field("text")
    about = _mean([query_vector(replace(query, lang=lang), index, ABOUT[lang]) for lang in langs])
    plain = _mean([query_vector(replace(query, lang=lang), index) for lang in langs])
    near, bag = _words(_mean([word_vector(query.text, lang, index) for lang in langs]), found)
    sentence = cosines((about + plain) / 2, index, found.docs, "candidates")
    return {
        "word": _share(terms, text, index)[found.docs],
        "kind": _kinds(query.text, langs, index, text)[found.docs],
        "sense": _senses(terms, index.field("pun"))[found.docs],
        "meaning": (sentence + bag) / 2,
        "near": near,
    }


def _mean(vectors: Sequence[Array]) -> Array:
    total = np.sum(vectors, axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)


def _spread(size: int, docs: Array, scores: Array) -> Array:
    whole = np.zeros(size, dtype=np.float32)
    whole[docs] = scores
    return whole


def _share(terms: Mapping[str, float], field: Field, index: Index) -> Array:
    docs, scores = accumulate(terms, field, Bm25().formula(index, field))
    most = sum(weight * bm25_idf(field.docs, field.df(term)) for term, weight in terms.items())
    return _spread(index.size, docs, scores / np.float32(max(most, 1e-6)))


def _kinds(text: str, langs: Sequence[str], index: Index, field: Field) -> Array:
    from rimshot.lexicon import related

    weights: dict[str, float] = {}
    for lang in langs:
        for name, weight in related(text, lang, limit=KINDS):
            terms = index.analysers[lang].terms(name)
            if len(terms) == 1:
                weights[terms[0]] = max(weights.get(terms[0], 0.0), weight)
    docs, scores = accumulate(weights, field, Bm25().formula(index, field))
    return _spread(index.size, docs, np.minimum(scores / _KIND_SCALE, 1.0))


def _senses(terms: Mapping[str, float], field: Field) -> Array:
    whole = np.zeros(len(field.lengths), dtype=np.float32)
    total = sum(terms.values())
    for term, weight in terms.items():
        docs, tfs = field.postings(term)
        counts = tfs.astype(np.float32)
        whole[docs] += counts / (counts + 1) * np.float32(weight / total)
    return whole


def _words(vector: Array, found: Candidates) -> tuple[Array, Array]:
    """Give, for each candidate, the nearness of its nearest word, and the cosine with the sum of its words."""
    nearest, bags = [], []
    for table, vectors, keep in found.tables:
        starts = table.pointers[:-1]
        if not len(starts):
            continue
        cosine = vectors @ vector
        near = np.maximum(cosine - NEAR_ENOUGH, 0) / (1 - NEAR_ENOUGH) * table.weights
        empty = np.diff(table.pointers) == 0
        most = np.maximum.reduceat(np.append(near[table.members], np.float32(0)), starts)
        total = np.add.reduceat(np.append((cosine * table.weights)[table.members], np.float32(0)), starts)
        most[empty], total[empty] = 0, 0
        nearest.append(most[keep])
        bags.append((total / np.maximum(table.norms, 1e-6))[keep])
    nothing = np.empty(0, np.float32)
    return np.concatenate([nothing, *nearest]), np.concatenate([nothing, *bags])
