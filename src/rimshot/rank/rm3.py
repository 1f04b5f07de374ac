"""RM3: a query grown from the words of its best hits."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage

__all__ = ["Rm3", "interpolate", "relevance_model"]


def relevance_model(docs: Sequence[Mapping[str, float]], scores: Sequence[float], terms: int) -> dict[str, float]:
    """Give the best terms of P(w | R), the mean of the documents' unigram models weighted by their scores.

    RM1 of Lavrenko and Croft (SIGIR 2001). The probabilities of the terms kept add up to 1.

    >>> relevance_model([{"a": 1, "b": 3}], [2.0], 1)
    {'b': 1.0}
    """
    model: dict[str, float] = {}
    for counts, score in zip(docs, scores, strict=True):
        length = sum(counts.values())
        for term, count in counts.items():
            model[term] = model.get(term, 0.0) + score * count / length
    kept = sorted(model.items(), key=lambda item: (-item[1], item[0]))[:terms]
    total = sum(weight for _, weight in kept)
    return {term: weight / total for term, weight in kept} if total > 0 else {}


def interpolate(original: Mapping[str, float], feedback: Mapping[str, float], weight: float) -> dict[str, float]:
    """Mix the original query (scaled to 1, with this weight) and the feedback model: RM3 (Abdul-Jaleel et al. 2004)."""
    total = sum(original.values())
    mixed = {term: weight * value / total for term, value in original.items()} if total else {}
    for term, value in feedback.items():
        mixed[term] = mixed.get(term, 0.0) + (1 - weight) * value
    return mixed


@dataclass(frozen=True, repr=False)
class Rm3(Stage):
    """Turns hits into a longer query; parameters and defaults as Anserini's.

    Terms of one letter, of more than 20, or in more than a tenth of the documents are no feedback. The weight of a hit is
    its score, so humour weighs in when a humour stage comes before: ``Bm25() >> Humour() >> Rm3() >> Bm25()``.
    """

    docs: int = 10
    terms: int = 10
    weight: float = 0.5
    field: str = "text"

    needs: ClassVar[Shape] = Shape.HITS
    gives: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.docs < 1 or self.terms < 1:
            raise PipelineError(f"{self!r}: feedback needs at least one document and one term")
        if not 0 <= self.weight <= 1:
            raise PipelineError(f"{self!r}: weight must lie between 0 and 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give a query without hits."""
        field = index.field(self.field)
        counts = []
        for number in ranking.docs[: self.docs].tolist():
            found = Counter(index.analysers[index.lang(number)].terms(index.text(number)))
            counts.append(
                {t: float(c) for t, c in found.items() if 1 < len(t) <= 20 and field.df(t) <= 0.1 * field.docs}
            )
        feedback = relevance_model(counts, ranking.scores[: self.docs].tolist(), self.terms)
        terms = interpolate(index.query_terms(ranking.query), feedback, self.weight)
        return Ranking(replace(ranking.query, terms=terms))
