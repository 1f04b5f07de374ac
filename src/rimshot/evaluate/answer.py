"""Answering a file of queries with a pipeline: a run."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from rimshot.corpus.query import Query
from rimshot.evaluate.rows import DEEPEST
from rimshot.evaluate.runs import Run, make_run
from rimshot.index import Index
from rimshot.rank import Stage, search

__all__ = ["answer", "run_name"]


def answer(
    pipeline: Stage,
    queries: Sequence[Query],
    index: Index,
    name: str,
    depth: int = DEEPEST,
    progress: Callable[[int], None] | None = None,
) -> Run:
    """Give the run of a pipeline over some queries; one that finds nothing is left out of it."""
    rankings = []
    for number, query in enumerate(queries, 1):
        ranking = search(pipeline, query, index)
        numbers = ranking.docs[:depth].tolist()
        if numbers:
            rankings.append((query.id, [index.id(doc) for doc in numbers], ranking.scores[:depth].tolist()))
        if progress is not None:
            progress(number)
    return replace(make_run(name, rankings), integer_docids=index.integer_ids)


def run_name(team: str, method: str) -> str:
    """Give the name of a run as the lab wants it: team, task, method; blanks cannot stand in it.

    >>> run_name("UBO", "Bm25() >> Humour()")
    'UBO_task_1_Bm25()>>Humour()'
    """
    return re.sub(r"\s+", "", f"{team}_task_1_{method}")
