"""Postings: for each term, the documents that contain it and how often.

One structure serves BM25, TF-IDF, query likelihood and RM3: document numbers, term frequencies, document lengths and
collection counts are stored as they are, and every formula and parameter is applied when a query is asked.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rimshot.corpus.analyser import Analyser
from rimshot.index.pack import Array, PackWriter

if TYPE_CHECKING:
    from rimshot.index.segment import Segment

__all__ = ["Field", "PostingsBuilder", "merge_postings", "narrow"]

_MOST_KNOWN = 50_000
"""Terms whose places are remembered; queries of strangers must not fill the memory."""

NOTHING = (np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32))


def narrow(values: Array) -> Array:
    """Store counts in the fewest bytes that hold them."""
    most = int(values.max(initial=0))
    return values.astype(np.uint8 if most < 256 else np.uint16 if most < 65536 else np.uint32)


class _TermNumbers(dict[str, int]):
    """Raw word -> term number, worked out once for each distinct word."""

    def __init__(self, analyser: Analyser, vocabulary: dict[str, int]) -> None:
        super().__init__()
        self.analyser, self.vocabulary = analyser, vocabulary

    def __missing__(self, word: str) -> int:
        term = self.analyser.term(word)
        number = self.vocabulary.setdefault(term, len(self.vocabulary)) if term else -1
        self[word] = number
        return number


class PostingsBuilder:
    """Collects the terms of documents, in document order, and writes them as postings."""

    def __init__(self, name: str, analysers: dict[str, Analyser]) -> None:
        self.name = name
        self.vocabulary: dict[str, int] = {}
        self.numbers = {lang: _TermNumbers(analyser, self.vocabulary) for lang, analyser in analysers.items()}
        self.tokens = array("i")
        self.counts = array("i")

    def add(self, text: str, lang: str) -> None:
        """Add the next document."""
        found = list(map(self.numbers[lang].__getitem__, Analyser.split(text)))
        self.tokens.extend(found)
        self.counts.append(len(found))

    def write(self, pack: PackWriter) -> None:
        """Write sorted terms, postings, lengths and counts."""
        counts = np.frombuffer(self.counts, dtype=np.int32)
        tokens = np.frombuffer(self.tokens, dtype=np.int32)
        docs = np.repeat(np.arange(len(counts), dtype=np.int64), counts)
        kept = tokens >= 0
        tokens, docs = tokens[kept], docs[kept]
        lengths = np.bincount(docs, minlength=len(counts))
        terms = sorted(self.vocabulary, key=str.encode)
        rank = np.empty(len(terms), dtype=np.int64)
        rank[[self.vocabulary[term] for term in terms]] = np.arange(len(terms))
        width = max(len(counts), 1)
        keys, frequencies = np.unique(rank[tokens] * width + docs, return_counts=True)
        _write(
            pack, self.name, (t.encode() for t in terms), len(terms), keys // width, keys % width, frequencies, lengths
        )


def _write(
    pack: PackWriter,
    name: str,
    terms: Iterable[bytes],
    size: int,
    of_term: Array,
    docs: Array,
    frequencies: Array,
    lengths: Array,
) -> None:
    df = np.bincount(of_term, minlength=size)
    pointers = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(df, out=pointers[1:])
    pack.add_texts(f"{name}.terms", terms)
    pack.add(f"{name}.pointers", pointers)
    pack.add(f"{name}.docs", docs.astype(np.int32))
    pack.add(f"{name}.tfs", narrow(frequencies))
    pack.add(f"{name}.lengths", narrow(lengths))
    pack.add(f"{name}.df", df.astype(np.int32))
    pack.add(f"{name}.cf", np.bincount(of_term, weights=frequencies, minlength=size).astype(np.int64))


def merge_postings(name: str, segments: Sequence[Segment], kept: Sequence[Array], pack: PackWriter) -> None:
    """Write the postings of several segments as one, leaving out documents that are not ``kept`` (boolean arrays)."""
    lists = [segment.texts(f"{name}.terms") for segment in segments]
    raw = [[terms.raw(at) for at in range(len(terms))] for terms in lists]
    union = sorted(set().union(*raw))
    number = {term: at for at, term in enumerate(union)}
    base = 0
    all_terms, all_docs, all_tfs, all_lengths = [], [], [], []
    for segment, terms, keep in zip(segments, raw, kept, strict=True):
        place = np.cumsum(keep) - 1 + base
        rank = np.array([number[term] for term in terms], dtype=np.int64)
        of_term = np.repeat(rank, np.diff(segment.array(f"{name}.pointers")))
        docs = segment.array(f"{name}.docs")
        live = keep[docs]
        all_terms.append(of_term[live])
        all_docs.append(place[docs[live]])
        all_tfs.append(segment.array(f"{name}.tfs")[live].astype(np.int64))
        all_lengths.append(segment.array(f"{name}.lengths")[keep].astype(np.int64))
        base += int(keep.sum())
    of_term, docs = np.concatenate(all_terms), np.concatenate(all_docs)
    tfs, lengths = np.concatenate(all_tfs), np.concatenate(all_lengths)
    order = np.argsort(of_term, kind="stable")
    used, of_term = np.unique(of_term[order], return_inverse=True)
    _write(pack, name, (union[at] for at in used), len(used), of_term, docs[order], tfs[order], lengths)


class _Segments(Protocol):
    segments: list[Segment]
    bases: list[int]
    size: int
    live: Array | None


class Field:
    """The postings of a whole index under one name, with exact statistics over its live documents."""

    def __init__(self, index: _Segments, name: str) -> None:
        self.name, self._index = name, index
        self._terms = [segment.texts(f"{name}.terms") for segment in index.segments]
        self._known: dict[str, list[int]] = {}
        parts = [segment.array(f"{name}.lengths").astype(np.float32) for segment in index.segments]
        self.lengths: Array = np.concatenate(parts) if parts else np.empty(0, np.float32)
        if index.live is not None:
            self.lengths[~index.live] = 0
        self.docs = index.size if index.live is None else int(index.live.sum())
        self.total = int(self.lengths.sum(dtype=np.float64))

    @property
    def average(self) -> float:
        """Mean length of a live document in terms, at least 1."""
        return max(self.total / self.docs, 1.0) if self.docs else 1.0

    def places(self, term: str) -> list[int]:
        """Give the number of a term in each segment, -1 where it has none."""
        found = self._known.get(term)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            key = term.encode()
            found = self._known[term] = [terms.find(key) for terms in self._terms]
        return found

    def df(self, term: str) -> int:
        """Number of live documents that contain a term."""
        return self._count(term, "df")

    def cf(self, term: str) -> int:
        """Number of times a term occurs in live documents."""
        return self._count(term, "cf")

    def _count(self, term: str, what: str) -> int:
        pairs = zip(self._index.segments, self.places(term), strict=True)
        return sum(int(segment.array(f"{self.name}.{what}")[at]) for segment, at in pairs if at >= 0)

    def postings(self, term: str) -> tuple[Array, Array]:
        """Give the live documents that contain a term, rising, and the term's frequency in each."""
        parts = []
        for segment, base, at in zip(self._index.segments, self._index.bases, self.places(term), strict=True):
            if at < 0:
                continue
            pointers = segment.array(f"{self.name}.pointers")
            span = slice(int(pointers[at]), int(pointers[at + 1]))
            docs = segment.array(f"{self.name}.docs")[span]
            parts.append((docs + np.int32(base) if base else docs, segment.array(f"{self.name}.tfs")[span]))
        if not parts:
            return NOTHING
        if len(parts) == 1:
            docs, tfs = parts[0]
        else:
            docs, tfs = (np.concatenate(column) for column in zip(*parts, strict=True))
        if self._index.live is not None:
            alive = self._index.live[docs]
            docs, tfs = docs[alive], tfs[alive]
        return docs, tfs
