"""Two judges are better than one: the network's opinion and the n-gram model's, added as logits.

The network knows puns from their word-swapped twins but takes lively plain sentences for jokes; the n-gram model knows the
style of plain text. Three numbers per language (``stack.json``) weigh the two and calibrate the sum; the pun word and the
vector are the network's. ``python -m rimshot.wordplay.stack_fit`` fits them.
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

__all__ = ["Stacked", "combine", "stacked"]


def combine(network: NDArray[np.float32], grams: NDArray[np.float32], weights: Sequence[float]) -> NDArray[np.float32]:
    """Give P(humour) from the two probabilities and the three numbers: their weights and the shift."""
    first, second, shift = weights
    total = first * logit(network.astype(np.float64)) + second * logit(grams.astype(np.float64)) + shift
    return sigmoid(total).astype(np.float32)


@dataclass(frozen=True)
class Stacked:
    """A network and an n-gram model that judge together."""

    network: Detector
    grams: Detector
    weights: tuple[float, float, float]

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
        humour = combine(found.humour, other.humour, self.weights)
        return replace(found, humour=np.where(found.humour > 0, humour, np.float32(0)))


@lru_cache
def stacked(lang: str) -> Stacked:
    """Give the shipped pair for a language."""
    from rimshot.wordplay.neural import shipped
    from rimshot.wordplay.tiny import load_tiny

    weights = json.loads((files("rimshot.wordplay") / "stack.json").read_text("utf-8"))["weights"][lang]
    first, second, shift = (float(value) for value in weights)
    return Stacked(shipped(lang), load_tiny(lang), (first, second, shift))
