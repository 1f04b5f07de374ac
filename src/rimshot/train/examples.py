"""Labelled texts for training, and where their pun words stand."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rimshot.errors import InputError
from rimshot.wordplay.labelled import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

Span = tuple[int, int]
JOKE = "joke"
EVERYDAY = "everyday"


@dataclass(frozen=True)
class Example:
    """A labelled text: the pun word's spans where known, what its twins can be made from, and twins that were written."""

    text: str
    humorous: bool
    source: str
    pair: str = ""
    spans: tuple[Span, ...] = ()
    alternatives: tuple[str, ...] = ()
    senses: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()


def read_examples(path: Path) -> list[Example]:
    """Return the examples of a JSONL file with `text` and `humorous`, and what else a line has.

    Read when present: `source`, `pair`, `word`, `alternative`, `senses`, `context`, `signs`.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip():
            continue
        try:
            found.append(parse_example(json.loads(line)))
        except (KeyError, TypeError, json.JSONDecodeError) as error:
            cure = "each line needs `text` and `humorous` (0 or 1)"
            raise InputError(f"{path}, line {number}: {error!r}; {cure}") from None
    if not any(e.humorous for e in found) or all(e.humorous for e in found):
        raise InputError(f"{path}: training needs humorous and plain texts; add lines of the missing kind")
    return found


def parse_example(row: dict[str, Any]) -> Example:
    """Return the example that one JSON row describes.

    >>> parse_example({"text": "Two bee", "humorous": 1, "word": "bee"}).spans
    ((4, 7),)
    """
    text = str(row["text"])
    signs = row.get("signs") or []
    words = [w for w in (row.get("word"), row.get("alternative")) if w]
    alternatives = [w for w in words if not find_word(text, w)]
    spans: list[Span] = []
    for sign in signs:
        spans += find_word(text, str(sign.get("pun sign") or ""))[-1:]
        alternatives += [str(a) for a in sign.get("alternative sign") or []]
    if not signs:
        for word in words:
            spans = find_word(text, str(word))[-1:] or find_prefix(text, str(word))[-1:]
            if spans:
                break
    return Example(
        text=text,
        humorous=bool(row["humorous"]),
        source=str(row.get("source", "user")),
        pair=str(row.get("pair") or ""),
        spans=tuple(spans),
        alternatives=tuple(alternatives),
        senses=tuple(key for keys in row.get("senses") or () for key in keys or ()),
        context=tuple(c.strip() for c in str(row.get("context") or "").split(",") if c.strip()),
    )


def read_jokes(path: Path, longest: int = 30, apart_from: Iterable[str] = ()) -> list[Example]:
    """Return unlabelled short jokes, from JSONL with `text`, their last long word marked for a swap.

    Each once, and none that shares six words in a row with a text of `apart_from` (a collection to be measured on).
    """
    known = {run for text in apart_from for run in _runs(text)}
    found: dict[str, Example] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        text = str(json.loads(line)["text"]) if line.strip() else ""
        words = [m.span() for m in re.finditer(r"[^\W\d_]{4,}", text)]
        if words and len(text.split()) <= longest and known.isdisjoint(_runs(text)):
            found.setdefault(words_of(text), Example(text, True, JOKE, spans=(words[-1],)))
    return list(found.values())


def _runs(text: str, size: int = 6) -> set[tuple[str, ...]]:
    words = words_of(text).split()
    return {tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1))}


def find_word(text: str, word: str) -> list[Span]:
    """Return the spans where `word` stands as a whole word, whatever its case."""
    if not word:
        return []
    return [m.span() for m in re.finditer(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE)]


def find_prefix(text: str, word: str) -> list[Span]:
    """Return the spans of words that begin like `word`, for an inflected mention."""
    stem = word[: max(4, len(word) - 2)]
    if len(stem) < 3:
        return []
    return [m.span() for m in re.finditer(rf"(?<!\w){re.escape(stem)}\w*", text, re.IGNORECASE)]


def fold(example: Example, folds: int) -> int:
    """Return the example's fold, the same for a pun and its twins and in every run."""
    key = example.pair or words_of(example.text)
    return int.from_bytes(hashlib.sha256(key.encode()).digest()[:4], "big") % folds


def word_counts(examples: Iterable[Example]) -> Counter[str]:
    """Return how often each lower-cased word occurs."""
    counts: Counter[str] = Counter()
    for example in examples:
        counts.update(re.findall(r"[^\W\d_]+", example.text.lower()))
    return counts


def split(examples: Sequence[Example], folds: int, held_out: int) -> tuple[list[Example], list[Example]]:
    """Return the training part and the held-out fold."""
    kept = [e for e in examples if fold(e, folds) != held_out]
    held = [e for e in examples if fold(e, folds) == held_out]
    return kept, held
