"""The ranking this program is for: jokes about a topic, scored by the probability that they are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.candidates import candidates
from rimshot.rank.evidence import EVIDENCE, topic_evidence
from rimshot.rank.ranking import Ranking, best
from rimshot.rank.stage import Shape, Stage

__all__ = ["Jokes"]


@dataclass(frozen=True, repr=False)
class Jokes(Stage):
    """P(joke about the topic) = P(about the topic) * P(humour) ** humour.

    P(about the topic) is the logistic function of ``bias`` plus the weighted evidence (see ``rimshot.rank.evidence``).
    The weights are few and are fitted by ``python -m rimshot.evaluate.fit``.
    """

    word: float = 7.0
    kind: float = 8.5
    sense: float = 3.0
    meaning: float = 10.5
    near: float = 13.5
    bias: float = -9.0
    humour: float = 0.9
    depth: int = 1000

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise PipelineError(f"{self!r}: depth must be at least 1")
        if not self.humour >= 0:
            raise PipelineError(f"{self!r}: humour must be at least 0")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the most probable jokes about the topic."""
        if not ranking.query.text.strip() or not index.size:
            return Ranking(ranking.query)
        found = candidates(index)
        evidence = topic_evidence(ranking.query, index)
        logit = self.bias + sum(getattr(self, name) * evidence[name].astype(np.float64) for name in EVIDENCE)
        topic = 1 / (1 + np.exp(-logit))
        funny = index.memo(("humour power", self.humour), lambda: found.humour**self.humour)
        rows, docs, scores = best(found.docs, topic * funny, self.depth)
        columns = {"topic": topic[rows], "humour": found.humour[rows]}
        columns |= {name: evidence[name][rows].astype(np.float64) for name in EVIDENCE}
        return Ranking(ranking.query, docs, scores, columns)
