"""Words that sound alike: `sounds_like("sail", "en")` gives sale, and profane for propane.

Candidates share the skeleton of consonant classes, or one of its neighbours with one class left out (as SymSpell does
with letters), so that a look-up touches a few hundred words of a hundred thousand; a weighted edit distance over
articulatory costs then orders them, for all candidates at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon import english, portuguese
from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.heard import names
from rimshot.lexicon.phones import PHONES, costs
from rimshot.lexicon.skeleton import keys, numbers
from rimshot.lexicon.store import array, strings, table

__all__ = ["Alike", "alike", "distance", "pronounce", "sounds_like"]

_WIDEST = 24
"""Longest pronunciation that the compiled table holds."""


@dataclass(frozen=True, slots=True)
class Alike:
    """A word that sounds like another: how far whole from whole (0 the same, 1 all different), and as a part.

    `inside` is the distance when the word is sought within the other one ("barber" in "barbarous"), `cover` how much of
    the other one it covers.
    """

    word: str
    phones: str
    distance: float
    inside: float
    cover: float


def pronounce(word: str, lang: str) -> tuple[str, ...]:
    """Give the pronunciations of a word or phrase; `lang` is en, pt, pt-PT or pt-BR."""
    if lang == "en":
        return english.pronounce(word)
    spelled = (word, *names().get(word, ()))
    return tuple(dict.fromkeys(sounds for form in spelled for sounds in portuguese.pronounce(form, lang)))


def distance(one: str, other: str) -> float:
    """Give the distance of two pronunciations, 0 when equal and 1 when nothing fits.

    >>> distance("pr6p1n", "pr6f1n") < 0.1 < distance("pr6p1n", "b1kt")
    True
    """
    if not one or not other:
        return float(one != other)
    padded = np.full((1, len(other)), len(PHONES), np.uint8)
    padded[0] = numbers(other)
    whole, _ = _align(one, padded, np.array([len(other)]))
    return float(whole[0])


@lru_cache(maxsize=2)
def _profiles(lang: str) -> NDArray[np.float32]:
    """A few numbers for the sounds of each known word, order aside: near profiles are needed for near sounds."""
    rows = array(f"alike-{lang}-phones")
    table = np.concatenate([_sketch(), np.zeros((1, _sketch().shape[1]), np.float32)])
    found = np.zeros((len(rows), table.shape[1]), np.float32)
    for column in range(rows.shape[1]):
        found += table[np.minimum(rows[:, column], len(PHONES))]
    return found


@lru_cache(maxsize=1)
def _sketch() -> NDArray[np.float32]:
    """Sounds as points, near ones near each other: the main directions of their table of likeness."""
    swap, _ = costs()
    values, vectors = np.linalg.eigh(1.0 - swap[:-1, :-1].astype(np.float64))
    kept = slice(len(values) - _DIRECTIONS, None)
    found: NDArray[np.float32] = (vectors[:, kept] * np.sqrt(np.maximum(values[kept], 0))).astype(np.float32)
    return found


_SPOKEN = dict(enumerate(PHONES))
_DIRECTIONS = 12
_ALIGNED = 600
"""Candidates that are aligned sound by sound; the others differ too much in the sounds they have at all."""


def _likely(phones: str, near: NDArray[np.intp], lang: str) -> NDArray[np.intp]:
    if len(near) <= _ALIGNED:
        return near
    apart = _profiles(lang)[near] - _sketch()[numbers(phones)].sum(axis=0)
    far = np.einsum("ij,ij->i", apart, apart)
    return np.sort(near[np.argpartition(far, _ALIGNED)[:_ALIGNED]])


def _align(
    phones: str, rows: NDArray[np.uint8], lengths: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Align one pronunciation with many: the distance whole to whole, and of each row sought within the one.

    Wagner and Fischer's table for all rows at once; the second table begins and ends anywhere in `phones` (Sellers
    1980). Leaving out sounds of the row is a running minimum, so that no loop over the row's sounds is needed.
    """
    swap, gap = costs()
    count, width = rows.shape
    gone = np.zeros((width + 1, 1, count), np.float32)
    gone[1:, 0] = np.cumsum(gap[rows.T], axis=0)
    now = np.repeat(gone, 2, axis=1)
    each = np.arange(count)
    best = now[lengths, 1, each]
    columns = np.ascontiguousarray(rows.T)
    for number in numbers(phones):
        cell = now + gap[number]
        cell[0, 1] = 0.0
        np.minimum(cell[1:], now[:-1] + swap[number][columns][:, None], out=cell[1:])
        cell -= gone
        now = np.minimum.accumulate(cell, axis=0) + gone
        np.minimum(best, now[lengths, 1, each], out=best)
    own = gap[numbers(phones)].sum()
    scale = gone[lengths, 0, each]
    return 2 * now[lengths, 0, each] / (own + scale), best / np.maximum(scale, 1e-6)


def _parts(phones: str) -> Iterator[str]:
    """Parts of a pronunciation that a shorter word may fill: at least three sounds, or half of it."""
    size = len(phones)
    for start in range(size):
        for end in range(start + max(2, min(3, size // 2)), size + 1):
            if end - start < size and (end - start >= 3 or start == 0 or end == size):
                yield phones[start:end]


def _found(lang: str, names: Iterable[str]) -> NDArray[np.intp]:
    """The numbers of the words under any of these keys, in order."""
    found = [raw for name in names if (raw := table(f"keys-{lang}").get(name))]
    marked = np.zeros(len(strings(f"alike-{lang}")), bool)
    marked[np.frombuffer(b"".join(found), np.uint32)] = True
    return np.flatnonzero(marked)


@lru_cache(maxsize=1 << 13)
def alike(phones: str, lang: str, n: int = 60, parts: bool = True) -> tuple[Alike, ...]:
    """Give the words nearest to a pronunciation, of all known words, nearest first.

    With `parts`, also words that fill a part of it; those are ordered by what they leave uncovered as well.
    """
    if not phones:
        return ()
    phones = phones[:_WIDEST]
    near = _found(lang, keys(phones))
    lengths = array(f"alike-{lang}-lengths")
    near = near[np.abs(lengths[near].astype(np.int64) - len(phones)) <= max(2, len(phones) // 3)]
    near = _likely(phones, near, lang)
    if parts:
        within = _found(lang, {f"={part}" for part in _parts(phones)})
        near = np.union1d(near, within)
    if not len(near):
        return ()
    sizes = lengths[near].astype(np.int64)
    rows = np.asarray(array(f"alike-{lang}-phones")[near][:, : int(sizes.max())])
    whole, part = _align(phones, rows, sizes)
    cover = np.minimum(1.0, sizes / len(phones))
    score = np.minimum(whole, part + 0.6 * (1 - cover))
    words = strings(f"alike-{lang}")
    order = np.argsort(score, kind="stable")[:n]
    return tuple(
        Alike(
            words[int(near[i])],
            rows[i, : sizes[i]].tobytes().decode("latin-1").translate(_SPOKEN),
            float(whole[i]),
            float(part[i]),
            float(cover[i]),
        )
        for i in order
    )


def sounds_like(word: str, lang: str, n: int = 20) -> list[tuple[str, float]]:
    """Give (word, distance) for words that sound like one, nearest first, more usual ones first among equals.

    >>> sounds_like("sail", "en", 1)
    [('sale', 0.0)]
    """
    best: dict[str, float] = {}
    own = word.lower()
    base = "en" if lang == "en" else "pt"
    for phones in pronounce(word, base):
        for found in alike(phones, base, 4 * n + 20, parts=False):
            if found.word != own:
                best[found.word] = min(best.get(found.word, 1.0), found.distance)
    rank = sorted(best.items(), key=lambda pair: (round(pair[1], 3), -zipf(pair[0], base), pair[0]))
    return rank[:n]
