"""What is kept of a system once its run has been measured, so that twenty of them fit in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rimshot.evaluate.measures import Evaluation, Measure, evaluate
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.rows import DEEPEST
from rimshot.evaluate.runs import Run
from rimshot.evaluate.topical import topical_gap

__all__ = ["CUTS", "System", "measure_system"]

CUTS = tuple(sorted({1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, DEEPEST}))
"""Where recall curves are read."""


@dataclass(frozen=True)
class System:
    """A system's figures under official and topical judgments, its recall at CUTS, and how its run was made."""

    name: str
    official: Evaluation
    topical: Evaluation | None
    train: Evaluation | None
    recall: NDArray[np.float64]
    made: str = ""


def measure_system(
    run: Run,
    qrels: Qrels,
    measures: Sequence[Measure],
    topical: Qrels | None = None,
    train: Iterable[str] = (),
    exclude: Iterable[str] = (),
    name: str | None = None,
    made: str = "",
) -> System:
    """Measure a run once and let go of it; queries in ``train`` are measured apart."""
    learned = frozenset(train)
    gone = frozenset(exclude) | learned
    both = topical_gap(run, qrels, topical, measures, gone) if topical is not None else None
    official = both.official if both else evaluate(run, qrels, measures, gone)
    trained = evaluate(run, qrels.only(sorted(learned)), measures) if learned else None
    curve = recall_curve(run, qrels.without(gone))
    return System(name or run.name, official, both.topical if both else None, trained, curve, made)


def recall_curve(run: Run, qrels: Qrels) -> NDArray[np.float64]:
    """Give the mean recall over queries with relevant documents after each of CUTS documents."""
    total = np.zeros(len(CUTS))
    counted = 0
    for qid in qrels.judgments:
        wanted = qrels.relevant(qid)
        if not wanted:
            continue
        counted += 1
        ranks = [rank for rank, docid in enumerate(run.ranked(qid), 1) if docid in wanted]
        total += np.searchsorted(ranks, CUTS, side="right") / len(wanted)
    return total / max(counted, 1)
