"""What a text is as a joke: a vector, by which tellings of one joke are near each other, and the words that it hangs on.

Two networks in ``models/`` (their card is ``models/CARD.md``) read each joke: a large one in English, which reads the translation of a
joke in another language, and a small one that knows both languages, which reads the text itself. They err in different places; the
vector of a joke holds both readings side by side, so that a cosine of two jokes is a weighted mean of two cosines. Both networks say for
every token how far the joke hangs on its word; tellings of one joke mostly hang on the same. The first half of a vector is of the scene,
all tokens alike; in the second each counts by how far the joke hangs on it. Jokes on one word are near by the second half, and only
tellings of one joke by both.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.detector import spread_languages
from rimshot.wordplay.hinges import hinge_shares, hinge_stems
from rimshot.wordplay.neural import OnnxDetector, shipped

__all__ = [
    "ENGLISH",
    "FILE",
    "HINGES",
    "LONGEST",
    "NOT_READ",
    "InEnglish",
    "JokeReader",
    "Jokes",
    "OnnxJokeReader",
    "TwoReadings",
    "hinge_map",
    "joke_network",
    "joke_reader",
    "scenes",
]

FILE = "joke.onnx.gz"
LONGEST = {"en": 128, "pt": 64}
"""How many tokens a network reads at once: a little story whole, or not more than the detector that it begins with."""
ENGLISH = {"en": (0.6, 0.6), "pt": (0.3, 0.3)}
"""What the English reading counts in a cosine of two jokes of a language, of their scenes and of their words; the other reading counts the
rest."""
_HALF = np.float32(0.5**0.5)
"""The length of either half of a vector."""
HINGES = 4
"""How many words are kept of those that a joke may hang on."""


@dataclass(frozen=True, eq=False)
class Jokes:
    """Texts as jokes: unit vectors [n, dim], codes of the stems that each most likely hangs on [n, 4], and the share of each."""

    vectors: NDArray[np.float32]
    hinges: NDArray[np.uint32]
    shares: NDArray[np.float32]

    @classmethod
    def blank(cls, size: int, dim: int) -> Jokes:
        """Give room for texts, to be filled in place."""
        return cls(
            np.zeros((size, dim), np.float32), np.zeros((size, HINGES), np.uint32), np.zeros((size, HINGES), np.float32)
        )

    def hang(self, number: int, shares: Mapping[int, float]) -> None:
        """Let a text hang on the likeliest of some words."""
        self.hinges[number], self.shares[number] = 0, 0
        for at, (code, share) in enumerate(sorted(shares.items(), key=lambda pair: (-pair[1], pair[0]))[:HINGES]):
            self.hinges[number, at], self.shares[number, at] = code, share

    def fill(self, places: Any, other: Jokes) -> None:
        """Put other texts into some places."""
        self.vectors[places], self.hinges[places], self.shares[places] = other.vectors, other.hinges, other.shares


InEnglish = tuple[Sequence[int], Jokes]
"""The numbers of texts that were read in English, and what they are as jokes there."""
NOT_READ: InEnglish = ((), Jokes.blank(0, 0))


class JokeReader(Protocol):
    """A model that reads texts as jokes."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def digest(self) -> str:
        """Changes when anything that it says could."""

    @property
    def dim(self) -> int:
        """The length of its vectors."""

    def read(self, texts: Sequence[str], langs: str | Sequence[str], english: Mapping[int, str] | None = None) -> Jokes:
        """Read texts, blank ones as nothing; ``langs`` as for a detector, ``english`` are translations of some by their numbers."""


@dataclass(frozen=True, eq=False)
class OnnxJokeReader:
    """One network."""

    network: OnnxDetector

    @property
    def name(self) -> str:
        """What people call it."""
        return self.network.name

    @property
    def digest(self) -> str:
        """A digest of its files."""
        return self.network.digest

    @property
    def dim(self) -> int:
        """The length of its vectors."""
        return self.network.dim

    def read(self, texts: Sequence[str], langs: str | Sequence[str], english: Mapping[int, str] | None = None) -> Jokes:
        """Read texts as they stand."""
        each = spread_languages(texts, langs)
        found = Jokes.blank(len(texts), self.dim)
        for number, readings in enumerate(self.network.readings(texts, ["vector", "hinge"])):
            if not texts[number].strip():
                continue
            total = np.sum([reading.values["vector"] for reading in readings], axis=0)
            found.vectors[number] = _half(total.reshape(2, -1)).ravel()
            stems = [stem for reading in readings for stem in hinge_stems(texts[number], each[number], reading.offsets)]
            logits = np.concatenate([reading.values["hinge"] for reading in readings])
            shares = {zlib.crc32(stem.encode()): share for stem, share in hinge_shares(stems, logits).items()}
            found.hang(number, shares)
        return found


@dataclass(frozen=True, eq=False)
class TwoReadings:
    """An English network and one of both languages, side by side."""

    english: JokeReader
    both: JokeReader

    @property
    def name(self) -> str:
        """The names of the two."""
        return "+".join(dict.fromkeys((self.english.name, self.both.name)))

    @property
    def digest(self) -> str:
        """The digests of the two, and what each counts."""
        counts = " ".join(f"{lang}:{scene}:{word}" for lang, (scene, word) in sorted(ENGLISH.items()))
        return f"{self.english.digest} {self.both.digest} {counts}"

    @property
    def dim(self) -> int:
        """The length of the vectors."""
        return self.english.dim + self.both.dim

    def read(self, texts: Sequence[str], langs: str | Sequence[str], english: Mapping[int, str] | None = None) -> Jokes:
        """Read texts as they stand, and English ones and the translations of others by the English network too."""
        each = spread_languages(texts, langs)
        return self.joined(self.both.read(texts, each), each, self.in_english(texts, each, english))

    def in_english(
        self, texts: Sequence[str], langs: Sequence[str], english: Mapping[int, str] | None = None
    ) -> InEnglish:
        """Give the numbers of the texts that there are in English, and what the English network says of these."""
        told = {number: text for number, text in enumerate(texts) if langs[number] == "en"} | dict(english or {})
        return list(told), self.english.read(list(told.values()), "en")

    def joined(self, own: Jokes, langs: Sequence[str], english: InEnglish) -> Jokes:
        """Give texts as jokes from both readings; what an English joke hangs on is the mean of what the two say."""
        numbers, read = english
        first = np.zeros((len(langs), self.english.dim), np.float32)
        if len(numbers):
            first[list(numbers)] = read.vectors
        shares = np.array([ENGLISH[lang] for lang in langs]).reshape(-1, 2)
        halves = []
        for side, (one, other) in enumerate(
            zip(np.split(first, 2, axis=1), np.split(own.vectors, 2, axis=1), strict=True)
        ):
            share = shares[:, side, None]
            halves.append(_half(np.hstack([np.sqrt(share) * one, np.sqrt(1 - share) * other])))
        found = Jokes(np.hstack(halves), own.hinges.copy(), own.shares.copy())
        for place, number in enumerate(numbers):
            if langs[number] == "en":
                mean: dict[int, float] = defaultdict(float)
                for part, row in ((read, place), (own, number)):
                    for code, value in hinge_map(part.hinges[row], part.shares[row]).items():
                        mean[code] += value / 2
                found.hang(number, mean)
        return found


def _half(vectors: NDArray[Any]) -> NDArray[np.float32]:
    """Give the rows at the length of half a vector; one of no length stays as it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1) * _HALF, np.float32)


def scenes(vectors: NDArray[Any]) -> NDArray[Any]:
    """Give of the vectors of jokes what they say of the scene, as vectors of their own."""
    return np.asarray(vectors[..., : vectors.shape[-1] // 2] / _HALF)


def hinge_map(codes: NDArray[np.uint32], shares: NDArray[Any]) -> Mapping[int, float]:
    """Give the words that one text may hang on, as numbers, with the share of each.

    >>> hinge_map(np.array([7, 9, 0, 0], np.uint32), np.array([0.75, 0.25, 0, 0]))
    {7: 0.75, 9: 0.25}
    """
    return {int(code): float(share) for code, share in zip(codes.tolist(), shares.tolist(), strict=True) if share > 0}


@lru_cache
def joke_network(lang: str) -> OnnxDetector:
    """Give a shipped network, that for English or, as ``pt``, that of both languages; it judges nothing."""
    file = str(files("rimshot.retell") / "models" / lang / FILE)
    return replace(shipped(lang), file=file, longest=LONGEST[lang])


@lru_cache(maxsize=1)
def joke_reader() -> TwoReadings:
    """Give the shipped reader of jokes."""
    return TwoReadings(*(OnnxJokeReader(joke_network(lang)) for lang in ("en", "pt")))
