"""Texts with what is known of them: whether they are humorous, where the pun is, what it means, their topics."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rimshot.corpus.records import read_records
from rimshot.errors import InputError

__all__ = ["Item", "read_items"]


@dataclass(frozen=True)
class Item:
    """A text and its annotations.

    ``senses`` has a tuple of sense keys (or one definition) for each meaning of the pun; ``alternative`` are the words
    that a heterographic pun sounds like; ``pair`` names texts that belong together, such as a pun and its edited twin.
    """

    docid: str
    text: str
    humorous: bool = False
    source: str = "unknown"
    word: str | None = None
    senses: tuple[tuple[str, ...], ...] = ()
    alternative: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    pair: str | None = None


def read_items(paths: Sequence[str | Path]) -> list[Item]:
    """Read files of any format and join their records by ``docid``: one may have texts, another puns, another labels.

    A record without ``docid`` is a text of its own and gets a number. A record is humorous where it says so, else where
    it has a pun word.
    """
    joined: dict[str, dict[str, Any]] = {}
    first: dict[str, str] = {}
    unnamed = 0
    for path in paths:
        for where, record in read_records(path):
            record = {name: value for name, value in record.items() if value is not None}
            name = record.pop("docid", record.pop("id", None))
            if name is None:
                unnamed += 1
                name = f"{Path(path).stem.split('.')[0]}-{unnamed}"
            if isinstance(name, bool) or not isinstance(name, str | int) or str(name) == "":
                raise InputError(f'{where}, field "docid": {name!r} is not an identifier; use a string or an integer')
            known = joined.setdefault(str(name), {})
            before = first.setdefault(str(name), where)
            for field, value in record.items():
                if field in known and known[field] != value:
                    raise InputError(
                        f'{where}, field "{field}": document "{name}" has another value at {before}; make them agree'
                    )
                known[field] = value
    if not joined:
        raise InputError("no texts to build a collection from; name at least one file")
    return [_item(docid, record, first[docid]) for docid, record in joined.items()]


def _item(docid: str, record: Mapping[str, Any], where: str) -> Item:
    text = record.get("text")
    if not isinstance(text, str) or not text.strip():
        raise InputError(f'{where}: document "{docid}" has no text in any file; add the file with its text')
    word, alternative = _signs(record, where)
    humorous = record.get("humorous", record.get("label"))
    return Item(
        docid,
        " ".join(text.split()),
        bool(word) if humorous is None else _flag(humorous, where),
        str(record.get("source", "unknown")),
        word,
        _senses(record.get("senses"), where),
        alternative,
        _texts(record.get("topics"), "topics", where),
        str(record["pair"]) if "pair" in record else None,
    )


def _flag(value: object, where: str) -> bool:
    if value in (0, 1, "0", "1"):
        return bool(int(str(int(value)) if isinstance(value, bool) else str(value)))
    raise InputError(f'{where}, field "humorous": {value!r} is neither 0 nor 1')


def _texts(value: object, field: str, where: str) -> tuple[str, ...]:
    if value is None:
        return ()
    if isinstance(value, str):
        value = (
            json.loads(value) if value.startswith("[") else [part.strip() for part in value.split(";") if part.strip()]
        )
    if not isinstance(value, list) or not all(isinstance(part, str) for part in value):
        raise InputError(f'{where}, field "{field}": {value!r} is not a list of texts')
    return tuple(value)


def _senses(value: object, where: str) -> tuple[tuple[str, ...], ...]:
    if value is None:
        return ()
    if not isinstance(value, list):
        raise InputError(f'{where}, field "senses": {value!r} is not a list of the senses of the pun')
    return tuple((sense,) if isinstance(sense, str) else _texts(sense, "senses", where) for sense in value)


def _signs(record: Mapping[str, Any], where: str) -> tuple[str | None, tuple[str, ...]]:
    """Give the pun word and what it sounds like, also from Puntuguese's ``signs``."""
    word = record.get("word")
    other = record.get("alternative", record.get("sounds_like"))
    signs = record.get("signs")
    if word is None and isinstance(signs, list) and signs and isinstance(signs[0], dict):
        word, other = signs[0].get("pun sign"), signs[0].get("alternative sign")
    if word is not None and not isinstance(word, str):
        raise InputError(f'{where}, field "word": {word!r} is not a word')
    if isinstance(other, str):
        other = [other]
    alternative = _texts(other, "alternative", where)
    return word, tuple(sign for sign in alternative if word is None or sign.casefold() != word.casefold())
