"""What a text is about, by the vectors of its single words.

The table of word vectors (:mod:`rimshot.lexicon.vectors`) is read word by word; texts in a language without a table have no
direction, and are neither alike nor unlike by it.
"""

from __future__ import annotations

import json
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.lexicon.vectors import encoded_words

__all__ = ["centre", "direction", "word_row"]

Array = npt.NDArray[Any]


class _Table:
    """The vectors of the words met so far, row 0 for words without one."""

    def __init__(self, lang: str) -> None:
        self._source = encoded_words(lang)
        self._rows: dict[str, int] = {}
        self.vectors: Array = np.zeros((1024, self._source.dim if self._source is not None else 1), dtype=np.float32)
        self._size = 1

    def row(self, word: str) -> int:
        if word not in self._rows:
            found = self._source.get(word) if self._source is not None else None
            self._rows[word] = 0 if found is None else self._append(found)
        return self._rows[word]

    def _append(self, vector: Array) -> int:
        if self._size == len(self.vectors):
            self.vectors = np.concatenate([self.vectors, np.zeros_like(self.vectors)])
        self.vectors[self._size] = vector
        self._size += 1
        return self._size - 1


@lru_cache(maxsize=2)
def _table(lang: str) -> _Table:
    """Give the table of a language."""
    return _Table(lang)


def word_row(word: str, lang: str) -> int:
    """Give the row of a lower-case word in the table of its language, 0 for none."""
    return _table(lang).row(word)


@lru_cache(maxsize=2)
def centre(lang: str) -> Array:
    """Give the common direction of texts of a language, that of the embedded sample: it says nothing of any of them.

    Without one that belongs to the table of word vectors it is 0.
    """
    data = json.loads(files("rimshot.retell").joinpath("centre.json").read_text(encoding="utf-8"))
    width = _table(lang).vectors.shape[1]
    found = np.array(data.get(lang, []), dtype=np.float32)
    return found if len(found) == width else np.zeros(width, dtype=np.float32)


def direction(rows: Array, worth: Array, lang: str, apart: bool = True) -> Array:
    """Give the direction of words' vectors added up, each by its worth, as it stands ``apart`` from that of all texts."""
    total = worth.astype(np.float32) @ _table(lang).vectors[rows]
    length = float(np.linalg.norm(total))
    if not length:
        return np.zeros_like(total)
    unit = total / length
    if apart:
        unit = unit - (unit @ centre(lang)) * centre(lang)
    return np.asarray(unit / max(float(np.linalg.norm(unit)), 1e-9), dtype=np.float32)
