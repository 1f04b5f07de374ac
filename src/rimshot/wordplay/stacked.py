"""Judges are better together: the network, the n-gram model and, where it matters, a larger network and the explanation.

The network knows puns from their word-swapped twins but takes lively plain sentences for jokes; the n-gram model knows the
style of plain text; how sure the network is of *which* word makes the pun is a third opinion. Their logits are weighed and
added. What the n-gram model finds hopeless no network judges, and texts that look plain to both are left at that. The few
others are read more closely, by a larger network that knows more words, and with an eye to how strongly the words around
the located one support two readings of it (``evidence_features``): both tell a pun from its twin better than the first, and
are weighed with the sum, and so is the text's ``manner``. The numbers of each language are in ``stack.json``; ``python -m
rimshot.wordplay.stack_fit`` fits them. The vector is the first network's, the pun word the one with the highest mean chance,
unless a rival for it makes so much the better explanation.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import words
from rimshot.wordplay.canonical import canonical
from rimshot.wordplay.detector import Detector, Progress, Scores
from rimshot.wordplay.manner import manner, manner_digest
from rimshot.wordplay.neural import OnnxDetector, closer, shipped
from rimshot.wordplay.prior import logit, sigmoid

__all__ = [
    "CLOSER",
    "GATE",
    "LOOK",
    "Stacked",
    "agreed",
    "judge",
    "look_closely",
    "look_columns",
    "opinions",
    "readings",
    "stacked",
]

CLOSER = ("strength", "two_words", "senses", "is_one-liner")
GATE = {"en": 0.0012, "pt": 0.0015}
"""Below this probability by n-grams no network judges a text: about half of a mostly plain collection."""
LOOK = {"en": 0.03, "pt": 0.006}
"""From this probability on a text is read more closely; 6 to 9 texts in a hundred of a mostly plain collection."""

RIVAL = 0.4
"""A word may be the pun word instead of the likeliest one if it has this share of its chance."""
TELLING = 0.1
"""How much the strength of its explanation counts beside the logarithm of a word's chance; of seven values from 0 to 0.5 for the
development puns of both languages."""


def opinions(network: Scores, grams: Scores) -> NDArray[np.float64]:
    """Give the three opinions of each text as logits, [texts, 3]."""
    parts = (network.humour, grams.humour, network.confidence)
    return np.column_stack([logit(part.astype(np.float64)) for part in parts])


def readings(texts: Sequence[str], lang: str, scores: Scores) -> NDArray[np.float64]:
    """Give what a closer look at the word that a network points at says, [texts, 4].

    How strongly the text supports two readings of it and whether the second is that of another word, as log-odds; how many
    senses the word has; and whether the text has none of the forms that jokes are told in. Case and closing marks must not
    flip a verdict, so the text is read in its canonical spelling.
    """
    from rimshot.wordplay.evidence_features import EVIDENCE, evidence

    shown = [canonical(text) for text in texts]
    moved = replace(scores, start=scores.start.copy(), end=scores.end.copy())
    for number, text in enumerate(shown):
        if scores.start[number] >= 0:
            first, last = text.place(int(scores.start[number]), int(scores.end[number]))
            moved.start[number], moved.end[number] = (first, last) if last > first else (-1, -1)
    chosen = [EVIDENCE.index(name) for name in CLOSER]
    return evidence([text.text for text in shown], lang, moved)[:, chosen].astype(np.float64)


def look_columns(
    humour: NDArray[np.float64],
    read: NDArray[np.float64],
    vectors: NDArray[np.float32] | None,
    lang: str,
    second: Scores,
) -> NDArray[np.float64]:
    """Give what is weighed in a closer look, [texts, 7]: the sum before, the readings, the manner, and the larger network."""
    told = manner(vectors, lang, len(humour))
    return np.column_stack([logit(humour), read, told, logit(second.humour.astype(np.float64))])


def judge(
    detector: Detector, texts: Sequence[str], lang: str, progress: Progress | None = None
) -> tuple[Scores, list[NDArray[np.float64]]]:
    """Give the scores of texts, and for each the chance of every word; one that names a word alone gives it all it has."""
    if isinstance(detector, OnnxDetector):
        return detector.judge(texts, lang, progress)
    scores = detector.score(texts, lang, progress)
    spread = [np.zeros(len(words(text))) for text in texts]
    for number, text in enumerate(texts):
        for at, (_, start, _) in enumerate(words(text)):
            if start == scores.start[number]:
                spread[number][at] = scores.confidence[number]
    return scores, spread


def agreed(
    texts: Sequence[str], scores: Scores, one: Sequence[NDArray[np.float64]], other: Sequence[NDArray[np.float64]]
) -> Scores:
    """Give the scores with the pun words that two networks agree on best: those with the highest mean chance."""
    found = replace(scores, start=scores.start.copy(), end=scores.end.copy(), confidence=scores.confidence.copy())
    for number, text in enumerate(texts):
        chances = (one[number] + other[number]) / 2
        if len(chances) and chances.max() > 0:
            _, found.start[number], found.end[number] = words(text)[int(np.argmax(chances))]
            found.confidence[number] = chances.max()
    return found


def look_closely(
    texts: Sequence[str],
    lang: str,
    scores: Scores,
    one: Sequence[NDArray[np.float64]],
    other: Sequence[NDArray[np.float64]],
) -> tuple[Scores, NDArray[np.float64]]:
    """Give the scores with the pun words that two networks and the explanations agree on, and the readings of these words."""
    found = agreed(texts, scores, one, other)
    read = readings(texts, lang, found)
    places, rivals = [], []
    for number in range(len(texts)):
        chances = (one[number] + other[number]) / 2
        if len(chances) > 1:
            second = int(np.argsort(-chances, kind="stable")[1])
            if chances[second] >= RIVAL * chances.max() > 0:
                places.append(number)
                rivals.append((*words(texts[number])[second][1:], chances[second]))
    if not places:
        return found, read
    beside = found.take(places)
    for at, (start, end, chance) in enumerate(rivals):
        beside.start[at], beside.end[at], beside.confidence[at] = start, end, chance
    told = readings([texts[number] for number in places], lang, beside)
    gained = np.log(beside.confidence / found.confidence[places]) + TELLING * (told[:, 0] - read[places, 0])
    better = np.flatnonzero(gained > 0)
    taken = np.array(places)[better]
    found.put(taken, beside.take(better))
    read[taken] = told[better]
    return found, read


@dataclass(frozen=True)
class Stacked:
    """A network and an n-gram model that judge together, and a closer look at what they do not find plain."""

    network: Detector
    grams: Detector
    reader: Detector
    weights: tuple[float, ...]
    closer: tuple[float, ...]

    @property
    def name(self) -> str:
        """The names of both."""
        return f"{self.network.name}+{self.grams.name}"

    @property
    def digest(self) -> str:
        """Changes with either model, with the weights, or with those of the explanation and the manner."""
        judges = (self.network, self.grams, self.reader)
        parts = "\0".join(
            [
                *(judge.digest for judge in judges),
                str(self.weights),
                str(self.closer),
                f"{GATE[self.languages[0]]} {LOOK[self.languages[0]]} {RIVAL} {TELLING}",
            ]
        )
        folder = files("rimshot.wordplay")
        explaining = b"".join((folder / f"explain_{name}").read_bytes() for name in ("weights.json", "arrays.npz"))
        return blake2b(parts.encode() + explaining + manner_digest(), digest_size=16).hexdigest()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the network."""
        return self.network.languages

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the scores of texts; what the n-gram model finds hopeless gets its own chance, and no word."""
        grams = self.grams.score(texts, langs)
        read = np.flatnonzero(grams.humour >= GATE[self.languages[0]])
        found, spread = self._read(texts, read, grams, progress)
        *weights, shift = self.weights
        humour = grams.humour.astype(np.float64)
        judged = found.take(read)
        together = sigmoid(opinions(judged, grams.take(read)) @ np.array(weights) + shift)
        humour[read] = np.where(judged.humour > 0, together, 0.0)
        near = np.flatnonzero(humour >= LOOK[self.languages[0]])
        if len(near):
            theirs = [spread[number] for number in near.tolist()]
            humour[near], looked = self._look(texts, near, found.take(near), theirs, humour[near])
            found.put(near, looked)
        if progress is not None:
            progress(len(texts))
        vectors = found.vectors if self._gives_vectors else None
        return replace(found, humour=humour.astype(np.float32), vectors=vectors)

    @property
    def _gives_vectors(self) -> bool:
        """Whether vectors were asked for; a network that has them for nothing gives them for the closer look alone."""
        return not isinstance(self.network, OnnxDetector) or self.network.vectors

    def _read(
        self, texts: Sequence[str], read: NDArray[np.intp], grams: Scores, progress: Progress | None
    ) -> tuple[Scores, dict[int, NDArray[np.float64]]]:
        """Give the network's scores of the texts to be read, and their words' chances; all others get a vector at most."""
        lang = self.languages[0]
        judged, chances = judge(self.network, [texts[number] for number in read.tolist()], lang, progress)
        found = Scores.blank(len(texts), 0 if judged.vectors is None else judged.vectors.shape[1])
        found.put(read, judged)
        rest = np.flatnonzero(grams.humour < GATE[lang])
        if found.vectors is not None and len(rest) and isinstance(self.network, OnnxDetector) and self._gives_vectors:
            found.vectors[rest] = self.network.encode([texts[number] for number in rest.tolist()], lang)
        return found, dict(zip(read.tolist(), chances, strict=True))

    def _look(
        self,
        texts: Sequence[str],
        near: NDArray[np.intp],
        found: Scores,
        spread: Sequence[NDArray[np.float64]],
        humour: NDArray[np.float64],
    ) -> tuple[NDArray[np.float64], Scores]:
        """Give the humour of the texts that do not look plain after a closer look, and the scores with their words."""
        lang, chosen = self.languages[0], [texts[number] for number in near.tolist()]
        second, theirs = judge(self.reader, chosen, lang)
        seen = found
        if found.vectors is None and isinstance(self.network, OnnxDetector):
            seen = replace(found, vectors=self.network.encode(chosen, lang))
        located, read = look_closely(chosen, lang, seen, spread, theirs)
        columns = look_columns(humour, read, located.vectors, lang, second)
        *weights, shift = self.closer
        return sigmoid(columns @ np.array(weights) + shift), replace(located, vectors=found.vectors)


@lru_cache
def stacked(lang: str, vectors: bool = True) -> Stacked:
    """Give the shipped judges for a language; without ``vectors`` only texts looked at closely get one, for the look."""
    from rimshot.wordplay.tiny import load_tiny

    known = json.loads((files("rimshot.wordplay") / "stack.json").read_text("utf-8"))
    weights, looking = (tuple(float(value) for value in known[part][lang]) for part in ("weights", "closer"))
    return Stacked(shipped(lang, vectors), load_tiny(lang, places=False), closer(lang), weights, looking)
