"""Set-up and ending of two texts, each compared with its own kind: a joke is the same when both halves are.

    close    share of the words of the shorter ending that the other ending has too, each counted by its rarity
    weaker   cosine of the words' vectors of the two set-ups or of the two endings, whichever is less
    last     rarity of the longest run of words in common among the last words

They cost more than what :mod:`likeness` measures and are asked only of a single pair.
"""

from __future__ import annotations

from functools import lru_cache
from math import log1p
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.retell.parts import split_joke
from rimshot.retell.telling import Telling, part_direction

__all__ = ["HALVES", "half_features"]

Array = npt.NDArray[Any]
HALVES = ("close", "weaker", "last")
_LAST = 14
"""How many words at the end are looked at for a run in common."""
_RARE = 0.3
"""What the rarity of a word in a run counts against the word itself."""


def half_features(a: Telling, b: Telling) -> tuple[float, float, float]:
    """Give the features named by ``HALVES``; all 0 for texts in different languages."""
    if a.lang != b.lang:
        return 0.0, 0.0, 0.0
    least = min(sum(one.weight[stem] for stem in one.close) for one in (a, b))
    close = sum(a.weight[stem] for stem in a.close & b.close) / least if least else 0.0
    # Jokes of one sentence have no set-up to compare.
    weaker = min(float(one @ other) for one, other in zip(*(_directions(t.text, t.lang) for t in (a, b)), strict=True))
    return close, weaker, log1p(_run(a, b))


@lru_cache(maxsize=4096)
def _directions(text: str, lang: str) -> tuple[Array, Array]:
    before, after = split_joke(text)
    return part_direction(before, lang), part_direction(after, lang)


def _run(a: Telling, b: Telling) -> float:
    """The worth of the best run of words that both texts have near their end."""
    first, second = a.stems[-_LAST:], b.stems[-_LAST:]
    best, above = 0.0, np.zeros(len(second) + 1)
    for stem in first:
        row = np.zeros(len(second) + 1)
        for at, other in enumerate(second):
            if stem == other:
                row[at + 1] = above[at] + 1.0 + _RARE * a.weight.get(stem, 0.0)
        best, above = max(best, float(row.max())), row
    return best
