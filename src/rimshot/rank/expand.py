"""A query widened with the wordnet before anything is retrieved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage

__all__ = ["Expand", "widened"]


def widened(own: Mapping[str, float], near: Mapping[str, float], weight: float) -> dict[str, float]:
    """Give a query's own terms and, with ``weight``, those near it; a term that is both keeps the greater weight.

    >>> widened({"bank": 1.0}, {"bank": 1.0, "river": 0.5}, 0.4)
    {'bank': 1.0, 'river': 0.2}
    """
    terms = dict(own)
    for term, value in near.items():
        terms[term] = max(terms.get(term, 0.0), weight * value)
    return terms


@dataclass(frozen=True, repr=False)
class Expand(Stage):
    """Adds the wordnet's synonyms, hypernyms up to ``up`` and hyponyms up to ``down`` steps away, at most ``limit``.

    Weights fall with the distance and with how rarely the word's sense is meant (``rimshot.lexicon.related``);
    ``weight`` is what the nearest counts beside a word of the query. The best ``spelled`` of them are written behind
    the query, for stages that read its text (dense retrieval). LIS (JOKER 2024) added synonyms from WordNet; hyponyms
    help short queries more (Voorhees, SIGIR 1994).
    """

    up: int = 1
    down: int = 2
    limit: int = 50
    weight: float = 0.5
    spelled: int = 0

    needs: ClassVar[Shape] = Shape.QUERY
    gives: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.up < 0 or self.down < 0:
            raise PipelineError(f"{self!r}: up and down are steps; give 0 or more")
        if self.limit < 1 or self.spelled < 0:
            raise PipelineError(f"{self!r}: limit must be at least 1, spelled at least 0")
        if not 0 <= self.weight <= 1:
            raise PipelineError(f"{self!r}: weight must lie between 0 and 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the longer query, without hits."""
        from rimshot.lexicon import related

        query = ranking.query
        near: dict[str, float] = {}
        names: dict[str, float] = {}
        for lang in [query.lang] if query.lang else index.languages:
            for name, value in related(query.text, lang, up=self.up, down=self.down, limit=self.limit):
                names[name] = max(names.get(name, 0.0), value)
                terms = index.analysers[lang].terms(name)
                if len(terms) == 1:
                    near[terms[0]] = max(near.get(terms[0], 0.0), value)
        wider = widened(index.query_terms(query), near, self.weight)
        return Ranking(replace(query, text=self._spelled(query.text, names), terms=wider))

    def _spelled(self, text: str, names: Mapping[str, float]) -> str:
        further = [name for name in sorted(names, key=lambda name: (-names[name], name)) if name not in text.lower()]
        return ", ".join([text, *further[: self.spelled]])
