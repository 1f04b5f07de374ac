"""Which words around a word call up one of its meanings: "teller" and "loan" call up the bank of money.

The lists were written for this project by a language model from general knowledge. ``clues_en.txt`` has English words with the
senses that puns play on (``played.py``): a line has a word and, for each of up to four senses, its key (without the word) and
five to eight words that would stand beside it; the key is a hyphen for the meanings of further usual words, which belong to
no sense. ``clues_pt.txt`` has Portuguese words, names and phrases with up to four meanings each, told by such words alone:
``manga: fruta sumo caroço / camisa roupa braço``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.wordnet import Sense

__all__ = ["clues", "listed", "meanings"]

Words = tuple[str, ...]


def clues(sense: Sense) -> Words:
    """Give the words that call up an English sense, none for one that is not listed.

    >>> from rimshot.lexicon.wordnet import wordnet
    >>> ["river" in clues(sense) for sense in wordnet("en").senses("bank")[:2]]
    [True, False]
    """
    if sense.lang != "en":
        return ()
    word, _, key = sense.key.partition("%")
    return next((told for own, told in _english().get(word, ()) if own == key), ())


def meanings(word: str, lang: str) -> tuple[Words, ...]:
    """Give the meanings of a word, name or phrase in any form, each by the words that call it up.

    Of a form that is listed itself and its lemmas the one with the most meanings counts, the form's own first.

    >>> [told[0] for told in meanings("mangas", "pt")]
    ['fruta', 'camisa', 'anime']
    """
    known = listed(lang)
    return max((known.get(name, ()) for name in (word, *lemmas(word, lang))), key=len)


@lru_cache(maxsize=2)
def listed(lang: str) -> dict[str, tuple[Words, ...]]:
    """Give all listed words of a language with their meanings."""
    if lang == "en":
        return {word.replace("_", " "): tuple(told for _, told in senses) for word, senses in _english().items()}
    rows = (line.partition(": ") for line in _lines("pt"))
    return {word: tuple(tuple(group.split()) for group in told.split(" / ")) for word, _, told in rows}


@lru_cache(maxsize=1)
def _english() -> dict[str, tuple[tuple[str, Words], ...]]:
    """The senses of each word by key, a hyphen for one that has none, and the words that call them up."""
    rows = (line.partition(" ") for line in _lines("en"))
    return {word: tuple(_keyed(group) for group in told.split(" / ")) for word, _, told in rows}


def _keyed(group: str) -> tuple[str, Words]:
    key, *told = group.split()
    return key, tuple(told)


def _lines(lang: str) -> list[str]:
    return Path(__file__).with_name(f"clues_{lang}.txt").read_text(encoding="utf-8").splitlines()
