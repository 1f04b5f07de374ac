"""Counts over a list of hits: by pun word, kind, pattern, language, length, level, content warning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from rimshot.lexicon.wordnet import main_lemma

__all__ = ["FACETS", "facets", "length_band"]

FACETS = ("word", "kind", "pattern", "lang", "length", "level", "warning")


def length_band(text: str) -> str:
    """Give a text's length in words as one of four bands.

    >>> length_band("Old bankers never die, they just lose interest.")
    'up to 12 words'
    """
    size = len(text.split())
    for most in (12, 25, 60):
        if size <= most:
            return f"up to {most} words"
    return "over 60 words"


def facets(hits: Iterable[tuple[str, Mapping[str, Any] | None]], most: int = 10) -> dict[str, list[tuple[str, int]]]:
    """Give for each facet its values and how many hits have them, commonest first.

    A hit is (text, record); a hit without a record counts by length only.

    >>> facets([("I lost interest.", {"word": "interest", "kind": "homographic", "lang": "en"})])["kind"]
    [('homographic', 1)]
    """
    counts: dict[str, Counter[str]] = {name: Counter() for name in FACETS}
    for text, record in hits:
        counts["length"][length_band(text)] += 1
        if not record:
            continue
        lang = str(record.get("lang") or "en")
        word = str(record.get("word") or "").lower()
        if word:
            counts["word"][main_lemma(word, lang)] += 1
        for name in ("kind", "lang", "level"):
            if record.get(name):
                counts[name][str(record[name])] += 1
        counts["pattern"].update(map(str, record.get("patterns") or ()))
        counts["warning"].update(map(str, record.get("warnings") or ()))
    return {name: sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[:most] for name, found in counts.items()}
