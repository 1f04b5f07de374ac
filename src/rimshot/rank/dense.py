"""Dense retrieval: the cosine of the query's vector and each document's, over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from rimshot.corpus.query import Query
from rimshot.errors import IndexFault, PipelineError
from rimshot.index.reader import Index
from rimshot.rank.products import products, singles
from rimshot.rank.ranking import Array, Ranking, best
from rimshot.rank.stage import Shape, Stage

if TYPE_CHECKING:
    from rimshot.wordplay.encoder import Encoder

__all__ = ["Dense", "cosines", "products", "query_vector", "read_ahead", "word_vector"]

_REMEMBERED = 4096
_HELD = 64_000_000
"""Bytes of single precision up to which the vectors of all documents are held."""


@lru_cache(maxsize=2)
def _encoder() -> Encoder:
    from rimshot.wordplay.encoder import choose_encoder

    return choose_encoder()


_vectors: dict[tuple[str, str], Array] = {}
_lock = Lock()


def _encode(texts: Sequence[str], lang: str) -> Array:
    found: Array = _encoder().encode(texts, lang)
    found.setflags(write=False)
    with _lock:
        _vectors.update(((text, lang), vector) for text, vector in zip(texts, found, strict=True))
        while len(_vectors) > _REMEMBERED:
            del _vectors[next(iter(_vectors))]
    return found


def _encoded(text: str, lang: str) -> Array:
    vector = _vectors.get((text, lang))
    return vector if vector is not None else np.asarray(_encode([text], lang)[0])


def read_ahead(texts: Iterable[str], lang: str) -> None:
    """Encode some texts whose vectors will be asked for, in one pass, which takes less than one by one."""
    todo = [text for text in dict.fromkeys(texts) if text.strip() and (text, lang) not in _vectors]
    if todo:
        _encode(todo, lang)


def query_vector(query: Query, index: Index, template: str = "{}") -> Array:
    """Give the unit vector of a query's text put into a template; read in every language of the index, the mean."""
    made = index.manifest.get("notes", {}).get("encoder")
    if made is not None and made != _encoder().digest:
        raise IndexFault(f"{index.path}: its vectors come from another encoder ({made}); build the index again")
    langs = [query.lang] if query.lang else index.languages
    if not langs or not query.text.strip():
        return np.zeros(index.column("meaning").shape[1], np.float32)
    total = sum(_encoded(template.format(query.text), lang) for lang in langs)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-9), dtype=np.float32)


def word_vector(text: str, lang: str, index: Index) -> Array:
    """Give the vector of a topic in the space of the index's word vectors, which is the English encoder's."""
    from rimshot.lexicon.translate import topic_in_english

    english = topic_in_english(text, lang)
    return _encoded(english, "en") if english.strip() else np.zeros(index.column("meaning").shape[1], np.float32)


def cosines(vector: Array, index: Index) -> Array:
    """Give the cosine of a vector with those of all documents.

    A large collection's vectors are read as they are stored, which takes longer than holding a copy in single precision.
    """
    rows = index.column("meaning")
    if 4 * rows.size > _HELD:
        return products(rows, vector)

    def copy() -> Array:
        found = singles(rows)
        index.let_go()
        return found

    return products(index.memo("meaning", copy), vector)


@dataclass(frozen=True, repr=False)
class Dense(Stage):
    """The ``depth`` documents nearest in meaning; only those whose cosine is above ``above``."""

    depth: int = 1000
    above: float = -1.0

    needs: ClassVar[Shape] = Shape.QUERY

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise PipelineError(f"{self!r}: depth must be at least 1")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the nearest documents, exactly."""
        if not ranking.query.text.strip() or not index.size:
            return Ranking(ranking.query)
        docs = index.numbers()
        scores = cosines(query_vector(ranking.query, index), index)[docs]
        close = scores > self.above
        _, docs, scores = best(docs[close], scores[close], self.depth)
        return Ranking(ranking.query, docs, scores, {"meaning": scores})
