"""Humour in the ranking: the probability that a text is wordplay, softly or as a filter."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage

__all__ = ["AtLeast", "Humour"]


@dataclass(frozen=True, repr=False)
class Humour(Stage):
    """Multiplies each score by P(humour) to the ``power``; negative scores are first raised so that the lowest is 0."""

    power: float = 1.0
    column: str = "humour"

    needs: ClassVar[Shape] = Shape.HITS

    def __post_init__(self) -> None:
        if not self.power >= 0:
            raise PipelineError(f"{self!r}: power must be at least 0")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the hits in the order of score times humour."""
        humour = index.column(self.column)[ranking.docs].astype(np.float64)
        raised = ranking.scores - min(float(ranking.scores.min(initial=0.0)), 0.0)
        return ranking.rescored(raised * humour**self.power, {self.column: humour})


@dataclass(frozen=True, repr=False)
class AtLeast(Stage):
    """Keeps only hits whose P(humour) is at least a threshold: the hard filter of several systems on record."""

    threshold: float = 0.5
    column: str = "humour"

    needs: ClassVar[Shape] = Shape.HITS

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Drop the hits below the threshold."""
        humour = index.column(self.column)[ranking.docs].astype(np.float64)
        kept = ranking.take(np.flatnonzero(humour >= self.threshold))
        return kept.rescored(kept.scores, {self.column: humour[humour >= self.threshold]})
