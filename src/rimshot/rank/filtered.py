"""A search whose words may include conditions on the wordplay: `money kind:homographic`."""

from __future__ import annotations

import numpy as np

from rimshot.corpus.query import Query
from rimshot.index.explanations import puns_of
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking
from rimshot.rank.search import search
from rimshot.rank.stage import Stage
from rimshot.rank.syntax import matches, parse_query

__all__ = ["filtered_search"]


def filtered_search(pipeline: Stage, text: str, index: Index, query_id: str = "1", lang: str | None = None) -> Ranking:
    """Give the hits of what was written in a search box.

    A topic alone is searched as ever. With conditions, only explained jokes that meet them stay; with conditions alone,
    all such jokes come, ordered by how surely they are jokes. A condition keeps at most what the pipeline found, so a
    pipeline that ends in `% 10` and a rare condition may give nothing.
    """
    asked = parse_query(text)
    query = Query(query_id, asked.topic or text, lang)
    if not asked.filters:
        return search(pipeline, query, index)
    puns = puns_of(index)
    kept = np.array([number for number, record in puns.items() if matches(asked, record)], np.int32)
    if asked.topic:
        ranking = search(pipeline, query, index)
        return ranking.take(np.isin(ranking.docs, kept))
    sure = np.array([puns[int(number)]["humour"] * puns[int(number)]["confidence"] for number in kept], np.float64)
    order = np.lexsort((kept, -sure))
    return Ranking(query, kept[order], sure[order])
