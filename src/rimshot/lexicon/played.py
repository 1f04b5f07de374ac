"""Which senses of an English word puns play on.

``played_en.txt`` was written for this project by a language model that was shown the words of WordNet with two senses and more, from
a certain frequency on, and no puns: a line has a word and the sense keys (without the word) that jokes would use, most likely
first. A word that is not there has not been looked at, or nobody would pun on it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from rimshot.lexicon.wordnet import Sense

__all__ = ["played"]


def played(sense: Sense) -> float:
    """Give how readily puns play on a sense: 1 for the first of its word, 1/2 for the second, and so on; 0 for one not named.

    >>> from rimshot.lexicon.wordnet import wordnet
    >>> [played(sense) for sense in wordnet("en").senses("bank")[:2]]
    [0.5, 1.0]
    """
    return _places().get(sense.key, 0.0) if sense.lang == "en" else 0.0


@lru_cache(maxsize=1)
def _places() -> dict[str, float]:
    path = Path(__file__).with_name("played_en.txt")
    rows = (line.split() for line in path.read_text(encoding="utf-8").splitlines())
    return {f"{word}%{key}": 1.0 / place for word, *keys in rows for place, key in enumerate(keys, 1)}
