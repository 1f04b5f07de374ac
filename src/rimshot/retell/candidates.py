"""Which texts might be the same joke: pairs that share rare words, a rare phrase, or a meaning, without comparing all with all.

Three kinds of signal, so that a retelling without a single rare word in common is still found:

- keys: any two of a text's rarest words, its rarest runs of three words, and its letters; texts with a key in common are a pair
  (keys that very many texts share say nothing and are left out);
- cells: every vector belongs to the cells of the few landmarks nearest to it, and is compared inside these cells. Landmarks are
  texts chosen by the hash of their letters, hence the same ones whatever the order, and mostly the same after an addition.

Work grows with n for keys and with n to the power 1.5 for cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import combinations, pairwise
from math import ceil, sqrt
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.retell.telling import Telling

__all__ = ["by_cells", "by_keys", "distinct", "pair_codes", "pairs_of", "spelling_code", "telling_keys"]

Array = npt.NDArray[Any]
_RAREST_WORDS = 9
_RAREST_PHRASES = 8
_LEAST_PHRASE = 9.0
_CROWD = 40
_CELLS = 4
_BLOCK = 2048
_PENDING = 1 << 19
_PLACES = np.array([1, 3, 5], dtype=np.uint64)
"""What the words of a run are multiplied by before their codes are added, so that their order counts."""


def _code(*parts: str) -> int:
    return int.from_bytes(blake2b("\x1f".join(parts).encode(), digest_size=8).digest(), "little")


def spelling_code(telling: Telling) -> int:
    """Give eight bytes that stand for the letters of a text, the same for copies in other case or punctuation."""
    return _code("spelling", telling.lang, telling.spelling)


def telling_keys(telling: Telling) -> Array:
    """Give the keys of a text."""
    lang, weight, phrases = telling.lang, telling.weight, telling.phrases
    rarest = sorted(weight, key=lambda stem: (-weight[stem], stem))[:_RAREST_WORDS]
    runs = sorted((run for run in phrases if phrases[run] >= _LEAST_PHRASE), key=lambda run: (-phrases[run], run))
    words = np.array([_word_code(stem, lang) for stem in rarest], dtype=np.uint64)
    one, other = np.triu_indices(len(words), 1)
    three = np.array([[_word_code(stem, lang) for stem in run] for run in runs[:_RAREST_PHRASES]], dtype=np.uint64)
    ends = [_code(lang, telling.spelling[:12]), _code(lang, telling.spelling[-12:])]
    return np.concatenate([words[one] + words[other], three.reshape(-1, 3) @ _PLACES, np.array(ends, dtype=np.uint64)])


@lru_cache(maxsize=1 << 17)
def _word_code(stem: str, lang: str) -> int:
    return _code("word", lang, stem)


def pair_codes(pairs: Array, size: int) -> Array:
    """Give one number for each pair of texts out of ``size``; pairs in rising order have rising numbers."""
    found: Array = pairs[:, 0].astype(np.int64) * size + pairs[:, 1]
    return found


def pairs_of(codes: Array, size: int) -> Array:
    """Give the pairs of such numbers.

    >>> pairs_of(pair_codes(np.array([[0, 2], [1, 2]]), 3), 3).tolist()
    [[0, 2], [1, 2]]
    """
    pairs = np.empty((len(codes), 2), dtype=np.int32)
    for column, part in enumerate((np.floor_divide, np.remainder)):
        part(codes, max(1, size), out=pairs[:, column], casting="unsafe")
    return pairs


def distinct(parts: Iterable[Array]) -> Array:
    """Give the numbers of all parts once, rising; they are joined as they come, so that repeats never take much room."""
    kept = np.empty(0, dtype=np.int64)
    pending: list[Array] = []
    for part in parts:
        pending.append(part)
        if sum(map(len, pending)) > max(_PENDING, len(kept) // 2):
            kept = np.unique(np.concatenate([kept, *pending]))
            pending = []
    return np.unique(np.concatenate([kept, *pending])) if pending else kept


def by_keys(keys: Sequence[Sequence[int] | Array]) -> Array:
    """Give the pairs of texts that have a key in common, each pair once, rising."""
    size = len(keys)
    if not size:
        return pairs_of(np.empty(0, dtype=np.int64), size)
    flat = np.concatenate([np.asarray(row, dtype=np.uint64) for row in keys])
    docs = np.repeat(np.arange(size, dtype=np.int32), [len(row) for row in keys])
    order = np.argsort(flat, kind="stable")
    flat, docs = flat[order], docs[order]
    starts = np.concatenate([[0], np.flatnonzero(flat[1:] != flat[:-1]) + 1, [len(flat)]])
    return pairs_of(distinct(_sharing(docs, starts, size)), size)


def _sharing(docs: Array, starts: Array, size: int) -> Iterator[Array]:
    """The pairs, by number, of texts in one stretch of ``docs``, each of which rises from one of ``starts`` to the next."""
    counts = np.diff(starts)
    for count in np.unique(counts[(counts > 1) & (counts <= _CROWD)]).tolist():
        rows = docs[starts[:-1][counts == count][:, None] + np.arange(count)].astype(np.int64)
        for i, j in combinations(range(count), 2):
            a, b = rows[:, i], rows[:, j]
            yield (a * size + b)[a != b]


def by_cells(vectors: Array, codes: Sequence[int], nearest: int, least: float, sides: Array | None = None) -> Array:
    """Give for each vector its ``nearest`` others in its cells whose cosine is at least ``least``, as rising pairs.

    ``codes`` order the texts without regard to their numbers; the landmarks are those with the smallest. With ``sides``, only pairs
    of a text on one side and a text on the other are given, and the landmarks are of the one side.
    """
    size = len(vectors)
    if size < 2:
        return pairs_of(np.empty(0, dtype=np.int64), size)
    landmarks = np.argsort(np.array(codes, dtype=np.uint64), kind="stable")
    if sides is not None:
        landmarks = landmarks[sides[landmarks]]
    landmarks = landmarks[: max(1, ceil(2 * sqrt(size)))]
    chosen = np.asarray(vectors[np.sort(landmarks)], dtype=np.float32)
    cells = min(_CELLS, len(chosen))
    member = np.empty((size, cells), dtype=np.int32)
    for start in range(0, size, _BLOCK):
        cosine = np.asarray(vectors[start : start + _BLOCK], dtype=np.float32) @ chosen.T
        member[start : start + _BLOCK] = np.argpartition(-cosine, cells - 1, axis=1)[:, :cells]
    docs = np.repeat(np.arange(size), cells)
    order = np.argsort(member.ravel(), kind="stable")
    bounds = np.searchsorted(member.ravel()[order], np.arange(len(chosen) + 1))
    inside = (docs[order[start:end]] for start, end in pairwise(bounds.tolist()))
    near = (codes for cell in inside for codes in _near(vectors, cell, nearest, least, size, sides))
    return pairs_of(distinct(near), size)


def _near(vectors: Array, inside: Array, nearest: int, least: float, size: int, sides: Array | None) -> Iterator[Array]:
    rows = np.asarray(vectors[inside], dtype=np.float32)
    for start in range(0, len(inside), _BLOCK):
        cosine = rows[start : start + _BLOCK] @ rows.T
        cosine[np.arange(len(cosine)), start + np.arange(len(cosine))] = -1.0
        if sides is not None:
            cosine[sides[inside[start : start + _BLOCK], None] == sides[inside][None, :]] = -1.0
        close = cosine >= least
        many = np.flatnonzero(np.count_nonzero(close, axis=1) > nearest)
        if len(many):
            cut = np.partition(cosine[many], -nearest, axis=1)[:, -nearest]
            close[many] &= cosine[many] >= cut[:, None]
        a, b = np.nonzero(close)
        one, two = inside[start + a], inside[b]
        yield (np.minimum(one, two) * size + np.maximum(one, two))[one != two]
