"""Many small decision trees that vote, for what no weighted sum can say: a rare word is a pun only if it sounds usual.

Extremely randomised trees (Geurts, Ernst and Wehenkel 2006): at each fork a few columns are drawn, each with a cut drawn
at random between its least and greatest value, and the one that parts the two kinds best is taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.forest import Forks

__all__ = ["Forest", "grow"]

Table = NDArray[np.float32]
_PART = 0.3
"""The share of the columns that is drawn at each fork."""


@dataclass(frozen=True, eq=False, slots=True)
class Forest:
    """Trees (``rimshot.wordplay.forest``) and the share of flagged rows at each of their nodes."""

    forks: Forks
    chance: Table

    def chances(self, row: Sequence[float]) -> float:
        """Give the mean of the trees' votes for a row."""
        return float(self.chance[self.forks.leaves(np.asarray([row], np.float32))].mean())

    def written(self) -> dict[str, NDArray[Any]]:
        """Give the trees as arrays that take little room, for a file."""
        return {
            "roots": self.forks.roots.astype(np.int32),
            "column": self.forks.column.astype(np.uint8),
            "cut": self.forks.cut,
            "below": self.forks.below.astype(np.int32),
            "chance": self.chance.astype(np.float16),
        }

    @staticmethod
    def read(parts: Mapping[str, NDArray[Any]]) -> Forest:
        """Give the trees that were written."""
        roots, column, below = (parts[name].astype(np.intp) for name in ("roots", "column", "below"))
        forks = Forks(roots, column, parts["cut"].astype(np.float32), below)
        return Forest(forks, parts["chance"].astype(np.float32))


def grow(rows: Table, truth: NDArray[np.bool_], trees: int = 60, leaf: int = 10, seed: int = 0) -> Forest:
    """Give the trees that tell flagged rows from others; no leaf holds fewer than `leaf` rows.

    >>> rows = np.arange(40, dtype=np.float32)[:, None]
    >>> forest = grow(rows, rows[:, 0] > 20, leaf=2)
    >>> forest.chances([35.0]) > 0.8 > 0.2 > forest.chances([5.0])
    True
    """
    random = np.random.default_rng(seed)
    nodes: list[tuple[int, float, int, float]] = []
    roots = []
    for _ in range(trees):
        roots.append(len(nodes))
        nodes.append((0, 0.0, 0, 0.0))
        waiting = [(len(nodes) - 1, np.arange(len(rows)))]
        while waiting:
            at, here = waiting.pop()
            share = float(truth[here].mean())
            fork = _fork(rows[here], truth[here], leaf, random) if 0 < share < 1 and len(here) >= 2 * leaf else None
            if fork is None:
                nodes[at] = (0, 0.0, 0, share)
                continue
            column, cut = fork
            high = rows[here, column] > cut
            nodes[at] = (column, cut, len(nodes), share)
            waiting += [(len(nodes), here[~high]), (len(nodes) + 1, here[high])]
            nodes += [(0, 0.0, 0, 0.0)] * 2
    columns, cuts, below, chances = zip(*nodes, strict=True)
    forks = Forks(
        np.array(roots, np.intp), np.array(columns, np.intp), np.array(cuts, np.float32), np.array(below, np.intp)
    )
    return Forest(forks, np.array(chances, np.float32))


def _fork(rows: Table, truth: NDArray[np.bool_], leaf: int, random: np.random.Generator) -> tuple[int, float] | None:
    """The column and the cut, of some drawn at random, that part flagged rows from others best."""
    least, most = rows.min(axis=0), rows.max(axis=0)
    varied = np.flatnonzero(most > least)
    count = max(1, round(_PART * rows.shape[1]))
    drawn = random.permutation(varied)[:count]
    if not len(drawn):
        return None
    cuts = np.round(least[drawn] + random.random(len(drawn)) * (most - least)[drawn], 4).astype(np.float32)
    high = rows[:, drawn] > cuts
    above = high.sum(axis=0)
    right = (high & truth[:, None]).sum(axis=0)
    rest, wrong = len(rows) - above, truth.sum() - right
    fair = (above >= leaf) & (rest >= leaf)
    if not fair.any():
        return None
    size, other = np.maximum(above, 1), np.maximum(rest, 1)
    mixed = right * (above - right) / size + wrong * (rest - wrong) / other
    best = int(np.where(fair, mixed, np.inf).argmin())
    return int(drawn[best]), float(cuts[best])
