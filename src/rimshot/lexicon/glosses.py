"""What each sense of a polysemous English word is about, as short vectors in the space of the sentence encoder.

Made once by encoding the words and definition of each synset; `projected` brings a sentence vector into the same space,
so that a text can be compared with the senses of its words. Synsets without a row have the vector 0, which says
nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.arrays import read_arrays

__all__ = ["gloss_rows", "projected"]

PATH = Path(__file__).with_name("glosses.npz")


def projected(vector: NDArray[np.float32]) -> NDArray[np.float32] | None:
    """Give a sentence vector in the space of the glosses, at length 1; None where it does not fit."""
    found = read_arrays(PATH)
    if found is None or len(vector) != len(found["text_mean"]):
        return None
    low: NDArray[np.float32] = (np.asarray(vector, np.float32) - found["text_mean"]) @ found["basis"].astype(np.float32)
    size = float(np.sqrt(low @ low))
    return low / np.float32(size) if size else None


def gloss_rows(numbers: Sequence[int]) -> NDArray[np.float32]:
    """Give the unit vectors of synsets by number, one row each."""
    found = read_arrays(PATH)
    if found is None:
        return np.zeros((len(numbers), 1), np.float32)
    wanted = np.asarray(numbers, np.int64)
    ids = found["synsets"]
    at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    rows: NDArray[np.float32] = found["rows"][at].astype(np.float32) * (ids[at] == wanted)[:, None]
    length = np.sqrt((rows * rows).sum(axis=1, keepdims=True))
    unit: NDArray[np.float32] = rows / np.maximum(length, 1e-6)
    return unit
