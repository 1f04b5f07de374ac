"""Signs of wordplay that can be counted: the handcrafted features of the classical field.

Punctuation, repetition and alliteration were the wordplay features of PICT's run at JOKER 2025; rhyme, homophones,
the riddle, the quotation pattern and the adverb of the Tom Swifty are those of the pun literature (Mihalcea and
Strapparava, Making Computers Laugh, 2005; Kao, Levy and Goodman, 2016). All are read from the canonical spelling, so
that case and the punctuation that closes a text do not count.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import Analyser, words
from rimshot.lexicon.alike import pronounce, sounds_like
from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.phones import VOWELS
from rimshot.wordplay.canonical import canonical_text

__all__ = ["FEATURES", "alliteration", "features", "homophones", "quotation", "repetition", "rhymes", "swifty"]

FEATURES = (
    "length",
    "word_length",
    "commas",
    "questions",
    "exclamations",
    "quotes",
    "dashes",
    "numbers",
    "riddle",
    "quotation",
    "swifty",
    "repetition",
    "alliteration",
    "rhymes",
    "homophones",
    "last_homophone",
    "first_person",
    "rarest",
)
_SPEECH = {
    "en": frozenset(["said", "says", "asked", "replied", "cried", "shouted", "exclaimed", "told", "admitted", "added"]),
    "pt": frozenset(["disse", "diz", "perguntou", "pergunta", "respondeu", "responde", "gritou", "exclamou", "contou"]),
}
_ADVERB = {"en": "ly", "pt": "mente"}
_FIRST = {"en": frozenset(["i", "i'm", "my", "me", "i've"]), "pt": frozenset(["eu", "meu", "minha", "me", "mim"])}
_QUOTED = re.compile(r"(?<!\w)([\"'])(.+?)\1(?!\w)")
_RIDDLE = re.compile(r"\?\W+\w")


def features(texts: Sequence[str], lang: str) -> NDArray[np.float32]:
    """Give a row of :data:`FEATURES` for each text."""
    found = np.zeros((len(texts), len(FEATURES)), np.float32)
    for number, text in enumerate(texts):
        found[number] = _row(canonical_text(text), lang)
    return found


def quotation(spelling: str, lang: str) -> bool:
    """Say whether somebody is quoted with a verb of speech, quotation marks or not.

    >>> quotation("i love hot dogs, said tom frankly.", "en"), quotation("he said no.", "en")
    (True, False)
    """
    verbs = _SPEECH[lang]
    if _QUOTED.search(spelling) and any(word in verbs for word, _, _ in words(spelling)):
        return True
    return any(word in verbs and spelling[:start].rstrip().endswith(",") for word, start, _ in words(spelling))


def swifty(spelling: str, lang: str) -> bool:
    """Say whether a text ends like a Tom Swifty: a quotation, a verb of speech, an adverb within the last words.

    >>> swifty("i love hot dogs, said tom frankly.", "en"), swifty("he said it was likely.", "en")
    (True, False)
    """
    tail = [word for word, _, _ in words(spelling)][-4:]
    spoken = any(word in _SPEECH[lang] for word in tail)
    adverb = any(word.endswith(_ADVERB[lang]) and len(word) > 4 for word in tail)
    return spoken and adverb and quotation(spelling, lang)


def repetition(content: Sequence[str]) -> float:
    """Give the share of content words that have occurred before.

    >>> repetition(["time", "flies", "fruit", "flies"])
    0.25
    """
    return 1.0 - len(set(content)) / len(content) if content else 0.0


def alliteration(content: Sequence[str], lang: str) -> int:
    """Give the longest run of content words that begin with one consonant sound (1 is none).

    >>> alliteration(["peter", "piper", "picked", "apples"], "en")
    3
    """
    longest = run = 0
    before = ""
    for word in content:
        first = _sounds(word, lang)[:1]
        run = run + 1 if first and first == before and first not in VOWELS else 1
        before = first
        longest = max(longest, run)
    return longest


def rhymes(content: Sequence[str], lang: str) -> int:
    """Give how many pairs of different content words rhyme: the same sounds from the last vowel on, others before.

    >>> rhymes(["cat", "dog", "hat"], "en")
    1
    """
    ends: dict[str, set[str]] = {}
    for word in set(content):
        sounds = _sounds(word, lang)
        place = max((i for i, sound in enumerate(sounds) if sound in VOWELS), default=-1)
        if 0 < place < len(sounds) - 1:
            ends.setdefault(sounds[place:], set()).add(sounds)
    return sum(len(group) * (len(group) - 1) // 2 for group in ends.values())


def homophones(content: Sequence[str], lang: str) -> int:
    """Give how many pairs of differently written content words sound the same.

    >>> homophones(["bakers", "knead", "need"], "en")
    1
    """
    spellings: dict[str, set[str]] = {}
    for word in set(content):
        spellings.setdefault(_sounds(word, lang), set()).add(word)
    return sum(len(group) * (len(group) - 1) // 2 for sounds, group in spellings.items() if sounds)


@lru_cache(maxsize=1 << 16)
def _sounds(word: str, lang: str) -> str:
    return next(iter(pronounce(word, lang)), "")


@lru_cache(maxsize=1 << 16)
def _has_homophone(word: str, lang: str) -> bool:
    return any(far == 0.0 and zipf(other, lang) > 2.5 for other, far in sounds_like(word, lang, 3))


@lru_cache(maxsize=4)
def _analyser(lang: str) -> Analyser:
    return Analyser(lang, fold=False, stem=False, stop=True)


@lru_cache(maxsize=1 << 16)
def _row(spelling: str, lang: str) -> tuple[float, ...]:
    spoken = [word for word, _, _ in words(spelling)]
    content = [word for word in spoken if _analyser(lang).term(word) and len(word) > 2 and word.isalpha()]
    size = max(1, len(spoken))
    return (
        float(np.log1p(len(spoken))),
        sum(map(len, spoken)) / size,
        spelling.count(",") / size,
        float(spelling.count("?")),
        float(spelling.count("!")),
        float(spelling.count('"')),
        spelling.count("-") / size,
        sum(word.isdigit() for word in spoken) / size,
        float(bool(_RIDDLE.search(spelling))),
        float(quotation(spelling, lang)),
        float(swifty(spelling, lang)),
        repetition(content),
        float(alliteration(content, lang)),
        float(rhymes(content, lang)) / size,
        float(homophones(content, lang)),
        float(bool(content) and _has_homophone(content[-1], lang)),
        sum(word in _FIRST[lang] for word in spoken) / size,
        min((zipf(word, lang) for word in content), default=8.0),
    )
