"""Logistic regression on features and on all products of two of them: what one likeness says depends on the others.

The same last words mean little when the set-ups differ, and much when they agree; no weighted sum of the two says that. Products are of
standardised features, penalised more than the features themselves, so the sum stays close to a plain one where little is known.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.retell.logistic import sigmoid

__all__ = ["Quadratic", "fit_quadratic"]

Array = npt.NDArray[Any]
_FAR = 3.0
"""Features further than this many deviations from their mean count as this far."""
_PRODUCTS = 0.3
"""What a product counts against a feature: its square is by how much less it is penalised."""
_DIGITS = 5


@dataclass(frozen=True, eq=False)
class Quadratic:
    """Mean and spread of each feature, a weight for each and for each product (the upper triangle, row by row), and a bias."""

    bias: float
    mean: Array
    spread: Array
    weights: Array
    products: Array

    @classmethod
    def nothing(cls, size: int) -> Quadratic:
        """Give the model that finds every pair as likely as not."""
        return cls(0.0, np.zeros(size), np.ones(size), np.zeros(size), np.zeros(size * (size + 1) // 2))

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Quadratic:
        """Give the model that was written."""
        mean, spread, weights, products = (
            np.array(row[name], dtype=np.float64) for name in ("mean", "spread", "weights", "products")
        )
        if not len(mean) == len(spread) == len(weights) or len(products) != len(mean) * (len(mean) + 1) // 2:
            raise ValueError("the weights of pairs do not fit together")
        return cls(float(row["bias"]), mean, spread, weights, products)

    def written(self) -> dict[str, Any]:
        """Give the numbers for a JSON file."""
        names = ("mean", "spread", "weights", "products")
        rounded = {name: np.round(getattr(self, name), _DIGITS).tolist() for name in names}
        return {"bias": round(self.bias, _DIGITS), **rounded}

    def logit(self, features: Array) -> Array:
        """Give the log-odds of every row."""
        terms = _expanded(_standard(features, self.mean, self.spread))
        return np.asarray(terms @ np.concatenate([self.weights, self.products]) + self.bias)

    def probability(self, features: Array) -> Array:
        """Give the probability of every row."""
        return sigmoid(self.logit(features))


def _standard(features: Array, mean: Array, spread: Array) -> Array:
    return np.asarray(np.clip((np.asarray(features, dtype=np.float64) - mean) / spread, -_FAR, _FAR))


def _expanded(standard: Array) -> Array:
    one, other = np.triu_indices(standard.shape[1])
    return np.column_stack([standard, _PRODUCTS * standard[:, one] * standard[:, other]])


def fit_quadratic(features: Array, labels: Array, ridge: float) -> Quadratic:
    """Give the weights that minimise the log loss plus ``ridge / 2`` times their squares, the bias free.

    There are more products than pairs are worth, so Newton's method works on the pairs: each step weighs them, and the weights of the
    terms are sums over pairs. Features without spread count nothing.
    """
    x, y = np.asarray(features, dtype=np.float64), np.asarray(labels, dtype=np.float64)
    mean, spread = x.mean(axis=0), x.std(axis=0)
    spread = np.where(spread < 1e-9, 1e9, spread)
    terms = _expanded(_standard(x, mean, spread))
    centre = terms.mean(axis=0)
    terms = terms - centre
    alike = terms @ terms.T
    shares, bias = np.zeros(len(y)), 0.0
    for _ in range(50):
        logits = np.clip(alike @ shares + bias, -30.0, 30.0)
        chance = sigmoid(logits)
        worth = np.maximum(chance * (1 - chance), 1e-4)
        aims = np.column_stack([logits + (y - chance) / worth, np.ones(len(y))])
        solved = np.linalg.solve(alike + np.diag(ridge / worth), aims)
        bias = float(solved[:, 0].sum() / solved[:, 1].sum())
        fresh = solved[:, 0] - bias * solved[:, 1]
        moved, shares = float(np.abs(fresh - shares).max()), fresh
        if moved < 1e-6:
            break
    found = terms.T @ shares
    size = x.shape[1]
    return Quadratic(bias - float(centre @ found), mean, spread, found[:size], found[size:])
