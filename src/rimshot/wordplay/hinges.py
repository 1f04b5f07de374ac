"""The words that a joke hangs on: a network's say for every token, added up by the stems of the words.

Tellings of one joke change characters, places and wording, and mostly keep the word that it turns on. Which word that is the network
of jokes says (:mod:`rimshot.retell.joke_encoder`); two texts that hang on one word are likelier to be one joke.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import Analyser, words

__all__ = ["hinge_shares", "hinge_stems"]


@lru_cache(maxsize=2)
def _stopping(lang: str) -> Analyser:
    return Analyser(lang, stop=True)


def hinge_stems(text: str, lang: str, offsets: Sequence[tuple[int, int]]) -> list[str]:
    """Give for every token, by its span in the text, the stem of the word that it begins in; '' for stop words and marks.

    >>> hinge_stems("The bakers!", "en", [(0, 0), (0, 3), (4, 8), (8, 10), (10, 11)])
    ['', '', 'baker', 'baker', '']
    """
    spans = words(text)
    stems = [_stopping(lang).term(word) for word, _, _ in spans]
    starts = np.array([start for _, start, _ in spans], dtype=np.int64)
    found = []
    for start, end in offsets:
        at = int(np.searchsorted(starts, end - 1, "right")) - 1 if end > start else -1
        found.append(stems[at] if at >= 0 and start < spans[at][2] else "")
    return found


def hinge_shares(stems: Sequence[str], logits: NDArray[np.float32]) -> Mapping[str, float]:
    """Give the share of each stem in the softmax over all tokens that have one.

    >>> hinge_shares(["", "a", "b", "b"], np.zeros(4, np.float32)) == {"a": 1 / 3, "b": 2 / 3}
    True
    """
    found: dict[str, float] = {}
    kept = [at for at, stem in enumerate(stems) if stem]
    if kept:
        weights = np.exp(logits[kept].astype(np.float64) - float(logits[kept].max()))
        for at, weight in zip(kept, (weights / weights.sum()).tolist(), strict=True):
            found[stems[at]] = found.get(stems[at], 0.0) + weight
    return found
