"""An opened index: read-only, memory-mapped, one consistent version however long it stays open."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import numpy as np

from rimshot.corpus.analyser import Analyser
from rimshot.corpus.document import LANGUAGES, Doc
from rimshot.corpus.query import Query
from rimshot.errors import IndexFault, did_you_mean
from rimshot.index.manifest import Manifest, read_manifest
from rimshot.index.pack import Array
from rimshot.index.postings import Field
from rimshot.index.segment import Segment

__all__ = ["Index", "open_index"]

T = TypeVar("T")
_MINOR_LANGUAGE = 0.05
OWN = frozenset(
    "humour pun_start pun_end pun_confidence meaning family family_lead punch joke hinge hinge_share".split()
)
"""Columns that `rimshot annotate` fills by itself."""

AUGMENTED = {"flagged", "explained"}
"""Columns that `rimshot augment` fills."""

_MISSING: Any = object()
_MOST_OF_A_KIND = 32
_MOST = {"telling": 20_000}
"""How many things of one kind an index remembers; a telling is what is small, and wanted of every document."""


class Index:
    """A collection that can be searched: texts, postings, vectors and number columns by document number.

    Document numbers run from 0 to ``size - 1`` in the order in which documents were added; a deleted one keeps its number
    until its segment is written anew, and is found by nothing.
    """

    def __init__(self, path: Path, manifest: Manifest) -> None:
        self.path, self.manifest = path, manifest
        self.segments = [Segment(path, entry) for entry in manifest["segments"]]
        self.bases = [0]
        for segment in self.segments:
            self.bases.append(self.bases[-1] + segment.size)
        self.size = self.bases.pop()
        self.live: Array | None = None
        if any(segment.live is not None for segment in self.segments):
            parts = [np.ones(s.size, dtype=bool) if s.live is None else s.live for s in self.segments]
            self.live = np.concatenate(parts)
        self.analysers = {lang: Analyser.parse(text) for lang, text in manifest["analysers"].items()}
        self.integer_ids = bool(manifest["integer_ids"])
        self._memo: dict[str, dict[Any, Any]] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return self.size if self.live is None else int(self.live.sum())

    def __repr__(self) -> str:
        return f"Index({str(self.path)!r}, {len(self)} documents)"

    @property
    def digest(self) -> str:
        """Name the collection by its content: the same texts give the same digest, however they were added."""
        return str(self.manifest["corpus_digest"])

    def memo(self, key: Any, make: Callable[[], T]) -> T:
        """Give what was made under this key for this version of the index, making it the first time.

        The first part of a key says what kind of thing it is. Of a kind only what was used last is kept, since a key may
        come from a stranger's pipeline (each pair of BM25's parameters makes an array) and there is no end of those.
        """
        kind = key[0] if isinstance(key, tuple) else key
        most = _MOST.get(kind, _MOST_OF_A_KIND)
        kept = self._memo.get(kind, {})
        found: T = kept.get(key, _MISSING)
        if found is not _MISSING:
            if 2 * len(kept) > most:
                with self._lock:
                    kept[key] = kept.pop(key, found)
            return found
        found = make()
        with self._lock:
            kept = self._memo.setdefault(kind, {})
            kept[key] = found
            while len(kept) > most:
                del kept[next(iter(kept))]
        return found

    def _locate(self, number: int) -> tuple[Segment, int]:
        if not 0 <= number < self.size:
            raise IndexError(f"document number {number} of {self.size}")
        at = bisect_right(self.bases, number) - 1
        return self.segments[at], number - self.bases[at]

    def text(self, number: int) -> str:
        """Give the text of a document."""
        segment, at = self._locate(number)
        return str(segment.bodies[at])

    def id(self, number: int) -> str:
        """Give the identifier of a document."""
        segment, at = self._locate(number)
        return str(segment.ids[at])

    def lang(self, number: int) -> str:
        """Give the language of a document."""
        segment, at = self._locate(number)
        return LANGUAGES[int(segment.array("doc:lang")[at])]

    def doc(self, number: int) -> Doc:
        """Give a document."""
        segment, at = self._locate(number)
        return Doc(segment.ids[at], segment.bodies[at], LANGUAGES[int(segment.array("doc:lang")[at])])

    def number(self, doc_id: str) -> int:
        """Give the number of a document by its identifier, or -1."""
        for segment, base in zip(self.segments, self.bases, strict=True):
            at = segment.number(doc_id)
            if at >= 0:
                return base + at
        return -1

    def numbers(self) -> Array:
        """Give the numbers of all live documents."""
        return np.arange(self.size, dtype=np.int32) if self.live is None else np.flatnonzero(self.live).astype(np.int32)

    def __iter__(self) -> Iterator[Doc]:
        return (self.doc(int(number)) for number in self.numbers())

    def field(self, name: str = "text") -> Field:
        """Give the postings under a name."""
        if not all(f"{name}.pointers" in segment.where for segment in self.segments):
            raise IndexFault(f'{self.path}: no field "{name}"; complete the index: rimshot annotate {self.path}')
        return self.memo(("field", name), lambda: Field(self, name))

    def has_field(self, name: str) -> bool:
        """Tell whether every document has postings under a name."""
        return all(f"{name}.pointers" in segment.where for segment in self.segments)

    def has_column(self, name: str) -> bool:
        """Tell whether every document has a row under a name."""
        return all(f"doc:{name}" in segment.where for segment in self.segments)

    def column(self, name: str) -> Array:
        """Give a number, or a vector, for every document number."""
        if not self.has_column(name):
            known = set.intersection(*(set(s.columns) for s in self.segments)) if self.segments else set()
            names = sorted(column.removeprefix("doc:") for column in known)
            raise IndexFault(
                f'{self.path}: no column "{name}" for every document ({did_you_mean(name, names)}); '
                f"complete the index: {self._cure(name)}"
            )
        return self.memo(("column", name), lambda: self._join(f"doc:{name}"))

    vectors = column

    def _cure(self, name: str) -> str:
        """Give the command that fills a column."""
        if name in AUGMENTED:
            return f"rimshot augment {self.path} --endpoint URL --model NAME"
        return f"rimshot annotate {self.path}" + ("" if name in OWN else f" --model MODEL --column {name}")

    def _join(self, name: str) -> Array:
        parts = [segment.array(name) for segment in self.segments]
        if len(parts) == 1:
            return parts[0]
        return np.concatenate(parts) if parts else np.empty(0, dtype=np.float32)

    def has_records(self, name: str) -> bool:
        """Tell whether every document has a record under a name."""
        return all(f"record:{name}.offsets" in segment.where for segment in self.segments)

    def record(self, name: str, number: int) -> Mapping[str, Any] | None:
        """Give what is recorded of a document under a name (its explanation, say), None when nothing is."""
        segment, at = self._locate(number)
        if f"record:{name}.offsets" not in segment.where:
            raise IndexFault(f'{self.path}: no records "{name}"; complete the index: rimshot annotate {self.path}')
        raw = self.memo(("record", name, id(segment)), lambda: segment.texts(f"record:{name}")).raw(at)
        return json.loads(raw) if raw else None

    @property
    def languages(self) -> Sequence[str]:
        """Languages that at least one document in twenty is written in, the commonest first."""
        counts: dict[str, int] = self.manifest["languages"]
        total = max(sum(counts.values()), 1)
        return [lang for lang in sorted(counts, key=lambda k: -counts[k]) if counts[lang] >= _MINOR_LANGUAGE * total]

    def query_terms(self, query: Query) -> dict[str, float]:
        """Give the weighted terms of a query: its own if a stage has set them, else those of its text."""
        if query.terms is not None:
            return dict(query.terms)
        langs = [query.lang] if query.lang else self.languages
        terms: dict[str, float] = {}
        for lang in langs:
            counts: dict[str, float] = {}
            for term in self.analysers[lang].terms(query.text):
                counts[term] = counts.get(term, 0.0) + 1.0
            for term, count in counts.items():
                terms[term] = max(terms.get(term, 0.0), count)
        return terms

    def let_go(self) -> None:
        """Give back the memory of what has been read through the maps and copied; what is wanted again is read again."""
        for segment in self.segments:
            for pack in segment.packs:
                pack.let_go()

    def verify(self) -> None:
        """Read everything and compare it with the digests in the manifest."""
        for segment in self.segments:
            for pack in segment.packs:
                pack.verify()


def open_index(path: str | Path) -> Index:
    """Open an index for reading, in milliseconds; a writer at work does not disturb it."""
    folder = Path(path)
    for _ in range(20):
        manifest = read_manifest(folder)
        try:
            return Index(folder, manifest)
        except FileNotFoundError as fault:
            if read_manifest(folder)["generation"] == manifest["generation"]:
                raise IndexFault(
                    f"{fault.filename}: missing; the index is damaged, build it again or restore it"
                ) from None
    raise IndexFault(f"{folder}: the index changes faster than it can be opened; try again")
