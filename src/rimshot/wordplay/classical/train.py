"""Training the classical field: ``rimshot train classical NAME``.

A learner is trained on four fifths of the texts (a pun and its twin on one side) to see what its opinions of the last
fifth are worth as probabilities, then on all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rimshot.wordplay.classical.field import TextMatrix, build_learner
from rimshot.wordplay.classical.model import logits, write_classical
from rimshot.wordplay.labelled import Labelled
from rimshot.wordplay.prior import calibrate, collection_weights, folds

__all__ = ["train_classical"]


def train_classical(
    name: str, texts: Sequence[Labelled], lang: str, folder: Path, *, seed: int = 0, known: dict[str, Any] | None = None
) -> dict[str, Any]:
    """Train a learner by name, write it to a folder, and give what its model.json says.

    ``known`` is a place where several trainings on the same texts keep the matrices that they share.
    """
    learner = build_learner(name, seed)
    kept = {} if known is None else known
    truth = np.array([item.humorous for item in texts])
    held = folds([item.group for item in texts], 5, seed) == 0
    if "all" not in kept:
        part = TextMatrix(lang)
        kept["part"] = part.fit([item.text for item, out in zip(texts, held, strict=True) if not out])
        kept["held"] = part.rows([item.text for item, out in zip(texts, held, strict=True) if out])
        kept["matrix"] = TextMatrix(lang)
        kept["all"] = kept["matrix"].fit([item.text for item in texts])
    learner.fit(kept["part"], truth[~held])
    twin = np.array([item.source == "edit" for item in texts])
    weights = collection_weights(truth[held], twin[held])
    slope, shift = calibrate(logits(learner, kept["held"]), truth[held], weights)
    learner = build_learner(name, seed).fit(kept["all"], truth)
    about = {"name": name, "lang": lang, "seed": seed, "texts": len(texts), "calibration": {"a": slope, "b": shift}}
    write_classical(folder, about, kept["matrix"], learner)
    return about
