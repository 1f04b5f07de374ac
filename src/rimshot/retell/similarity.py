"""The probability that two texts are the same joke: a logistic regression on what :mod:`likeness` measures.

The weights ship as ``weights.json`` with a card (``WEIGHTS.md``), in small sets: ``full`` for two texts of one language with vectors,
``words`` without vectors, ``vectors`` for a first look, ``across`` for texts in different languages; ``edited`` tells jokes whose pun
word was taken out. In three sets what one likeness says depends on the others: ``free``, trees that were fitted on free retellings as
well, ``order``, trees by which candidates are ranked, and ``pair``, which reads products of features and adds what the neighbours in a
collection say.

Cosines of two encoders do not mean the same: texts that have nothing in common are at 0.07 in English, at 0.2 in Portuguese. They are
put on the English scale, by what is usual and what is rare among pairs of texts of the embedded sample.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.errors import InputError
from rimshot.retell.context import CONTEXT
from rimshot.retell.halves import HALVES, half_features
from rimshot.retell.likeness import LEXICAL, VECTORS, lexical_likeness, near_copies
from rimshot.retell.logistic import Logistic, sigmoid
from rimshot.retell.quadratic import Quadratic
from rimshot.retell.telling import Telling
from rimshot.retell.trees import Trees

__all__ = [
    "ACROSS",
    "MODELS",
    "NAMES",
    "PAIR",
    "SCALE",
    "Likeness",
    "Similarity",
    "beside_versions",
    "columns",
    "read_similarity",
    "shipped_similarity",
]

Array = npt.NDArray[Any]
_COPY = 9.0
"""The least log-odds of texts whose letters differ in a typo at most."""
_FIRST = 1000.0
"""What puts copies before everything else."""
NAMES = (*LEXICAL, *VECTORS)
FREE, ORDER, PAIR = "free", "order", "pair"
"""The sets that are no weighted sum: trees that know free retellings, trees by which candidates are ranked, a pair among its neighbours."""
_CURVED = (FREE, ORDER, PAIR)
_FULL = ("words", "ending_words", "rare", "phrases", "order", "pun", "late", "plain")
_PAIR = tuple(name for name in NAMES if name not in ("edited", "shorter", "longer", "funny"))
MODELS: Mapping[str, tuple[str, ...]] = {
    "full": (*_FULL, "hinge", *VECTORS),
    "words": _FULL,
    "vectors": VECTORS,
    "across": VECTORS,
    "edited": ("edited",),
    FREE: NAMES,
    ORDER: NAMES,
    PAIR: (*CONTEXT, *HALVES, *_PAIR),
}
"""The features that each set of weights reads."""
SCALE, ACROSS = "en", "across"
"""The language on whose scale cosines are given, and the name of the scale of texts in two languages."""
_USUAL = -3.0
"""Log-odds of texts in another language up to which a query is not near to that language as a whole."""


def columns(model: str) -> list[int]:
    """Give the places of a set's features among NAMES (of ``pair``, those that are neither of the context nor of halves)."""
    return [NAMES.index(name) for name in MODELS[model] if name in NAMES]


@dataclass(frozen=True, eq=False)
class Likeness:
    """Log-odds and features of several pairs; ``features`` has a column for each of NAMES."""

    logits: Array
    features: Array
    free: Array
    """Log-odds by what knows free retellings."""
    ranks: Array
    """Scores by which candidates are ranked, on the scale of log-odds."""
    foreign: Array
    """Which pairs are of two languages."""
    copies: Array
    """Which pairs differ in a typo at most."""
    edited: Array
    """Which pairs are a joke and the same text without its pun word."""

    @property
    def order(self) -> Array:
        """The scores to rank by: copies first.

        A text that is near to everything in another language is near to nothing there: such texts count by how far they stand out.
        """
        return self._order(self.ranks)

    def order_among(self, families: Array) -> Array:
        """Give the scores to rank by where the families of the texts are known (a number for each, -1 for none)."""
        return self._order(beside_versions(self.ranks, families))

    def _order(self, ranks: Array) -> Array:
        if self.foreign.any():
            ranks = ranks - np.where(self.foreign, np.maximum(_others(self.logits, self.foreign) - _USUAL, 0.0), 0.0)
        return np.asarray(ranks + _FIRST * (self.copies & (self.logits >= _COPY)))

    @property
    def odds(self) -> Array:
        """The log-odds of each pair: in one language and not edited, those by what knows free retellings, if higher."""
        return np.where(self.foreign | self.edited, self.logits, np.maximum(self.logits, self.free))

    @property
    def probabilities(self) -> Array:
        """The probability of each pair."""
        return sigmoid(self.odds)

    def parts(self, row: int) -> dict[str, float]:
        """Give the features of a pair by name."""
        return {name: round(float(value), 4) for name, value in zip(NAMES, self.features[row], strict=True)}


@dataclass(frozen=True, eq=False)
class Similarity:
    """The sets of weights, by name (that of pairs apart), and two cuts.

    ``family`` is the mean log-odds from which groups are one family; ``told`` those of the best of many candidates from which it
    is as likely as not that a joke has been told, which is more than 0 because the best of sixty is easily good by chance.
    ``scales`` has for a language, and for ACROSS, the usual and a rare cosine of two texts, of meaning, ending, joke and scene.
    """

    models: Mapping[str, Logistic]
    family: float
    told: float
    free: Trees
    ranks: Trees
    pair: Quadratic
    scales: Mapping[str, Array] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Similarity:
        """Read the weights."""

        def model(name: str, features: Sequence[str]) -> Logistic:
            row = data["models"][name]
            return Logistic(float(row["bias"]), np.array([float(row["weights"][feature]) for feature in features]))

        for name in _CURVED:
            if tuple(data["models"][name]["features"]) != MODELS[name]:
                raise ValueError(f"the weights of {name} are those of other features")

        models = {name: model(name, features) for name, features in MODELS.items() if name not in _CURVED}
        scales = {name: np.array(rows, dtype=np.float64) for name, rows in data["cosines"].items()}
        cuts = float(data["family_logit"]), float(data["told_logit"])
        free, ranks = (Trees.read(data["models"][name]) for name in (FREE, ORDER))
        return cls(models, *cuts, free, ranks, Quadratic.read(data["models"][PAIR]), scales)

    @property
    def vectors(self) -> Logistic:
        """The weights of vectors alone."""
        return self.models["vectors"]

    def scaled(self, cosines: Array, a: Sequence[str], b: Sequence[str]) -> Array:
        """Give cosines [meaning, ending, joke, scene] of pairs of texts in languages ``a`` and ``b`` on the English scale."""
        names = np.array([one if one == other else ACROSS for one, other in zip(a, b, strict=True)], dtype=object)
        found = np.array(cosines, dtype=np.float64).reshape(-1, len(VECTORS))
        for name in set(names.tolist()) & (self.scales.keys() - {SCALE}):
            (usual, rare), (to_usual, to_rare) = self.scales[name], self.scales[SCALE]
            rows = names == name
            found[rows] = to_usual + (found[rows] - usual) * (to_rare - to_usual) / (rare - usual)
        return found

    def told_probability(self, best: float) -> float:
        """Give the probability that a joke has been told from the log-odds of the best candidate."""
        return float(sigmoid(np.array([best - self.told]))[0])

    def pair_probability(self, a: Telling, b: Telling, alone: Likeness, around: Sequence[float]) -> float:
        """Give the probability of one pair of documents from their likeness and the features of their context."""
        row = [*around, *half_features(a, b), *alone.features[0, columns(PAIR)]]
        return float(self.pair.probability(np.array([row]))[0])

    def compare(
        self, one: Telling, others: Sequence[Telling], cosines: Array | None, *, ranked: bool = True
    ) -> Likeness:
        """Compare a telling with others; ``cosines`` has a row [meaning, ending, joke, scene] for each, or there are no vectors.

        Unless they are to be ``ranked`` they are not scored for that.
        """
        lexical = np.array([lexical_likeness(one, other) for other in others], dtype=np.float64)
        near = np.zeros((len(others), len(VECTORS)))
        if cosines is not None:
            near = self.scaled(cosines, [one.lang] * len(others), [other.lang for other in others])
        features = np.column_stack([lexical.reshape(-1, len(LEXICAL)), near])
        copies = np.array([near_copies(one, other) for other in others], dtype=bool)
        equal = np.array([one.spelling == other.spelling for other in others], dtype=bool)
        alike = np.array([one.lang == other.lang for other in others], dtype=bool)
        return self.judge(features, alike, copies, equal, cosines is not None, ranked=ranked)

    def judge(
        self,
        features: Array,
        same_language: Array,
        copies: Array,
        equal: Array,
        vectors: bool = True,
        *,
        ranked: bool = True,
    ) -> Likeness:
        """Give the log-odds of pairs from their features.

        Near ``copies`` are the same joke unless the pun has been taken out.
        """
        name = "full" if vectors else "words"
        logits = self.models[name].logit(features[:, columns(name)])
        across = self.models[ACROSS].logit(features[:, columns(ACROSS)]) if vectors else np.full(len(features), -20.0)
        logits = np.where(same_language, logits, across)
        logits = np.where(copies, np.maximum(logits, _COPY), logits)
        edited = self.models["edited"].logit(features[:, columns("edited")])
        taken = (edited > 0) & ~equal
        logits = np.where(taken, np.minimum(logits, -edited), logits)
        # The trees know edited jokes, but not that two letters may make one.
        own = same_language & ~(taken & copies) & vectors
        free = np.where(own, self.free.logit(features), logits)
        ranks = np.where(own, self.ranks.logit(features), logits) if ranked else free
        return Likeness(logits, features, free, ranks, ~same_language, copies, taken)


def beside_versions(ranks: Array, families: Array) -> Array:
    """Give log-odds by which each text comes halfway to the best of the other versions in its family, if that lies above it.

    A retelling may be far from the joke that is asked for and near to another version of it, which is not.

    >>> beside_versions(np.array([3.0, -1.0, 2.0, 1.0]), np.array([7, 7, -1, 5])).tolist()
    [3.0, 1.0, 2.0, 1.0]
    """
    found = np.array(ranks, dtype=np.float64)
    for family in np.unique(families[families >= 0]).tolist():
        members = np.flatnonzero(families == family)
        best = members[np.argmax(ranks[members])]
        found[members] = (ranks[members] + ranks[best]) / 2
        found[best] = ranks[best]
    return found


def _others(logits: Array, chosen: Array) -> Array:
    """The mean of the other chosen values, for each; without others, far below."""
    count = int(chosen.sum()) - 1
    return (logits[chosen].sum() - logits) / count if count else np.full(len(logits), -np.inf)


def read_similarity(path: str | Path) -> Similarity:
    """Give the similarity with the weights of a file, as ``rimshot retell fit`` writes them."""
    try:
        return Similarity.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
    except OSError as fault:
        raise InputError(f"{path}: the weights cannot be read ({fault.strerror})") from None
    except (KeyError, TypeError, ValueError) as fault:
        raise InputError(f"{path}: no weights of the similarity ({fault!r}); rimshot retell fit writes them") from None


@lru_cache(maxsize=1)
def shipped_similarity() -> Similarity:
    """Give the similarity with the shipped weights."""
    text = files("rimshot.retell").joinpath("weights.json").read_text(encoding="utf-8")
    return Similarity.from_dict(json.loads(text))
