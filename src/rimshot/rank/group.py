"""One hit for each family of retellings, the others under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rimshot.rank.ranking import Array, Ranking

__all__ = ["Group", "group"]


@dataclass(frozen=True)
class Group:
    """The rows of a ranking that belong to one family, best first; ``size`` counts the family, also what was not found."""

    rows: tuple[int, ...]
    family: int
    size: int

    @property
    def first(self) -> int:
        """The row that stands for the family."""
        return self.rows[0]


def group(ranking: Ranking, family: Array, k: int | None = None) -> Sequence[Group]:
    """Give the families of a ranking in the order of their best hits, at most ``k``; nothing is dropped or re-scored.

    ``family`` is the column of the index; a document without a family (-1) stands alone.

    >>> from rimshot.corpus import Query
    >>> found = Ranking(Query("1", "x"), np.array([7, 3, 5]), np.array([3.0, 2.0, 1.0]))
    >>> [g.rows for g in group(found, np.array([-1, -1, -1, 3, -1, 5, -1, 3]))]
    [(0, 1), (2,)]
    """
    rows: dict[int, list[int]] = {}
    alone = -1
    for row, number in enumerate(ranking.docs.tolist()):
        label = int(family[number])
        if label < 0:
            alone -= 1
            label = alone
        rows.setdefault(label, []).append(row)
    chosen = list(rows.items())[:k]
    sizes = np.bincount(family[family >= 0])
    return [Group(tuple(some), label, int(sizes[label]) if label >= 0 else 1) for label, some in chosen]
