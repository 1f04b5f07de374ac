"""Texts written for this project that a detector learns from beside the labelled ones; a language model wrote them.

``composed_LANG.jsonl`` has puns, each with its word-swapped twin and with a plain sentence that uses the pun word, in the form of any
labelled file. ``riddles_pt.jsonl`` has Portuguese puns, nearly all of them a question with a short answer, each with the words that one
should hear behind the pun word and with what to swap so that it is a pun no more: ``{"text": "...", "word": "Sobra", "behind": ["sobral",
"sobra"], "edit": ["Sobra", "Sobral"]}``. ``twins_LANG.jsonl`` has swaps for puns of the training data, one or two for each: what to put for
the pun word so that the text is a pun no more. It holds the swapped words only, under a digest of the text that they belong to:
``{"key": "9f0c...", "edits": [["interest", "patience"]]}``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rimshot.train.examples import Example, parse_example, read_examples
from rimshot.wordplay.labelled import words_of

__all__ = ["add_twins", "composed", "key_of", "riddles"]

_FOLDER = Path(__file__).parent


def key_of(text: str) -> str:
    """Name a text, whatever its case and marks.

    >>> key_of("Two Bee!") == key_of("two bee")
    True
    """
    return hashlib.sha256(words_of(text).encode()).hexdigest()[:12]


def composed(lang: str, folder: Path = _FOLDER) -> list[Example]:
    """Give the puns of a language that were composed, their twins and the plain sentences on their words."""
    return read_examples(folder / f"composed_{lang}.jsonl")


def riddles(lang: str, folder: Path = _FOLDER) -> list[Example]:
    """Give the composed questions and answers of a language, each pun before its twin; only Portuguese has some.

    >>> [example.humorous for example in riddles("pt")[:4]], riddles("en")
    ([True, False, True, False], [])
    """
    path = folder / f"riddles_{lang}.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return [example for row in map(json.loads, lines) for example in _pun_and_twin(row)]


def _pun_and_twin(row: dict[str, Any]) -> tuple[Example, Example]:
    text, pair = row["text"], f"riddle-{key_of(row['text'])}"
    pun = parse_example({"text": text, "humorous": 1, "source": "composed", "pair": pair, "word": row["word"]})
    return pun, Example(_swapped(text, [row["edit"]])[0], False, "edit", pair)


def add_twins(examples: Sequence[Example], folder: Path = _FOLDER) -> list[Example]:
    """Give the examples, of any language, with the twins that were written for them."""
    lines = [line for path in folder.glob("twins_*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
    edits: dict[str, list[tuple[str, str]]] = {row["key"]: row["edits"] for row in map(json.loads, lines)}
    return [replace(example, twins=_swapped(example.text, edits.get(key_of(example.text), ()))) for example in examples]


def _swapped(text: str, edits: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Swap the last mention of each old wording for the new one."""
    plain = " ".join(text.split())
    return tuple(new.join(plain.rsplit(old, 1)) for old, new in edits if old in plain)
