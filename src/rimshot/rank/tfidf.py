"""TF-IDF: the cosine of weighted term vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.rank.lexical import Lexical
from rimshot.rank.ranking import Array

__all__ = ["Tfidf"]


@dataclass(frozen=True, repr=False)
class Tfidf(Lexical):
    """Cosine of (1 + ln tf) * idf vectors, idf = 1 + ln((1 + N) / (1 + df)) (Salton and Buckley 1988, smoothed).

    The query's own length divides all of its scores alike and is left in, so that 1 means the same words.
    """

    field: str = "text"
    depth: int = 1000

    column: ClassVar[str] = "tfidf"

    def formula(self, index: Index, field: Field) -> Callable[[str, Array, Array], Array]:
        """Give one term's share of the cosine."""
        norms = index.memo(("tfidf", self.field), lambda: _document_norms(index, self.field))

        def score(term: str, docs: Array, tfs: Array) -> Array:
            idf = _idf(field.docs, field.df(term))
            return (1 + np.log(tfs.astype(np.float32))) * np.float32(idf * idf) / norms[docs]

        return score


def _idf(docs: int, df: int) -> float:
    return 1 + math.log((1 + docs) / (1 + df))


def _document_norms(index: Index, name: str) -> Array:
    field = index.field(name)
    squares = np.zeros(index.size)
    df: dict[bytes, int] = {}
    for segment in index.segments:
        terms = segment.texts(f"{name}.terms")
        counts = segment.array(f"{name}.df").tolist()
        for at, count in enumerate(counts):
            term = terms.raw(at)
            df[term] = df.get(term, 0) + count
    for segment, base in zip(index.segments, index.bases, strict=True):
        terms = segment.texts(f"{name}.terms")
        idf = np.array([_idf(field.docs, df[terms.raw(at)]) for at in range(len(terms))])
        of_term = np.repeat(idf, np.diff(segment.array(f"{name}.pointers")))
        weights = (1 + np.log(segment.array(f"{name}.tfs").astype(np.float64))) * of_term
        docs = segment.array(f"{name}.docs")
        squares[base : base + segment.size] += np.bincount(docs, weights=weights**2, minlength=segment.size)
    return np.sqrt(np.maximum(squares, 1e-12)).astype(np.float32)
