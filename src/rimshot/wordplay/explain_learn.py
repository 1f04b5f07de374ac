"""How the small models behind an explanation learn: a linear ranker over candidates, and logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Candidates", "Flags", "Rows", "adam", "fit_logistic", "fit_ranker"]

Rows = NDArray[np.float32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, eq=False, slots=True)
class Candidates:
    """The rows of groups end to end, each column on one scale; in every group some rows are flagged as right."""

    table: Rows
    mean: Rows
    scale: Rows
    flags: Rows
    share: Rows
    """What each row's group counts, of 1 in all."""
    starts: NDArray[np.intp]
    group: NDArray[np.intp]

    @staticmethod
    def of(groups: Sequence[tuple[Rows, Flags, float]]) -> Candidates:
        """Put groups of rows, flags and a weight together; those with nothing flagged are left out."""
        used = [(rows, flags, weight) for rows, flags, weight in groups if flags.any()]
        sizes = [len(rows) for rows, _, _ in used]
        table = np.concatenate([rows for rows, _, _ in used])
        flags = np.concatenate([flags for _, flags, _ in used]).astype(np.float32)
        share = np.array([weight for *_, weight in used], np.float32)
        group = np.repeat(np.arange(len(used)), sizes)
        mean, scale = table.mean(axis=0), table.std(axis=0) + 1e-6
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        return Candidates((table - mean) / scale, mean, scale, flags, (share / share.sum())[group], starts, group)

    def pull(self, scores: Rows) -> Rows:
        """Give how far each score should fall for more probability on what is flagged (softmax over a group)."""
        raised = np.exp(scores - np.maximum.reduceat(scores, self.starts)[self.group])
        right = raised * self.flags
        every, flagged = (np.add.reduceat(part, self.starts)[self.group] for part in (raised, right))
        found = (raised / every - right / np.maximum(flagged, 1e-12)) * self.share
        return found.astype(np.float32)


def fit_ranker(groups: Sequence[tuple[Rows, Flags, float]], ridge: float = 1e-3, steps: int = 400) -> Rows:
    """Give the weights that put most probability on the flagged rows of each group (softmax over the group, Adam)."""
    of = Candidates.of(groups)

    def slope(weights: Rows) -> Rows:
        down: Rows = of.table.T @ of.pull(of.table @ weights) + ridge * weights
        return down

    found: Rows = adam(slope, np.zeros(of.table.shape[1], np.float32), steps) / of.scale
    return found


def fit_logistic(rows: Rows, truth: Flags, ridge: float = 0.03, steps: int = 25, counts: Rows | float = 1.0) -> Rows:
    """Give the weights of a logistic regression by Newton's method; the first column must be the constant.

    Columns are brought to one scale first, and `ridge` pulls all weights but the constant's towards 0. `counts` says what
    each row counts.

    >>> rows = np.array([[1, -2], [1, -1], [1, 1], [1, 2]], np.float32)
    >>> fit_logistic(rows, np.array([False, True, False, True]))[1] > 0
    True
    """
    mean, scale = rows.mean(axis=0, dtype=np.float64), rows.std(axis=0, dtype=np.float64)
    mean[0], scale[0] = 0.0, 1.0
    scale[scale < 1e-6] = np.inf
    table = (rows - mean) / scale
    pull = np.full(rows.shape[1], ridge)
    pull[0] = 1e-6
    weights = np.zeros(rows.shape[1])
    share = np.broadcast_to(counts, len(rows)) / np.broadcast_to(counts, len(rows)).sum()
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (share * (truth - chance)) - pull * weights
        curve = (table * (share * chance * (1 - chance))[:, None]).T @ table + np.diag(pull)
        weights += np.linalg.solve(curve, slope)
    found = weights / scale
    found[0] = weights[0] - float(found[1:] @ mean[1:])
    return np.asarray(found, dtype=np.float32)


def adam(slope: Callable[[Rows], Rows], weights: Rows, steps: int, rate: float = 0.05, *, fall: bool = False) -> Rows:
    """Give the weights that steps down a slope lead to (Kingma and Ba 2015); with `fall` the later half of them shrink."""
    mean, square = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, steps + 1):
        down = slope(weights)
        mean = 0.9 * mean + 0.1 * down
        square = 0.999 * square + 0.001 * down * down
        pace = rate * min(1.0, 2 * (1 - step / steps) + 0.02) if fall else rate
        weights = weights - pace * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights.astype(np.float32)
