"""A trained classical learner as a detector.

The folder holds ``model.json`` and ``learner.joblib``. The latter is a pickle, which can run anything when it is
opened: open only what you trained.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import words
from rimshot.errors import MissingPart
from rimshot.extra import library
from rimshot.wordplay.classical.field import TextMatrix
from rimshot.wordplay.classical.folder import FolderModel
from rimshot.wordplay.detector import Progress, Scores
from rimshot.wordplay.prior import logit, sigmoid

__all__ = ["ClassicalDetector", "logits", "write_classical"]

_STEP = 2048


def logits(learner: Any, rows: Any) -> NDArray[np.float64]:
    """Give a learner's opinion of rows on an unbounded scale, whatever it calls it."""
    if hasattr(learner, "decision_function"):
        return np.asarray(learner.decision_function(rows), dtype=np.float64)
    return logit(np.asarray(learner.predict_proba(rows)[:, 1], dtype=np.float64))


def write_classical(folder: Path, about: dict[str, Any], matrix: TextMatrix, learner: Any) -> None:
    """Write a trained learner to a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    library("joblib").dump((matrix, learner), folder / "learner.joblib", compress=3)
    (folder / "model.json").write_text(json.dumps({"kind": "classical", **about}, indent=2) + "\n", "utf-8")


@dataclass(frozen=True, eq=False)
class ClassicalDetector(FolderModel):
    """A classical learner in a folder, opened when first asked; it names no pun word."""

    files = ("model.json", "learner.joblib")

    @cached_property
    def _opened(self) -> tuple[TextMatrix, Any]:
        path = self.folder / "learner.joblib"
        if not path.exists():
            raise MissingPart(f"{path} is missing; train it with: rimshot train classical {self.about['name']}")
        matrix, learner = library("joblib").load(path)
        return matrix, learner

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the scores of texts; any language is read as if it were the model's own."""
        matrix, learner = self._opened
        scores = Scores.blank(len(texts))
        slope, shift = self.calibration
        for begin in range(0, len(texts), _STEP):
            some = texts[begin : begin + _STEP]
            chances = sigmoid(slope * logits(learner, matrix.rows(some)) + shift)
            spoken = np.array([bool(words(text)) for text in some])
            scores.humour[begin : begin + len(some)] = np.where(spoken, chances, 0.0)
            if progress is not None:
                progress(begin + len(some))
        return scores
