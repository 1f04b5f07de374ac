"""Query likelihood: the probability of the query under a language model of the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.errors import PipelineError
from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.rank.lexical import Lexical, accumulate
from rimshot.rank.ranking import Array, Ranking, best

__all__ = ["QueryLikelihood"]


@dataclass(frozen=True, repr=False)
class QueryLikelihood(Lexical):
    """Unigram query likelihood, smoothed by Dirichlet's prior (``mu``) or by Jelinek and Mercer's mixture (``lam``).

    Zhai and Lafferty (SIGIR 2001). ``lam`` is the share of the collection model; when it is given, ``mu`` is not used.
    Scores are logarithms without the part that is the same for all documents, so they are comparable within a query.
    """

    mu: float = 1000.0
    lam: float | None = None
    field: str = "text"
    depth: int = 1000

    column: ClassVar[str] = "likelihood"

    def __post_init__(self) -> None:
        if not self.mu > 0:
            raise PipelineError(f"QueryLikelihood(mu={self.mu!r}): mu must be above 0")
        if self.lam is not None and not 0 < self.lam < 1:
            raise PipelineError(f"QueryLikelihood(lam={self.lam!r}): lam must lie between 0 and 1")

    def formula(self, index: Index, field: Field) -> Callable[[str, Array, Array], Array]:
        """Give ln(1 + what the document adds to the collection's probability) of one term."""

        def score(term: str, docs: Array, tfs: Array) -> Array:
            background = field.cf(term) / max(field.total, 1)
            counts = tfs.astype(np.float32)
            if self.lam is None:
                gain: Array = counts / np.float32(self.mu * background)
            else:
                gain = counts / field.lengths[docs] * np.float32((1 - self.lam) / (self.lam * background))
            return np.asarray(np.log1p(gain))

        return score

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the documents that contain a term of the query, best first."""
        field = index.field(self.field)
        terms = index.query_terms(ranking.query)
        docs, scores = accumulate(terms, field, self.formula(index, field))
        if self.lam is None:
            weight = sum(weight for term, weight in terms.items() if field.cf(term))
            scores = scores + np.float32(weight) * np.log(self.mu / (self.mu + field.lengths[docs])).astype(np.float32)
        _, docs, scores = best(docs, scores, self.depth)
        return Ranking(ranking.query, docs, scores, {self.column: scores})
