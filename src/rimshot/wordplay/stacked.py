"""Two judges are better than one: the network's opinion and the n-gram model's, added as logits.

The network knows puns from their word-swapped twins but takes lively plain sentences for jokes; the n-gram model knows the
style of plain text. How sure the network is of *which* word makes the pun is a third opinion: in a twin that word is gone.
Four numbers per language (``stack.json``) weigh the three and calibrate the sum; the pun word and the vector are the
network's. ``python -m rimshot.wordplay.stack_fit`` fits them.
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

from rimshot.wordplay.detector import Detector, Progress, Scores
from rimshot.wordplay.prior import logit, sigmoid

__all__ = ["Stacked", "opinions", "stacked"]


def opinions(network: Scores, grams: Scores) -> NDArray[np.float64]:
    """Give the three opinions of each text as logits, [texts, 3]."""
    parts = (network.humour, grams.humour, network.confidence)
    return np.column_stack([logit(part.astype(np.float64)) for part in parts])


@dataclass(frozen=True)
class Stacked:
    """A network and an n-gram model that judge together."""

    network: Detector
    grams: Detector
    weights: tuple[float, ...]

    @property
    def name(self) -> str:
        """The names of both."""
        return f"{self.network.name}+{self.grams.name}"

    @property
    def digest(self) -> str:
        """Changes with either model or with the weights."""
        parts = f"{self.network.digest}\0{self.grams.digest}\0{self.weights}"
        return blake2b(parts.encode(), digest_size=16).hexdigest()

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages of the network."""
        return self.network.languages

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the network's scores with the humour of both; what the network finds blank stays at 0."""
        found = self.network.score(texts, langs, progress)
        other = self.grams.score(texts, langs)
        *weights, shift = self.weights
        humour = sigmoid(opinions(found, other) @ np.array(weights) + shift).astype(np.float32)
        return replace(found, humour=np.where(found.humour > 0, humour, np.float32(0)))


@lru_cache
def stacked(lang: str) -> Stacked:
    """Give the shipped pair for a language."""
    from rimshot.wordplay.neural import shipped
    from rimshot.wordplay.tiny import load_tiny

    weights = json.loads((files("rimshot.wordplay") / "stack.json").read_text("utf-8"))["weights"][lang]
    return Stacked(shipped(lang), load_tiny(lang), tuple(float(value) for value in weights))
