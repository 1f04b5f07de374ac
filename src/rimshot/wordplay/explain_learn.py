"""How the small models behind an explanation learn: a linear ranker over candidates, and logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["Flags", "Rows", "fit_logistic", "fit_ranker"]

Rows = NDArray[np.float32]
Flags = NDArray[np.bool_]


def fit_ranker(groups: Sequence[tuple[Rows, Flags, float]], ridge: float = 1e-3, steps: int = 400) -> Rows:
    """Give the weights that put most probability on the flagged rows of each group (softmax over the group, Adam)."""
    used = [(rows, flags, weight) for rows, flags, weight in groups if flags.any()]
    sizes = [len(rows) for rows, _, _ in used]
    table = np.concatenate([rows for rows, _, _ in used])
    flags = np.concatenate([flags for _, flags, _ in used]).astype(np.float32)
    share = np.array([weight for *_, weight in used], np.float32)
    share /= share.sum()
    scale = table.std(axis=0) + 1e-6
    table = (table - table.mean(axis=0)) / scale
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group = np.repeat(np.arange(len(used)), sizes)

    def slope(weights: Rows) -> Rows:
        scores = table @ weights
        scores -= np.maximum.reduceat(scores, starts)[group]
        raised = np.exp(scores)
        right = raised * flags
        pull = raised / np.add.reduceat(raised, starts)[group] - right / np.maximum(
            np.add.reduceat(right, starts)[group], 1e-12
        )
        down: Rows = table.T @ (pull * share[group]) + ridge * weights
        return down

    found: Rows = _adam(slope, table.shape[1], steps) / scale
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


def _adam(slope: Callable[[Rows], Rows], size: int, steps: int, rate: float = 0.05) -> Rows:
    weights = np.zeros(size, np.float32)
    mean, square = np.zeros(size, np.float32), np.zeros(size, np.float32)
    for step in range(1, steps + 1):
        down = slope(weights)
        mean = 0.9 * mean + 0.1 * down
        square = 0.999 * square + 0.001 * down * down
        weights = weights - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights.astype(np.float32)
