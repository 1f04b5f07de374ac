"""What one may write in the search box besides a topic: `sound:sail pun:bank sense:bank/money kind:homographic`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rimshot.errors import InputError, did_you_mean
from rimshot.lexicon.alike import distance, pronounce, sounds_like
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.related import expansion, related
from rimshot.lexicon.wordnet import main_lemma, synset, wordnet
from rimshot.wordplay.pattern import PATTERNS

__all__ = ["FILTERS", "Asked", "Filter", "matches", "parse_query", "sound_gap"]

FILTERS = ("sound", "pun", "sense", "kind", "pattern", "lang", "level", "warning")
_TOKEN = re.compile(r'(?:(?P<name>[a-z]+):)?(?:"(?P<quoted>[^"]*)"|(?P<plain>\S+))')
_KINDS = ("homographic", "heterographic")
_FAR = 0.2
"""Phonetic distance up to which two words count as sounding alike."""
_SAME = 0.02
"""Phonetic distance up to which they count as sounding the same."""


@dataclass(frozen=True, slots=True)
class Filter:
    """One condition on the explanation of a joke."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Asked:
    """A topic, possibly empty, and conditions."""

    topic: str
    filters: tuple[Filter, ...]


def parse_query(text: str) -> Asked:
    """Read what was written in the search box; a colon after any other word is just a colon.

    >>> parse_query('money kind:heterographic pun:"merry-go-round"')
    Asked(topic='money', filters=(Filter(name='kind', value='heterographic'), Filter(name='pun',
    value='merry-go-round')))
    """
    topic, filters = [], []
    for match in _TOKEN.finditer(text):
        name, value = match["name"], match["quoted"] if match["quoted"] is not None else match["plain"]
        if name in FILTERS:
            filters.append(_checked(name, value.strip()))
        else:
            topic.append(match.group())
    return Asked(" ".join(topic), tuple(filters))


def _checked(name: str, value: str) -> Filter:
    known = {"kind": _KINDS, "pattern": PATTERNS, "lang": ("en", "pt")}.get(name)
    if not value:
        raise InputError(f'the search has "{name}:" without a value; write e.g. {_EXAMPLES[name]}')
    if known is not None and value.lower() not in known:
        raise InputError(f'the search asks for {name} "{value}"; {did_you_mean(value, known)}')
    return Filter(name, value.lower() if name not in ("level",) else value.upper())


_EXAMPLES = {
    "sound": "sound:sail", "pun": "pun:bank", "sense": "sense:bank/money", "kind": "kind:homographic",
    "pattern": "pattern:question-answer", "lang": "lang:pt", "level": "level:B1", "warning": "warning:none",
}  # fmt: skip


def matches(asked: Asked, record: Mapping[str, Any]) -> bool:
    """Say whether the explanation of a joke meets all conditions; the topic is left to the ranking."""
    return all(_TESTS[condition.name](condition.value, record) for condition in asked.filters)


def _word_lemmas(record: Mapping[str, Any]) -> set[str]:
    word = str(record.get("word") or "").lower()
    return {word, *lemmas(word, record.get("lang") or "en")}


def _spoken_forms(word: str, lang: str) -> set[str]:
    """A word, and its lemma where that sounds much the same: "flour" of "flours", but not "sell" of "sold"."""
    lemma = main_lemma(word, lang)
    return {word, lemma} if word.startswith(lemma[:-1]) else {word}


@lru_cache(maxsize=256)
def _alike(word: str, lang: str) -> Mapping[str, float]:
    """The words that sound like one and how far each is; its own forms at 0."""
    near = {name: gap for name, gap in sounds_like(word, lang, 60) if gap <= _FAR}
    return near | dict.fromkeys(_spoken_forms(word, lang), 0.0)


def sound_gap(value: str, record: Mapping[str, Any]) -> tuple[float, str] | None:
    """Give how far what a joke plays on is from a word in sound, and what that is; None where it is too far.

    A joke plays on its pun word and, where that stands for another, on what one hears behind it. Of the less likely
    readings only those count that sound the same.
    """
    lang = record.get("lang") or "en"
    near = _alike(value, lang)
    word = str(record.get("word") or "")
    found = [(near[name], word) for name in _spoken_forms(word.lower(), lang) if name in near]
    if record.get("kind") == "heterographic":
        heard = [str(name) for name in record.get("alternatives", ())[:3]]
        found += [(near[name], name) for name in heard if near.get(name, 1.0) <= (_FAR if name == heard[0] else _SAME)]
        own = pronounce(value, lang)[:1]
        spoken = pronounce(heard[0], lang)[:1] if heard else ()
        found += [(gap, heard[0]) for one in own for other in spoken if (gap := distance(one, other)) <= _FAR / 2]
    return min(found, default=None)


def _sound(value: str, record: Mapping[str, Any]) -> bool:
    return sound_gap(value, record) is not None


def _pun(value: str, record: Mapping[str, Any]) -> bool:
    lang = record.get("lang") or "en"
    return bool(_word_lemmas(record) & {value, *lemmas(value, lang)})


def _sense(value: str, record: Mapping[str, Any]) -> bool:
    """`bank/money`: the pun word is "bank" and one of its two senses has to do with money."""
    word, _, topic = value.partition("/")
    if word and not _pun(word, record):
        return False
    return not topic or any(topic_in_sense(topic, key, record.get("lang") or "en") for key in _keys(record))


def _keys(record: Mapping[str, Any]) -> list[str]:
    return [key for pair in record.get("senses", ())[:1] for key in pair]


@lru_cache(maxsize=4096)
def topic_in_sense(topic: str, key: str, lang: str) -> bool:
    """Say whether a sense has to do with a topic: in its key, gloss, neighbours, or among the topic's own kin."""
    if topic == key:
        return True
    sense = wordnet(lang).sense(key)
    names = {topic, *lemmas(topic, lang)}
    glosses = {"en": synset(sense.synset).gloss, lang: sense.gloss}
    told = {
        name
        for spoken, gloss in glosses.items()
        for word in re.findall(r"[^\W\d_]+", gloss.lower())
        for name in (word, *lemmas(word, spoken))
    }
    near = {name for name, _ in expansion(sense, limit=60)} | set(wordnet(lang).words(sense.synset))
    if names & (told | near) or topic in sense.lexname:
        return True
    kin = {name for name, _ in related(topic, lang, up=1, down=2, limit=150)} - {sense.lemma}
    return len(kin & (told | near)) >= 1


def _warning(value: str, record: Mapping[str, Any]) -> bool:
    found = record.get("warnings") or ()
    return not found if value == "none" else value in found


_TESTS = {
    "sound": _sound,
    "pun": _pun,
    "sense": _sense,
    "kind": lambda value, record: record.get("kind") == value,
    "pattern": lambda value, record: value in (record.get("patterns") or ()),
    "lang": lambda value, record: record.get("lang") == value,
    "level": lambda value, record: record.get("level") == value,
    "warning": _warning,
}
