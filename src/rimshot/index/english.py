"""Jokes of other languages read in English too.

The vectors of the smaller languages are weaker than the English ones, and their wordnets know fewer words. A text that may
be a joke is therefore translated once, when it is indexed; its vector becomes the mean of its own and its translation's, and
the words of the translation stand beside its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from rimshot.index.pack import Array
from rimshot.lexicon.sentences import sentences_in_english
from rimshot.wordplay.encoder import Encoder

__all__ = ["joined_vectors", "read_in_english"]


def read_in_english(
    texts: Sequence[str], langs: Sequence[str], chosen: Array, progress: Callable[[int], None] | None = None
) -> dict[int, str]:
    """Give the chosen texts (a boolean array) that are not English in English, by their numbers.

    ``progress`` is told the number up to which all texts are done.
    """
    found: dict[int, str] = {}
    numbers = [int(number) for number in np.flatnonzero(chosen) if langs[int(number)] != "en"]
    for lang in sorted({langs[number] for number in numbers}):
        mine = [number for number in numbers if langs[number] == lang]
        tell = None if progress is None else (lambda done, mine=mine, progress=progress: progress(mine[done - 1] + 1))
        found.update(zip(mine, sentences_in_english([texts[number] for number in mine], lang, tell), strict=True))
    return {number: text for number, text in found.items() if text}


def joined_vectors(vectors: Array, english: Mapping[int, str], encoder: Encoder) -> Array:
    """Give vectors in which those of texts read in English are the means of both readings."""
    if not english:
        return vectors
    found = np.array(vectors, dtype=np.float32)
    numbers = list(english)
    found[numbers] += encoder.encode([english[number] for number in numbers], "en")
    found[numbers] /= np.maximum(np.linalg.norm(found[numbers], axis=1, keepdims=True), 1e-9)
    return found
