"""How usual a word is, on the Zipf scale: the logarithm of occurrences in a thousand million words.

The scale is that of van Heuven et al. (2014), SUBTLEX-UK.
"""

from __future__ import annotations

from functools import lru_cache

from rimshot.lexicon.store import table

__all__ = ["known_word", "zipf"]

FLOOR = 1.0
"""Given to words that the lists do not hold."""


@lru_cache(maxsize=1 << 16)
def zipf(word: str, lang: str) -> float:
    """Give the Zipf frequency of a form: 7 for "the", 3 for a word most adults know, 1 for an unlisted one.

    >>> zipf("the", "en") > 7 > zipf("absinthe", "en")
    True
    """
    found = table(f"words-{lang}").get(word.lower())
    return FLOOR if found is None else int(found) / 100


def known_word(word: str, lang: str) -> bool:
    """Say whether a form is in the word list of a language."""
    return word.lower() in table(f"words-{lang}")
