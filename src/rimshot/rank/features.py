"""What a learned ranking looks at: how well a text matches a topic, how funny it is, signs of wordplay.

The list follows PICT (JOKER 2025): TF-IDF, BM25, late interaction, and wordplay features such as punctuation,
repetition and alliteration.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rimshot.corpus.query import Query
from rimshot.index.reader import Index
from rimshot.rank.bm25 import Bm25
from rimshot.rank.dense import cosines, query_vector
from rimshot.rank.likelihood import QueryLikelihood
from rimshot.rank.maxsim import MaxSim
from rimshot.rank.ranking import Array, Ranking
from rimshot.rank.stage import Stage
from rimshot.rank.tfidf import Tfidf
from rimshot.wordplay.features import FEATURES as SIGNS
from rimshot.wordplay.features import features as signs

__all__ = ["RANKING_FEATURES", "ranking_features"]

_MATCHES: dict[str, Stage] = {
    "bm25": Bm25(depth=10**9),
    "tfidf": Tfidf(depth=10**9),
    "likelihood": QueryLikelihood(depth=10**9),
    "pun_bm25": Bm25(field="pun", depth=10**9),
    "maxsim": MaxSim(depth=10**9),
}
RANKING_FEATURES = (*_MATCHES, "meaning", "humour", "pun_confidence", *SIGNS)


def ranking_features(query: Query, docs: Array, index: Index) -> Array:
    """Give a row of :data:`RANKING_FEATURES` for each document.

    What a retriever does not find has the lowest score that it gave.
    """
    asked = Ranking(replace(query, terms=None))
    columns = [_scores(stage.apply(asked, index), index.size)[docs] for stage in _MATCHES.values()]
    columns.append(cosines(query_vector(query, index), index)[docs])
    columns += [np.asarray(index.column(name)[docs], np.float32) for name in ("humour", "pun_confidence")]
    return np.column_stack([*columns, _signs(docs, index)]).astype(np.float32)


def _scores(found: Ranking, size: int) -> Array:
    whole = np.full(size, found.scores.min(initial=0.0), np.float32)
    whole[found.docs] = found.scores
    return whole


def _signs(docs: Array, index: Index) -> Array:
    rows = np.zeros((len(docs), len(SIGNS)), np.float32)
    for at, number in enumerate(docs.tolist()):
        rows[at] = signs([index.text(number)], index.lang(number))[0]
    return rows
