"""The carrier of a search: a query and its hits as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.corpus.document import Doc
from rimshot.corpus.query import Query
from rimshot.index.reader import Index

__all__ = ["Hit", "Ranking", "best"]

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Hit:
    """One result, for people: rank from 1, the document, its score and the parts of the score by name."""

    rank: int
    doc: Doc
    number: int
    score: float
    parts: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class Ranking:
    """Document numbers with scores, best first, and named columns that say where the scores come from."""

    query: Query
    docs: Array = field(default_factory=lambda: np.empty(0, dtype=np.int32))
    scores: Array = field(default_factory=lambda: np.empty(0, dtype=np.float64))
    columns: Mapping[str, Array] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.docs)

    def take(self, at: Array | slice) -> Ranking:
        """Keep some rows, in the order given."""
        return replace(
            self,
            docs=self.docs[at],
            scores=self.scores[at],
            columns={name: column[at] for name, column in self.columns.items()},
        )

    def rescored(self, scores: Array, columns: Mapping[str, Array] | None = None) -> Ranking:
        """Give every hit a new score (and further columns), and sort."""
        fresh = replace(self, scores=np.asarray(scores, np.float64), columns={**self.columns, **(columns or {})})
        return fresh.take(np.lexsort((self.docs, -fresh.scores)))

    def hits(self, index: Index) -> Iterator[Hit]:
        """Give the hits with their texts."""
        for row, (number, score) in enumerate(zip(self.docs.tolist(), self.scores.tolist(), strict=True)):
            parts = {name: float(column[row]) for name, column in self.columns.items()}
            yield Hit(row + 1, index.doc(number), number, score, parts)


def best(docs: Array, scores: Array, k: int) -> tuple[Array, Array, Array]:
    """Give rows, documents and scores of the best k: scores falling, and rising document numbers where they are equal.

    The same k come out whatever the order of the input, also where equal scores straddle the cut.

    >>> best(np.array([4, 2, 9]), np.array([1.0, 1.0, 3.0]), 2)[1].tolist()
    [9, 2]
    """
    if len(docs) > k > 0:
        cut = np.partition(scores, len(scores) - k)[len(scores) - k]
        above = np.flatnonzero(scores > cut)
        level = np.flatnonzero(scores == cut)
        if len(above) + len(level) > k:
            level = level[np.argsort(docs[level], kind="stable")[: k - len(above)]]
        rows = np.concatenate([above, level])
    else:
        rows = np.arange(len(docs))[: max(k, 0)]
    rows = rows[np.lexsort((docs[rows], -scores[rows]))]
    return rows, docs[rows], scores[rows].astype(np.float64)
