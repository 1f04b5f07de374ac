"""Families of retellings in a whole collection, without comparing all texts with all."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.retell.candidates import by_cells, by_keys, distinct, pair_codes, pairs_of, spelling_code, telling_keys
from rimshot.retell.cluster import families as link
from rimshot.retell.cluster import representative
from rimshot.retell.joke_encoder import hinge_map
from rimshot.retell.likeness import VECTORS
from rimshot.retell.similarity import SCALE, Similarity
from rimshot.retell.telling import Telling, read_letters, read_rarities, read_telling

__all__ = ["Material", "Partition", "apply_edits", "find_families"]

Array = npt.NDArray[Any]
_NEAREST = {"meaning": (12, 0.40), "ending": (8, 0.60), "joke": (12, 0.45), "across": (4, 0.45)}
"""How many neighbours of each kind are looked at, and the least cosine; across is the meaning of texts in two languages."""
_HOPELESS, _WORDLESS = -3.0, -2.0
"""Log-odds by vectors alone, against the cut, below which a pair is not worth reading, and below which a plain one without rare words in
common is not."""
_CLOSE = 0.85
"""The cosine from which plain texts may be copies, however few words they have."""
_PLAIN = {"en": 0.08, "pt": 0.002}
"""P(humour) below which a quarter of the embedded sample's jokes lie: a pair of texts that both lie below is likely plain."""
_JOKE = -2.0
"""How far below the plainest jokes is plain. Texts that are not may be one joke by what ranks them too, which knows free retellings."""
_KEPT = 20_000
_SURVEYED = 2000
"""How many texts are asked for the direction in which texts differ most."""
_CHUNK = 1 << 15


@dataclass(frozen=True, eq=False)
class Material:
    """What is known of the texts of a collection, by number; without vectors families are found by words alone.

    ``joke`` are vectors by which tellings of one joke are near each other, 0 for texts that are hardly jokes; without them those of
    meaning stand in. ``humour`` is the probability that a text is a joke, where a model has said.
    ``english`` are vectors of meaning by translation,
    where some texts have one: texts in two languages are compared by these alone, texts in one by both. ``hinges`` are the codes and
    shares of the words that each text may hang on.
    """

    text: Callable[[int], str]
    langs: Sequence[str]
    meaning: Array | None = None
    ending: Array | None = None
    pun: Callable[[int], tuple[str, float]] = lambda number: ("", 0.0)
    humour: Array | None = None
    english: Array | None = None
    joke: Array | None = None
    hinges: tuple[Array, Array] | None = None

    def cosines(self, a: Array, b: Array) -> Array | None:
        """Give the cosines [meaning, ending, joke, scene] of pairs of texts by number, or None without vectors."""
        if self.meaning is None or self.ending is None:
            return None
        found = np.column_stack([_products(vectors, a, b) for vectors in (self.meaning, self.ending)])
        if self.english is not None:
            apart = np.array(
                [self.langs[one] != self.langs[other] for one, other in zip(a.tolist(), b.tolist(), strict=True)],
                dtype=bool,
            )
            between = _products(self.english, a, b)
            found[:, 0] = np.where(apart, between, (found[:, 0] + between) / 2)
        if self.joke is None:
            return found[:, [0, 1, 0, 0]]
        scenes, words = (_products(half, a, b) for half in np.split(self.joke, 2, axis=1))
        return np.column_stack([found, scenes + words, 2 * scenes])

    def telling(self, number: int) -> Telling:
        """Read a text for comparison."""
        humour = None if self.humour is None else float(self.humour[number])
        return read_telling(self.text(number), self.langs[number], *self.pun(number), humour, self._hinges(number))

    def _hinges(self, number: int) -> Mapping[int, float] | None:
        return None if self.hinges is None else hinge_map(*(rows[number] for rows in self.hinges))

    def rarities(self, number: int) -> Telling:
        """Read of a text what its keys need."""
        return read_rarities(self.text(number), self.langs[number])

    def letters(self, number: int) -> Telling:
        """Read of a text what a comparison with one in another language needs."""
        return read_letters(self.text(number), self.langs[number])


@dataclass(frozen=True, eq=False)
class Partition:
    """For each text the smallest number in its family, and whether it represents the family."""

    family: Array
    leads: Array


def find_families(
    numbers: Sequence[int], material: Material, similarity: Similarity, progress: Callable[[int], None] | None = None
) -> Partition:
    """Give the families of the texts with these numbers; arrays are as long as the largest number asks for, -1 elsewhere.

    Copies (equal letters) are one text here, so a thousand of them cost what one does.
    """
    with _uncollected():
        return _find(numbers, material, similarity, progress)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without a search for cycles, within: thousands of tellings are kept, have none, and are looked through in vain each time."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def _find(
    numbers: Sequence[int], material: Material, similarity: Similarity, progress: Callable[[int], None] | None
) -> Partition:
    codes: dict[int, int] = {}
    copies: dict[int, list[int]] = {}
    keys: list[Array] = []
    chosen: list[int] = []
    read = lru_cache(maxsize=_KEPT)(material.telling)
    # What would be forgotten before it is compared need not be read whole.
    glance = read if len(numbers) <= _KEPT else material.rarities
    for done, number in enumerate(numbers):
        telling = glance(number)
        code = spelling_code(telling)
        if code in codes:
            copies[codes[code]].append(number)
        else:
            codes[code] = len(chosen)
            copies[len(chosen)] = [number]
            chosen.append(number)
            keys.append(telling_keys(telling))
        if progress is not None and not done % 500:
            progress(done)
    order = list(codes)
    pairs, wordy = _candidates(chosen, keys, order, material)
    pairs, logits, compare = _judge(chosen, pairs, wordy, material, similarity, read)
    groups = link(len(chosen), pairs, logits, similarity.family, compare, order)
    size = (max(numbers) + 1) if len(numbers) else 0
    family, leads = np.full(size, -1, dtype=np.int32), np.zeros(size, dtype=np.uint8)
    grouped = {node for group in groups for node in group}
    for group in (*groups, *([node] for node in range(len(chosen)) if node not in grouped)):
        members = [number for node in group for number in copies[node]]
        family[members] = min(members)
        leads[copies[representative(group, compare, order)][0]] = 1
    return Partition(family, leads)


def _candidates(
    chosen: Sequence[int], keys: Sequence[Array], order: Sequence[int], material: Material
) -> tuple[Array, Array]:
    """Give the pairs that are worth a look, rising, and which of them have rare words in common."""
    size, rows = len(chosen), np.array(chosen, dtype=np.int64)
    by_words = pair_codes(by_keys(keys), size)
    codes = by_words
    for name, vectors in (("meaning", material.meaning), ("ending", material.ending)):
        if vectors is not None:
            near = by_cells(vectors[rows], order, *_NEAREST[name])
            codes = distinct([codes, pair_codes(near, size)])
    if material.joke is not None:
        codes = distinct([codes, pair_codes(_near_jokes(material.joke[rows], order), size)])
    sides = np.array([material.langs[number] == SCALE for number in chosen], dtype=bool)
    between = material.meaning if material.english is None else material.english
    if between is not None and sides.any() and not sides.all():
        near = by_cells(between[rows], order, *_NEAREST["across"], sides)
        codes = distinct([codes, pair_codes(near, size)])
    wordy = np.zeros(len(codes), dtype=bool)
    wordy[np.searchsorted(codes, by_words)] = True
    return pairs_of(codes, size), wordy


def _near_jokes(vectors: Array, order: Sequence[int]) -> Array:
    """The pairs that are near as jokes; texts that are hardly jokes have no direction, and are near to none."""
    jokes = np.flatnonzero(vectors.any(axis=1))
    near = by_cells(vectors[jokes], [order[node] for node in jokes.tolist()], *_NEAREST["joke"])
    found: Array = jokes[near]
    return found


def _judge(
    chosen: Sequence[int],
    pairs: Array,
    wordy: Array,
    material: Material,
    similarity: Similarity,
    read: Callable[[int], Telling],
) -> tuple[Array, Array, Callable[[int, Sequence[int]], Array]]:
    """Give the pairs that are worth it with their log-odds, and the function that judges further pairs.

    Of texts with no rare words in common (``wordy`` pairs have some), those of which one is plain must be the nearer by their
    vectors, the plainer both are, until they are so near that they may be copies.
    """
    numbers = np.array(chosen, dtype=np.int64)
    wit = _wit(numbers, material)

    def compare(node: int, others: Sequence[int], cosines: Array | None = None) -> Array:
        b = numbers[list(others)]
        one = read(int(numbers[node]))
        many = [read(n) if material.langs[n] == one.lang else material.letters(n) for n in b.tolist()]
        near = material.cosines(np.full(len(b), numbers[node]), b) if cosines is None else cosines
        alike = similarity.compare(one, many, near, ranked=False)
        logits = alike.logits
        if material.humour is not None:
            funny = np.minimum(wit[node], wit[list(others)]) > _JOKE
            logits = np.where(funny, alike.odds, logits)
        # Plain texts on one topic are alike too; copies stay copies, funny or not.
        return np.where(alike.copies, logits, logits + _plainness(wit[node], wit[list(others)]))

    kept, cosines = [np.empty((0, 2), dtype=np.int64)], [np.empty((0, len(VECTORS)))]
    for at in range(0, len(pairs), _CHUNK):
        some = pairs[at : at + _CHUNK]
        a, b = numbers[some[:, 0]], numbers[some[:, 1]]
        near = material.cosines(a, b)
        if near is not None:
            scaled = similarity.scaled(near, *([material.langs[n] for n in side.tolist()] for side in (a, b)))
            sides = wit[some[:, 0]], wit[some[:, 1]]
            worth = wordy[at : at + _CHUNK] | (scaled[:, 0] >= _CLOSE) | (np.minimum(*sides) > _JOKE)
            least = np.where(worth, _HOPELESS, _WORDLESS - _plainness(*sides))
            hopeful = similarity.vectors.logit(scaled) >= similarity.family + least
            some = some[hopeful]
            cosines.append(near[hopeful])
        kept.append(some)
    pairs, near = np.concatenate(kept), np.concatenate(cosines)
    logits = np.empty(len(pairs))
    groups = list(pairwise(np.flatnonzero(np.diff(pairs[:, 0], prepend=-1, append=-1)).tolist()))
    nodes = pairs[[start for start, _ in groups], 0]
    for number in _side_by_side(numbers[nodes], material).tolist():
        start, end = groups[number]
        known = near[start:end] if len(near) else None
        logits[start:end] = compare(int(pairs[start, 0]), pairs[start:end, 1].tolist(), known)
    return pairs, logits, compare


def _side_by_side(numbers: Array, material: Material) -> Array:
    """An order of texts in which like ones are near each other, so that few are read twice: by language, then by what tells most apart."""
    langs = np.array([material.langs[number] for number in numbers.tolist()])
    if material.meaning is None or not len(numbers):
        return np.argsort(langs, kind="stable")
    some = material.meaning[numbers[:: max(1, len(numbers) // _SURVEYED)]].astype(np.float32)
    axis = np.linalg.svd(some - some.mean(axis=0), full_matrices=False)[2][0]
    along = [
        material.meaning[numbers[at : at + _CHUNK]].astype(np.float32) @ axis for at in range(0, len(numbers), _CHUNK)
    ]
    return np.lexsort((np.concatenate(along), langs))


def _plainness(one: Array, other: Array) -> Array:
    """What is taken off the log-odds of pairs of texts by how far both lie below the plainest jokes: 0 or less."""
    found: Array = np.minimum(np.maximum(one, other), 0.0)
    return found


def _products(vectors: Array, a: Array, b: Array) -> Array:
    """The products of pairs of rows."""
    found: Array = np.einsum("ij,ij->i", *(vectors[side].astype(np.float32) for side in (a, b))).astype(np.float64)
    return found


def _wit(numbers: Array, material: Material) -> Array:
    """For each text, by how much its log-odds of being a joke lie above those of the plainest jokes; 0 where nothing is known."""
    if material.humour is None:
        return np.zeros(len(numbers))
    least = np.array([_PLAIN[material.langs[n]] for n in numbers.tolist()])
    chance = np.clip(np.asarray(material.humour, dtype=np.float64)[numbers], 1e-6, 1 - 1e-6)
    return np.asarray(np.log(chance / (1 - chance)) - np.log(least / (1 - least)))


def apply_edits(partition: Partition, edits: Iterable[Mapping[str, Any]], number: Callable[[str], int]) -> Partition:
    """Give the partition after what people merged and split, in that order; texts that are gone are passed over.

    A merge joins the families of all texts it names. A split takes the texts it names, as one new family, out of any family that
    still holds one of those they were split from.
    """
    family, leads = _named_by_smallest(partition.family), partition.leads.copy()
    for edit in edits:
        named = [n for n in (number(doc) for doc in edit["ids"]) if n >= 0]
        if not named:
            continue
        if edit["action"] == "merge":
            joined = np.flatnonzero(np.isin(family, np.unique(family[named])) & (family >= 0))
            _settle(family, leads, joined)
            continue
        others = [n for n in (number(doc) for doc in edit["from"]) if n >= 0]
        leaving = [n for n in named if family[n] in set(family[others].tolist())]
        if leaving:
            rest = np.flatnonzero(np.isin(family, np.unique(family[leaving])) & (family >= 0))
            parts = [rest[(family[rest] == label) & ~np.isin(rest, leaving)] for label in np.unique(family[leaving])]
            _settle(family, leads, np.array(sorted(leaving)))
            for part in parts:
                _settle(family, leads, part)
    return Partition(family, leads)


def _named_by_smallest(family: Array) -> Array:
    """The same partition, each family named by its smallest number (deletions may have moved the numbers)."""
    inside = np.flatnonzero(family >= 0)
    _, first, of = np.unique(family[inside], return_index=True, return_inverse=True)
    fresh = np.full(len(family), -1, dtype=np.int32)
    fresh[inside] = inside[first][of]
    return fresh


def _settle(family: Array, leads: Array, members: Array) -> None:
    """Make these texts one family with one representative: one of theirs that was one before, else the first."""
    if not len(members):
        return
    before = members[leads[members] == 1]
    sizes = [int((family[members] == family[lead]).sum()) for lead in before]
    lead = int(before[int(np.argmax(sizes))]) if len(before) else int(members.min())
    family[members] = members.min()
    leads[members] = 0
    leads[lead] = 1
