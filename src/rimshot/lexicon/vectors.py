"""Meanings of single words as short vectors, for telling which words of a text belong together.

One file for each language, made once by encoding the words with a sentence encoder, keeping the directions in which
words differ most, and rounding to bytes. Words that the file lacks have no vector; nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["WordVectors", "word_vectors"]

Vector = NDArray[np.float32]


class WordVectors:
    """Unit vectors of words; `get` gives one or None."""

    def __init__(self, path: Path) -> None:
        with np.load(path, allow_pickle=False) as file:
            self._rows: NDArray[np.int8] = file["rows"]
            words = bytes(file["words"]).decode("utf-8").split("\n")
        self._where = {word: number for number, word in enumerate(words)}
        self.dim = int(self._rows.shape[1])

    def __len__(self) -> int:
        return len(self._where)

    def __contains__(self, word: str) -> bool:
        return word in self._where

    def get(self, word: str) -> Vector | None:
        """Give the unit vector of a lower-case word, or None."""
        number = self._where.get(word)
        if number is None:
            return None
        row = self._rows[number].astype(np.float32)
        unit: Vector = row / np.float32(np.sqrt(row @ row) or 1.0)
        return unit

    def rows(self, words: Sequence[str]) -> Vector:
        """Give the unit vectors of words as rows, zeros for those that have none."""
        at = np.array([self._where.get(word, -1) for word in words], np.int64)
        rows = self._rows[at].astype(np.float32) if len(at) else np.zeros((0, self.dim), np.float32)
        rows[at < 0] = 0.0
        length = np.sqrt(np.einsum("ij,ij->i", rows, rows))
        unit: Vector = rows / np.maximum(length, np.float32(1e-6))[:, None]
        return unit


@lru_cache(maxsize=2)
def word_vectors(lang: str) -> WordVectors | None:
    """Give the word vectors of a language, or None where none are shipped."""
    path = Path(__file__).with_name(f"vectors_{lang}.npz")
    return WordVectors(path) if path.is_file() else None


def write_vectors(path: Path, words: list[str], vectors: NDArray[np.float32]) -> None:
    """Write vectors as bytes, each scaled to use the whole range."""
    scale = np.abs(vectors).max(axis=1, keepdims=True)
    rows = np.round(127 * vectors / np.maximum(scale, 1e-9)).astype(np.int8)
    blob = np.frombuffer("\n".join(words).encode("utf-8"), np.uint8)
    np.savez(path, rows=rows, words=blob)
