"""What a text is as a joke: a vector, by which tellings of one joke are near each other, and the words that it hangs on.

A network for each language in ``models/`` (its card is ``models/CARD.md``). The vectors of both languages share one space, so that a
joke in another language is where two readings of it meet: its own, and that of its translation. The network says for every token how far
the joke hangs on its word; tellings of one joke mostly hang on the same.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.document import LANGUAGES
from rimshot.wordplay.detector import PartsByLanguage
from rimshot.wordplay.hinges import hinge_shares, hinge_stems
from rimshot.wordplay.neural import OnnxDetector, shipped, unit

__all__ = [
    "FILE",
    "HINGES",
    "LONGEST",
    "JokeReader",
    "Jokes",
    "OnnxJokeReader",
    "between",
    "hinge_map",
    "joke_network",
    "joke_reader",
]

FILE = "joke.onnx.gz"
LONGEST = {"en": 64, "pt": 64}
"""How many tokens the network of a language reads at once: a little story whole, or not more than the detector that it begins with."""
TRANSLATED = 0.3
"""What the reading of a translation counts in the vector of a joke, its own one counting the rest."""
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

    def fill(self, places: Any, other: Jokes) -> None:
        """Put other texts into some places."""
        self.vectors[places], self.hinges[places], self.shares[places] = other.vectors, other.hinges, other.shares


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
    """The network of one language."""

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
        """Read texts of its language, whatever they are in another."""
        lang = langs if isinstance(langs, str) else next(iter(langs), "")
        found = Jokes.blank(len(texts), self.dim)
        for number, readings in enumerate(self.network.readings(texts, ["vector", "hinge"])):
            if not texts[number].strip():
                continue
            found.vectors[number] = unit(sum(reading.values["vector"] for reading in readings))
            stems = [stem for reading in readings for stem in hinge_stems(texts[number], lang, reading.offsets)]
            logits = np.concatenate([reading.values["hinge"] for reading in readings])
            likeliest = sorted(hinge_shares(stems, logits).items(), key=lambda pair: (-pair[1], pair[0]))[:HINGES]
            for at, (stem, share) in enumerate(likeliest):
                found.hinges[number, at], found.shares[number, at] = zlib.crc32(stem.encode()), share
        return found


def between(own: NDArray[np.float32], english: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the vector of a joke that was read in its own language and in English."""
    return unit((1 - TRANSLATED) * own + TRANSLATED * english)


class _ByLanguage(PartsByLanguage[JokeReader]):
    """A reader that asks for each text the one of its language."""

    @property
    def dim(self) -> int:
        """The length of the vectors."""
        return next(iter(self.parts.values())).dim

    def read(self, texts: Sequence[str], langs: str | Sequence[str], english: Mapping[int, str] | None = None) -> Jokes:
        """Read texts, each by the reader of its language, and translations by the English one."""
        found = Jokes.blank(len(texts), self.dim)
        for lang, reader, places, share in self.shares(texts, langs):
            found.fill(places, reader.read(share, lang))
        if english:
            told = self.parts["en"].read(list(english.values()), "en").vectors
            for number, vector in zip(english, told, strict=True):
                found.vectors[number] = between(found.vectors[number], vector)
        return found


def hinge_map(codes: NDArray[np.uint32], shares: NDArray[Any]) -> Mapping[int, float]:
    """Give the words that one text may hang on, as numbers, with the share of each.

    >>> hinge_map(np.array([7, 9, 0, 0], np.uint32), np.array([0.75, 0.25, 0, 0]))
    {7: 0.75, 9: 0.25}
    """
    return {int(code): float(share) for code, share in zip(codes.tolist(), shares.tolist(), strict=True) if share > 0}


@lru_cache
def joke_network(lang: str) -> OnnxDetector:
    """Give the network shipped for a language; it judges nothing."""
    file = str(files("rimshot.retell") / "models" / lang / FILE)
    return replace(shipped(lang), file=file, longest=LONGEST[lang])


@lru_cache(maxsize=1)
def joke_reader() -> JokeReader:
    """Give the shipped reader of jokes."""
    return _ByLanguage({lang: OnnxJokeReader(joke_network(lang)) for lang in LANGUAGES})
