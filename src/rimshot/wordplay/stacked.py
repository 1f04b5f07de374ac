"""Judges are better together: the network, the n-gram model and, where it matters, the explanation.

The network knows puns from their word-swapped twins but takes lively plain sentences for jokes; the n-gram model knows the
style of plain text; how sure the network is of *which* word makes the pun is a third opinion. Their logits are weighed and
added. Texts that then look plain are left at that. The few others are read more closely: how strongly the words around the
located one support two readings of it (``evidence_features``) tells a pun from its twin best, and is weighed with
the sum. The numbers of each language are in ``stack.json``; ``python -m rimshot.wordplay.stack_fit`` fits them. The pun word
and the vector are the network's.
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

from rimshot.wordplay.canonical import canonical
from rimshot.wordplay.detector import Detector, Progress, Scores
from rimshot.wordplay.neural import OnnxDetector, shipped
from rimshot.wordplay.prior import logit, sigmoid

__all__ = ["LOOK", "Stacked", "opinions", "readings", "stacked"]

CLOSER = ("strength", "two_words")
LOOK = 0.01
"""From this probability on a text is read more closely; some 5 to 10 texts in a hundred of a mostly plain collection."""


def opinions(network: Scores, grams: Scores) -> NDArray[np.float64]:
    """Give the three opinions of each text as logits, [texts, 3]."""
    parts = (network.humour, grams.humour, network.confidence)
    return np.column_stack([logit(part.astype(np.float64)) for part in parts])


def readings(texts: Sequence[str], lang: str, scores: Scores) -> NDArray[np.float64]:
    """Give what a closer look at the word that the network points at says, as log-odds, [texts, 2].

    How strongly the text supports two readings of it, and whether the second is that of another word. Case and closing
    marks must not flip a verdict, so the text is read in its canonical spelling.
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


@dataclass(frozen=True)
class Stacked:
    """A network and an n-gram model that judge together, and a closer look at what they do not find plain."""

    network: Detector
    grams: Detector
    weights: tuple[float, ...]
    closer: tuple[float, ...]

    @property
    def name(self) -> str:
        """The names of both."""
        return f"{self.network.name}+{self.grams.name}"

    @property
    def digest(self) -> str:
        """Changes with either model, with the weights, or with those of the explanation."""
        parts = f"{self.network.digest}\0{self.grams.digest}\0{self.weights}\0{self.closer}"
        explaining = (files("rimshot.wordplay") / "explain_weights.json").read_bytes()
        return blake2b(parts.encode() + explaining, digest_size=16).hexdigest()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the network."""
        return self.network.languages

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the network's scores with the humour of both; what the network finds blank stays at 0."""
        found = self.network.score(texts, langs, progress)
        other = self.grams.score(texts, langs)
        *weights, shift = self.weights
        humour = sigmoid(opinions(found, other) @ np.array(weights) + shift)
        humour = self._looked_at(texts, found, np.where(found.humour > 0, humour, 0.0))
        return replace(found, humour=humour.astype(np.float32))

    def _looked_at(self, texts: Sequence[str], found: Scores, humour: NDArray[np.float64]) -> NDArray[np.float64]:
        near = np.flatnonzero(humour >= LOOK)
        if not len(near):
            return humour
        chosen, scores = [texts[number] for number in near.tolist()], found.take(near)
        if scores.vectors is None and isinstance(self.network, OnnxDetector):
            scores = replace(scores, vectors=self.network.encode(chosen, self.languages[0]))
        read = readings(chosen, self.languages[0], scores)
        *weights, shift = self.closer
        humour[near] = sigmoid(np.column_stack([logit(humour[near]), read]) @ np.array(weights) + shift)
        return humour


@lru_cache
def stacked(lang: str, vectors: bool = True) -> Stacked:
    """Give the shipped judges for a language; without ``vectors`` only texts looked at closely get one, for the look."""
    from rimshot.wordplay.tiny import load_tiny

    known = json.loads((files("rimshot.wordplay") / "stack.json").read_text("utf-8"))
    weights, closer = (tuple(float(value) for value in known[part][lang]) for part in ("weights", "closer"))
    return Stacked(shipped(lang, vectors), load_tiny(lang), weights, closer)
