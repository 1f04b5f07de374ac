"""What a pun word stands for: the synonyms of both its meanings, or hypernyms where a meaning has no synonym.

Ermakova et al. 2024, section 2: pairs of word sets, without words spelt like the pun. The lists are meant to be read
and mended by people, so they are written to a file that can be given back.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from rimshot.errors import InputError
from rimshot.evaluate.building.items import Item
from rimshot.evaluate.building.words import dictionary_forms, tokens

__all__ = ["Related", "expand", "read_expansions", "wordnet_related", "write_expansions"]

_MOST_SENSES = 2
_STOP = frozenset(
    tokens(
        "a an and are as at be by for from in is it of on or that the this to was with um uma uns umas o os as de do "
        "da dos das e em no na nos nas que se com por para ao à é"
    )
)


class Related(Protocol):
    """Words that stand for one meaning of a word."""

    def __call__(self, word: str, sense: Sequence[str], lang: str) -> Sequence[str]:
        """Give the words for the meaning that ``sense`` tells: sense keys, a definition, or nothing (the usual one)."""
        ...


def wordnet_related(word: str, sense: Sequence[str], lang: str) -> Sequence[str]:
    """Give the synonyms of a meaning in WordNet or OpenWordnet-PT, or its hypernyms where it has none.

    A sense key is taken as it is; a definition chooses the sense whose own shares most words with it; of a word with no
    sense told, the most usual one counts.
    """
    from rimshot.lexicon import wordnet

    net = wordnet(lang)
    numbers: list[int] = []
    for told in sense:
        if "%" in told:
            numbers += [found.synset for found in net.senses(told.split("%")[0].replace("_", " ")) if found.key == told]
    senses = net.senses_of(word)
    if not sense and senses:
        numbers.append(senses[0].synset)
    if not numbers and sense and "%" not in sense[0]:
        numbers += _by_definition(sense[0], senses)
    own = set(dictionary_forms(word.casefold(), lang))
    words = [name for number in numbers for name in net.words(number) if name.casefold() not in own]
    if not words:
        above = [up for number in numbers for up, _ in net.hypernyms(number)]
        words = [name for number in above for name in net.words(number) if name.casefold() not in own]
    return tuple(dict.fromkeys(name.casefold().replace("_", " ") for name in words))


def _by_definition(told: str, senses: Sequence[object]) -> list[int]:
    wanted = set(tokens(told)) - _STOP
    best, most = [], 0
    for found in senses:
        shared = len(wanted & (set(tokens(getattr(found, "gloss", ""))) - _STOP))
        if shared > most:
            best, most = [int(getattr(found, "synset", 0))], shared
    return best


def expand(item: Item, lang: str, related: Related = wordnet_related) -> tuple[tuple[str, ...], ...]:
    """Give a set of words for each meaning of an item's pun; a heterographic pun brings the words it sounds like."""
    if item.word is None:
        return ()
    signs = [item.word, *item.alternative]
    senses = list(item.senses[:_MOST_SENSES]) or [()] * len(signs[:_MOST_SENSES])
    sets = []
    for place, sense in enumerate(senses):
        word = signs[min(place, len(signs) - 1)] if not _keyed(sense) else _lemma(sense[0])
        found = [*related(word, sense, lang)]
        if word.casefold() != item.word.casefold() and word not in found:
            found.insert(0, word.casefold())
        sets.append(tuple(name for name in dict.fromkeys(found) if name.casefold() != item.word.casefold()))
    return tuple(sets)


def _keyed(sense: Sequence[str]) -> bool:
    return bool(sense) and "%" in sense[0]


def _lemma(key: str) -> str:
    return key.split("%")[0].replace("_", " ")


def write_expansions(expansions: Mapping[str, Sequence[str]], path: Path) -> None:
    """Write the words of every query, one query a line, for people to mend."""
    lines = [
        f"{json.dumps(query, ensure_ascii=False)}: {json.dumps(list(words), ensure_ascii=False)}"
        for query, words in expansions.items()
    ]
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def read_expansions(path: Path) -> dict[str, tuple[str, ...]]:
    """Read the mended words of queries; a query that was removed from the file is not built."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except (json.JSONDecodeError, UnicodeDecodeError) as fault:
        raise InputError(f"{path}: broken JSON ({fault}); mend it") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: a list where an object of query: words is wanted")
    for query, words in found.items():
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            raise InputError(f'{path}, query "{query}": not a list of words')
    return {query: tuple(words) for query, words in found.items()}
