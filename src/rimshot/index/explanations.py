"""The explanations stored in an index: made once, read by search, facets and export."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import IndexFault
from rimshot.index.reader import Index
from rimshot.index.segment import Segment
from rimshot.index.writer import write_index
from rimshot.wordplay.detector import Scores
from rimshot.wordplay.explain import THRESHOLD, explain_scored
from rimshot.wordplay.level import level
from rimshot.wordplay.warning import warnings_of

__all__ = ["RECORDS", "explain_index", "puns_of", "record_of"]

RECORDS = "pun"
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
    partial = folder / "partial-puns"
    count = 0
    with write_index(folder) as writer:
        for at, segment in enumerate(writer.segments):
            if f"record:{RECORDS}.offsets" in segment.where:
                continue
            if "doc:humour" not in segment.where:
                raise IndexFault(f"{folder} is not annotated; run first: rimshot annotate {folder}")
            partial.mkdir(exist_ok=True)
            rows = _explain_segment(segment, threshold, partial, progress, count)
            count += sum(bool(row) for row in rows)
            writer.attach(at, {}, {f"record:{RECORDS}": rows})
    shutil.rmtree(partial, ignore_errors=True)
    return count


def _explain_segment(
    segment: Segment, threshold: float, partial: Path, progress: Callable[[int], None] | None, before: int
) -> list[bytes]:
    rows = [b""] * segment.size
    humour = segment.array("doc:humour")
    funny = np.flatnonzero(humour >= _FLOOR) if threshold > 0 else np.arange(segment.size)
    for begin in range(0, len(funny), _CHUNK):
        numbers = funny[begin : begin + _CHUNK]
        texts = [segment.bodies[int(number)] for number in numbers]
        langs = [LANGUAGES[int(number)] for number in segment.array("doc:lang")[numbers]]
        humours, starts, ends, sure = (segment.array(f"doc:{name}")[numbers] for name in _COLUMNS)
        scores = Scores(humours, starts, ends, sure, _vectors(segment, numbers))
        for number, row in zip(numbers.tolist(), _chunk(texts, langs, scores, threshold, partial), strict=True):
            rows[number] = row
        if progress is not None:
            progress(before + begin + len(numbers))
    return rows


_COLUMNS = ("humour", "pun_start", "pun_end", "pun_confidence")


def _vectors(segment: Segment, numbers: Any) -> Any:
    return np.asarray(segment.array("doc:meaning")[numbers], np.float32) if "doc:meaning" in segment.where else None


def _chunk(texts: list[str], langs: list[str], scores: Scores, threshold: float, partial: Path) -> list[bytes]:
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
    half = file.with_suffix(".part")
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
