"""The documents that may be jokes, laid out so that asking all of them about a topic takes a few milliseconds.

Everything here is the same for every query and is worked out once for an opened index: which documents they are, their
sentence vectors, their words with vectors, and what each term of theirs gives BM25. All arrays have a place for each
candidate, not for each document, so what can never be shown costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from rimshot.errors import IndexFault
from rimshot.index.pack import Array
from rimshot.index.postings import Field
from rimshot.index.reader import Index
from rimshot.index.words import has_words, own_words, read_words
from rimshot.rank.bm25 import Bm25, bm25_idf
from rimshot.rank.products import products, singles

__all__ = ["Candidates", "Impacts", "Words", "candidates", "impacts"]


@dataclass(frozen=True, eq=False)
class Words:
    """The distinct words of each segment's candidates, and which candidate has which.

    ``members`` are the words of the candidates ``filled`` (those with any), one after another from ``starts``;
    ``holders`` are the candidates of each word, one word after another from ``pointers``.
    """

    vectors: Array
    weights: Array
    norms: Array
    members: Array
    filled: Array
    starts: Array
    holders: Array
    pointers: Array

    def cosines(self, vector: Array) -> Array:
        """Give the cosine of every word with a vector."""
        return products(self.vectors, vector)

    def totals(self, values: Array) -> Array:
        """Give each candidate the sum of its words' values."""
        return self._each(np.add, values)

    def greatest(self, values: Array) -> Array:
        """Give each candidate the greatest of its words' values, 0 to one without words."""
        return self._each(np.maximum, values)

    def greatest_positive(self, values: Array) -> Array:
        """Give the same where no value is negative, quickly when most are 0."""
        some = np.flatnonzero(values)
        some = some[np.argsort(values[some], kind="stable")]
        first, counts = self.pointers[some], self.pointers[some + 1] - self.pointers[some]
        if 3 * int(counts.sum()) > len(self.members):
            return self.greatest(values)
        places = np.repeat(first - np.cumsum(counts) + counts, counts) + np.arange(int(counts.sum()))
        found = np.zeros(len(self.norms), np.float32)
        # Values rise, and of several written to one place the last stays.
        found[self.holders[places]] = np.repeat(values[some], counts)
        return found

    def _each(self, operation: np.ufunc, values: Array) -> Array:
        found = np.zeros(len(self.norms), np.float32)
        if len(self.starts):
            found[self.filled] = operation.reduceat(values.take(self.members), self.starts)
        return found


@dataclass(frozen=True, eq=False)
class Candidates:
    """The live documents that may be jokes, rising, with their P(humour), their sentence vectors and their words.

    ``rows`` gives for every document number its place among them, or -1. The vector of a text that was read in English too is
    the mean of both readings.
    """

    docs: Array
    rows: Array
    humour: Array
    vectors: Array
    words: Words

    def spread(self, docs: Array, scores: Array) -> Array:
        """Give each candidate its score among those of some documents, 0 where it has none."""
        found = np.zeros(len(self.docs), np.float32)
        rows = self.rows[docs]
        known = rows >= 0
        found[rows[known]] = scores[known]
        return found


def candidates(index: Index, english: bool = True) -> Candidates:
    """Give the documents worth looking at; the same for every query, so worked out once.

    Without ``english`` they are as if none had been read in English too.
    """
    return index.memo(("candidates", english), lambda: _candidates(index, english))


def _candidates(index: Index, translated: bool) -> Candidates:
    docs, vectors, weights, norms, members, counts, before = [], [], [], [], [], [], 0
    read, english, placed = [], [], 0
    for segment, base in zip(index.segments, index.bases, strict=True):
        if not has_words(segment):
            raise IndexFault(f"{index.path} is not annotated; complete it: rimshot annotate {index.path}")
        table = read_words(segment)
        if not translated:
            table = own_words(table, segment.array("doc:lang"))
        keep = np.ones(len(table.docs), bool) if segment.live is None else segment.live[table.docs]
        lengths = np.diff(table.pointers)
        docs.append(table.docs[keep] + np.int32(base))
        vectors.append(singles(table.vectors))
        weights.append(table.weights)
        norms.append(table.norms[keep])
        members.append(table.members[np.repeat(keep, lengths)].astype(np.intp) + before)
        counts.append(lengths[keep])
        told = keep[table.read]
        read.append((np.cumsum(keep) - 1 + placed)[table.read[told]])
        if told.any():
            english.append(singles(table.english[told]))
        before, placed = before + len(table.weights), placed + int(keep.sum())
    joined = _join(docs, np.int32)
    rows = np.full(index.size, -1, np.int32)
    rows[joined] = np.arange(len(joined), dtype=np.int32)
    sizes, flat = _join(counts, np.int64), _join(members, np.intp)
    words = Words(
        _stack(vectors),
        _join(weights, np.float32),
        np.maximum(_join(norms, np.float32), np.float32(1e-6)),
        flat,
        np.flatnonzero(sizes),
        (np.cumsum(sizes) - sizes)[sizes > 0],
        *_turned(flat, sizes, before),
    )
    meaning = _in_both(singles(index.column("meaning")[joined]), _join(read, np.intp), english)
    index.let_go()
    return Candidates(joined, rows, index.column("humour")[joined].astype(np.float64), meaning, words)


def _in_both(vectors: Array, read: Array, english: list[Array]) -> Array:
    if english:
        vectors[read] += np.concatenate(english)
        vectors[read] /= np.maximum(np.linalg.norm(vectors[read], axis=1, keepdims=True), 1e-9)
    return vectors


def _join(parts: list[Array], dtype: type[np.generic]) -> Array:
    return np.concatenate(parts).astype(dtype, copy=False) if parts else np.empty(0, dtype)


def _stack(parts: list[Array]) -> Array:
    if len(parts) == 1:
        return parts[0]
    return np.concatenate(parts) if parts else np.empty((0, 0), np.float32)


def _turned(members: Array, sizes: Array, words: int) -> tuple[Array, Array]:
    """Give the candidates of each word, and where those of each begin."""
    holders = np.repeat(np.arange(len(sizes)), sizes)[np.argsort(members, kind="stable")]
    pointers = np.zeros(words + 1, np.intp)
    np.cumsum(np.bincount(members, minlength=words), out=pointers[1:])
    return holders, pointers


class Impacts:
    """What each term gives the BM25 score of each candidate that has it, but for the term's own weight."""

    def __init__(self, index: Index, field: Field, norm: Array, rows: Array, size: int) -> None:
        self.field, self.size = field, size
        self._parts = []
        for segment, base in zip(index.segments, index.bases, strict=True):
            docs = segment.array(f"{field.name}.docs")
            place = rows[base : base + segment.size][docs]
            kept = np.flatnonzero(place >= 0)
            counts = segment.array(f"{field.name}.tfs")[kept].astype(np.float32)
            shares = counts / (counts + norm[base : base + segment.size][docs[kept]])
            pointers = np.searchsorted(kept, segment.array(f"{field.name}.pointers"))
            self._parts.append((pointers, place[kept], shares))

    def scores(self, terms: Mapping[str, float]) -> Array:
        """Give each candidate its BM25 score for weighted terms."""
        total = np.zeros(self.size, np.float32)
        for term, weight in terms.items():
            gain = np.float32(bm25_idf(self.field.docs, self.field.df(term)))
            for (pointers, rows, shares), at in zip(self._parts, self.field.places(term), strict=True):
                if at >= 0:
                    span = slice(pointers[at], pointers[at + 1])
                    total[rows[span]] += shares[span] * gain * np.float32(weight)
        return total


def impacts(index: Index) -> Impacts:
    """Give the impacts of the words of the texts, under BM25's usual parameters."""

    def make() -> Impacts:
        found, field = candidates(index), index.field("text")
        return Impacts(index, field, Bm25().norms(index, field), found.rows, len(found.docs))

    return index.memo("impacts", make)
