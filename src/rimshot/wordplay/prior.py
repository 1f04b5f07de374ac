"""From a model's raw logit to the probability that a text *of a collection* is wordplay.

Training texts are one fifth wordplay; of a collection that people search, a few in a hundred are. A model calibrated
on the former calls every tenth plain text a joke. The correction is to weigh the training texts as a collection would
hold them when the slope and shift are fitted (Saerens et al., Adjusting the Outputs of a Classifier to New a Priori
Probabilities, 2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

__all__ = ["PRIOR", "at_share", "calibrate", "collection_weights", "folds", "logit", "sigmoid"]

PRIOR = 0.03
"""The share of wordplay assumed of a collection; the ones that are known lie between 1 and 7 in a hundred."""


def sigmoid(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the probabilities of logits, without overflow."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * values)), dtype=np.float64)


def logit(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the logits of probabilities, those of 0 and 1 kept finite."""
    safe = np.clip(chances, 1e-6, 1.0 - 1e-6)
    return np.asarray(np.log(safe / (1.0 - safe)), dtype=np.float64)


def at_share(chances: NDArray[np.float32], share: float) -> NDArray[np.float32]:
    """Give the probabilities for texts of which another share is wordplay; a chance of nothing stays nothing.

    >>> at_share(np.array([0.0, 0.03, 0.5], np.float32), 0.5).round(2).tolist()
    [0.0, 0.5, 0.97]
    """
    odds = chances.astype(np.float64) / np.maximum(1.0 - chances.astype(np.float64), 1e-9)
    odds *= share / (1.0 - share) * (1.0 - PRIOR) / PRIOR
    return (odds / (1.0 + odds)).astype(np.float32)


def collection_weights(truth: NDArray[np.bool_], twin: NDArray[np.bool_], prior: float = PRIOR) -> NDArray[np.float64]:
    """Give each text the weight of its kind in a collection: ``prior`` wordplay, about as many twins, the rest plain.

    >>> collection_weights(np.array([True, False, False]), np.array([False, True, False]), 0.1).round(2).tolist()
    [0.1, 0.08, 0.82]
    """
    plain = ~truth & ~twin
    share = prior * 0.8 if twin.any() and plain.any() else 0.0
    weights = np.zeros(len(truth))
    for kind, mass in ((truth, prior), (twin & ~truth, share), (plain, 1.0 - prior - share)):
        if kind.any():
            weights[kind] = mass / kind.sum()
    return weights


def calibrate(
    logits: NDArray[np.float64], truth: NDArray[np.bool_], weights: NDArray[np.float64]
) -> tuple[float, float]:
    """Give slope and shift of the sigmoid that fits weighted labels best (Platt 1999; Newton's method)."""
    scale = float(np.std(logits)) or 1.0
    values = logits / scale
    design = np.stack([values, np.ones_like(values)], axis=1)
    mass = weights / weights.sum()
    share = float(np.clip((mass * truth).sum(), 1e-6, 1 - 1e-6))
    solution = np.array([0.0, np.log(share / (1.0 - share))])
    for _ in range(100):
        chances = sigmoid(design @ solution)
        # A whisper of a ridge keeps separable data finite.
        gradient = design.T @ (mass * (chances - truth)) + 1e-6 * solution * [1.0, 0.0]
        curve = (design * (mass * chances * (1.0 - chances))[:, None]).T @ design + np.diag([1e-6, 1e-12])
        step = np.linalg.solve(curve, gradient)
        longest = float(np.abs(step).max())
        solution = solution - step * min(1.0, 2.0 / max(longest, 1e-12))
        if longest < 1e-9:
            break
    return float(solution[0] / scale), float(solution[1])


def folds(groups: Sequence[str], count: int, seed: int = 0) -> NDArray[np.int64]:
    """Give each text the number of its fold; texts of one group share it, whatever the order of the file."""
    return np.array(
        [int.from_bytes(blake2b(f"{seed} {name}".encode(), digest_size=8).digest(), "big") % count for name in groups]
    )
