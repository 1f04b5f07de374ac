"""A text as an explanation sees it: its words, where the pun word stands, and the words that surround it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.glosses import projected
from rimshot.lexicon.vectors import word_vectors

__all__ = ["STOP", "Context", "TextView", "view", "words_of"]

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+")
_STOP_EN = """
a an the of in on to and or is are be was were it its your my his her you i he she that this not do at for with as
by they them their we our me him have has had but so if from who what when why how which said says did does just
there then than too very can could will would don't didn't i'm it's
"""
_STOP_PT = """
a o as os um uma uns umas de do da dos das em no na nos nas por pelo pela com sem e ou que quem qual quais onde quando
porque é são era foi ser está estão ter tem têm há não mas se já mais muito ao aos à às para pra ele ela eles elas eu tu
você nós me te lhe seu sua seus suas meu minha teu tua isto isso este esta esse essa aquele aquela também só até como
disse
"""
STOP = {"en": frozenset(_STOP_EN.split()), "pt": frozenset(_STOP_PT.split())}


@dataclass(frozen=True, eq=False, slots=True)
class Context:
    """The weighty words around a pun word, their vectors as rows, and their weights."""

    words: tuple[str, ...]
    rows: NDArray[np.float32]
    weights: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.words)

    def likeness(self, vector: NDArray[np.float32] | None) -> tuple[float, float]:
        """Give how near a meaning is to the context on the whole, and to its nearest word."""
        if vector is None or not len(self.words):
            return 0.0, 0.0
        near = self.rows @ vector
        whole = float((near * self.weights).sum() / self.weights.sum())
        return whole, float((near * np.minimum(1.0, self.weights + 0.3)).max())

    def likenesses(self, vectors: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Give the same for many meanings, one a row."""
        if not len(self.words) or not len(vectors):
            return np.zeros(len(vectors), np.float32), np.zeros(len(vectors), np.float32)
        near = vectors @ self.rows.T
        whole: NDArray[np.float32] = (near * self.weights).sum(axis=1) / self.weights.sum()
        nearest: NDArray[np.float32] = (near * np.minimum(1.0, self.weights + 0.3)).max(axis=1)
        return whole, nearest

    def centre(self) -> NDArray[np.float32] | None:
        """Give the direction of the whole context."""
        if not len(self.words):
            return None
        total = (self.rows * self.weights[:, None]).sum(axis=0)
        size = float(np.sqrt(total @ total))
        return (total / size).astype(np.float32) if size else None


@dataclass(frozen=True, slots=True)
class TextView:
    """The lower-case words of a text with their spans; the pun stands at words[place : place + size]."""

    text: str
    lang: str
    words: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    place: int
    size: int = 1
    meaning: NDArray[np.float32] | None = field(compare=False, default=None)
    context: Context = field(
        compare=False, default_factory=lambda: Context((), np.empty((0, 0), np.float32), np.empty(0, np.float32))
    )

    @property
    def word(self) -> str:
        """The pun word, lower case."""
        return " ".join(self.words[self.place : self.place + self.size])

    @property
    def before(self) -> str:
        """The word before the pun, empty at the beginning."""
        return self.words[self.place - 1] if self.place else ""

    @property
    def after(self) -> str:
        """The word after the pun, empty at the end."""
        end = self.place + self.size
        return self.words[end] if end < len(self.words) else ""

    def at(self, place: int, size: int) -> TextView:
        """Give the same text with the pun elsewhere; the context stays."""
        return replace(self, place=place, size=size)


def words_of(text: str) -> list[tuple[str, str]]:
    """Give the words of a text, each in lower case and as it is written."""
    return [(match.group().lower().replace("’", "'"), match.group()) for match in _WORD.finditer(text)]


def view(text: str, lang: str, start: int, end: int, vector: NDArray[np.float32] | None = None) -> TextView | None:
    """Give the view of a text whose pun word has this character span; None when no word overlaps it.

    `vector` is the meaning of the whole text, as the detector gives it, if it does.
    """
    found = [(match.group().lower().replace("’", "'"), match.span()) for match in _WORD.finditer(text)]
    places = [number for number, (_, (a, b)) in enumerate(found) if a < end and b > start]
    if not places:
        return None
    words = tuple(word for word, _ in found)
    place, size = places[0], len(places)
    spans = tuple(span for _, span in found)
    meaning = None if vector is None else projected(vector)
    return TextView(text, lang, words, spans, place, size, meaning, _context(words, place, size, lang))


def _context(words: tuple[str, ...], place: int, size: int, lang: str) -> Context:
    vectors = word_vectors(lang)
    stop = STOP[lang]
    kept: list[str] = []
    rows: list[NDArray[np.float32]] = []
    for number, word in enumerate(words):
        if place <= number < place + size or word in stop or len(word) < 2 or word.isdigit():
            continue
        vector = None if vectors is None else vectors.get(word)
        if vector is not None:
            kept.append(word)
            rows.append(vector)
    if not kept:
        return Context((), np.empty((0, 0), np.float32), np.empty(0, np.float32))
    weights = np.array([min(1.0, max(0.05, (7 - zipf(word, lang)) / 4)) for word in kept], np.float32)
    return Context(tuple(kept), np.stack(rows), weights)
