"""A run: what a system gave for every query, as it is written, read and checked.

Three formats: JOKER's JSON array, TREC's lines, and the zip that Codabench takes (a JOKER array named
``prediction.json``). A file that breaks a rule is refused with its place. A run that is written here falls strictly,
with scores that stay distinct in float32, so that every tool ranks it alike.
"""

from __future__ import annotations

import datetime
import gc
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import InputError, did_you_mean
from rimshot.evaluate.joker import joker_rows, joker_text, load_array
from rimshot.evaluate.qrels import read_bytes
from rimshot.evaluate.rows import DEEPEST
from rimshot.evaluate.trec import trec_rows, trec_text

__all__ = [
    "FORMATS",
    "Run",
    "make_run",
    "provenance_path",
    "read_provenance",
    "read_run",
    "spread_scores",
    "write_provenance",
    "write_run",
]

FORMATS = ("joker", "trec", "codabench")
MEMBER = "prediction.json"
_STEP = 2e-7
_DIGITS = 8


@dataclass(frozen=True)
class Run:
    """Scores by query and document, higher is better; identifiers are strings.

    ``integer_qids`` and ``integer_docids`` say how the collection wrote them, so that writing restores it. ``ties``
    counts neighbours whose scores are equal in float32 and ``tied`` names their queries; a run written here has none.
    """

    name: str
    scores: Mapping[str, Mapping[str, float]]
    manual: bool = False
    integer_qids: bool = False
    integer_docids: bool = False
    ties: int = 0
    tied: frozenset[str] = field(default_factory=frozenset)
    path: Path | None = None

    def __len__(self) -> int:
        return sum(map(len, self.scores.values()))

    def ranked(self, qid: str, low: bool = True) -> list[str]:
        """Give the documents for a query, best first; ties as trec_eval breaks them: the greater identifier first.

        ``low`` compares scores in float32 as trec_eval does, otherwise in float64 as TrecTools does.
        """
        docs = self.scores.get(qid, {})
        if low and qid in self.tied:
            return sorted(docs, key=lambda docid: (np.float32(docs[docid]), docid), reverse=True)
        return sorted(docs, key=lambda docid: (docs[docid], docid), reverse=True)


def spread_scores(scores: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Give falling scores in [0, 1] that differ in float32, changed as little as that needs.

    Scores already in [0, 1] keep their values up to the seventh decimal. Others are divided by the best one, or moved
    and scaled to [0, 1] where some are negative.

    >>> spread_scores([8.0, 8.0, 2.0]).tolist()
    [1.0, 0.9999998, 0.25]
    """
    found = np.asarray(scores, np.float64)
    if not len(found):
        return found
    if not np.isfinite(found).all():
        raise InputError(
            f"score {int(np.flatnonzero(~np.isfinite(found))[0]) + 1} of the ranking is not a finite number"
        )
    if (np.diff(found) > 0).any():
        raise InputError(
            f"score {int(np.flatnonzero(np.diff(found) > 0)[0]) + 2} of the ranking rises; sort it best first"
        )
    best, worst = float(found[0]), float(found[-1])
    if worst < 0:
        found = (found - worst) / (best - worst) if best > worst else np.ones_like(found)
    elif best > 1:
        found = found / best
    places = np.arange(len(found)) * _STEP
    falling = np.minimum.accumulate(found + places) - places
    spread: NDArray[np.float64] = np.round(np.maximum(falling, places[::-1]), _DIGITS)
    return spread


def read_run(path: str | Path, strict: bool = False) -> Run:
    """Read a run of any format, told by its content. ``strict`` also refuses scores that are equal in float32."""
    path = Path(path)
    data = read_bytes(path)
    if data[:4] == b"PK\x03\x04":
        data, path = _unzip(data, path)
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if not head:
        raise InputError(f"{path}: the file is empty; it must hold a run")
    manual, integers = False, (False, False)
    with _collector_paused():
        if head in b"[{":
            rows, name, manual, integers = joker_rows(load_array(data, path), path)
        else:
            rows, name = trec_rows(data, path)
        scores = rows.grouped()
    tally = rows.check(((qid, len(docs)) for qid, docs in scores.items()), strict)
    return Run(name, scores, manual, *integers, tally.ties, tally.tied, path)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Hold the cycle collector back: it would walk hundreds of thousands of new objects again and again."""
    active = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if active:
            gc.enable()


def _unzip(data: bytes, path: Path) -> tuple[bytes, Path]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith(".json") and "/" not in name]
            if len(names) != 1:
                raise InputError(f"{path}: {len(names)} .json files at its top; Codabench takes one, {MEMBER}")
            return archive.read(names[0]), path / names[0]
    except (zipfile.BadZipFile, EOFError):
        raise InputError(f"{path}: the zip is damaged or cut short; write it again") from None


def write_run(run: Run, path: str | Path, format: str = "joker") -> Path:
    """Write a run so that every tool ranks it alike; nothing is left behind when it cannot be written."""
    path = Path(path)
    if format not in FORMATS:
        raise InputError(f'unknown run format "{format}"; {did_you_mean(format, FORMATS)}')
    if not run.name.strip():
        raise InputError("the run has no name; give one such as team_task_1_method")
    pieces = trec_text(run.name, _hits(run)) if format == "trec" else joker_text(run.name, run.manual, _typed(run))
    data = "".join(pieces).encode()
    if format == "codabench":
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(zipfile.ZipInfo(MEMBER, (2025, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
        data = packed.getvalue()
    _write_whole(path, data)
    return path


def _hits(run: Run) -> Iterator[tuple[str, str, int, float]]:
    for qid, docs in run.scores.items():
        order = sorted(docs, key=docs.__getitem__, reverse=True)[:DEEPEST]
        for rank, (docid, score) in enumerate(
            zip(order, spread_scores([docs[docid] for docid in order]).tolist(), strict=True), 1
        ):
            yield qid, docid, rank, score


def _typed(run: Run) -> Iterator[tuple[str | int, str | int, int, float]]:
    for qid, docid, rank, score in _hits(run):
        yield (
            _integer(qid) if run.integer_qids else qid,
            _integer(docid) if run.integer_docids else docid,
            rank,
            score,
        )


def _integer(identifier: str) -> int:
    try:
        number = int(identifier)
    except ValueError:
        number = -1
    if str(number) != identifier:
        raise InputError(
            f'"{identifier}" cannot be written as an integer, though the collection has integers; write strings'
        )
    return number


def _write_whole(path: Path, data: bytes) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a directory; name a file to write")
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(data)
        part.replace(path)
    except OSError as fault:
        part.unlink(missing_ok=True)
        raise InputError(f"{path}: cannot be written ({fault.strerror}); check the directory") from None


def provenance_path(path: str | Path) -> Path:
    """Give the name of the file that says how a run was made.

    >>> provenance_path("out/run.json").name
    'run.provenance.json'
    """
    path = Path(path)
    stem = path.name
    for suffix in (".gz", ".json", ".trec", ".txt", ".run", ".zip"):
        stem = stem.removesuffix(suffix) or stem
    return path.with_name(stem + ".provenance.json")


def write_provenance(path: str | Path, facts: Mapping[str, object]) -> Path:
    """Record how the run at ``path`` was made beside it, with the time of writing."""
    target = provenance_path(path)
    made = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    _write_whole(target, (json.dumps({**facts, "date": made}, indent=2, ensure_ascii=False) + "\n").encode())
    return target


def read_provenance(path: str | Path) -> dict[str, object] | None:
    """Give how a run was made, or None where nothing was recorded."""
    target = provenance_path(path)
    if not target.is_file():
        return None
    try:
        found = json.loads(target.read_text(encoding="utf-8"))
    except (json.JSONDecodeError, UnicodeDecodeError):
        raise InputError(f"{target}: not JSON; write the run again") from None
    return dict(found) if isinstance(found, dict) else None


def make_run(name: str, rankings: Iterable[tuple[str, Sequence[str], Sequence[float]]]) -> Run:
    """Give a run out of rankings (query id, document ids best first, scores), spread so that no tool sees a tie."""
    scores: dict[str, dict[str, float]] = {}
    for qid, docids, values in rankings:
        found = spread_scores(list(values)[:DEEPEST]).tolist()
        scores[qid] = dict(zip(list(docids)[:DEEPEST], found, strict=True))
    return Run(name, scores)
