"""The ranking this program is for: jokes about a topic, scored by the probability that they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.candidates import candidates
from rimshot.rank.evidence import EVIDENCE, asked_languages, topic_evidence
from rimshot.rank.ranking import Ranking, best
from rimshot.rank.stage import Shape, Stage

__all__ = ["WEIGHTS", "Jokes", "Weights", "weights_for"]


class Weights(NamedTuple):
    """The numbers of the ranking: what each kind of evidence weighs, the bias, and the power of P(humour)."""

    word: float
    kind: float
    sense: float
    meaning: float
    near: float
    bias: float
    humour: float


WEIGHTS: Mapping[str, Weights] = {
    "en": Weights(word=7.0, kind=8.5, sense=3.0, meaning=10.5, near=13.5, bias=-9.0, humour=0.9),
    "pt": Weights(word=5.0, kind=10.3, sense=3.0, meaning=12.5, near=14.5, bias=-8.0, humour=0.8),
}
"""By the language of the query; evidence in Portuguese rests on a smaller wordnet and on weaker vectors.

The power of P(humour) in Portuguese would be 1.0 by the development collection alone, which hardly cares (MAP 0.387 for 0.385);
on the embedded sample, whose jokes the detector knows less well, it is better to trust it less (0.267 for 0.298)."""


def weights_for(langs: Sequence[str]) -> Weights:
    """Give the weights for a query that may be read in several languages: their mean.

    >>> weights_for(["en", "pt"]).word
    6.0
    """
    known = [WEIGHTS[lang] for lang in langs]
    return Weights(*(sum(values) / len(known) for values in zip(*known, strict=True)))


@dataclass(frozen=True, repr=False)
class Jokes(Stage):
    """P(joke about the topic) = P(about the topic) * P(humour) ** humour.

    P(about the topic) is the logistic function of ``bias`` plus the weighted evidence (see ``rimshot.rank.evidence``).
    The weights are few and are fitted by ``python -m rimshot.evaluate.fit``; those not given are the language's own. Without
    ``english`` texts of other languages are not also read in English.
    """

    word: float | None = None
    kind: float | None = None
    sense: float | None = None
    meaning: float | None = None
    near: float | None = None
    bias: float | None = None
    humour: float | None = None
    english: bool = True
    depth: int = 1000

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise PipelineError(f"{self!r}: depth must be at least 1")
        if self.humour is not None and not self.humour >= 0:
            raise PipelineError(f"{self!r}: humour must be at least 0")

    def weights(self, langs: Sequence[str]) -> Weights:
        """Give the weights given here, filled up with those of the languages."""
        given = {name: getattr(self, name) for name in Weights._fields if getattr(self, name) is not None}
        return weights_for(langs)._replace(**given)

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the most probable jokes about the topic."""
        if not ranking.query.text.strip() or not index.size:
            return Ranking(ranking.query)
        found = candidates(index, self.english)
        evidence = topic_evidence(ranking.query, index, self.english)
        weights = self.weights(asked_languages(ranking.query, index))
        logit = weights.bias + sum(getattr(weights, name) * evidence[name].astype(np.float64) for name in EVIDENCE)
        topic = 1 / (1 + np.exp(-logit))
        funny = index.memo(("humour power", weights.humour), lambda: found.humour**weights.humour)
        rows, docs, scores = best(found.docs, topic * funny, self.depth)
        columns = {"topic": topic[rows], "humour": found.humour[rows]}
        columns |= {name: evidence[name][rows].astype(np.float64) for name in EVIDENCE}
        return Ranking(ranking.query, docs, scores, columns)
