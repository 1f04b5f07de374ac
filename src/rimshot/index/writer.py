"""Building an index, and changing one: every change is one transaction.

Documents are added in segments of bounded size, so memory does not grow with the collection. Small segments are joined
as they accumulate (adjacent ones only, which keeps document order and hence the order of ties).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from rimshot.corpus.analyser import Analyser
from rimshot.corpus.document import LANGUAGES, Doc
from rimshot.errors import IndexFault, InputError
from rimshot.index.manifest import (
    FORMAT,
    VERSION,
    Manifest,
    exists,
    explain_os_error,
    locked,
    read_manifest,
    sweep,
    write_manifest,
)
from rimshot.index.pack import Array, PackWriter
from rimshot.index.postings import PostingsBuilder
from rimshot.index.segment import Segment, merge_segments, write_ids

__all__ = ["IndexWriter", "build_index", "write_index"]

SEGMENT_BYTES = 16 << 20
SMALL_SEGMENT = 40_000
MOST_SMALL = 8
_MODULUS = 1 << 128


def _code(doc: Doc) -> int:
    data = f"{doc.id}\0{doc.lang}\0{doc.text}".encode()
    return int.from_bytes(blake2b(data, digest_size=16).digest(), "little")


class IndexWriter:
    """Changes to an index that take effect together when the ``with`` block of :func:`write_index` ends."""

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.folder, self.manifest = folder, manifest
        self.analysers = {lang: Analyser.parse(text) for lang, text in manifest["analysers"].items()}
        self.segments = [Segment(folder, entry) for entry in manifest["segments"]]
        self.languages: Counter[str] = Counter(manifest["languages"])
        self.corpus = int(manifest["corpus_digest"], 16)
        self.serial = int(manifest["serial"])
        self.open_packs: list[PackWriter] = []

    def _pack(self) -> PackWriter:
        self.serial += 1
        pack = PackWriter(self.folder / f"{self.serial:06d}.pack")
        self.open_packs.append(pack)
        return pack

    def _segment(self, pack: PackWriter, size: int) -> Segment:
        entry = {"docs": size, "packs": [pack.close()]}
        self.open_packs.remove(pack)
        return Segment(self.folder, entry)

    def add(self, docs: Iterable[Doc], progress: Callable[[int], None] | None = None) -> int:
        """Append documents; gives how many. Their identifiers must be new.

        ``progress`` is told now and then how many have been read.
        """
        batch, size, count = _Batch(self.analysers), 0, 0
        for doc in docs:
            size += batch.add(doc)
            self.languages[doc.lang] += 1
            self.corpus = (self.corpus + _code(doc)) % _MODULUS
            count += 1
            if progress and not count % 1000:
                progress(count)
            if size >= SEGMENT_BYTES:
                self._flush(batch)
                batch, size = _Batch(self.analysers), 0
        if batch.ids:
            self._flush(batch)
        self.manifest["integer_ids"] = bool(self.manifest["integer_ids"] and getattr(docs, "integer_ids", False))
        return count

    def _flush(self, batch: _Batch) -> None:
        pack = self._pack()
        batch.write(pack)
        segment = self._segment(pack, len(batch.ids))
        _refuse_repeated(segment, self.segments)
        self.segments.append(segment)

    def delete(self, ids: Iterable[str]) -> int:
        """Remove documents by identifier; gives how many. All of them must be there."""
        wanted = list(dict.fromkeys(ids))
        doomed: dict[int, list[int]] = {}
        for doc_id in wanted:
            for at, segment in enumerate(self.segments):
                number = segment.number(doc_id)
                if number >= 0:
                    doomed.setdefault(at, []).append(number)
                    break
            else:
                raise InputError(f'no document has the id "{doc_id}"; nothing was deleted')
        for at, numbers in doomed.items():
            segment = self.segments[at]
            dead = np.zeros(segment.size, dtype=bool) if segment.live is None else ~segment.live
            for number in numbers:
                doc = Doc(
                    segment.ids[number], segment.bodies[number], LANGUAGES[int(segment.array("doc:lang")[number])]
                )
                self.languages[doc.lang] -= 1
                self.corpus = (self.corpus - _code(doc)) % _MODULUS
            dead[numbers] = True
            self.attach(at, {"deleted": dead, **_live_counts(segment, ~dead)})
        return len(wanted)

    def attach(self, at: int, arrays: Mapping[str, Array], texts: Mapping[str, Iterable[bytes]] | None = None) -> None:
        """Add named arrays and lists of texts to one segment."""
        pack = self._pack()
        for name, array in arrays.items():
            pack.add(name, array)
        for name, rows in (texts or {}).items():
            pack.add_texts(name, rows)
        self.segments[at] = self._extended(self.segments[at].entry, pack)

    def set_column(self, name: str, values: Array) -> None:
        """Give every document number (deleted ones too) a number or a vector under a name."""
        for at, part in self._split(values):
            self.attach(at, {f"doc:{name}": np.asarray(part)})

    set_vectors = set_column

    def set_records(self, name: str, records: Sequence[Mapping[str, Any] | None]) -> None:
        """Give every document number a JSON record, or None, under a name."""
        for at, part in self._split(records):
            rows = [json.dumps(r, ensure_ascii=False, separators=(",", ":")).encode() if r else b"" for r in part]
            self.attach(at, {}, {f"record:{name}": rows})

    def set_field(self, name: str, texts: Sequence[str]) -> None:
        """Give every document number a further text, searchable as a field of its own."""
        for at, part in self._split(texts):
            self.attach_field(at, name, part)

    def attach_field(self, at: int, name: str, texts: Sequence[str]) -> None:
        """Give every document of one segment a further text."""
        builder = PostingsBuilder(name, self.analysers)
        for text, lang in zip(texts, self.segments[at].array("doc:lang"), strict=True):
            builder.add(text, LANGUAGES[int(lang)])
        pack = self._pack()
        builder.write(pack)
        entry = self.segments[at].entry
        self.segments[at] = self._extended(entry, pack)
        live = self.segments[at].live
        if live is not None:
            self.attach(at, _live_counts(self.segments[at], live))

    def _extended(self, entry: dict[str, Any], pack: PackWriter) -> Segment:
        fresh = {**entry, "packs": [*entry["packs"], pack.close()]}
        self.open_packs.remove(pack)
        return Segment(self.folder, fresh)

    def _split(self, values: Any) -> Iterator[tuple[int, Any]]:
        size = sum(segment.size for segment in self.segments)
        if len(values) != size:
            raise InputError(f"{len(values)} rows for {size} documents; give one row for each document number")
        base = 0
        for at, segment in enumerate(self.segments):
            yield at, values[base : base + segment.size]
            base += segment.size

    def note(self, name: str, value: Any) -> None:
        """Record a fact in the manifest (which model filled a column, say)."""
        self.manifest["notes"] = {**self.manifest.get("notes", {}), name: value}

    def _tidy(self) -> None:
        """Join small neighbours while there are many; drop what is empty or mostly deleted."""
        for at in range(len(self.segments) - 1, -1, -1):
            live = self.segments[at].live
            if live is not None and not live.any():
                del self.segments[at]
            elif live is not None and live.mean() < 0.5:
                self._merge(at, at + 1)
        while True:
            small = [segment.size < SMALL_SEGMENT for segment in self.segments]
            pairs = [at for at in range(len(small) - 1) if small[at] and small[at + 1] and self._alike(at)]
            if sum(small) <= MOST_SMALL or not pairs:
                return
            best = min(pairs, key=lambda at: self.segments[at].size + self.segments[at + 1].size)
            self._merge(best, best + 2)

    def _alike(self, at: int) -> bool:
        """Tell whether two neighbours have been annotated alike, so that joining them loses nothing."""
        first, second = (
            {name.split(".")[0] for name in segment.where} - {"deleted"} for segment in self.segments[at : at + 2]
        )
        return first == second

    def _merge(self, start: int, stop: int) -> None:
        pack = self._pack()
        size = merge_segments(self.segments[start:stop], pack)
        self.segments[start:stop] = [self._segment(pack, size)]

    def commit(self) -> None:
        """Put the new version in place."""
        self._tidy()
        self.manifest = {
            **self.manifest,
            "generation": self.manifest["generation"] + 1,
            "serial": self.serial,
            "corpus_digest": f"{self.corpus:032x}",
            "languages": {lang: count for lang, count in sorted(self.languages.items()) if count},
            "segments": [segment.entry for segment in self.segments],
        }
        write_manifest(self.folder, self.manifest)

    def abandon(self) -> None:
        """Forget everything since the block began."""
        for pack in self.open_packs:
            pack.abandon()


class _Batch:
    """Documents on their way into one segment."""

    def __init__(self, analysers: dict[str, Analyser]) -> None:
        self.ids: list[bytes] = []
        self.texts: list[bytes] = []
        self.langs: list[int] = []
        self.postings = PostingsBuilder("text", analysers)

    def add(self, doc: Doc) -> int:
        text = doc.text.encode()
        self.ids.append(doc.id.encode())
        self.texts.append(text)
        self.langs.append(LANGUAGES.index(doc.lang))
        self.postings.add(doc.text, doc.lang)
        return len(text)

    def write(self, pack: PackWriter) -> None:
        pack.add_texts("texts", self.texts)
        write_ids(pack, self.ids)
        pack.add("doc:lang", np.array(self.langs, dtype=np.uint8))
        self.postings.write(pack)


def _refuse_repeated(fresh: Segment, older: Sequence[Segment]) -> None:
    hashes = fresh.array("ids.hashes")
    suspects = set(np.flatnonzero(hashes[1:] == hashes[:-1]).tolist())
    for segment in older:
        known = segment.array("ids.hashes")
        at = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
        suspects.update(np.flatnonzero(known[at] == hashes).tolist())
    order = fresh.array("ids.order")
    for suspect in suspects:
        number = int(order[suspect])
        doc_id = fresh.ids[number]
        here = sum(fresh.ids[int(order[at])] == doc_id for at in (suspect, suspect + 1) if at < fresh.size)
        if here > 1 or any(segment.number(doc_id) >= 0 for segment in older):
            raise InputError(
                f'the id "{doc_id}" is in the index already; make ids unique or delete the old document first'
            )


def _live_counts(segment: Segment, live: Array) -> dict[str, Array]:
    counts: dict[str, Array] = {}
    for name in segment.fields:
        pointers, docs = segment.array(f"{name}.pointers"), segment.array(f"{name}.docs")
        of_term = np.repeat(np.arange(len(pointers) - 1), np.diff(pointers))
        alive = live[docs]
        size = len(pointers) - 1
        tfs = segment.array(f"{name}.tfs")[alive]
        counts[f"{name}.df"] = np.bincount(of_term[alive], minlength=size).astype(np.int32)
        counts[f"{name}.cf"] = np.bincount(of_term[alive], weights=tfs, minlength=size).astype(np.int64)
    return counts


def _empty_manifest(analysers: Mapping[str, Analyser]) -> Manifest:
    return {
        "format": FORMAT,
        "version": VERSION,
        "generation": 0,
        "serial": 0,
        "analysers": {lang: repr(analyser) for lang, analyser in analysers.items()},
        "integer_ids": True,
        "corpus_digest": f"{0:032x}",
        "languages": {},
        "notes": {},
        "segments": [],
    }


@contextmanager
def write_index(path: str | Path, *, create: Mapping[str, Analyser] | None = None) -> Iterator[IndexWriter]:
    """Change an index: what is done in the block takes effect at its end, together, or (on an error) not at all.

    ``create`` makes a new index with these analysers; its folder must be empty or absent.
    """
    folder = Path(path)
    made = False
    try:
        if create is not None:
            if folder.is_file():
                raise IndexFault(f"{folder} is a file; name a folder for the index")
            made = not folder.exists()
            folder.mkdir(parents=True, exist_ok=True)
            if exists(folder):
                raise IndexFault(f"{folder} holds an index already; add to it with --append, or name another folder")
            strange = [p.name for p in folder.iterdir() if p.name != "lock" and not p.name.endswith((".pack", ".new"))]
            if strange:
                raise IndexFault(f"{folder} is not empty ({strange[0]}); name another folder for the index")
        elif not exists(folder):
            read_manifest(folder)
        with locked(folder):
            manifest = _empty_manifest(create) if create is not None else read_manifest(folder)
            sweep(folder, manifest)
            writer = IndexWriter(folder, manifest)
            try:
                yield writer
                writer.commit()
            except BaseException:
                writer.abandon()
                sweep(folder, manifest)
                raise
            sweep(folder, writer.manifest)
    except OSError as fault:
        raise explain_os_error(fault, folder) from fault
    finally:
        if made and not exists(folder):
            for leftover in folder.glob("lock"):
                leftover.unlink()
            if not any(folder.iterdir()):
                folder.rmdir()


def build_index(
    docs: Iterable[Doc],
    path: str | Path,
    *,
    analysers: Mapping[str, Analyser] | None = None,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Build a new index of documents at a path.

    ``docs`` may be a :class:`rimshot.corpus.DocReader`, whose integer identifiers are remembered as such.
    """
    create = analysers if analysers is not None else {lang: Analyser(lang) for lang in LANGUAGES}
    with write_index(path, create=create) as writer:
        writer.add(docs, progress)
