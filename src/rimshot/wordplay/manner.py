"""The manner of a text: whether it lies among jokes or among plain sentences in the space of the sentence encoder.

Nobody learns from news and encyclopedias how plain everyday sentences are; a network that was shown no others takes "The book is
on the shelf" for a joke. A joke and its word-swapped twin have one manner, so it says nothing of the pun, and everything of
the company. One direction for each language, in ``manner.npz``; ``python -m rimshot.wordplay.manner_fit`` finds it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["PATH", "manner", "manner_digest"]

PATH = Path(__file__).with_name("manner.npz")


@lru_cache(maxsize=4)
def _direction(lang: str) -> NDArray[np.float32] | None:
    with np.load(PATH, allow_pickle=False) as known:
        return known[lang] if lang in known.files else None


def manner(vectors: NDArray[np.float32] | None, lang: str, count: int) -> NDArray[np.float64]:
    """Give the log-odds that texts are told like jokes, by their sentence vectors; 0 for each of ``count`` without."""
    direction = _direction(lang)
    if vectors is None or direction is None or vectors.shape[1] != len(direction) - 1:
        return np.zeros(count)
    return np.asarray(vectors @ direction[:-1] + direction[-1], np.float64)


def manner_digest() -> bytes:
    """Give the bytes that a judge's digest must change with."""
    return PATH.read_bytes()
