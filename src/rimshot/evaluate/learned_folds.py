"""A learned ranking measured on queries it has not seen: cross-validation over queries.

Queries share documents, and trees that saw a joke under one query may know it again under another. So what is
relevant to the queries of a fold is left out of what is learnt for it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from rimshot.corpus.query import Query
from rimshot.errors import InputError
from rimshot.evaluate.runs import Run, make_run
from rimshot.index import Index
from rimshot.rank import Stage, search
from rimshot.rank.learned import Learned, train_ranker

__all__ = ["folded_run"]


def folded_run(
    pool: Stage,
    queries: Sequence[Query],
    relevant: Mapping[str, frozenset[str]],
    index: Index,
    *,
    folds: int = 5,
    rounds: int = 120,
    seed: int = 0,
    name: str = "learned",
) -> Run:
    """Give the run in which each query's hits are ordered by trees trained on the queries of the other folds."""
    if not 2 <= folds <= len(queries):
        raise InputError(f"{folds} folds of {len(queries)} queries; give at least 2 and at most one for each query")
    rankings = {}
    for fold in range(folds):
        with tempfile.TemporaryDirectory() as folder:
            others = [query for at, query in enumerate(queries) if at % folds != fold]
            asked = frozenset().union(*(relevant.get(query.id, frozenset()) for query in queries[fold::folds]))
            train_ranker(pool, others, relevant, index, Path(folder), rounds, seed, asked)
            stage = pool >> Learned(model=folder)
            for query in queries[fold::folds]:
                found = search(stage, query, index)
                if len(found):
                    docids = [index.id(number) for number in found.docs[:1000].tolist()]
                    rankings[query.id] = (query.id, docids, found.scores[:1000].tolist())
    return make_run(name, [rankings[query.id] for query in queries if query.id in rankings])
