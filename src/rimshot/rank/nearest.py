"""Dense retrieval over vectors that were added to an index: of a tuned encoder, or of explained texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.corpus.query import Query
from rimshot.errors import PipelineError
from rimshot.index.further import vectors_encoder
from rimshot.index.reader import Index
from rimshot.rank.products import products, singles
from rimshot.rank.ranking import Array, Ranking, best
from rimshot.rank.stage import Shape, Stage

__all__ = ["Nearest"]


@dataclass(frozen=True, repr=False)
class Nearest(Stage):
    """The ``depth`` documents nearest in the vectors ``vectors``; only those whose cosine is above ``above``.

    ``prompt`` is put around the query, as instructed encoders want it: ``prompt='a joke about {}'``.
    """

    vectors: str = "explained"
    depth: int = 1000
    above: float = -1.0
    prompt: str = "{}"

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise PipelineError(f"{self!r}: depth must be at least 1")
        if self.prompt.count("{}") != 1:
            raise PipelineError(f"{self!r}: prompt must hold {{}} once, where the query goes")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the nearest documents, exactly."""
        query = ranking.query
        if not query.text.strip() or not index.size:
            return Ranking(query)
        vector = self._vector(query, index)
        matrix: Array = index.memo(("vectors", self.vectors), lambda: singles(index.vectors(self.vectors)))
        docs = index.numbers()
        scores = products(matrix, vector)[docs]
        close = scores > self.above
        _, docs, scores = best(docs[close], scores[close], self.depth)
        return Ranking(query, docs, scores, {self.vectors: scores})

    def _vector(self, query: Query, index: Index) -> Array:
        encoder = vectors_encoder(index, self.vectors)
        langs = [query.lang] if query.lang else list(index.languages)
        total = encoder.encode([self.prompt.replace("{}", query.text)] * len(langs), langs).sum(axis=0)
        return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)
