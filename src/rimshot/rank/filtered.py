"""A search whose words may include conditions on the wordplay: `money kind:homographic`."""

from __future__ import annotations

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.corpus.query import Query
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking
from rimshot.rank.search import search
from rimshot.rank.stage import Stage
from rimshot.rank.syntax import matches, parse_query
from rimshot.rank.translate import language_of

__all__ = ["filtered_search"]


def filtered_search(
    pipeline: Stage,
    text: str,
    index: Index,
    query_id: str = "1",
    lang: str | None = None,
    any_language: bool = False,
) -> Ranking:
    """Give the hits of what was written in a search box.

    Hits are in the language of the query where only one of the index's knows its words; ``any_language`` lets all in.

    A topic alone is searched as ever. With conditions, only explained jokes that meet them stay; with conditions alone,
    all such jokes come, ordered by how surely they are jokes. A condition keeps at most what the pipeline found, so a
    pipeline that ends in `% 10` and a rare condition may give nothing.
    """
    asked = parse_query(text)
    query = Query(query_id, asked.topic or text, lang)
    if not asked.filters:
        return _spoken(search(pipeline, query, index), query, index, any_language)
    from rimshot.index.explanations import puns_of

    puns = puns_of(index)
    kept = np.array([number for number, record in puns.items() if matches(asked, record)], np.int32)
    if asked.topic:
        ranking = search(pipeline, query, index)
        return _spoken(ranking.take(np.isin(ranking.docs, kept)), query, index, any_language)
    sure = np.array([puns[int(number)]["humour"] * puns[int(number)]["confidence"] for number in kept], np.float64)
    order = np.lexsort((kept, -sure))
    return Ranking(query, kept[order], sure[order])


def _spoken(ranking: Ranking, query: Query, index: Index, any_language: bool) -> Ranking:
    """Keep the hits in the query's own language, where it has one and there are some."""
    if any_language or len(index.languages) < 2:
        return ranking
    lang = language_of(query, index)
    if lang is None:
        return ranking
    codes = index.memo("document languages", lambda: np.concatenate([s.array("doc:lang") for s in index.segments]))
    own = codes[ranking.docs] == LANGUAGES.index(lang)
    return ranking.take(own) if own.any() else ranking
