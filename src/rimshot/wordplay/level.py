"""How much language a reader needs for a joke: a band like those of the Common European Framework, with the reason.

The rarest word that the joke needs sets the band; a fixed phrase that must be known, or a sense that is seldom used,
raises it by one. It is a guide for choosing reading matter, not a test: nobody has calibrated it on learners.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rimshot.lexicon.frequency import known_word, zipf
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.wordnet import wordnet
from rimshot.wordplay.explain_text import STOP, words_of

__all__ = ["BANDS", "Level", "level"]

BANDS = ("A1", "A2", "B1", "B2", "C1", "C2")
_EDGES = (5.0, 4.4, 3.8, 3.2, 2.5)
"""Zipf frequency of the rarest word at or above which each band but the last is enough."""
_SELDOM = 0.1


@dataclass(frozen=True, slots=True)
class Level:
    """A band and why: the rarest word, an idiom, a rare sense."""

    band: str
    reason: str


def _usual(word: str, lang: str) -> float:
    """A form is as easy as the easiest of it and its lemmas."""
    return max(zipf(name, lang) for name in (word, *lemmas(word, lang)))


def level(text: str, lang: str, pun: Mapping[str, Any] | None = None) -> Level:
    """Give the level of a text; `pun` is its explanation record, if it has one.

    >>> level("The dog is big.", "en").band
    'A1'
    """
    needed = [
        word
        for word, shown in words_of(text)
        if word not in STOP[lang]
        and not word.isdigit()
        and len(word) > 1
        and (known_word(word, lang) or shown.islower())
    ]
    if not needed:
        return Level(BANDS[0], "no word beyond the commonest")
    rarest = min(needed, key=lambda word: _usual(word, lang))
    usual = _usual(rarest, lang)
    band = next((number for number, edge in enumerate(_EDGES) if usual >= edge), len(BANDS) - 1)
    reasons = [f"rarest word “{rarest}” (Zipf {usual:.1f})"]
    if pun and pun.get("idiom"):
        band += 1
        reasons.append(f"needs the phrase “{pun['idiom']}”")
    elif pun and (seldom := _seldom(pun, lang)):
        band += 1
        reasons.append(f"needs a rare sense of “{seldom}”")
    return Level(BANDS[min(band, len(BANDS) - 1)], "; ".join(reasons))


def _seldom(pun: Mapping[str, Any], lang: str) -> str | None:
    """The lemma of a needed sense that has less than a tenth of its word's use."""
    if pun.get("kind") != "homographic" or not pun.get("senses"):
        return None
    net = wordnet(lang)
    for key in pun["senses"][0]:
        name: str = key.split("%" if lang == "en" else "#")[0].replace("_", " ")
        senses = net.senses(name)
        total = sum(sense.count for sense in senses)
        for sense in senses:
            if sense.key == key and total >= 10 and sense.count / total < _SELDOM:
                return name
    return None
