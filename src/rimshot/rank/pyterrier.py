"""An index and a pipeline as a PyTerrier transformer.

``from rimshot.rank.pyterrier import transformer`` needs python-terrier; nothing else in the package does. PyTerrier's
data model: a frame of queries has ``qid`` and ``query``; a frame of results ``qid``, ``query``, ``docno``,
``score`` and ``rank`` (from 0). A frame that comes in with ``docno`` holds results to be ranked anew: they are
kept to.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from rimshot.corpus.query import Query
from rimshot.errors import InputError
from rimshot.extra import library
from rimshot.index.reader import Index, open_index
from rimshot.rank.parse import parse
from rimshot.rank.search import search
from rimshot.rank.stage import Stage

__all__ = ["results", "transformer"]


def results(frame: Any, pipeline: Stage, index: Index, texts: bool = False) -> Any:
    """Give PyTerrier's frame of results for a frame of queries (or of results, which are then ranked anew).

    Other columns of a query are kept; ``texts`` adds the column ``text``.
    """
    pandas = library("pandas", "pandas")
    for name in ("qid", "query"):
        if name not in frame.columns:
            raise InputError(f'the frame has no column "{name}"; PyTerrier\'s queries have qid and query')
    again = "docno" in frame.columns
    made = {"docno", "score", "rank", "text", "docid"} if again else {"docno", "score", "rank"}
    kept = [name for name in frame.columns if name not in made]
    rows: list[dict[str, Any]] = []
    for qid, group in frame.groupby("qid", sort=False):
        first = group.iloc[0]
        found = search(pipeline, Query(str(qid), str(first["query"])), index)
        if again:
            numbers = [index.number(str(docno)) for docno in group["docno"]]
            found = found.take(np.isin(found.docs, numbers))
        own = {name: first[name] for name in kept}
        for rank, (number, score) in enumerate(zip(found.docs.tolist(), found.scores.tolist(), strict=True)):
            row = {**own, "docno": index.id(number), "score": score, "rank": rank}
            rows.append({**row, "text": index.text(number)} if texts else row)
    return pandas.DataFrame(rows, columns=[*kept, "docno", "score", "rank", *(["text"] if texts else [])])


def transformer(index: Index | str | Path, pipeline: Stage | str, texts: bool = False) -> Any:
    """Give a PyTerrier transformer that searches an index with a pipeline."""
    terrier = library("pyterrier", "python-terrier")
    opened = index if isinstance(index, Index) else open_index(index)
    stage = parse(pipeline) if isinstance(pipeline, str) else pipeline

    class Rimshot(terrier.Transformer):  # type: ignore[misc, name-defined]
        """Rimshot's search as a transformer."""

        def transform(self, inp: Any) -> Any:
            """Give the results of a frame of queries."""
            return results(inp, stage, opened, texts)

        def __repr__(self) -> str:
            return f"Rimshot({stage!r})"

    return Rimshot()
