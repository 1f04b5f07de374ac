"""Topic and humour in fixed shares."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.errors import PipelineError, did_you_mean
from rimshot.index.reader import Index
from rimshot.rank.blend import NORMS
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage

__all__ = ["Mix"]


@dataclass(frozen=True, repr=False)
class Mix(Stage):
    """``topic`` parts of the score and ``humour`` parts of P(humour), the score first normalised (``norm``).

    0.3 and 0.7 are the shares of rasion (JOKER 2025: cosine as it is, ``norm='none'``) and of IROH (JOKER 2026).
    """

    topic: float = 0.3
    humour: float = 0.7
    norm: str = "minmax"
    column: str = "humour"

    needs: ClassVar[Shape] = Shape.HITS

    def __post_init__(self) -> None:
        if not (self.topic >= 0 and self.humour >= 0):
            raise PipelineError(f"{self!r}: shares must be at least 0")
        if self.norm not in NORMS:
            raise PipelineError(f'unknown normalisation "{self.norm}"; {did_you_mean(self.norm, NORMS)}')

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the hits in the order of the sum."""
        humour = index.column(self.column)[ranking.docs].astype(np.float64)
        topic = NORMS[self.norm](ranking.scores)
        return ranking.rescored(self.topic * topic + self.humour * humour, {self.column: humour})
