"""Asking a question of an index."""

from __future__ import annotations

from rimshot.corpus.query import Query
from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage

__all__ = ["search"]


def search(pipeline: Stage, query: Query | str, index: Index) -> Ranking:
    """Give the hits of a query, best first."""
    if pipeline.needs is not Shape.QUERY:
        raise PipelineError(f"{pipeline!r} needs ranked documents; begin with a retriever such as Bm25()")
    if pipeline.gives is not Shape.HITS:
        raise PipelineError(f"{pipeline!r} ends with a query; end with a retriever such as Bm25()")
    return pipeline.apply(Ranking(query if isinstance(query, Query) else Query("1", query)), index)
