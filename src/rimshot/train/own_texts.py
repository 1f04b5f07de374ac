"""Texts written for this project that a detector learns from beside the labelled ones; a language model wrote them.

``composed_LANG.jsonl`` has puns, each with its word-swapped twin and with a plain sentence that uses the pun word, in the form of any
labelled file. ``twins_LANG.jsonl`` has swaps for puns of the training data, one or two for each: what to put for the pun word so that
the text is a pun no more. It holds the swapped words only, under a digest of the text that they belong to:
``{"key": "9f0c...", "edits": [["interest", "patience"]]}``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rimshot.train.examples import Example, read_examples
from rimshot.wordplay.labelled import words_of

__all__ = ["add_twins", "composed", "key_of"]

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


def add_twins(examples: Sequence[Example], folder: Path = _FOLDER) -> list[Example]:
    """Give the examples, of any language, with the twins that were written for them."""
    lines = [line for path in folder.glob("twins_*.jsonl") for line in path.read_text(encoding="utf-8").splitlines()]
    edits: dict[str, list[tuple[str, str]]] = {row["key"]: row["edits"] for row in map(json.loads, lines)}
    return [replace(example, twins=_swapped(example.text, edits.get(key_of(example.text), ()))) for example in examples]


def _swapped(text: str, edits: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Swap the last mention of each old wording for the new one."""
    plain = " ".join(text.split())
    return tuple(new.join(plain.rsplit(old, 1)) for old, new in edits if old in plain)
