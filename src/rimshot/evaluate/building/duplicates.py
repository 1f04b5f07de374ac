"""Texts that are the same, or nearly: they must not stand on both sides of a split."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from rimshot.evaluate.building.items import Item
from rimshot.evaluate.building.words import tokens

__all__ = ["NearPair", "families", "near_duplicates"]

_COMMON = 40
"""A run of words that stands in more texts than this tells nothing of two of them."""


@dataclass(frozen=True)
class NearPair:
    """Two texts and the share of their runs of words that they have in common (1: all of them)."""

    one: str
    other: str
    alike: float


def _shingles(words: list[str]) -> set[tuple[str, ...]]:
    size = 2 if len(words) > 2 else 1
    return {tuple(words[start : start + size]) for start in range(max(len(words) - size + 1, 1))}


def near_duplicates(items: Iterable[Item], alike: float = 0.6) -> list[NearPair]:
    """Give every pair of texts whose pairs of neighbouring words overlap by at least ``alike`` (Jaccard).

    Changing a word in a text of twelve leaves 0.69; word order counts a little, punctuation and case do not.
    """
    shingles = {item.docid: _shingles(tokens(item.text)) for item in items}
    holders: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for docid, found in shingles.items():
        for shingle in found:
            holders[shingle].append(docid)
    found_pairs = []
    for docid, mine in shingles.items():
        shared: Counter[str] = Counter()
        rare = [holders[shingle] for shingle in mine if len(holders[shingle]) <= _COMMON]
        for docs in rare or [holders[shingle] for shingle in mine]:
            shared.update(docs)
        for other in shared:
            if other > docid:
                both = len(mine & shingles[other])
                share = both / (len(mine) + len(shingles[other]) - both)
                if share >= alike:
                    found_pairs.append(NearPair(docid, other, round(share, 3)))
    return sorted(found_pairs, key=lambda pair: (-pair.alike, pair.one, pair.other))


def families(items: Iterable[Item], pairs: Iterable[NearPair]) -> dict[str, str]:
    """Give each text the name of its family: near-duplicates, and items that share ``pair``, belong together."""
    items = list(items)
    parent = {item.docid: item.docid for item in items}

    def root(docid: str) -> str:
        while parent[docid] != docid:
            parent[docid] = parent[parent[docid]]
            docid = parent[docid]
        return docid

    def join(one: str, other: str) -> None:
        first, second = sorted((root(one), root(other)))
        parent[second] = first

    for pair in pairs:
        join(pair.one, pair.other)
    named: dict[str, str] = {}
    for item in items:
        if item.pair is not None:
            join(item.docid, named.setdefault(item.pair, item.docid))
    return {item.docid: root(item.docid) for item in items}
