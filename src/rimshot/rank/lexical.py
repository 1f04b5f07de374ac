"""Lexical retrieval: what all formulas over postings share, and the sum they make.

A formula gives, for one term, a score for each document that contains it. The scores are added in an array with a place
for every document, which for a hundred thousand short texts is quicker than any bookkeeping.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import ClassVar

import numpy as np

from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.rank.ranking import Array, Ranking, best
from rimshot.rank.stage import Shape, Stage

__all__ = ["Lexical", "accumulate"]


def accumulate(
    terms: Mapping[str, float], field: Field, formula: Callable[[str, Array, Array], Array]
) -> tuple[Array, Array]:
    """Add up, over weighted terms, what a formula gives for the postings of each: documents and scores, unsorted."""
    parts = []
    for term, weight in terms.items():
        docs, tfs = field.postings(term)
        if len(docs) and weight:
            parts.append((docs, formula(term, docs, tfs) * np.float32(weight)))
    if not parts:
        return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)
    if len(parts) == 1:
        return parts[0]
    total = np.zeros(len(field.lengths), dtype=np.float32)
    seen = np.zeros(len(field.lengths), dtype=bool)
    for docs, scores in parts:
        total[docs] += scores
        seen[docs] = True
    docs = np.flatnonzero(seen).astype(np.int32)
    return docs, total[docs]


class Lexical(Stage):
    """A retriever over the terms of one field; gives the best ``depth`` documents that contain any of them."""

    needs: ClassVar[Shape] = Shape.QUERY
    gives: ClassVar[Shape] = Shape.HITS
    column: ClassVar[str] = "lexical"
    field: str
    depth: int

    @abstractmethod
    def formula(self, index: Index, field: Field) -> Callable[[str, Array, Array], Array]:
        """Give the score of documents for one term: ``f(term, documents, frequencies)``."""

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the documents that contain a term of the query, best first."""
        field = index.field(self.field)
        docs, scores = accumulate(index.query_terms(ranking.query), field, self.formula(index, field))
        _, docs, scores = best(docs, scores, self.depth)
        return Ranking(ranking.query, docs, scores, {self.column: scores})
