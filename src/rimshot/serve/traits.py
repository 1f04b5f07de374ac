"""What can be counted and filtered of each document: language, kind, pattern, level, retold or not.

The traits of a whole index are read once for each version of it and kept as small numbers, so counting over a thousand
hits costs microseconds. A trait that the index does not know is absent.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.index import Index
from rimshot.index.pack import Array
from rimshot.wordplay.pattern import PATTERNS

__all__ = ["CHOICES", "Families", "Trait", "counts", "families", "keep", "traits", "warned"]

CHOICES: dict[str, tuple[str, ...]] = {
    "lang": LANGUAGES,
    "kind": ("homographic", "heterographic"),
    "pattern": PATTERNS,
    "level": ("A1", "A2", "B1", "B2", "C1", "C2"),
    "told": ("once", "again"),
}
_RECORDED = ("kind", "pattern", "level")


@dataclass(frozen=True, eq=False)
class Trait:
    """For every document number the place of its value in ``CHOICES``, or -1."""

    name: str
    codes: Array

    def code(self, value: str) -> int:
        """Give the number of a value."""
        return CHOICES[self.name].index(value)


@dataclass(frozen=True, eq=False)
class Families:
    """Which documents tell the same joke; documents that stand alone are in none."""

    of: Array
    members: Mapping[int, Array]


def families(index: Index) -> Families | None:
    """Give the families of an index, None when it has none worked out."""
    if not index.has_column("family") or not index.size:
        return None
    return index.memo("serve:families", lambda: _families(index))


def _families(index: Index) -> Families:
    column = np.asarray(index.column("family")).astype(np.int64)
    numbers = index.numbers()
    numbers = numbers[column[numbers] >= 0]
    order = numbers[np.argsort(column[numbers], kind="stable")]
    names, starts, sizes = np.unique(column[order], return_index=True, return_counts=True)
    members = {
        int(name): order[start : start + size]
        for name, start, size in zip(names, starts, sizes, strict=True)
        if size > 1
    }
    of = np.full(index.size, -1, dtype=np.int64)
    for name, docs in members.items():
        of[docs] = name
    return Families(of, members)


def traits(index: Index) -> Mapping[str, Trait]:
    """Give the traits that an index knows, by name."""
    return index.memo("serve:traits", lambda: _traits(index))


def _traits(index: Index) -> Mapping[str, Trait]:
    found: dict[str, Trait] = {}
    if not index.size:
        return found
    found["lang"] = Trait("lang", np.asarray(index.column("lang")).astype(np.int8))
    if index.has_records("pun"):
        places = {name: {value: at for at, value in enumerate(CHOICES[name])} for name in _RECORDED}
        codes = {name: np.full(index.size, -1, dtype=np.int8) for name in _RECORDED}
        for number in index.numbers().tolist():
            record: Mapping[str, Any] = index.record("pun", number) or {}
            for name in _RECORDED:
                codes[name][number] = places[name].get(_value(record, name), -1)
        found |= {name: Trait(name, column) for name, column in codes.items() if (column >= 0).any()}
    grouped = families(index)
    if grouped is not None:
        found["told"] = Trait("told", (grouped.of >= 0).astype(np.int8))
    return found


def warned(index: Index) -> Array:
    """Tell for every document number whether its text carries a content warning."""
    return index.memo("serve:warned", lambda: _warned(index))


def _warned(index: Index) -> Array:
    flags = np.zeros(index.size, dtype=bool)
    if index.has_records("pun"):
        flags[[n for n in index.numbers().tolist() if (index.record("pun", n) or {}).get("warnings")]] = True
    return flags


def _value(record: Mapping[str, Any], name: str) -> str:
    """Give the value of a trait: of the patterns of a joke, the most telling one."""
    if not record.get("word"):
        return ""
    if name == "pattern":
        return next(iter(record.get("patterns") or ()), "")
    return str(record.get(name) or "")


def keep(docs: Array, index: Index, wanted: Sequence[tuple[str, str]]) -> Array:
    """Tell for each document whether it has every wanted trait; a trait that the index does not know is had by none."""
    known = traits(index)
    kept = np.ones(len(docs), dtype=bool)
    for name, value in wanted:
        kept &= known[name].codes[docs] == known[name].code(value) if name in known else np.zeros(len(docs), dtype=bool)
    return kept


def _once_each(docs: Array, codes: Array, index: Index) -> Array:
    known = families(index)
    if known is None:
        return codes
    of = known.of[docs]
    told = np.unique(np.stack([of, codes.astype(np.int64)], axis=1)[of >= 0], axis=0)
    return np.concatenate([codes[of < 0], told[:, 1].astype(codes.dtype)])


def counts(
    docs: Array, index: Index, wanted: Sequence[tuple[str, str]], *, grouped: bool = False
) -> dict[str, dict[str, int]]:
    """Count the values of every trait; for one that is filtered by, as if it were not, so that others can be chosen.

    ``grouped`` counts the versions of one joke that share a value once, as a list that shows one of them does.
    """
    found: dict[str, dict[str, int]] = {}
    for name, trait in traits(index).items():
        others = [pair for pair in wanted if pair[0] != name]
        kept = docs[keep(docs, index, others)]
        codes = _once_each(kept, trait.codes[kept], index) if grouped else trait.codes[kept]
        numbers = np.bincount(codes[codes >= 0], minlength=len(CHOICES[name])).tolist()
        found[name] = {value: number for value, number in zip(CHOICES[name], numbers, strict=True) if number}
    return found
