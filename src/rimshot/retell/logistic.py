"""Logistic regression with a ridge penalty, by Newton's method: small enough to need no library at run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Logistic", "fit_logistic", "sigmoid"]

Array = npt.NDArray[Any]


def sigmoid(values: Array) -> Array:
    """Give 1 / (1 + exp(-x)) without overflow.

    >>> sigmoid(np.array([-1000.0, 0.0])).tolist()
    [0.0, 0.5]
    """
    small = np.exp(-np.abs(values))
    return np.where(values >= 0, 1 / (1 + small), small / (1 + small))


@dataclass(frozen=True, eq=False)
class Logistic:
    """A bias and a weight for each feature."""

    bias: float
    weights: Array

    def logit(self, features: Array) -> Array:
        """Give the log-odds of every row."""
        return np.asarray(features, dtype=np.float64) @ self.weights + self.bias

    def probability(self, features: Array) -> Array:
        """Give the probability of every row."""
        return sigmoid(self.logit(features))


def fit_logistic(features: Array, labels: Array, ridge: float = 1.0, sample_weight: Array | None = None) -> Logistic:
    """Give the weights that minimise the log loss plus ``ridge / 2`` times the squared weights of standardised features.

    The bias is not penalised. Features without spread get the weight 0.
    """
    x = np.asarray(features, dtype=np.float64)
    y = np.asarray(labels, dtype=np.float64)
    share = np.ones(len(y)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    mean, spread = x.mean(axis=0), x.std(axis=0)
    flat = spread < 1e-12
    z = np.column_stack([np.ones(len(x)), np.where(flat, 0.0, (x - mean) / np.where(flat, 1.0, spread))])
    penalty = np.diag([1e-9, *([ridge] * x.shape[1])])
    theta = np.zeros(z.shape[1])
    loss = np.inf
    for _ in range(100):
        p = sigmoid(z @ theta)
        gradient = z.T @ (share * (p - y)) + penalty @ theta
        hessian = (z * (share * p * (1 - p))[:, None]).T @ z + penalty + 1e-9 * np.eye(len(theta))
        step = np.linalg.solve(hessian, gradient)
        scale, before = 1.0, loss
        while True:
            trial = theta - scale * step
            loss = float(
                share @ np.logaddexp(0, np.where(y > 0.5, -1, 1) * (z @ trial)) + 0.5 * trial @ penalty @ trial
            )
            if loss <= before or scale < 1e-6:
                break
            scale /= 2
        theta = trial
        if before - loss < 1e-9 * max(1.0, abs(loss)):
            break
    weights = np.where(flat, 0.0, theta[1:] / np.where(flat, 1.0, spread))
    return Logistic(float(theta[0] - weights @ mean), weights)
