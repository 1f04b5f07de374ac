"""Relevance estimated again and again: each round's best hits are the next round's query."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rimshot.errors import PipelineError
from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage
from rimshot.rank.tfidf import Tfidf

__all__ = ["Iterative", "centroid", "unit"]

Vector = dict[str, float]


def unit(vector: Mapping[str, float]) -> Vector:
    """Give the vector with length 1.

    >>> unit({"a": 3.0, "b": 4.0})
    {'a': 0.6, 'b': 0.8}
    """
    length = math.sqrt(sum(value * value for value in vector.values()))
    return {term: value / length for term, value in vector.items()} if length else {}


def centroid(vectors: Sequence[Mapping[str, float]], relevance: Sequence[float], terms: int) -> Vector:
    """Give the heaviest terms of the mean of vectors, each counting as much as it is relevant.

    >>> centroid([{"a": 1.0}, {"b": 1.0}], [3.0, 1.0], 5)
    {'a': 0.75, 'b': 0.25}
    """
    total = sum(relevance)
    mean: Vector = {}
    for vector, weight in zip(vectors, relevance, strict=True):
        for term, value in vector.items():
            mean[term] = mean.get(term, 0.0) + value * weight / total if total else 0.0
    return dict(sorted(mean.items(), key=lambda item: (-item[1], item[0]))[:terms])


@dataclass(frozen=True, repr=False)
class Iterative(Stage):
    """Cosine of TF-IDF vectors, the query moved each round towards the ``docs`` best texts by their relevance so far.

    After the team Petra and Regina (JOKER 2024), of whose "iterative relevance scoring" only these words are
    published; the move is Rocchio's (1971), with ``weight`` the share of the original query.
    """

    rounds: int = 3
    docs: int = 10
    terms: int = 20
    weight: float = 0.7
    field: str = "text"
    depth: int = 1000

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.rounds < 0 or self.docs < 1 or self.terms < 1 or self.depth < 1:
            raise PipelineError(f"{self!r}: docs, terms and depth must be at least 1, rounds at least 0")
        if not 0 <= self.weight <= 1:
            raise PipelineError(f"{self!r}: weight must lie between 0 and 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the hits of the last round."""
        retriever, field = Tfidf(field=self.field, depth=self.depth), index.field(self.field)
        terms = index.query_terms(ranking.query)
        original = unit({term: count * _idf(field, term) for term, count in terms.items()})
        found = retriever.apply(ranking, index)
        for _ in range(self.rounds):
            top = found.take(slice(0, self.docs))
            moved = centroid(
                [_vector(index, number, field) for number in top.docs.tolist()], top.scores.tolist(), self.terms
            )
            mixed = {term: self.weight * original.get(term, 0.0) + (1 - self.weight) * moved.get(term, 0.0)
                     for term in dict.fromkeys((*original, *moved))}  # fmt: skip
            # Tfidf multiplies by the idf of the query's side, which these weights hold already.
            weights = {term: value / _idf(field, term) for term, value in mixed.items()}
            found = retriever.apply(Ranking(replace(ranking.query, terms=weights)), index)
        return replace(found, query=ranking.query)


def _idf(field: Field, term: str) -> float:
    return 1 + math.log((1 + field.docs) / (1 + field.df(term)))


def _vector(index: Index, number: int, field: Field) -> Vector:
    counts = Counter(index.analysers[index.lang(number)].terms(index.text(number)))
    return unit({term: (1 + math.log(count)) * _idf(field, term) for term, count in counts.items()})
