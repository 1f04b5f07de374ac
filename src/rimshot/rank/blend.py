"""Several rankings made one: a weighted sum after normalisation, or reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rimshot.errors import PipelineError, did_you_mean
from rimshot.index.reader import Index
from rimshot.rank.ranking import Array, Ranking
from rimshot.rank.stage import Shape, Stage, Then, Weighted, check_parts

__all__ = ["Blend", "Rrf", "fuse"]


def _minmax(scores: Array) -> Array:
    low, high = (scores.min(), scores.max()) if len(scores) else (0.0, 0.0)
    return (scores - low) / (high - low) if high > low else np.ones_like(scores)


def _zscore(scores: Array) -> Array:
    spread = scores.std() if len(scores) else 0.0
    return (scores - scores.mean()) / spread if spread > 0 else np.zeros_like(scores)


def _largest(scores: Array) -> Array:
    high = np.abs(scores).max(initial=0.0)
    return scores / high if high > 0 else scores


NORMS: dict[str, Callable[[Array], Array]] = {
    "minmax": _minmax,
    "zscore": _zscore,
    "max": _largest,
    "none": lambda scores: scores,
}


def fuse(query: Ranking, rankings: Sequence[Ranking], scores: Sequence[Array], missing: Sequence[float]) -> Ranking:
    """Add up scores document by document; a document that a ranking lacks gets what is ``missing`` there."""
    if not any(len(ranking) for ranking in rankings):
        return query
    docs = np.unique(np.concatenate([ranking.docs for ranking in rankings]))
    total = np.zeros(len(docs))
    columns: dict[str, Array] = {}
    for ranking, part, absent in zip(rankings, scores, missing, strict=True):
        rows = np.searchsorted(docs, ranking.docs)
        own = np.full(len(docs), absent)
        own[rows] = part
        total += own
        for name, column in ranking.columns.items():
            if name not in columns:
                columns[name] = np.zeros(len(docs), dtype=np.float64)
            columns[name][rows] = column
    return Ranking(query.query, docs.astype(np.int32), total).rescored(total, columns)


@dataclass(frozen=True, init=False, repr=False)
class Blend(Stage):
    """The weighted sum of several rankings, each normalised first (``minmax``, ``zscore``, ``max`` or ``none``).

    A document that one of them lacks counts there as its lowest score.
    """

    parts: tuple[Stage, ...]
    norm: str

    def __init__(self, *parts: Stage, norm: str = "minmax") -> None:
        object.__setattr__(self, "parts", tuple(parts))
        object.__setattr__(self, "norm", norm)
        check_parts("a blend", self.parts)
        if norm not in NORMS:
            raise PipelineError(f'unknown normalisation "{norm}"; {did_you_mean(norm, NORMS)}')

    @property
    def needs(self) -> Shape:
        """What the parts need."""
        return self.parts[0].needs

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Add the parts up."""
        rankings, scores, missing = [], [], []
        for part in self.parts:
            weight, stage = (part.weight, part.part) if isinstance(part, Weighted) else (1.0, part)
            found = stage.apply(ranking, index)
            normal = weight * NORMS[self.norm](found.scores)
            rankings.append(found)
            scores.append(normal)
            missing.append(float(normal.min(initial=0.0)))
        return fuse(ranking, rankings, scores, missing)

    def __repr__(self) -> str:
        nested = any(isinstance(part, Blend) and part.norm == "minmax" for part in self.parts)
        if self.norm == "minmax" and not nested:
            return " + ".join(f"({part!r})" if isinstance(part, Then) else repr(part) for part in self.parts)
        tail = "" if self.norm == "minmax" else f", norm={self.norm!r}"
        return f"Blend({', '.join(map(repr, self.parts))}{tail})"


@dataclass(frozen=True, init=False, repr=False)
class Rrf(Stage):
    """Reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009): the sum of 1 / (k + rank)."""

    parts: tuple[Stage, ...]
    k: int

    def __init__(self, *parts: Stage, k: int = 60) -> None:
        object.__setattr__(self, "parts", tuple(parts))
        object.__setattr__(self, "k", k)
        check_parts("reciprocal rank fusion", self.parts)
        if isinstance(k, bool) or not isinstance(k, int) or k < 1:
            raise PipelineError(f"Rrf(k={k!r}): k must be a whole number of at least 1")

    @property
    def needs(self) -> Shape:
        """What the parts need."""
        return self.parts[0].needs

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Fuse the parts by rank."""
        rankings, scores = [], []
        for part in self.parts:
            weight, stage = (part.weight, part.part) if isinstance(part, Weighted) else (1.0, part)
            found = stage.apply(ranking, index)
            rankings.append(found)
            scores.append(weight / (self.k + np.arange(1, len(found) + 1)))
        return fuse(ranking, rankings, scores, [0.0] * len(rankings))

    def __repr__(self) -> str:
        tail = "" if self.k == 60 else f", k={self.k}"
        return f"Rrf({', '.join(map(repr, self.parts))}{tail})"
