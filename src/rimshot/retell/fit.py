"""Fitting the weights of the similarity on judged families, with figures by cross-validation over families.

Negatives are pairs that people judged to be different jokes, and pairs of texts from two judged families, near ones and random
ones. A text that is merely not judged is never a negative: it may well be a retelling that nobody has looked at.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.retell.families import Material
from rimshot.retell.likeness import LEXICAL, VECTORS, lexical_likeness
from rimshot.retell.logistic import fit_logistic

__all__ = ["FOLDS", "Rows", "cross_validate", "fit_weights", "training_rows"]

Array = npt.NDArray[Any]
FOLDS = 10
NEAR, RANDOM = 6, 6
OTHERS = 1.0
"""What all pairs across families weigh together, against all positives."""
LEAN = 0.5
"""Added to the bias: of two jokes that someone puts side by side, more are the same than of two that a search does."""
NAMES = (*LEXICAL, *VECTORS)


@dataclass(frozen=True, eq=False)
class Rows:
    """Pairs with their features, whether they are the same joke, whether they were judged, their weight and their fold."""

    features: Array
    same: Array
    judged: Array
    weight: Array
    fold: Array

    def joined(self, other: Rows, share: float) -> Rows:
        """Give these rows and another collection's, whose rows weigh ``share`` of what they did."""
        return Rows(
            np.concatenate([self.features, other.features]),
            np.concatenate([self.same, other.same]),
            np.concatenate([self.judged, np.zeros(len(other.same), dtype=bool)]),
            np.concatenate([self.weight, share * other.weight]),
            np.concatenate([self.fold, other.fold]),
        )


def training_rows(
    material: Material, families: Sequence[Sequence[int]], negatives: Sequence[tuple[int, int]], seed: int = 7
) -> Rows:
    """Give the pairs to learn from; a pair's fold is that of its first text's family."""
    if material.meaning is None or material.ending is None:
        raise ValueError("the weights are fitted on texts with vectors")
    rng = random.Random(seed)
    order = list(range(len(families)))
    rng.shuffle(order)
    fold = {member: at % FOLDS for at, family in enumerate(order) for member in families[family]}
    owner = {member: at for at, family in enumerate(families) for member in family}
    members = np.array(sorted(owner))
    chosen: list[tuple[int, int, bool, bool]] = []
    for family in families:
        chosen += [(a, b, True, True) for at, a in enumerate(family) for b in family[at + 1 :]]
    chosen += [(a, b, False, True) for a, b in negatives]
    tellings = {number: material.telling(number) for number in {n for pair in chosen for n in pair[:2]}}
    meaning = material.meaning[members].astype(np.float32)
    for row, member in enumerate(members.tolist()):
        rare = tellings[member].weight
        shared = [sum(rare[stem] for stem in rare.keys() & tellings[n].bag.keys()) for n in members.tolist()]
        taken: dict[int, None] = {}
        # By one signal alone, that signal would look useless: all negatives would have it.
        for signal in (meaning @ meaning[row], np.array(shared)):
            near = [n for n in members[np.argsort(-signal, kind="stable")].tolist() if owner[n] != owner[member]]
            taken.update(dict.fromkeys(near[:NEAR]))
        taken.update(dict.fromkeys(rng.sample(near, min(RANDOM, len(near)))))
        chosen += [(member, other, False, False) for other in taken]
    first, second = (np.array([pair[side] for pair in chosen]) for side in (0, 1))
    near_by = [
        np.einsum("ij,ij->i", *(vectors[side].astype(np.float32) for side in (first, second)))
        for vectors in (material.meaning, material.ending)
    ]
    lexical = np.array([lexical_likeness(tellings[a], tellings[b]) for a, b, _, _ in chosen])
    same = np.array([pair[2] for pair in chosen])
    judged = np.array([pair[3] for pair in chosen])
    weight = np.where(judged, 1.0, OTHERS * same.sum() / max((~judged).sum(), 1))
    folds = np.array([fold.get(a, fold.get(b, rng.randrange(FOLDS))) for a, b, _, _ in chosen])
    return Rows(np.column_stack([lexical, *near_by]), same, judged, weight, folds)


def _fit(rows: Rows, chosen: Array, names: Sequence[str], lean: float) -> tuple[float, Array]:
    columns = [NAMES.index(name) for name in names]
    model = fit_logistic(rows.features[chosen][:, columns], rows.same[chosen], 1.0, rows.weight[chosen])
    return model.bias + lean, model.weights


def cross_validate(rows: Rows) -> dict[str, float]:
    """Give accuracies, each pair judged by weights that have not seen its family."""
    logits = np.zeros(len(rows.same))
    for fold in range(FOLDS):
        bias, weights = _fit(rows, rows.fold != fold, NAMES, LEAN)
        unseen = rows.fold == fold
        logits[unseen] = rows.features[unseen] @ weights + bias
    right = (logits >= 0) == rows.same
    kinds = {
        "pairs": rows.judged,
        "positives": rows.judged & rows.same,
        "judged negatives": rows.judged & ~rows.same,
        "across families": ~rows.judged & ~rows.same,
    }
    return {name: round(float(right[chosen].mean()), 4) for name, chosen in kinds.items() if chosen.any()}


def fit_weights(rows: Rows, family: float = 1.0, told: float = 2.0) -> dict[str, Any]:
    """Give the content of ``weights.json``."""
    every = np.ones(len(rows.same), dtype=bool)

    def model(names: Sequence[str], lean: float) -> dict[str, Any]:
        bias, weights = _fit(rows, every, names, lean)
        return {
            "bias": round(bias, 4),
            "weights": {name: round(float(w), 4) for name, w in zip(names, weights, strict=True)},
        }

    models = {"full": model(NAMES, LEAN), "words": model(LEXICAL, LEAN), "vectors": model(VECTORS, 0.0)}
    return {"version": 1, "models": models, "family_logit": family, "told_logit": told}
