"""Content warnings by word list: profanity, slurs, adult matter.

A list sees words, not intentions: it misses what is only meant and flags a cockerel. It is there to filter by, off in
research and on where jokes are shown to anybody (`rimshot serve`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

__all__ = ["WARNINGS", "warnings_of"]

WARNINGS = ("profanity", "slur", "adult")


@lru_cache(maxsize=2)
def _patterns(lang: str) -> dict[str, re.Pattern[str]]:
    found: dict[str, re.Pattern[str]] = {}
    lines = Path(__file__).with_name("warning_words.txt").read_text(encoding="utf-8").splitlines()
    for line in lines:
        if line and not line.startswith("#"):
            category, own, *stems = line.split()
            if own == lang:
                parts = (re.escape(stem.rstrip("*")) + (r"\w*" if stem.endswith("*") else "") for stem in stems)
                found[category] = re.compile(rf"\b(?:{'|'.join(parts)})\b", re.I)
    return found


def warnings_of(text: str, lang: str) -> tuple[str, ...]:
    """Give the warnings that a text calls for, in the order of `WARNINGS`.

    >>> warnings_of("What a lovely day", "en"), warnings_of("Oh shit", "en")
    ((), ('profanity',))
    """
    patterns = _patterns(lang)
    return tuple(name for name in WARNINGS if name in patterns and patterns[name].search(text))
