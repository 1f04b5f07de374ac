"""Labelled texts, as the detectors learn from them and are measured on them.

A training file is JSONL: ``text``, ``humorous`` (0 or 1); optionally ``source``, ``pair`` (a pun and its word-swapped
twin share one), and the pun word as ``word`` or as ``signs`` (a list of objects with ``pun sign``). A collection is a
folder with ``corpus.json`` (``docid``, ``text``), ``labels.json`` (``humorous`` and ``source`` by docid) and
``puns.jsonl`` (``docid`` with ``word`` or ``signs``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rimshot.errors import InputError

__all__ = ["Collection", "Labelled", "read_collection", "read_labelled", "words_of"]


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text with its label; ``group`` joins what must stay in one fold."""

    text: str
    humorous: bool
    source: str
    group: str
    signs: tuple[str, ...] = ()


@dataclass(frozen=True)
class Collection:
    """A labelled collection: texts, labels and sources by id, and the gold pun words of the humorous ones."""

    documents: Mapping[str, str]
    humorous: Mapping[str, int]
    source: Mapping[str, str]
    signs: Mapping[str, tuple[str, ...]]

    @property
    def twins(self) -> list[str]:
        """The ids of puns whose pun word was swapped."""
        return [name for name, source in self.source.items() if source in ("edit", "twin")]


def words_of(text: str) -> str:
    """Give a text by which it is known again, whatever its case and marks.

    >>> words_of('"Two  Bee!"')
    'two bee'
    """
    return " ".join(re.findall(r"\w+", text.lower()))


def read_labelled(path: Path) -> list[Labelled]:
    """Give the labelled texts of a training file."""
    found = []
    for line, record in _jsonl(path):
        text, label = record.get("text"), record.get("humorous")
        if not isinstance(text, str):
            raise InputError(f'{path}, line {line}: field "text" is not a string; give the text to learn from')
        if label not in (0, 1):
            raise InputError(f'{path}, line {line}: field "humorous" is {label!r}; write 1 for wordplay, 0 for plain')
        group = str(record.get("pair") or f"line {line}")
        found.append(Labelled(text, bool(label), str(record.get("source", "")), group, _signs(record)))
    if not found:
        raise InputError(f"{path} holds no texts; give one JSON object a line, with text and humorous")
    return found


def read_collection(folder: Path) -> Collection:
    """Give the labelled collection in a folder."""
    try:
        corpus = json.loads((folder / "corpus.json").read_text("utf-8"))
        labels = _labels(folder)
    except FileNotFoundError as missing:
        problem = f"{missing.filename} is missing; a labelled collection has corpus.json and labels.json"
        raise InputError(problem) from None
    except json.JSONDecodeError as fault:
        raise InputError(f"a file of {folder} is not JSON (line {fault.lineno}); write it anew") from None
    documents = {str(record["docid"]): str(record["text"]) for record in corpus}
    puns = folder / "puns.jsonl"
    signs = {str(record["docid"]): _signs(record) for _, record in _jsonl(puns)} if puns.exists() else {}
    return Collection(
        documents,
        {str(name): int(value) for name, value in labels["humorous"].items()},
        {str(name): str(value) for name, value in labels["source"].items()},
        {name: gold for name, gold in signs.items() if gold},
    )


def _labels(folder: Path) -> dict[str, dict[str, Any]]:
    """What labels.json says; the embedded sample has a line for each document instead."""
    lines = folder / "labels.jsonl"
    if lines.exists():
        records = [record for _, record in _jsonl(lines)]
        return {name: {record["docid"]: record[name] for record in records} for name in ("humorous", "source")}
    labels: dict[str, dict[str, Any]] = json.loads((folder / "labels.json").read_text("utf-8"))
    return labels


def _signs(record: Mapping[str, Any]) -> tuple[str, ...]:
    if record.get("signs"):
        return tuple(str(sign["pun sign"]) for sign in record["signs"])
    return (str(record["word"]),) if record.get("word") else ()


def _jsonl(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                record = json.loads(line)
                if not isinstance(record, dict):
                    raise InputError(f"{path}, line {number}: not a JSON object; write one object a line")
                yield number, record
    except FileNotFoundError:
        raise InputError(f"{path} does not exist; name a JSONL file of labelled texts") from None
    except json.JSONDecodeError as fault:
        raise InputError(f"{path}: a line is not JSON ({fault.msg}); write one object a line") from None
