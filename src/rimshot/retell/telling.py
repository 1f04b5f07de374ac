"""One telling of a joke, read once for many comparisons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from math import exp, fsum, log, log1p
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.corpus.analyser import Analyser
from rimshot.retell.categories import category
from rimshot.retell.gist import direction, word_row
from rimshot.retell.parts import split_joke
from rimshot.retell.rarity import rarity

__all__ = ["Telling", "gain", "part_direction", "read_letters", "read_rarities", "read_telling"]

Array = npt.NDArray[Any]
_FILLER = re.compile(r"^\s*(?:q|a|question|answer|p|r|pergunta|resposta)\s*[:.)-]\s+", re.IGNORECASE)
MOST_WORDS = 400
"""Of a longer text, the first and the last half of this many words are read."""
_COMMON, _LEAST = 3.5, 0.3
"""Rarity of a word that is hardly worth anything, and what it is worth."""
PLAINLY, SURELY = -7.0, 2.0
"""The bounds of the log-odds that a text is a joke."""
_KIND, _CLOSE = 2.0, 3
"""What the kind of a word is worth in a run of three, and the fewest words of an ending."""


@dataclass(frozen=True, eq=False, slots=True)
class Telling:
    """What is compared of a text.

    ``stems`` are all words in order, the punch line beginning at ``punch_at``; ``bag`` and ``ending`` are unigram models of the
    text and of its punch line without stop words; ``weight`` is the rarity of each word of the bag and ``first`` where it
    first stands; ``own`` and ``own_ending`` are what a model gains from itself; ``phrases`` the rarity of each run of three
    stems; ``spelling`` the letters alone; ``pun`` the stem of the word it puns on, if that is known, with its ``certainty``.

    ``place`` says how far through the text each word of the bag last stands (1 is the end); ``kinds`` the words that a teller may
    change and ``fixed`` the share of each other word in all of those. ``story`` is the direction of the words' vectors. ``plain`` is
    ``phrases`` with every word that a teller may change given as its kind. ``set_up`` and ``close`` are the words of the bag before
    the punch line and in it (of one sentence, its last third), ``worth_set_up`` and ``worth_close`` their rarity; ``asks`` says
    whether the text has a question. ``funny`` are the log-odds that the text is a joke, within bounds; the upper one where nobody has said.
    ``hinges`` are the words it may hang on, as numbers, with the share of each.
    """

    text: str
    lang: str
    stems: tuple[str, ...]
    punch_at: int
    bag: Mapping[str, float]
    ending: Mapping[str, float]
    weight: Mapping[str, float]
    first: Mapping[str, int]
    own: float
    own_ending: float
    phrases: Mapping[tuple[str, str, str], float]
    spelling: str
    place: Mapping[str, float]
    kinds: frozenset[str]
    fixed: Mapping[str, float]
    story: Array
    plain: Mapping[tuple[str, str, str], float]
    set_up: frozenset[str]
    close: frozenset[str]
    worth_set_up: float
    worth_close: float
    asks: bool
    pun: str = ""
    certainty: float = 0.0
    funny: float = SURELY
    hinges: Mapping[int, float] = field(default_factory=dict)


@lru_cache(maxsize=2)
def _analysers(lang: str) -> tuple[Analyser, Analyser]:
    return Analyser(lang), Analyser(lang, stop=True)


@lru_cache(maxsize=1 << 17)
def _stem(word: str, lang: str) -> tuple[str, float]:
    every, stopping = _analysers(lang)
    return every.term(word), rarity(every.term(word), lang) if stopping.term(word) else 0.0


@lru_cache(maxsize=1 << 17)
def _known(word: str, lang: str) -> tuple[int, str]:
    """The row of a word in the table of vectors, and its category if a teller may change it."""
    return word_row(word.lower(), lang), category(word, lang)


def _model(stems: list[tuple[str, float]]) -> dict[str, float]:
    counts = Counter(stem for stem, weight in stems if weight)
    total = sum(counts.values())
    return {stem: count / total for stem, count in counts.items()}


def gain(a: Mapping[str, float], b: Mapping[str, float], lang: str) -> float:
    """Give what knowing text b is worth in describing text a: the nats saved per word of a against the background.

    That is the cross entropy of a under the background less its cross entropy under b mixed with the background in equal
    parts: the retrieval score of Friedland and Allan (2008) without its constant.
    """
    total = 0.0
    for stem, share in a.items():
        other = b.get(stem)
        if other is not None:
            total += share * log1p(other * _lift(stem, lang))
    return total


@lru_cache(maxsize=1 << 17)
def _lift(stem: str, lang: str) -> float:
    return exp(rarity(stem, lang))


def _parts(text: str) -> tuple[list[str], list[str]]:
    """The words before the punch line and in it, of a long text those that are read."""
    before, after = (Analyser.split(part) for part in split_joke(_FILLER.sub("", text)))
    if len(before) + len(after) > MOST_WORDS:
        after = after[-MOST_WORDS // 2 :]
        half = MOST_WORDS - len(after)
        before = before if len(before) <= half else [*before[: half // 2], *before[-half // 2 :]]
    return before, after


def _rarities(read: list[tuple[str, float]]) -> tuple[dict[str, float], dict[str, int]]:
    """The rarity of each word that has any, and where it first stands."""
    weight, first = {}, {}
    for at, (stem, rare) in enumerate(read):
        if rare and stem not in weight:
            weight[stem], first[stem] = rare, at
    return weight, first


def read_telling(
    text: str,
    lang: str = "en",
    pun: str = "",
    certainty: float = 0.0,
    humour: float | None = None,
    hinges: Mapping[int, float] | None = None,
) -> Telling:
    """Read a text for comparison.

    Where they are known, ``pun`` is the word it puns on, ``certainty`` the probability of that and ``humour`` that it is a joke,
    ``hinges`` the words it may hang on (:mod:`rimshot.retell.joke_encoder`).
    """
    before, after = _parts(text)
    forms = [*before, *after]
    read = [_stem(word, lang) for word in forms]
    bag, ending = _model(read), _model(read[len(before) :])
    weight, first = _rarities(read)
    known = {stem: _known(forms[at], lang) for stem, at in first.items()}
    rows = np.array([row for row, _ in known.values()], dtype=np.int32)
    worth = np.array([max(rare - _COMMON, _LEAST) for rare in weight.values()])
    kept = np.array([not changeable for _, changeable in known.values()], dtype=bool)
    abstract = [
        (f"#{kind}", _KIND) if (kind := _known(form, lang)[1]) else pair for form, pair in zip(forms, read, strict=True)
    ]
    cut = len(before) or max(0, len(read) - max(_CLOSE, len(read) // 3))
    set_up, close = (frozenset(stem for stem, rare in part if rare) for part in (read[:cut], read[cut:]))
    return Telling(
        text,
        lang,
        tuple(stem for stem, _ in read),
        len(before),
        bag,
        ending,
        weight,
        first,
        gain(bag, bag, lang),
        gain(ending, ending, lang),
        _runs(read),
        _letters(text),
        {stem: (at + 1) / len(read) for at, (stem, rare) in enumerate(read) if rare},
        frozenset(stem for stem, (_, changeable) in known.items() if changeable),
        _shares(known, worth * kept),
        direction(rows, worth, lang),
        _runs(abstract),
        set_up,
        close,
        fsum(weight[stem] for stem in set_up),
        fsum(weight[stem] for stem in close),
        "?" in text,
        _pun_stem(pun, lang) if pun else "",
        certainty if pun else 0.0,
        SURELY if humour is None else _log_odds(humour),
        hinges or {},
    )


def _log_odds(probability: float) -> float:
    odds = log(max(probability, 1e-9)) - log1p(-min(probability, 1 - 1e-9))
    return min(max(odds, PLAINLY), SURELY)


def read_letters(text: str, lang: str) -> Telling:
    """Read the letters of a text and nothing else: two texts in different languages are compared by these and their vectors alone."""
    return _partly(text, lang, {}, {})


def read_rarities(text: str, lang: str) -> Telling:
    """Read the letters of a text and what is rare in it, which is all that its keys are made of."""
    before, after = _parts(text)
    read = [_stem(word, lang) for word in (*before, *after)]
    return _partly(text, lang, _rarities(read)[0], _runs(read))


def _partly(text: str, lang: str, weight: dict[str, float], phrases: dict[tuple[str, str, str], float]) -> Telling:
    none: dict[Any, Any] = {}
    no = frozenset[str]()
    return Telling(
        text, lang, (), 0, none, none, weight, none, 0.0, 0.0, phrases, _letters(text), none, no, none, np.zeros(0), none,
        no, no, 0.0, 0.0, False,
    )  # fmt: skip


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def part_direction(text: str, lang: str) -> Array:
    """Give the direction of the words of a part of a text, each time it stands there counted by its worth; 0 without any."""
    forms = Analyser.split(text)
    rare = [_stem(word, lang)[1] for word in forms]
    worth = np.array([max(value - _COMMON, _LEAST) if value else 0.0 for value in rare])
    return direction(np.array([_known(word, lang)[0] for word in forms], dtype=np.int32), worth, lang)


def _runs(read: list[tuple[str, float]]) -> dict[tuple[str, str, str], float]:
    """The runs of three words with what they are worth, those of stop words alone left out."""
    return {
        (x, y, z): total
        for (x, u), (y, v), (z, w) in zip(read, read[1:], read[2:], strict=False)
        if (total := u + v + w) > 0
    }


def _shares(stems: Iterable[str], worth: Array) -> dict[str, float]:
    total = max(float(worth.sum()), 1.0)
    return {stem: value / total for stem, value in zip(stems, worth.tolist(), strict=True) if value}


def _pun_stem(pun: str, lang: str) -> str:
    """The stem of the rarest word of what is punned on."""
    stems = [_stem(word, lang) for word in Analyser.split(pun)]
    return max(stems, key=lambda pair: pair[1])[0] if stems else ""
