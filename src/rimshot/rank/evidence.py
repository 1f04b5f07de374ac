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
from dataclasses import replace

import numpy as np

from rimshot.corpus.query import ABOUT, Query
from rimshot.index.pack import Array
from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.rank.bm25 import bm25_idf
from rimshot.rank.candidates import Candidates, Words, candidates, impacts
from rimshot.rank.dense import query_vector, read_ahead, word_vector
from rimshot.rank.products import products

__all__ = ["EVIDENCE", "asked_languages", "candidates", "topic_evidence"]

EVIDENCE = ("word", "kind", "sense", "meaning", "near")
NEAR_ENOUGH = 0.35
KINDS = 150
_KIND_SCALE = 10.0


def asked_languages(query: Query, index: Index) -> list[str]:
    """Give the languages to read a query in: its own, or those of the index whose wordnet knows it best, or all."""
    if query.lang:
        return [query.lang]
    from rimshot.lexicon.related import knowing_languages

    return knowing_languages(query.text, index.languages) or list(index.languages)


def topic_evidence(query: Query, index: Index, english: bool = True) -> dict[str, Array]:
    """Give, under each name of ``EVIDENCE``, a number for each candidate; ``english`` as for :func:`candidates`."""
    found = candidates(index, english)
    langs = asked_languages(query, index)
    terms = index.query_terms(query)
    _read_ahead(query.text, langs)
    about = _mean([query_vector(replace(query, lang=lang), index, ABOUT[lang]) for lang in langs])
    plain = _mean([query_vector(replace(query, lang=lang), index) for lang in langs])
    near, bag = _words(_mean([word_vector(query.text, lang, index) for lang in langs]), found.words)
    sentence = products(found.vectors, (about + plain) / 2)
    return {
        "word": _share(terms, index),
        "kind": _kinds(query, langs, index),
        "sense": _senses(terms, index.field("pun"), found),
        "meaning": (sentence + bag) / 2,
        "near": near,
    }


def _read_ahead(text: str, langs: Sequence[str]) -> None:
    """Encode, one pass for each language, all that the topic is put into."""
    from rimshot.lexicon.translate import topic_in_english

    texts = {lang: [ABOUT[lang].format(text), text] for lang in langs}
    texts.setdefault("en", []).extend(topic_in_english(text, lang) for lang in langs)
    for lang, several in texts.items():
        read_ahead(several, lang)


def _mean(vectors: Sequence[Array]) -> Array:
    total = np.sum(vectors, axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)


def _share(terms: Mapping[str, float], index: Index) -> Array:
    field = index.field("text")
    most = sum(weight * bm25_idf(field.docs, field.df(term)) for term, weight in terms.items())
    return impacts(index).scores(terms) / np.float32(max(most, 1e-6))


def _kinds(query: Query, langs: Sequence[str], index: Index) -> Array:
    """Look for the words of the topic's kinds; those of a query carried over, in every language of the index."""
    from rimshot.lexicon import related
    from rimshot.lexicon.translate import known_topic

    weights: dict[str, float] = {}
    further = index.languages if query.terms is not None else ()
    for lang in langs:
        topic, own = known_topic(query.text, lang)
        for to in dict.fromkeys((lang, *further)):
            for name, weight in related(topic, own, limit=KINDS, to=to):
                terms = index.analysers[to].terms(name)
                if len(terms) == 1:
                    weights[terms[0]] = max(weights.get(terms[0], 0.0), weight)
    return np.minimum(impacts(index).scores(weights) / np.float32(_KIND_SCALE), 1.0)


def _senses(terms: Mapping[str, float], field: Field, found: Candidates) -> Array:
    whole = np.zeros(len(found.docs), dtype=np.float32)
    total = sum(terms.values())
    for term, weight in terms.items():
        docs, tfs = field.postings(term)
        counts = tfs.astype(np.float32)
        whole += found.spread(docs, counts / (counts + 1) * np.float32(weight / total))
    return whole


def _words(vector: Array, words: Words) -> tuple[Array, Array]:
    """Give, for each candidate, the nearness of its nearest word, and the cosine with the sum of its words."""
    cosine = words.cosines(vector)
    near = np.maximum(cosine - np.float32(NEAR_ENOUGH), 0) / np.float32(1 - NEAR_ENOUGH) * words.weights
    return words.greatest_positive(near), words.totals(cosine * words.weights) / words.norms
