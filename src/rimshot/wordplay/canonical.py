"""The one spelling of a text that every wordplay model reads, in training and afterwards.

A joke stays a joke in capitals, with three exclamation marks or a space at its end; a model that has seen punctuation
as a mark of its sources (headlines have no full stop) would disagree. So the surface that must not matter is taken away
before any model looks: case, runs of white space, the shapes of quotation marks and dashes, repeated marks, and
whatever punctuation closes the text.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Canonical", "canonical", "canonical_text"]

_SHAPES = {
    **dict.fromkeys("‘’‚‛´`ʼ′", "'"),
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    "…": ".",
    "¡": "",
    "¿": "",
    "\u00ad": "",
    "\u200b": "",
    "\ufeff": "",
}
_CLOSING = frozenset(" .,;:!?-")
_CLOSING_QUOTES = frozenset("\"')]}")
_RUNS = frozenset(".,;:!?-'\"")


@dataclass(frozen=True, slots=True)
class Canonical:
    """A text as the models read it; ``origin[i]`` is where its character ``i`` stood in the text as written."""

    text: str
    origin: tuple[int, ...]
    written: str

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Give the character span in the text as written of a non-empty span of the canonical text."""
        last = self.origin[end - 1] + 1
        while last < len(self.written) and unicodedata.combining(self.written[last]):
            last += 1
        return self.origin[start], last

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Give the span in the canonical text of a span of the text as written, empty where nothing is left of it."""
        first = bisect_left(self.origin, start)
        return first, max(first, bisect_left(self.origin, end))


def canonical(text: str) -> Canonical:
    """Give the canonical spelling of a text, with the way back to the text as written.

    >>> canonical("  I LOVE  hot dogs, said Tom frankly!!! ").text
    'i love hot dogs, said tom frankly.'
    """
    letters: list[str] = []
    origin: list[int] = []
    for place, letter in _letters(text):
        shown = " " if letter.isspace() or not letter.isprintable() else letter
        if shown == " " and (not letters or letters[-1] == " "):
            continue
        if shown in _RUNS and letters and letters[-1] == shown:
            continue
        letters.append(shown)
        origin.append(place)
    end = len(letters)
    quotes: list[int] = []
    while end and (letters[end - 1] in _CLOSING or letters[end - 1] in _CLOSING_QUOTES):
        end -= 1
        mark = letters[end]
        if mark in _CLOSING_QUOTES and not (mark in _RUNS and quotes and letters[quotes[-1]] == mark):
            quotes.append(end)
    if end == 0:
        return Canonical("", (), text)
    kept = [*range(end), *reversed(quotes)]
    spelling = "".join(letters[i] for i in kept) + "."
    return Canonical(spelling, (*(origin[i] for i in kept), len(text) - 1), text)


def canonical_text(text: str) -> str:
    """Give only the canonical spelling of a text.

    >>> canonical_text("“Why not?”"), canonical_text("...")
    ('"why not".', '')
    """
    return canonical(text).text


def _letters(text: str) -> Iterator[tuple[int, str]]:
    """Give the small letters of a text, marks in one shape, each with the place where its character began."""
    if text.isascii():
        yield from enumerate(text.lower().replace("`", "'"))
        return
    for place, cluster in _clusters(text):
        for letter in unicodedata.normalize("NFC", cluster.lower().replace("ς", "σ")):
            for mark in _SHAPES.get(letter, letter):
                yield place, mark


def _clusters(text: str) -> Iterator[tuple[int, str]]:
    """Cut a text before every character that is not a combining mark."""
    start = 0
    for place, letter in enumerate(text):
        if place > start and not unicodedata.combining(letter):
            yield start, text[start:place]
            start = place
    if start < len(text):
        yield start, text[start:]
