"""Jokes told several times, written for this project by a language model: what a joke encoder learns from.

``tellings_LANG.jsonl`` has a joke a line: ``{"told": [...], "others": [...]}``. ``told`` is the same joke told three
times or more, closely, in another form and as a story; ``others`` are texts that are not that joke, however alike: another joke on the
same word, another one that begins alike, and mostly the first telling with its pun word swapped. The newest also have ``words``, the forms
of the word that the joke hangs on. ``retellings.jsonl`` has further jokes,
from which no encoder learns: the weights of the similarity are fitted on them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Retelling", "ToldJoke", "retellings", "told_jokes"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ToldJoke:
    """The tellings of one joke, texts that only look like it, and the forms of the word that it hangs on, where they are known."""

    told: tuple[str, ...]
    others: tuple[str, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Retelling:
    """A pun told twice more or thrice, beside other jokes on its word, on its topic or with its opening, and maybe its twin."""

    lang: str
    joke: str
    told: tuple[str, ...]
    others: tuple[str, ...]
    twin: str = ""


def retellings(folder: Path = _FOLDER) -> list[Retelling]:
    """Give the puns of both languages that were told again to fit the weights of the same-joke similarity.

    >>> {row.lang for row in retellings()} == {"en", "pt"}
    True
    """
    rows = map(json.loads, (folder / "retellings.jsonl").read_text(encoding="utf-8").splitlines())
    return [
        Retelling(row["lang"], row["joke"], tuple(row["told"]), tuple(row["others"]), row.get("twin", ""))
        for row in rows
    ]


def told_jokes(lang: str, folder: Path = _FOLDER) -> list[ToldJoke]:
    """Give the jokes of a language.

    >>> min(len(joke.told) for joke in told_jokes("en") + told_jokes("pt"))
    3
    """
    lines = (folder / f"tellings_{lang}.jsonl").read_text(encoding="utf-8").splitlines()
    return [
        ToldJoke(tuple(row["told"]), tuple(row["others"]), tuple(row.get("words", ())))
        for row in map(json.loads, lines)
    ]
