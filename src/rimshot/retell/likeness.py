"""How alike two tellings are: a handful of numbers, each of which means something to a person.

    words         share of each text that the other one describes (Friedland and Allan's score, both ways)
    ending_words  share of each punch line that the other text describes
    rare          rarity of the three rarest words in common
    phrases       rarity of the runs of three words in common
    order         share of the common words that stand in the same order
    meaning       cosine of the vectors of the whole texts
    ending        cosine of the vectors of the punch lines
    pun           whether each text has the word that the other one puns on

All of them are symmetric, and depend on the two texts alone.
"""

from __future__ import annotations

from bisect import bisect_left
from math import log1p, sqrt

from rimshot.retell.telling import Telling, gain

__all__ = ["LEXICAL", "VECTORS", "common_in_order", "lexical_likeness", "near_copies"]

LEXICAL = ("words", "ending_words", "rare", "phrases", "order", "pun")
VECTORS = ("meaning", "ending")
_NOTHING = (0.0,) * len(LEXICAL)


def lexical_likeness(a: Telling, b: Telling) -> tuple[float, ...]:
    """Give the features named by ``LEXICAL``; all 0 for texts in different languages."""
    if a.lang != b.lang:
        return _NOTHING
    shared = a.bag.keys() & b.bag.keys()
    if not shared:
        return _NOTHING
    words = sqrt(gain(a.bag, b.bag, a.lang) * gain(b.bag, a.bag, a.lang) / max(a.own * b.own, 1e-9))
    endings = 0.5 * (
        gain(a.ending, b.bag, a.lang) / max(a.own_ending, 1e-9)
        + gain(b.ending, a.bag, a.lang) / max(b.own_ending, 1e-9)
    )
    rare = sum(sorted((a.weight[stem] for stem in shared), reverse=True)[:3])
    phrases = log1p(sum(a.phrases[run] for run in a.phrases.keys() & b.phrases.keys()))
    pun = 0.5 * ((a.pun in b.bag) * a.certainty + (b.pun in a.bag) * b.certainty)
    return words, endings, rare, phrases, len(common_in_order(a, b)) / len(shared), pun


def common_in_order(a: Telling, b: Telling) -> list[str]:
    """Give the most common words that both texts have in the same order, each taken where it first stands."""
    places = b.first
    chain = [(places[stem], stem) for stem in a.first if stem in places]
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for at, (place, _) in enumerate(chain):
        length = bisect_left(tails, place)
        before.append(ends[length - 1] if length else -1)
        if length == len(tails):
            tails.append(place)
            ends.append(at)
        else:
            tails[length], ends[length] = place, at
    found: list[str] = []
    at = ends[-1] if ends else -1
    while at >= 0:
        found.append(chain[at][1])
        at = before[at]
    return found[::-1]


def near_copies(a: Telling, b: Telling) -> bool:
    """Tell whether the letters of two texts differ in a typo or two at most (one, and one more for every forty letters).

    >>> from rimshot.retell.telling import read_telling
    >>> near_copies(read_telling("It's TIME to go!!"), read_telling("its tmie to go"))
    True
    """
    first, second = a.spelling, b.spelling
    if first == second:
        return bool(first)
    allowed = 1 + min(len(first), len(second)) // 40
    if not first or not second or abs(len(first) - len(second)) > allowed:
        return False
    start = 0
    limit = min(len(first), len(second))
    while start < limit and first[start] == second[start]:
        start += 1
    end = 0
    while end < limit - start and first[-1 - end] == second[-1 - end]:
        end += 1
    return _within(first[start : len(first) - end], second[start : len(second) - end], allowed)


def _within(first: str, second: str, allowed: int) -> bool:
    """Damerau and Levenshtein's distance (neighbours swapped count one) at most ``allowed``, in a band around the diagonal."""
    far = allowed + 1
    older: dict[int, int] = {}
    row = {at: at for at in range(min(len(second), allowed) + 1)}
    for i in range(1, len(first) + 1):
        fresh: dict[int, int] = {}
        for j in range(max(0, i - allowed), min(len(second), i + allowed) + 1):
            if j == 0:
                fresh[0] = i
                continue
            cost = min(
                row.get(j - 1, far) + (first[i - 1] != second[j - 1]), row.get(j, far) + 1, fresh.get(j - 1, far) + 1
            )
            if i > 1 and j > 1 and first[i - 1] == second[j - 2] and first[i - 2] == second[j - 1]:
                cost = min(cost, older.get(j - 2, far) + 1)
            fresh[j] = cost
        if min(fresh.values(), default=far) > allowed:
            return False
        older, row = row, fresh
    return row.get(len(second), far) <= allowed
