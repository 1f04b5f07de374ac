"""The slider between "on topic" and "funny"."""

from __future__ import annotations

import numpy as np

from rimshot.index import Index
from rimshot.index.pack import Array
from rimshot.rank import Ranking

__all__ = ["MIDDLE", "balanced", "humour_of", "topic_of"]

MIDDLE = 50
_POOL = 200
_STRONGEST = 0.9


def humour_of(docs: Array, index: Index) -> Array | None:
    """Give P(humour) of documents, None when the index has none."""
    return np.asarray(index.column("humour"))[docs].astype(np.float64) if index.has_column("humour") else None


def topic_of(ranking: Ranking) -> Array:
    """Give how much each hit is about the topic, from 0 to 1.

    A ranking that says so itself (a column ``topic``) is believed; else it is the mean of its other columns, each
    relative to the best hit.
    """
    if "topic" in ranking.columns:
        return np.clip(ranking.columns["topic"], 0.0, 1.0)
    parts = [column for name, column in ranking.columns.items() if name != "humour"] or [ranking.scores]
    if not len(ranking):
        return np.empty(0)
    scaled = []
    for part in parts:
        part = np.asarray(part, dtype=np.float64)
        most = part.max()
        scaled.append(np.clip(part / most, 0.0, 1.0) if most > 0 else np.zeros(len(part)))
    return np.asarray(np.mean(scaled, axis=0))


def balanced(ranking: Ranking, index: Index, mix: int) -> Ranking:
    """Move the order of the best hits towards topic (``mix`` 0) or humour (``mix`` 100); at 50 it stays as it is.

    The logarithms of score and of topic or humour are interpolated; hits beyond the first 200 keep their places,
    since far down a list there is little about the topic to be funny with.
    """
    humour = humour_of(ranking.docs, index)
    if mix == MIDDLE or humour is None or len(ranking) < 2:
        return ranking
    share = abs(mix - MIDDLE) / MIDDLE * _STRONGEST
    pull = humour if mix > MIDDLE else topic_of(ranking)
    scores = ranking.scores - min(float(ranking.scores.min()), 0.0)
    most = scores.max()
    own = scores / most if most > 0 else np.ones_like(scores)
    floor = 1e-4
    fresh = (1 - share) * np.log(np.maximum(own, floor)) + share * np.log(np.maximum(pull, floor))
    head = np.lexsort((np.arange(min(len(ranking), _POOL)), -fresh[:_POOL]))
    return ranking.take(np.concatenate([head, np.arange(len(head), len(ranking))]))
