"""The explanations stored in an index: made once, read by search, facets and export."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import IndexFault
from rimshot.index.reader import Index
from rimshot.index.segment import Segment
from rimshot.index.writer import write_index
from rimshot.wordplay.detector import Scores
from rimshot.wordplay.explain import THRESHOLD, explain_scored
from rimshot.wordplay.level import level
from rimshot.wordplay.warning import warnings_of

__all__ = ["RECORDS", "drop_partial", "explain_backwards", "explain_index", "puns_of", "record_of", "unexplained"]

RECORDS = "pun"
_PARTIAL = "partial-puns"
_CHUNK = 512
_FLOOR = 0.02
"""The detector's probability below which a document of a collection is not looked at."""


def record_of(text: str, lang: str, pun: Mapping[str, Any]) -> dict[str, Any]:
    """Give what an index stores of a joke: the explanation, the reader's level, the content warnings."""
    told = level(text, lang, pun)
    return {
        **pun,
        "lang": lang,
        "level": told.band,
        "level_reason": told.reason,
        "warnings": list(warnings_of(text, lang)),
    }


def explain_index(path: str | Path, threshold: float = THRESHOLD, progress: Callable[[int], None] | None = None) -> int:
    """Explain every joke of an annotated index that has no explanation yet; gives how many there were.

    Finished chunks are kept beside the index until all is stored, so an interrupted run goes on where it stopped.
    """
    folder = Path(path)
    partial = folder / _PARTIAL
    count = 0
    with write_index(folder) as writer:
        for at, segment in enumerate(writer.segments):
            if _is_explained(segment):
                continue
            if "doc:humour" not in segment.where:
                raise IndexFault(f"{folder} is not annotated; run first: rimshot annotate {folder}")
            partial.mkdir(exist_ok=True)
            rows = _explain_segment(segment, threshold, partial, progress, count)
            count += sum(bool(row) for row in rows)
            writer.attach(at, {}, {f"record:{RECORDS}": rows})
    drop_partial(folder)
    return count


def drop_partial(path: str | Path) -> None:
    """Remove the chunks that are kept beside an index until all is stored."""
    shutil.rmtree(Path(path) / _PARTIAL, ignore_errors=True)


def unexplained(index: Index, threshold: float = THRESHOLD) -> int:
    """Give how many texts of an annotated index are still to be looked at."""
    return sum(len(_funny(segment, threshold)) for segment in index.segments if not _is_explained(segment))


def explain_backwards(index: Index, threshold: float = THRESHOLD, wanted: Callable[[], bool] = lambda: True) -> None:
    """Explain what is still to be explained while that is wanted, last texts first, and keep each chunk beside the index.

    That is for a second process, while another goes about it from the beginning, or will; nothing is stored in the index.
    """
    partial = index.path / _PARTIAL
    partial.mkdir(exist_ok=True)
    for segment in reversed(index.segments):
        if not _is_explained(segment):
            for numbers in reversed(list(_chunks(segment, threshold))):
                if not wanted():
                    return
                _chunk(segment, numbers, threshold, partial)


def _is_explained(segment: Segment) -> bool:
    return f"record:{RECORDS}.offsets" in segment.where


def _funny(segment: Segment, threshold: float) -> NDArray[np.intp]:
    return np.flatnonzero(segment.array("doc:humour") >= _FLOOR) if threshold > 0 else np.arange(segment.size)


def _chunks(segment: Segment, threshold: float) -> Iterator[NDArray[np.intp]]:
    funny = _funny(segment, threshold)
    return (funny[begin : begin + _CHUNK] for begin in range(0, len(funny), _CHUNK))


def _explain_segment(
    segment: Segment, threshold: float, partial: Path, progress: Callable[[int], None] | None, before: int
) -> list[bytes]:
    rows = [b""] * segment.size
    done = before
    for numbers in _chunks(segment, threshold):
        for number, row in zip(numbers.tolist(), _chunk(segment, numbers, threshold, partial), strict=True):
            rows[number] = row
        done += len(numbers)
        if progress is not None:
            progress(done)
    return rows


_COLUMNS = ("humour", "pun_start", "pun_end", "pun_confidence")


def _vectors(segment: Segment, numbers: NDArray[np.intp]) -> NDArray[np.float32] | None:
    return np.asarray(segment.array("doc:meaning")[numbers], np.float32) if "doc:meaning" in segment.where else None


def _chunk(segment: Segment, numbers: NDArray[np.intp], threshold: float, partial: Path) -> list[bytes]:
    texts = [segment.bodies[number] for number in numbers.tolist()]
    langs = [LANGUAGES[number] for number in segment.array("doc:lang")[numbers].tolist()]
    humours, starts, ends, sure = (segment.array(f"doc:{name}")[numbers] for name in _COLUMNS)
    scores = Scores(humours, starts, ends, sure, _vectors(segment, numbers))
    name = hashlib.blake2b(digest_size=16)
    for text, start, end in zip(texts, scores.start.tolist(), scores.end.tolist(), strict=True):
        name.update(f"{start} {end} {threshold}\x1f{text}\x1e".encode("utf-8", "surrogatepass"))
    file = partial / f"{name.hexdigest()}.jsonl"
    if file.exists():
        return file.read_bytes().split(b"\n")[:-1]
    rows = []
    for text, lang, pun in zip(texts, langs, explain_scored(texts, langs, scores, threshold), strict=True):
        record = record_of(text, lang, pun.record()) if pun else None
        rows.append(json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode() if record else b"")
    half = file.with_suffix(f".{os.getpid()}.part")
    half.write_bytes(b"".join(row + b"\n" for row in rows))
    half.replace(file)
    return rows


def puns_of(index: Index) -> Mapping[int, Mapping[str, Any]]:
    """Give the explanations of an index by document number, live documents only; read once and kept."""
    return index.memo("puns", lambda: _puns_of(index))


def _puns_of(index: Index) -> dict[int, Mapping[str, Any]]:
    if not index.has_records(RECORDS):
        raise IndexFault(f"{index.path} has no explanations; make them: rimshot annotate {index.path}")
    found = {}
    for number in index.numbers().tolist():
        record = index.record(RECORDS, number)
        if record is not None:
            found[number] = record
    return found
