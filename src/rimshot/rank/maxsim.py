"""Late interaction: every word of the query finds its nearest word of the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rimshot.corpus.query import Query
from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.candidates import Candidates, candidates
from rimshot.rank.dense import query_vector
from rimshot.rank.ranking import Array, Ranking, best
from rimshot.rank.stage import Shape, Stage

__all__ = ["MaxSim"]


@dataclass(frozen=True, repr=False)
class MaxSim(Stage):
    """The mean, over the words of the query, of the greatest cosine with a word of the text.

    After ColBERT (Khattab and Zaharia, SIGIR 2020). Its tokens have vectors in their context; these are of words
    by themselves, which the index keeps for every text that may be funny. Other texts are not found by it.
    """

    depth: int = 1000

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise PipelineError(f"{self!r}: depth must be at least 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the texts whose words are nearest to those of the query."""
        query = ranking.query
        words = _words(query, index)
        if not words or not index.size:
            return Ranking(query)
        found = candidates(index)
        total = sum(_nearest(query_vector(Query(query.id, word, query.lang), index), found) for word in words)
        _, docs, scores = best(found.docs, np.asarray(total / len(words), np.float64), self.depth)
        return Ranking(query, docs, scores, {"maxsim": scores})


def _words(query: Query, index: Index) -> list[str]:
    from rimshot.corpus.analyser import Analyser

    langs = [query.lang] if query.lang else index.languages
    stopping = [Analyser(lang, stop=True) for lang in langs]
    words = [word.lower() for word in Analyser.split(query.text)]
    return [word for word in words if all(analyser.term(word) for analyser in stopping)] or words


def _nearest(vector: Array, found: Candidates) -> Array:
    return found.words.greatest(found.words.cosines(vector))
