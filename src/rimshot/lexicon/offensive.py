"""Words that nobody should be offered unasked: slurs and obscenities, by WordNet's own marks and by a list.

A query may be any word and finds what it finds; but what the program adds by itself (related words, completions,
reasons) leaves these out. WordNet marks senses as slurs, disparagement or obscenity by pointers to those usages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from rimshot.lexicon.wordnet import synset, wordnet

__all__ = ["marked", "offensive", "polite", "stems"]

_USAGES = ("ethnic_slur%1:10:00::", "obscenity%1:10:00::", "disparagement%1:10:00::")
_CATEGORIES = ("profanity", "slur")


@lru_cache(maxsize=2)
def stems(lang: str) -> dict[str, re.Pattern[str]]:
    """Give a pattern for each category of the word list: profanity, slur, adult."""
    found: dict[str, re.Pattern[str]] = {}
    for line in Path(__file__).with_name("warning_words.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            category, own, *words = line.split()
            if own == lang:
                parts = (re.escape(word.rstrip("*")) + (r"\w*" if word.endswith("*") else "") for word in words)
                found[category] = re.compile(rf"\b(?:{'|'.join(parts)})\b", re.I)
    return found


@lru_cache(maxsize=1)
def _usages() -> frozenset[int]:
    return frozenset(wordnet("en").sense(key).synset for key in _USAGES)


@lru_cache(maxsize=1 << 14)
def marked(number: int, word: str) -> bool:
    """Whether WordNet marks a synset as a whole, or this word of it, as a slur, disparaging or obscene."""
    here = synset(number)
    usages = _usages()
    return any(
        symbol == ";u" and to in usages and (not own or here.english[own - 1].lower() == word)
        for symbol, to, own, _ in here.edges
    )


@lru_cache(maxsize=1 << 16)
def offensive(word: str, lang: str) -> bool:
    """Say whether a word should not be offered: it is on the list, or its most usual sense is marked.

    >>> offensive("uncle tom", "en"), offensive("tomcat", "en"), offensive("boy", "en")
    (True, False, False)
    """
    if any(stems(lang)[name].search(word) for name in _CATEGORIES if name in stems(lang)):
        return True
    senses = wordnet(lang).senses(word)
    return bool(senses) and marked(senses[0].synset, word.lower())


def polite(found: Iterable[tuple[str, float]], lang: str, asked: str = "") -> list[tuple[str, float]]:
    """Give weighted words without the offensive ones; what was asked for in so many words stays.

    >>> polite([("tom", 1.0), ("uncle tom", 0.3), ("cat", 0.2)], "en", "tom")
    [('tom', 1.0), ('cat', 0.2)]
    """
    own = asked.lower()
    return [(word, weight) for word, weight in found if word == own or not offensive(word, lang)]
