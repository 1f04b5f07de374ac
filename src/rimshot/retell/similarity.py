"""The probability that two texts are the same joke: a logistic regression on what :mod:`likeness` measures.

The weights ship as ``weights.json`` with a card (``WEIGHTS.md``): one set for two texts of one language with vectors, one
without vectors, one for texts in different languages (vectors alone).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.retell.likeness import LEXICAL, VECTORS, lexical_likeness, near_copies
from rimshot.retell.logistic import Logistic, sigmoid
from rimshot.retell.telling import Telling

__all__ = ["COPY", "Likeness", "Similarity", "shipped_similarity"]

Array = npt.NDArray[Any]
COPY = 9.0
"""The least log-odds of texts whose letters differ in a typo at most."""


@dataclass(frozen=True, eq=False)
class Likeness:
    """Log-odds and features of several pairs; ``features`` has a column for each of LEXICAL and VECTORS."""

    logits: Array
    features: Array

    @property
    def probabilities(self) -> Array:
        """The probability of each pair."""
        return sigmoid(self.logits)

    def parts(self, row: int) -> dict[str, float]:
        """Give the features of a pair by name."""
        return {
            name: round(float(value), 4) for name, value in zip((*LEXICAL, *VECTORS), self.features[row], strict=True)
        }


@dataclass(frozen=True, eq=False)
class Similarity:
    """Weights for pairs with vectors, without, and across languages.

    ``family`` is the mean log-odds from which groups are one family; ``told`` those of the best of many candidates from which it
    is as likely as not that a joke has been told, which is more than 0 because the best of sixty is easily good by chance.
    """

    full: Logistic
    words: Logistic
    vectors: Logistic
    family: float
    told: float

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Similarity:
        """Read the weights."""

        def model(name: str, features: Sequence[str]) -> Logistic:
            row = data["models"][name]
            return Logistic(float(row["bias"]), np.array([float(row["weights"][feature]) for feature in features]))

        names = (*LEXICAL, *VECTORS)
        cuts = float(data["family_logit"]), float(data["told_logit"])
        return cls(model("full", names), model("words", LEXICAL), model("vectors", VECTORS), *cuts)

    def told_probability(self, best: float) -> float:
        """Give the probability that a joke has been told from the log-odds of the best candidate."""
        return float(sigmoid(np.array([best - self.told]))[0])

    def compare(self, one: Telling, others: Sequence[Telling], cosines: Array | None) -> Likeness:
        """Compare a telling with others; ``cosines`` has a row [meaning, ending] for each, or there are no vectors."""
        lexical = np.array([lexical_likeness(one, other) for other in others], dtype=np.float64).reshape(
            -1, len(LEXICAL)
        )
        copies = np.array([near_copies(one, other) for other in others], dtype=bool)
        alike = np.array([one.lang == other.lang for other in others], dtype=bool)
        return self.judge(lexical, cosines, alike, copies)

    def judge(self, lexical: Array, cosines: Array | None, same_language: Array, copies: Array) -> Likeness:
        """Give the log-odds of pairs from their features."""
        if cosines is None:
            features = np.column_stack([lexical, np.zeros((len(lexical), len(VECTORS)))])
            logits = np.where(same_language, self.words.logit(lexical), -20.0)
        else:
            features = np.column_stack([lexical, cosines])
            logits = np.where(same_language, self.full.logit(features), self.vectors.logit(cosines))
        return Likeness(np.where(copies, np.maximum(logits, COPY), logits), features)


@lru_cache(maxsize=1)
def shipped_similarity() -> Similarity:
    """Give the similarity with the shipped weights."""
    text = files("rimshot.retell").joinpath("weights.json").read_text(encoding="utf-8")
    return Similarity.from_dict(json.loads(text))
