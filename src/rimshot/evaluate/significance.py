"""Whether a difference between systems is more than luck of the queries.

The paired randomisation test and the bootstrap as Smucker, Allan and Carterette (CIKM 2007) recommend them for
retrieval, with Holm's (1979) step-down correction for many pairs. Everything is seeded: a report says the same twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["SAMPLES", "bootstrap", "holm", "randomisation"]

SAMPLES = 10_000
_EXACT = 13
_SEED = 20240909
_SLACK = 1e-12
Floats = NDArray[np.float64]


def randomisation(differences: Floats, samples: int = SAMPLES, seed: int = _SEED) -> Floats:
    """Give the two-sided p of every column of per-query differences: how often random signs give as large a mean.

    Columns with at most 13 queries that differ are enumerated in full; others are sampled, and p counts the sample
    itself, so it is never 0.

    >>> randomisation(np.ones((5, 1))).tolist()
    [0.0625]
    """
    found = np.asarray(differences, np.float64)
    observed = np.abs(found.sum(axis=0))
    result = np.ones(found.shape[1])
    many = [column for column in range(found.shape[1]) if np.count_nonzero(found[:, column]) > _EXACT]
    for column in set(range(found.shape[1])) - set(many):
        values = found[:, column][found[:, column] != 0]
        if len(values):
            sums = np.abs(_signs(len(values)) @ values)
            result[column] = float(np.mean(sums >= observed[column] - _SLACK))
    if many:
        rng = np.random.default_rng(seed)
        reached = np.zeros(len(many))
        for size in _blocks(samples):
            signs = rng.integers(0, 2, (size, len(found)), np.int8).astype(np.float64) * 2 - 1
            reached += (np.abs(signs @ found[:, many]) >= observed[many] - _SLACK).sum(axis=0)
        result[many] = (reached + 1) / (samples + 1)
    return result


def _signs(count: int) -> Floats:
    return np.array(list(itertools.product((-1.0, 1.0), repeat=count)))


def _blocks(samples: int, size: int = 2000) -> list[int]:
    return [min(size, samples - start) for start in range(0, samples, size)]


def bootstrap(values: Floats, level: float = 0.95, samples: int = SAMPLES, seed: int = _SEED) -> Floats:
    """Give low and high ends of the percentile interval of each column's mean, over queries drawn with replacement."""
    found = np.asarray(values, np.float64)
    count = len(found)
    rng = np.random.default_rng(seed)
    means = np.concatenate(
        [rng.multinomial(count, np.full(count, 1 / count), size) @ found / count for size in _blocks(samples)]
    )
    tail = (1 - level) / 2
    ends: Floats = np.quantile(means, [tail, 1 - tail], axis=0).T
    return ends


def holm(ps: Sequence[float] | Floats) -> Floats:
    """Give p corrected for the number of tests: the smallest times m, the next times m - 1, and so on, never falling.

    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    found = np.asarray(ps, np.float64)
    order = np.argsort(found, kind="stable")
    raised = np.maximum.accumulate(found[order] * np.arange(len(found), 0, -1))
    result = np.empty_like(found)
    result[order] = np.minimum(raised, 1.0)
    return result
