"""Idioms, proverbs and catchphrases, and which of them a text bends.

The lists are our own; the wordnets' entries of several words join them. A pun word rarely stands alone: "leave of
absinthe" is heard as "leave of absence" because the other words of the phrase are all there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from rimshot.lexicon.store import table

__all__ = ["Idiom", "bent_idiom", "idioms", "phrase_fit", "phrase_fits"]

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_LIGHT_EN = "a an the of in on to and or is are be it its your my his her you i he she that this not do at"
_LIGHT_PT = "a o as os um uma de do da dos das em no na nos nas e ou é se que com por para ao à seu sua meu"
_ENDINGS = ("s", "ed", "ing")
_LIGHT = {"en": frozenset(_LIGHT_EN.split()), "pt": frozenset(_LIGHT_PT.split())}


@dataclass(frozen=True, slots=True)
class Idiom:
    """A fixed phrase found behind a text: the phrase, and the share of it that the text keeps."""

    phrase: str
    kept: float


def idioms(lang: str) -> tuple[str, ...]:
    """Give the idioms of a language, lower case, without punctuation."""
    return _idioms(lang)[0]


@lru_cache(maxsize=2)
def _idioms(
    lang: str,
) -> tuple[tuple[str, ...], dict[str, tuple[int, ...]], tuple[tuple[str, ...], ...], tuple[frozenset[str], ...]]:
    """The phrases, the numbers of those with a word, the words of each, and the first letters of its weighty ones."""
    path = Path(__file__).with_name(f"idioms_{lang}.txt")
    phrases = tuple(
        dict.fromkeys(line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    )
    words = tuple(tuple(_WORD.findall(phrase)) for phrase in phrases)
    where: dict[str, list[int]] = {}
    for number, parts in enumerate(words):
        for part in dict.fromkeys(parts):
            where.setdefault(part, []).append(number)
    heads = tuple(frozenset(part[:3] for part in parts if part not in _LIGHT[lang]) for parts in words)
    return phrases, {word: tuple(found) for word, found in where.items()}, words, heads


def _same(one: str, other: str) -> bool:
    """Whether two forms are the same word but for its ending."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) > 3 and long.startswith(short[: max(3, len(short) - 1)]) and len(long) - len(short) <= 3


def bent_idiom(words: Sequence[str], place: int, word: str, lang: str) -> Idiom | None:
    """Give the idiom that the text bends if `word` is what one hears at `place` among its lower-case words.

    At least one other weighty word of the idiom, or two of any, must stand around the place, in order.

    >>> bent_idiom("a leave of absinthe".split(), 3, "absence", "en")
    Idiom(phrase='leave of absence', kept=1.0)
    """
    phrases, where, parts, weighty_heads = _idioms(lang)
    numbers = _with(word, where)
    if not numbers:
        return None
    light = _LIGHT[lang]
    best: Idiom | None = None
    heads = {near[:3] for near in words}
    for number in numbers:
        phrase = parts[number]
        rest = weighty_heads[number] - {word[:3]}
        if rest and heads.isdisjoint(rest):
            continue
        for spot, part in enumerate(phrase):
            if not _same(part, word):
                continue
            hits = weighty = 0
            for offset, other in enumerate(phrase):
                if offset == spot:
                    continue
                near = place + offset - spot
                if any(0 <= at < len(words) and _same(words[at], other) for at in (near, near - 1, near + 1)):
                    hits += 1
                    weighty += other not in light
            kept = (hits + 1) / len(phrase)
            others = sum(other not in light for other in phrase) - (word not in light)
            enough = (weighty >= 1 and kept >= 0.5) or (hits >= 2 and kept >= 0.75 and (others == 0 or weighty))
            if enough and (best is None or (kept, len(phrase)) > (best.kept, len(best.phrase.split()))):
                best = Idiom(phrases[number], round(kept, 3))
    return best


def _with(word: str, where: dict[str, tuple[int, ...]]) -> Sequence[int]:
    found = where.get(word, ())
    for ending in _ENDINGS:
        if word.endswith(ending):
            found = (*found, *where.get(word.removesuffix(ending), ()))
    return tuple(dict.fromkeys(found))


def phrase_fit(words: Sequence[str], place: int, word: str, lang: str) -> str | None:
    """Give the wordnet entry of several words that `word` makes with its neighbours, if there is one.

    >>> phrase_fit("a sail boat".split(), 1, "sauce", "en") or phrase_fit("a gravy bote".split(), 2, "boat", "en")
    'gravy boat'
    """
    return phrase_fits(words, place, [word], lang)[0]


def phrase_fits(words: Sequence[str], place: int, names: Sequence[str], lang: str) -> list[str | None]:
    """Give the same for each of several words that could stand at one place."""
    known = table(f"senses-{lang}")
    frames = []
    for size in (4, 3, 2):
        for start in range(max(0, place - size + 1), min(place, len(words) - size) + 1):
            before, after = words[start:place], words[place + 1 : start + size]
            frames.append(("".join(f"{word} " for word in before), "".join(f" {word}" for word in after)))
    entries = ((f"{before}{name}{after}" for before, after in frames) for name in names)
    return [next((entry for entry in tried if entry in known), None) for tried in entries]
