"""A query carried over into the other languages of an index."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from rimshot.corpus.query import Query
from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.expand import widened
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage

__all__ = ["Translate", "across", "language_of"]


def language_of(query: Query, index: Index) -> str | None:
    """Give the language that a query is written in: as it says, or the only one of the index that knows its words.

    None where several do ("animal", "bar"): it is then read in all of them.
    """
    from rimshot.lexicon.related import knowing_languages

    if query.lang is not None:
        return query.lang
    known = knowing_languages(query.text, index.languages)
    return known[0] if len(known) == 1 else None


@dataclass(frozen=True, repr=False)
class Translate(Stage):
    """Adds the query's words in the other languages of the index: the words that share a synset with it.

    ``weight`` is what the best translation counts beside a word of the query, ``limit`` how many are kept for a
    language. Sentence vectors need no translation: both languages lie in one space.
    """

    weight: float = 1.0
    limit: int = 40

    needs: ClassVar[Shape] = Shape.QUERY
    gives: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.limit < 1:
            raise PipelineError(f"{self!r}: limit must be at least 1")
        if not 0 <= self.weight <= 1:
            raise PipelineError(f"{self!r}: weight must lie between 0 and 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the query in several languages, without hits."""
        from rimshot.lexicon import related
        from rimshot.lexicon.translate import known_topic

        query = ranking.query
        source = language_of(query, index)
        if source is None:
            return Ranking(query)
        topic, own_language = known_topic(query.text, source)
        near: dict[str, float] = {}
        for lang in index.languages:
            if lang == source:
                continue
            found = related(topic, own_language, up=0, down=2, limit=self.limit, to=lang)
            best = max((value for _, value in found), default=1.0)
            for name, value in found:
                terms = index.analysers[lang].terms(name)
                if len(terms) == 1:
                    near[terms[0]] = max(near.get(terms[0], 0.0), value / best)
        own = index.query_terms(replace(query, lang=source))
        return Ranking(replace(query, lang=source, terms=widened(own, near, self.weight)))


def across(pipeline: Stage) -> Stage:
    """Give a pipeline that also finds documents in other languages than the query's."""
    return Translate() >> pipeline
