"""BM25 as Lucene has it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.errors import PipelineError
from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.rank.lexical import Lexical
from rimshot.rank.ranking import Array

__all__ = ["Bm25", "bm25_idf"]


def bm25_idf(docs: int, df: int) -> float:
    """Give ln(1 + (N - df + 1/2) / (df + 1/2)), which is never negative (Lucene's; Robertson and Zaragoza 2009, 3.1).

    >>> round(bm25_idf(10, 1), 4)
    1.992
    """
    return math.log1p((docs - df + 0.5) / (df + 0.5))


@dataclass(frozen=True, repr=False)
class Bm25(Lexical):
    """BM25 in Lucene's variant, with Anserini's parameters: idf * tf / (tf + k1 (1 - b + b length / average)).

    The constant factor k1 + 1 is left out, as in Lucene since 8 and in bm25s' "lucene" method.
    """

    k1: float = 0.9
    b: float = 0.4
    field: str = "text"
    depth: int = 1000

    column: ClassVar[str] = "bm25"

    def __post_init__(self) -> None:
        if not self.k1 >= 0:
            raise PipelineError(f"Bm25(k1={self.k1!r}): k1 must be at least 0")
        if not 0 <= self.b <= 1:
            raise PipelineError(f"Bm25(b={self.b!r}): b must lie between 0 and 1")

    def formula(self, index: Index, field: Field) -> Callable[[str, Array, Array], Array]:
        """Give BM25's score of one term."""
        norm = self.norms(index, field)

        def score(term: str, docs: Array, tfs: Array) -> Array:
            counts = tfs.astype(np.float32)
            return counts / (counts + norm[docs]) * np.float32(bm25_idf(field.docs, field.df(term)))

        return score

    def norms(self, index: Index, field: Field) -> Array:
        """Give what is added to a term's frequency in each document: k1 (1 - b + b length / average)."""

        def make() -> Array:
            return (self.k1 * (1 - self.b + self.b * field.lengths / field.average)).astype(np.float32)

        return index.memo(("bm25", self.k1, self.b, self.field), make)
