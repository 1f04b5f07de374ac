"""Two tellings side by side: what stayed, what changed, and in which respect."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from rimshot.corpus.analyser import Analyser, words
from rimshot.retell.categories import category
from rimshot.retell.parts import punch_line
from rimshot.retell.rarity import rarity

__all__ = ["Alignment", "Piece", "align"]

RESPECTS = {
    "person": "characters",
    "profession": "characters",
    "nation": "characters",
    "animal": "characters",
    "place": "place",
    "vehicle": "place",
    "number": "numbers",
    "food": "objects",
    "body": "objects",
    "time": "time",
}
_SHORTEST = 2
_TELLING = 6.0
"""Rarity from which a single word is worth showing as something that stayed."""


@dataclass(frozen=True)
class Piece:
    """A run of words of the first text beside the run of the second that stands in its place; either may be empty."""

    kind: str
    a: str
    b: str


@dataclass(frozen=True)
class Alignment:
    """Two texts aligned: all pieces in order, the phrases that stayed, and the pairs that changed by respect."""

    pieces: tuple[Piece, ...]
    stayed: tuple[str, ...]
    changed: dict[str, tuple[tuple[str, str], ...]]

    def as_dict(self) -> dict[str, Any]:
        """Give what stayed and what changed as plain data."""
        return {
            "stayed": list(self.stayed),
            "changed": {name: [list(p) for p in pairs] for name, pairs in self.changed.items()},
        }

    def sentence(self) -> str:
        """Say it in words.

        >>> align("A nun enters a bar and orders milk.", "A cowboy enters a bar and orders milk.").sentence()
        'same: enters a bar and orders milk; characters: nun / cowboy'
        """
        parts = [f"same: {'; '.join(self.stayed[:3])}"] if self.stayed else []
        for name, pairs in self.changed.items():
            if pairs:
                parts.append(f"{name}: {', '.join(f'{a} / {b}' for a, b in pairs[:3])}")
            elif name in ("wording", "ending", "language"):
                parts.append(f"{name} changed")
        return "; ".join(parts) or "nothing in common but the idea"


def align(a: str, b: str, lang: str = "en", other: str | None = None) -> Alignment:
    """Align two texts word by word; in different languages nothing can be aligned and only that is said."""
    if other is not None and other != lang:
        return Alignment((Piece("changed", a, b),), (), {"language": ()})
    first, second = words(a), words(b)
    analyser = Analyser(lang)
    stems = [[analyser.term(word) for word, _, _ in side] for side in (first, second)]
    pieces: list[Piece] = []
    stayed: list[tuple[float, int, str]] = []
    changed: dict[str, list[tuple[str, str]]] = {}
    reworded = 0
    for tag, i, j, k, m in SequenceMatcher(None, stems[0], stems[1], autojunk=False).get_opcodes():
        pieces.append(Piece("same" if tag == "equal" else "changed", _cut(a, first[i:j]), _cut(b, second[k:m])))
        if tag == "equal":
            value = sum(_worth(stem, lang) for stem in stems[0][i:j])
            if value >= _TELLING and (j - i >= _SHORTEST or value >= _TELLING + 1):
                stayed.append((-value, i, _trim(a, first[i:j], stems[0][i:j], lang)))
            continue
        pairs = _swaps([w for w, _, _ in first[i:j]], [w for w, _, _ in second[k:m]], lang)
        for respect, pair in pairs:
            if pair not in changed.setdefault(respect, []):
                changed[respect].append(pair)
        reworded += max(j - i, m - k) - len(pairs)
    respects: dict[str, tuple[tuple[str, str], ...]] = {name: tuple(pairs) for name, pairs in changed.items()}
    if reworded * 4 > max(len(first), len(second)):
        respects["wording"] = ()
    if _changed_ending(a, b, analyser):
        respects["ending"] = ()
    short, long = sorted((len(first), len(second)))
    if long > 2 * max(short, 1):
        respects["length"] = ((f"{len(first)} words", f"{len(second)} words"),)
    best = sorted(stayed)[:8]
    return Alignment(tuple(pieces), tuple(text for _, _, text in sorted(best, key=lambda row: row[1])), respects)


def _worth(stem: str, lang: str) -> float:
    return max(rarity(stem, lang) - 4.5, 0.0)


def _cut(text: str, run: Sequence[tuple[str, int, int]]) -> str:
    return text[run[0][1] : run[-1][2]] if run else ""


def _trim(text: str, run: Sequence[tuple[str, int, int]], stems: Sequence[str], lang: str) -> str:
    """The run without the commonest words at its ends."""
    start, end = 0, len(run)
    while end - start > 1 and not _worth(stems[start], lang):
        start += 1
    while end - start > 1 and not _worth(stems[end - 1], lang):
        end -= 1
    return _cut(text, run[start:end])


def _swaps(a: Sequence[str], b: Sequence[str], lang: str) -> list[tuple[str, tuple[str, str]]]:
    """Words of one respect that stand opposite each other, first with first."""
    sides: list[dict[str, list[str]]] = []
    for side in (a, b):
        found: dict[str, list[str]] = {}
        for word in side:
            respect = RESPECTS.get(category(word, lang))
            if respect is not None:
                found.setdefault(respect, []).append(word)
        sides.append(found)
    return [
        (respect, pair)
        for respect in sides[0]
        for pair in zip(sides[0][respect], sides[1].get(respect, ()), strict=False)
        if pair[0].lower() != pair[1].lower()
    ]


def _changed_ending(a: str, b: str, analyser: Analyser) -> bool:
    first, second = (set(analyser.terms(punch_line(text))) for text in (a, b))
    shared = sum(_worth(stem, analyser.lang) for stem in first & second)
    return shared < 0.5 * min(sum(_worth(stem, analyser.lang) for stem in side) for side in (first, second))
