"""The words of the texts worth asking, each with its meaning as a vector.

A query for "lawyers" should find the joke that says *attorney*. For the documents that may be funny, a segment keeps their
distinct words, a vector for each, and which document has which; asking is then one product with the query's vector and a
maximum over each document's words (late interaction over words: Khattab and Zaharia, SIGIR 2020, use tokens in context).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.index.pack import Array, Texts

if TYPE_CHECKING:
    from rimshot.index.segment import Segment

__all__ = ["WordTable", "arrays_of", "has_words", "merged_words", "own_words", "read_words"]

NAME = "words"


@dataclass(frozen=True, eq=False)
class WordTable:
    """Distinct words as ``lang word``, a weight and a vector for each, and the words of each document as word numbers.

    ``norms`` are the lengths of the weighted sums of each document's word vectors. ``read`` are the places, among ``docs``, of
    those that were read in English too, and ``english`` the vectors of their translations.
    """

    words: Sequence[str]
    weights: Array
    vectors: Array
    docs: Array
    pointers: Array
    members: Array
    norms: Array
    read: Array
    english: Array


def arrays_of(table: WordTable) -> tuple[dict[str, Array], dict[str, list[bytes]]]:
    """Give what a pack must hold of a table: arrays and lists of texts."""
    arrays = {
        f"{NAME}.weights": table.weights,
        f"{NAME}.vectors": table.vectors,
        f"{NAME}.docs": table.docs,
        f"{NAME}.starts": table.pointers,
        f"{NAME}.members": table.members,
        f"{NAME}.norms": table.norms,
        f"{NAME}.read": table.read,
        f"{NAME}.english": table.english,
    }
    return arrays, {f"{NAME}.list": [word.encode() for word in table.words]}


def read_words(segment: Segment) -> WordTable:
    """Give the table of a segment."""
    part = segment.array
    words: Texts = segment.texts(f"{NAME}.list")
    return WordTable(
        words,
        part(f"{NAME}.weights"),
        part(f"{NAME}.vectors"),
        part(f"{NAME}.docs"),
        part(f"{NAME}.starts"),
        part(f"{NAME}.members"),
        part(f"{NAME}.norms"),
        *_readings(segment),
    )


def _readings(segment: Segment) -> tuple[Array, Array]:
    """What was read in English; nothing in an index that is older than that."""
    if f"{NAME}.read" in segment.where:
        return segment.array(f"{NAME}.read"), segment.array(f"{NAME}.english")
    return np.empty(0, np.int32), np.empty((0, 0), np.float16)


def own_words(table: WordTable, langs: Array) -> WordTable:
    """Give the table as it were if no document had been read in English; ``langs`` are the segment's languages by number."""
    if not len(table.read):
        return table
    spoken = np.array([LANGUAGES.index(word[:2]) for word in table.words])
    holder = np.repeat(np.arange(len(table.docs)), np.diff(table.pointers))
    kept = spoken[table.members] == langs[table.docs][holder]
    members = table.members[kept]
    pointers = np.zeros(len(table.pointers), dtype=np.int64)
    np.cumsum(np.bincount(holder[kept], minlength=len(table.docs)), out=pointers[1:])
    norms = np.array(table.norms)
    for at in table.read.tolist():
        mine = members[pointers[at] : pointers[at + 1]]
        norms[at] = np.linalg.norm(table.weights[mine] @ table.vectors[mine].astype(np.float32))
    read, english = table.read[:0], table.english[:0]
    return replace(table, pointers=pointers, members=members, norms=norms, read=read, english=english)


def has_words(segment: Segment) -> bool:
    """Tell whether a segment has its table."""
    return f"{NAME}.norms" in segment.where


def merged_words(tables: Sequence[WordTable], kept: Sequence[Array]) -> WordTable:
    """Give one table for several segments joined, without the documents that are not ``kept``."""
    words = sorted({word for table in tables for word in table.words})
    number_of = {word: number for number, word in enumerate(words)}
    dim = tables[0].vectors.shape[1]
    vectors, weights = np.zeros((len(words), dim), np.float16), np.zeros(len(words), np.float32)
    docs, members, counts, norms, base = [], [], [], [], 0
    read, english, before = [], [], 0
    for table, keep in zip(tables, kept, strict=True):
        rank = np.array([number_of[word] for word in table.words], dtype=np.int32)
        vectors[rank], weights[rank] = table.vectors, table.weights
        place = np.cumsum(keep) - 1 + base
        lengths = np.diff(table.pointers)
        alive = keep[table.docs]
        docs.append(place[table.docs[alive]])
        counts.append(lengths[alive])
        norms.append(table.norms[alive])
        members.append(rank[table.members[np.repeat(alive, lengths)]] if len(rank) else table.members)
        told = alive[table.read]
        read.append((np.cumsum(alive) - 1 + before)[table.read[told]])
        english.append(table.english[told] if len(table.read) else np.empty((0, dim), np.float16))
        base, before = base + int(keep.sum()), before + int(alive.sum())
    sizes = np.concatenate(counts)
    pointers = np.zeros(len(sizes) + 1, dtype=np.int64)
    np.cumsum(sizes, out=pointers[1:])
    return WordTable(
        words,
        weights,
        vectors,
        np.concatenate(docs).astype(np.int32),
        pointers,
        np.concatenate(members),
        np.concatenate(norms),
        np.concatenate(read).astype(np.int32),
        np.concatenate(english),
    )
