"""Which words go together: pairs of English words and how much more often they meet than chance would have it."""

from __future__ import annotations

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.store import table

__all__ = ["bond"]

_SIZE = 11.5
"""Logarithm of the number of pairs behind the counts, fitted so that unrelated usual words come out near 0."""


def bond(first: str, second: str, lang: str) -> float:
    """Give the pointwise mutual information of two neighbours in tens, 0 when the pair is unknown.

    Only English has counts; Portuguese gives 0 throughout.

    >>> bond("of", "absence", "en") > bond("of", "absinthe", "en") == 0
    True
    """
    if lang != "en":
        return 0.0
    found = table("pairs-en").get(f"{first.lower()} {second.lower()}")
    if found is None:
        return 0.0
    together = int(found) / 100 - _SIZE
    return max(0.05, together - (zipf(first, lang) - 9) - (zipf(second, lang) - 9))
