"""The same run under official and under topical judgments, and the gap between them.

A run that ranks topical texts well and humorous ones badly has a wide gap: it finds the topic and misses the joke
(Ermakova et al. 2024, Tables 3 to 6).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rimshot.errors import InputError
from rimshot.evaluate.measures import Evaluation, Measure, evaluate
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.runs import Run

__all__ = ["TopicalGap", "topical_gap"]


@dataclass(frozen=True)
class TopicalGap:
    """A run measured twice over the same queries."""

    official: Evaluation
    topical: Evaluation

    @property
    def gap(self) -> dict[str, float]:
        """Topical minus official, for each measure."""
        return {name: self.topical.overall[name] - value for name, value in self.official.overall.items()}


def topical_gap(
    run: Run, qrels: Qrels, topical: Qrels, measures: Sequence[Measure] | str = "joker2024", exclude: Iterable[str] = ()
) -> TopicalGap:
    """Measure a run under both judgments, over the queries of the official ones."""
    exclude = frozenset(exclude)
    absent = [qid for qid in qrels.judgments if qid not in topical.judgments and qid not in exclude]
    if absent:
        raise InputError(
            f'{topical.name}: no topical judgments for query "{absent[0]}" ({len(absent)} such); judge the same queries'
        )
    return TopicalGap(
        evaluate(run, qrels, measures, exclude), evaluate(run, topical.only(qrels.judgments), measures, exclude)
    )
