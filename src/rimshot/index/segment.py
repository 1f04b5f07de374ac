"""A segment: some documents with everything that is known of them, in one or more packs.

Later packs add arrays (a humour column, vectors) or replace them (document counts after a deletion); what a pack says is
never changed in place. Arrays are named ``KIND:NAME`` where one row belongs to one document (``doc:humour``).
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from rimshot.index.pack import Array, PackReader, PackWriter, Texts
from rimshot.index.postings import merge_postings
from rimshot.index.words import arrays_of, has_words, merged_words, read_words

__all__ = ["Segment", "id_hash", "merge_segments", "write_ids"]


def id_hash(doc_id: bytes) -> np.uint64:
    """Give eight bytes that stand for an identifier in sorted look-ups."""
    return np.uint64(int.from_bytes(blake2b(doc_id, digest_size=8).digest(), "little"))


def write_ids(pack: PackWriter, ids: Sequence[bytes]) -> None:
    """Write identifiers with their hashes in rising order, for look-ups and for finding repeated ones."""
    joined = b"".join(blake2b(doc_id, digest_size=8).digest() for doc_id in ids)
    hashes = np.frombuffer(joined, dtype="<u8")
    order = np.argsort(hashes, kind="stable").astype(np.int32)
    pack.add_texts("ids", ids)
    pack.add("ids.hashes", hashes[order])
    pack.add("ids.order", order)


class Segment:
    """Some documents of an index; document numbers here begin at 0."""

    def __init__(self, folder: Path, entry: dict[str, Any]) -> None:
        self.entry = entry
        self.size = int(entry["docs"])
        self.packs = [PackReader(folder, pack) for pack in entry["packs"]]
        self.where = {name: pack for pack in self.packs for name in pack.entry["arrays"]}
        self._arrays: dict[str, Array] = {}
        self.ids = self.texts("ids")
        self.bodies = self.texts("texts")
        deleted = self.array("deleted") if "deleted" in self.where else None
        self.live: Array | None = None if deleted is None else ~deleted

    def array(self, name: str) -> Array:
        """Give an array of this segment."""
        found = self._arrays.get(name)
        if found is None:
            found = self._arrays[name] = self.where[name].array(name)
        return found

    def texts(self, name: str) -> Texts:
        """Give a list of texts of this segment."""
        return Texts(self.array(f"{name}.bytes"), self.array(f"{name}.offsets"))

    def number(self, doc_id: str) -> int:
        """Give the number of a live document, or -1."""
        hashes, order, wanted = self.array("ids.hashes"), self.array("ids.order"), doc_id.encode()
        code = id_hash(wanted)
        for at in range(int(np.searchsorted(hashes, code)), self.size):
            if hashes[at] != code:
                break
            number = int(order[at])
            if self.ids.raw(number) == wanted and (self.live is None or self.live[number]):
                return number
        return -1

    @property
    def fields(self) -> list[str]:
        """Names of the postings that are here."""
        return [name.removesuffix(".pointers") for name in self.where if name.endswith(".pointers")]

    @property
    def columns(self) -> list[str]:
        """Names of arrays with a row a document."""
        return [name for name in self.where if name.startswith("doc:")]

    @property
    def records(self) -> list[str]:
        """Names of lists with a JSON text a document."""
        return [
            name.removesuffix(".offsets")
            for name in self.where
            if name.startswith("record:") and name.endswith(".offsets")
        ]


def merge_segments(segments: Sequence[Segment], pack: PackWriter) -> int:
    """Write adjacent segments as one, without their deleted documents; gives the number of documents kept.

    What only some of them have (a column that was never filled for the newer ones) is left out, to be worked out again.
    """
    kept = [np.ones(s.size, dtype=bool) if s.live is None else s.live for s in segments]

    def common(names: str) -> list[str]:
        return sorted(set.intersection(*(set(getattr(segment, names)) for segment in segments)))

    def rows(texts: str) -> list[bytes]:
        return [
            segment.texts(texts).raw(int(at))
            for segment, keep in zip(segments, kept, strict=True)
            for at in np.flatnonzero(keep)
        ]

    ids = rows("ids")
    pack.add_texts("texts", rows("texts"))
    write_ids(pack, ids)
    for name in common("fields"):
        merge_postings(name, segments, kept, pack)
    for name in common("columns"):
        pack.add(name, np.concatenate([s.array(name)[keep] for s, keep in zip(segments, kept, strict=True)]))
    for name in common("records"):
        pack.add_texts(name, rows(name))
    if all(has_words(segment) for segment in segments):
        arrays, lists = arrays_of(merged_words([read_words(segment) for segment in segments], kept))
        for name, array in arrays.items():
            pack.add(name, array)
        for name, texts in lists.items():
            pack.add_texts(name, texts)
    return len(ids)
