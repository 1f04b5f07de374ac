"""What every wordplay model answers: how probably a text is wordplay, and which word does it.

A detector is anything with the shape of :class:`Detector`: the shipped networks, the tiny fallback, the classical
field, a user's own. It promises (``tests/wordplay/test_detector.py`` checks it of each): the same text gets the same
answer alone or in company, in any order (to a stated tolerance); the empty text is certainly not wordplay; nothing
given to it is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import InputError

__all__ = ["ByLanguage", "Detector", "PartsByLanguage", "Progress", "Scores", "after", "spread_languages"]

Progress = Callable[[int], None]
"""Called with the number of texts that have been scored so far."""


@dataclass(frozen=True, eq=False)
class Scores:
    """What a detector says of n texts, in their order.

    ``humour`` is P(wordplay); ``start`` and ``end`` are the character span of the pun word in the text as written, -1
    where the detector names none; ``confidence`` is the probability that this word is the right one, if the text is a
    pun at all; ``vectors`` are unit sentence vectors of the same pass, or None.
    """

    humour: NDArray[np.float32]
    start: NDArray[np.int32]
    end: NDArray[np.int32]
    confidence: NDArray[np.float32]
    vectors: NDArray[np.float32] | None = None

    def __len__(self) -> int:
        return len(self.humour)

    @classmethod
    def blank(cls, size: int, dim: int = 0) -> Scores:
        """Give scores that say no to everything, to be filled in place."""
        nothing = np.full(size, -1, np.int32)
        vectors = np.zeros((size, dim), np.float32) if dim else None
        return cls(np.zeros(size, np.float32), nothing, nothing.copy(), np.zeros(size, np.float32), vectors)

    @classmethod
    def join(cls, parts: Sequence[Scores]) -> Scores:
        """Give the scores of several runs of texts as one."""
        if not parts:
            return cls.blank(0)
        vectors = [part.vectors for part in parts if part.vectors is not None]
        return cls(
            np.concatenate([part.humour for part in parts]),
            np.concatenate([part.start for part in parts]),
            np.concatenate([part.end for part in parts]),
            np.concatenate([part.confidence for part in parts]),
            np.concatenate(vectors) if len(vectors) == len(parts) else None,
        )

    def take(self, places: Sequence[int] | NDArray[np.intp]) -> Scores:
        """Give the scores of some of the texts."""
        vectors = None if self.vectors is None else self.vectors[places]
        return Scores(self.humour[places], self.start[places], self.end[places], self.confidence[places], vectors)

    def put(self, places: Sequence[int] | NDArray[np.intp], other: Scores) -> None:
        """Write another run's scores into the given places of this one."""
        self.humour[places] = other.humour
        self.start[places] = other.start
        self.end[places] = other.end
        self.confidence[places] = other.confidence
        if self.vectors is not None and other.vectors is not None:
            self.vectors[places] = other.vectors

    def word(self, number: int, text: str) -> str | None:
        """Give the pun word of one text as it is written there, None where no word is named.

        >>> scores = Scores.blank(1)
        >>> scores.start[0], scores.end[0] = 2, 5
        >>> scores.word(0, "a pun")
        'pun'
        """
        start, end = int(self.start[number]), int(self.end[number])
        return text[start:end] if start >= 0 else None


class Detector(Protocol):
    """A wordplay model."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def digest(self) -> str:
        """Changes when any of its answers could; an index remembers which detector filled its columns by it."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it was made for."""

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the scores of texts; ``langs`` is one language for all of them or one for each."""


def spread_languages(texts: Sequence[str], langs: str | Sequence[str]) -> Sequence[str]:
    """Give one language for each text."""
    if isinstance(langs, str):
        return [langs] * len(texts)
    if len(langs) != len(texts):
        raise InputError(f"{len(texts)} texts but {len(langs)} languages; give one for each text, or one for all")
    return langs


def after(progress: Progress | None, done: int) -> Progress | None:
    """Give a listener for a part of the work that begins when ``done`` texts have been scored."""
    return None if progress is None else lambda more: progress(done + more)


class Model(Protocol):
    """Anything with a name and a digest."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def digest(self) -> str:
        """Changes when any of its answers could."""


Part = TypeVar("Part", bound=Model)


@dataclass(frozen=True)
class PartsByLanguage(Generic[Part]):
    """Models of one kind, one for each language."""

    parts: Mapping[str, Part]

    @property
    def name(self) -> str:
        """The names of the parts."""
        return "+".join(dict.fromkeys(part.name for part in self.parts.values()))

    @property
    def digest(self) -> str:
        """The digests of the parts, each with its language."""
        return " ".join(f"{lang}:{part.digest}" for lang, part in sorted(self.parts.items()))

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that have a part."""
        return tuple(sorted(self.parts))

    def shares(
        self, texts: Sequence[str], langs: str | Sequence[str]
    ) -> Iterator[tuple[str, Part, NDArray[np.intp], list[str]]]:
        """Give each language that was asked for, with its part and the places and texts that are the part's."""
        each = np.array(spread_languages(texts, langs), dtype=object)
        asked = sorted(set(each.tolist()))
        for lang in asked:
            if lang not in self.parts:
                raise InputError(f'{self.name} knows no language "{lang}"; it knows {", ".join(self.languages)}')
        for lang in asked:
            places = np.flatnonzero(each == lang)
            yield lang, self.parts[lang], places, [texts[i] for i in places.tolist()]


class ByLanguage(PartsByLanguage[Detector]):
    """A detector that asks for each text the detector of its language."""

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the scores of texts, each by the detector of its language."""
        found: Scores | None = None
        done = 0
        for lang, detector, places, share in self.shares(texts, langs):
            part = detector.score(share, lang, after(progress, done))
            done += len(places)
            if found is None:
                found = Scores.blank(len(texts), 0 if part.vectors is None else part.vectors.shape[1])
            found.put(places, part)
        return Scores.blank(0) if found is None else found
