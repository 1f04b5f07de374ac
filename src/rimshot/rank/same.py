"""Retellings of a joke, best first: a joke is the query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rimshot.corpus.analyser import Analyser
from rimshot.corpus.language import guess_language
from rimshot.corpus.query import Query
from rimshot.errors import PipelineError
from rimshot.index.families import pun_of
from rimshot.index.reader import Index
from rimshot.rank.dense import cosines, products, query_vector
from rimshot.rank.lexical import accumulate
from rimshot.rank.ranking import Array, Ranking, best
from rimshot.rank.stage import Shape, Stage
from rimshot.retell.likeness import LEXICAL, VECTORS
from rimshot.retell.parts import punch_line
from rimshot.retell.similarity import shipped_similarity
from rimshot.retell.telling import Telling, read_telling

if TYPE_CHECKING:
    from rimshot.wordplay.detector import Detector

__all__ = ["Same", "query_telling"]

_BY_WORDS, _BY_MEANING, _BY_ENDING = 100, 60, 30


@dataclass(frozen=True, repr=False)
class Same(Stage):
    """The documents most probably the same joke as the query's text; scores are log-odds, column ``probability``.

    Candidates come from shared words (by the score of Friedland and Allan 2008), from meaning and from the punch line; the best
    ``depth`` of them by a quick look are read and judged. Documents identical to the query are left out unless ``copies``.
    """

    depth: int = 60
    copies: bool = False

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if isinstance(self.depth, bool) or not isinstance(self.depth, int) or self.depth < 1:
            raise PipelineError(f"{self!r}: depth must be at least 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Find, judge and sort."""
        text = ranking.query.text
        if not text.strip() or not index.size:
            return Ranking(ranking.query)
        lang = ranking.query.lang or guess_language(text)
        docs, quick, near = _candidates(text, lang, index)
        if not self.copies:
            plain = " ".join(text.split())
            other = [" ".join(index.text(int(n)).split()) != plain for n in docs]
            docs, quick = docs[other], quick[other]
            near = near[other] if near is not None else None
        rows, docs, _ = best(docs, quick, self.depth)
        near = near[rows] if near is not None else None
        one = query_telling(text, lang, index)
        found = shipped_similarity().compare(one, [_telling(index, int(n)) for n in docs], near)
        parts = {name: found.features[:, at] for at, name in enumerate((*LEXICAL, *VECTORS))}
        return Ranking(ranking.query, docs, found.logits, {}).rescored(
            found.logits, {"probability": found.probabilities, **parts}
        )


def _telling(index: Index, number: int) -> Telling:
    return index.memo(
        ("telling", number), lambda: read_telling(index.text(number), index.lang(number), *pun_of(index, number))
    )


@lru_cache(maxsize=1)
def _detector() -> Detector:
    from rimshot.wordplay.choose import choose_detector

    return choose_detector()


@lru_cache(maxsize=256)
def _pun(text: str, lang: str) -> tuple[str, float]:
    scores = _detector().score([text], lang)
    word = scores.word(0, text)
    return (word, float(scores.confidence[0])) if word else ("", 0.0)


def query_telling(text: str, lang: str, index: Index) -> Telling:
    """Read the query's text for comparison; the word it puns on is asked of the detector if the index knows such words."""
    pun = _pun(text, lang) if index.has_column("pun_start") and index.has_column("meaning") else ("", 0.0)
    return read_telling(text, lang, *pun)


def _candidates(text: str, lang: str, index: Index) -> tuple[Array, Array, Array | None]:
    """Give documents by several signals, a quick guess at the log-odds of each, and their cosines if there are vectors."""
    weights = shipped_similarity()
    docs, gains = _by_words(text, lang, index)
    top, _, _ = best(docs, gains, _BY_WORDS)
    sets = [docs[top]]
    share = np.zeros(index.size)
    share[docs] = gains / max(float(gains.max(initial=0.0)), 1e-9)
    if not (index.has_column("meaning") and index.has_column("punch")):
        chosen = np.unique(np.concatenate(sets)).astype(np.int32)
        return chosen, share[chosen], None
    live = index.numbers()
    asked = Query("", text, lang), Query("", punch_line(text), lang)
    meaning = cosines(query_vector(asked[0], index), index)
    endings = index.memo(("punch", "all"), lambda: np.ascontiguousarray(index.column("punch"), dtype=np.float32))
    ending = products(endings, query_vector(asked[1], index))
    for values, count in ((meaning, _BY_MEANING), (ending, _BY_ENDING)):
        _, near, _ = best(live, values[live], count)
        sets.append(near)
    chosen = np.unique(np.concatenate(sets)).astype(np.int32)
    pair = np.column_stack([meaning[chosen], ending[chosen]]).astype(np.float64)
    return chosen, weights.vectors.logit(pair) + 5.0 * share[chosen], pair


def _by_words(text: str, lang: str, index: Index) -> tuple[Array, Array]:
    """KL divergence of the joke from each document under linear smoothing in equal parts, without its constant."""
    field = index.field("text")
    stopping, own = Analyser(lang, stop=True), index.analysers[lang]
    counts: dict[str, float] = {}
    for word in own.split(text):
        if stopping.term(word) and (term := own.term(word)):
            counts[term] = counts.get(term, 0.0) + 1.0
    total = max(sum(counts.values()), 1.0)

    def formula(term: str, docs: Array, tfs: Array) -> Array:
        background = max(field.cf(term), 1) / max(field.total, 1)
        return np.log1p(tfs.astype(np.float32) / np.maximum(field.lengths[docs], 1) / np.float32(background))

    return accumulate({term: count / total for term, count in counts.items()}, field, formula)
