"""Jokes told several times, written for this project by a language model: what a joke encoder learns from.

``tellings_LANG.jsonl`` has a joke a line: ``{"told": [...], "others": [...]}``. ``told`` is the same joke told three
times or more, closely, in another form and as a story; ``others`` are texts that are not that joke, however alike: another joke on the
same word, another one that begins alike, and mostly the first telling with its pun word swapped. Some also have ``words``, the forms
of the word that the joke hangs on.

``constellations_LANG.jsonl`` has a word a line: ``{"words": [...], "jokes": [[...], [...]], "others": [...]}``, different jokes on the
same two meanings of that word, each told twice or more, and ``others`` on that word of which no second telling is known, or plain
sentences with it. What tells these apart is the situation alone. Some are ``kept`` back.

Which texts are tellings of one joke was judged by readers who did not know what the writers had meant, for all constellations but the
newest (those rows are ``unread``), all of ``retellings.jsonl`` and some of ``tellings_LANG.jsonl`` (those rows are ``read``): what both
call one joke stands here as one.

``retellings.jsonl`` has further jokes. From these and from what is kept back no encoder learns: the weights of the similarity are fitted
on them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Constellation", "Retelling", "ToldJoke", "constellations", "retellings", "told_jokes"]

_FOLDER = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class ToldJoke:
    """The tellings of one joke, texts that only look like it, and the forms of the word that it hangs on, where they are known.

    Different jokes that play on the same two meanings of a word have the name of their ``group`` in common.
    """

    told: tuple[str, ...]
    others: tuple[str, ...]
    words: tuple[str, ...] = ()
    group: str = ""


@dataclass(frozen=True, slots=True)
class Constellation:
    """Different jokes on the same two meanings of a word, each with its tellings; no encoder learns from those ``kept`` back.

    ``others`` are texts with that word that are none of these jokes.
    """

    words: tuple[str, ...]
    jokes: tuple[tuple[str, ...], ...]
    others: tuple[str, ...] = ()
    kept: bool = False


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


def constellations(lang: str, folder: Path = _FOLDER) -> list[Constellation]:
    """Give the constellations of a language.

    >>> min(len(told) for one in constellations("en") + constellations("pt") for told in one.jokes)
    2
    """
    return [
        Constellation(
            tuple(row["words"]), tuple(map(tuple, row["jokes"])), tuple(row["others"]), row.get("kept", False)
        )
        for row in _rows(folder, "constellations", lang)
    ]


def told_jokes(lang: str, folder: Path = _FOLDER) -> list[ToldJoke]:
    """Give the jokes of a language that encoders learn from, those of constellations last.

    >>> min(len(joke.told) for joke in told_jokes("en") + told_jokes("pt"))
    2
    """
    rows = _rows(folder, "tellings", lang)
    alone = [ToldJoke(tuple(row["told"]), tuple(row["others"]), tuple(row.get("words", ()))) for row in rows]
    return alone + [
        ToldJoke(told, () if number else one.others, one.words, f"{lang}{at}")
        for at, one in enumerate(constellations(lang, folder))
        if not one.kept
        for number, told in enumerate(one.jokes)
    ]


def _rows(folder: Path, name: str, lang: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / f"{name}_{lang}.jsonl").read_text(encoding="utf-8").splitlines()]
