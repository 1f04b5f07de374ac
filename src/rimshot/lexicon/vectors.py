"""Meanings of single words as short vectors, for telling which words of a text belong together.

English has two files: ``vectors_en.npz``, words as a sentence encoder sees them, and ``associations_en.npz``, words by what calls
them up (``clues``); Portuguese has the latter alone. Each keeps the directions in which its words differ most, rounded to
bytes. Words that the files lack, in their own form and by lemma, have no vector; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.lemma import lemmas

__all__ = ["WordVectors", "encoded_words", "word_vectors"]

Vector = NDArray[np.float32]
_REMEMBERED = 1 << 16
"""Words whose places are kept at most."""


class _File:
    """The rows of one file, by word."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            self._rows: NDArray[np.int8] = file["rows"]
            words = bytes(file["words"]).decode("utf-8").split("\n")
        self.where = {word: number for number, word in enumerate(words)}
        self.dim = int(self._rows.shape[1])

    def rows(self, places: Sequence[int]) -> Vector:
        """Give the unit vectors at some places as rows, zeros at those below 0."""
        at = np.array(places, np.int64)
        rows = self._rows[at].astype(np.float32) if len(at) else np.zeros((0, self.dim), np.float32)
        rows[at < 0] = 0.0
        return _unit(rows)


class WordVectors:
    """Unit vectors of words out of one or several files; `get` gives one or None."""

    def __init__(self, *paths: Path, lang: str) -> None:
        self._files = [_File(path) for path in paths]
        self._lang = lang
        self._known: dict[str, tuple[int, ...]] = {}
        self.dim = sum(file.dim for file in self._files)

    def __contains__(self, word: str) -> bool:
        return max(self._places(word)) >= 0

    def get(self, word: str) -> Vector | None:
        """Give the unit vector of a lower-case word, or None."""
        return self.rows([word])[0] if word in self else None

    def rows(self, words: Sequence[str]) -> Vector:
        """Give the unit vectors of words as rows, zeros for those that have none."""
        places = [self._places(word) for word in words]
        parts = [file.rows([place[number] for place in places]) for number, file in enumerate(self._files)]
        return _unit(np.concatenate(parts, axis=1))

    def _places(self, word: str) -> tuple[int, ...]:
        """Where a word stands in each file, by its form, else by a lemma; -1 where it does not."""
        found = self._known.get(word)
        if found is None:
            names = (word, *lemmas(word, self._lang))
            found = tuple(next((file.where[name] for name in names if name in file.where), -1) for file in self._files)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[word] = found
        return found


def _unit(rows: Vector) -> Vector:
    length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    unit: Vector = rows / np.maximum(length, np.float32(1e-6))[:, None]
    return unit


@lru_cache(maxsize=2)
def word_vectors(lang: str) -> WordVectors | None:
    """Give the word vectors of a language, or None where none are shipped."""
    return _opened(lang, "vectors", "associations")


@lru_cache(maxsize=2)
def encoded_words(lang: str) -> WordVectors | None:
    """Give the vectors of words as the sentence encoder sees them alone, or None where none are shipped."""
    return _opened(lang, "vectors")


def _opened(lang: str, *names: str) -> WordVectors | None:
    paths = [Path(__file__).with_name(f"{name}_{lang}.npz") for name in names]
    found = [path for path in paths if path.is_file()]
    return WordVectors(*found, lang=lang) if found else None


def write_vectors(path: Path, words: list[str], vectors: NDArray[np.float32]) -> None:
    """Write vectors as bytes, each scaled to use the whole range."""
    scale = np.abs(vectors).max(axis=1, keepdims=True)
    rows = np.round(127 * vectors / np.maximum(scale, 1e-9)).astype(np.int8)
    blob = np.frombuffer("\n".join(words).encode("utf-8"), np.uint8)
    np.savez(path, rows=rows, words=blob)
