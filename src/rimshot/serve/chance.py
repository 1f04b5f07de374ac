"""A joke by chance: which texts may come, and how likely each is."""

from __future__ import annotations

import random

import numpy as np

from rimshot.index import Index
from rimshot.index.pack import Array
from rimshot.serve.balance import humour_of
from rimshot.serve.traits import traits

__all__ = ["drawn", "surely"]

_FUNNY = 0.5
_UNEXPLAINED = 0.2


def _explained(pool: Array, index: Index) -> Array:
    kind = traits(index).get("kind")
    return np.zeros(len(pool), bool) if kind is None else kind.codes[pool] >= 0


def surely(pool: Array, index: Index) -> Array:
    """Give the documents that are most surely jokes: the funny and explained ones, the funny ones, or all."""
    humour = humour_of(pool, index)
    if humour is None or not (humour >= _FUNNY).any():
        return pool
    both = (humour >= _FUNNY) & _explained(pool, index)
    return pool[both if both.any() else humour >= _FUNNY]


def drawn(pool: Array, topic: Array | None, index: Index) -> int:
    """Draw one of some documents, given how much each is about the topic, if there is one."""
    return int(random.choices(pool.tolist(), _chances(pool, topic, index).tolist())[0])


def _chances(pool: Array, topic: Array | None, index: Index) -> Array:
    """Give each document its chance: the likelier a joke about the topic, the likelier it comes."""
    humour = humour_of(pool, index)
    chances = np.ones(len(pool)) if humour is None else np.maximum(humour, 1e-3)
    chances *= np.where(_explained(pool, index), 1.0, _UNEXPLAINED)
    return chances if topic is None else chances * np.maximum(topic, 1e-3)
