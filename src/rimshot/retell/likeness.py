"""How alike two tellings are: a handful of numbers, each of which means something to a person.

    words         share of each text that the other one describes (Friedland and Allan's score, both ways)
    ending_words  share of each punch line that the other text describes
    rare          rarity of the three rarest words in common
    phrases       rarity of the runs of three words in common
    order         share of the common words that stand in the same order
    pun           whether each text has the word that the other one puns on
    both          whether the two texts pun on the same word
    late, next    rarity of the two rarest words in common that stand late in both texts, where jokes turn
    kinds         rarity of the common words that a teller may change: characters, places, numbers
    fixed         share of the words that a teller would keep that the other text has too
    plain         rarity of the runs of three words in common, words that a teller may change taken as their kind
    contrast      by how much the set-ups have more in common than the endings: another answer to the same question
    asks          whether both texts have a question, or neither
    edited        how far the texts differ in the pun word and in nothing else: an edited joke, not a retelling
    story         cosine of the words' vectors added up
    shorter, longer  logarithms of how many words the two texts have
    hinge         how far both texts hang on one word, by the network of jokes
    funny         log-odds that the text that is less likely a joke is one
    meaning       cosine of the vectors of the whole texts
    ending        cosine of the vectors of the punch lines
    joke          cosine of the vectors of the jokes (:mod:`rimshot.retell.joke_encoder`)
    scene         cosine of the halves of these that leave aside which word the joke hangs on

All of them are symmetric, and depend on the two texts alone. Without word vectors of a language ``story`` is 0.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from math import fsum, log1p, sqrt

from rimshot.retell.telling import Telling, gain

__all__ = ["HINGED", "LEXICAL", "VECTORS", "common_in_order", "lexical_likeness", "near_copies"]

LEXICAL = (
    "words", "ending_words", "rare", "phrases", "order", "pun", "both", "late", "next", "kinds", "fixed", "edited", "story",
    "plain", "contrast", "asks", "shorter", "longer", "funny", "hinge",
)  # fmt: skip
VECTORS = ("meaning", "ending", "joke", "scene")
HINGED = 0.01
"""The product of two shares from which on it counts that two texts hang on one word."""
_NOTHING = (0.0,) * len(LEXICAL)
_PLAIN = 4.0
"""Rarity up to which a word in common tells nothing."""


def lexical_likeness(a: Telling, b: Telling) -> tuple[float, ...]:
    """Give the features named by ``LEXICAL``; all 0 for texts in different languages."""
    if a.lang != b.lang:
        return _NOTHING
    pun = 0.5 * ((a.pun in b.bag) * a.certainty + (b.pun in a.bag) * b.certainty)
    both = a.certainty * b.certainty if a.pun and a.pun == b.pun else 0.0
    story, plain, asks = float(a.story @ b.story), _plain(a, b), float(a.asks is b.asks)
    shorter, longer = sorted((log1p(len(a.stems)), log1p(len(b.stems))))
    funny, hinge = min(a.funny, b.funny), _hinge(a, b)
    shared = a.bag.keys() & b.bag.keys()
    if not shared:
        none = (0.0,) * 5
        return (*none, pun, both, *none, story, plain, 0.0, asks, shorter, longer, funny, hinge)
    words = sqrt(gain(a.bag, b.bag, a.lang) * gain(b.bag, a.bag, a.lang) / max(a.own * b.own, 1e-9))
    endings = 0.5 * (
        gain(a.ending, b.bag, a.lang) / max(a.own_ending, 1e-9)
        + gain(b.ending, a.bag, a.lang) / max(b.own_ending, 1e-9)
    )
    rare = sum(sorted([a.weight[stem] for stem in shared], reverse=True)[:3])
    phrases = log1p(sum(a.phrases[run] for run in a.phrases.keys() & b.phrases.keys()))
    order = len(common_in_order(a, b)) / len(shared)
    telling = {stem: a.weight[stem] - _PLAIN for stem in shared if a.weight[stem] > _PLAIN}
    late = sorted([worth * a.place[stem] * b.place[stem] for stem, worth in telling.items()], reverse=True)[:2]
    late += [0.0, 0.0]
    kinds = log1p(sum(worth for stem, worth in telling.items() if stem in a.kinds))
    fixed = max(sum(one.fixed.get(stem, 0.0) for stem in shared) for one in (a, b))
    return (
        words, endings, rare, phrases, order, pun, both, late[0], late[1], kinds, fixed,
        words * words * _swapped(a, b), story, plain, _contrast(a, b), asks, shorter, longer, funny, hinge,
    )  # fmt: skip


def _hinge(a: Telling, b: Telling) -> float:
    return log1p(sum(a.hinges[code] * b.hinges[code] for code in a.hinges.keys() & b.hinges.keys()) / HINGED)


def _plain(a: Telling, b: Telling) -> float:
    return log1p(sum(min(a.plain[run], b.plain[run]) for run in a.plain.keys() & b.plain.keys()))


def _contrast(a: Telling, b: Telling) -> float:
    least = min(a.worth_set_up, b.worth_set_up)
    before = fsum([a.weight[stem] for stem in a.set_up & b.set_up]) / least if least else 0.0
    if not before:
        return 0.0
    least = min(a.worth_close, b.worth_close)
    after = fsum([a.weight[stem] for stem in a.close & b.close]) / least if least else 0.0
    return max(before - after, 0.0)


def _swapped(a: Telling, b: Telling) -> float:
    """How far the pun word of one text is all that the other has changed, times how surely it is the pun word."""
    return max(_lost(a, b.weight), _lost(b, a.weight))


def _lost(a: Telling, other: Mapping[str, float]) -> float:
    if not a.pun or a.pun in other or a.pun not in a.weight:
        return 0.0
    return a.certainty * a.weight[a.pun] / sum(rare for stem, rare in a.weight.items() if stem not in other)


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
