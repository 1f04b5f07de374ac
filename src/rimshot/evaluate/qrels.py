"""Which documents answer which query: the judgments."""

from __future__ import annotations

import fnmatch
import gzip
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rimshot.errors import InputError
from rimshot.evaluate.joker import load_array

__all__ = ["Qrels", "read_bytes", "read_qrels", "resolve_exclusions", "write_qrels"]


@dataclass(frozen=True)
class Qrels:
    """Judgments by query and document: 0 is not relevant, 1 or more is relevant. Identifiers are strings."""

    judgments: Mapping[str, Mapping[str, int]]
    name: str = "qrels"

    def __len__(self) -> int:
        return len(self.judgments)

    def relevant(self, qid: str) -> frozenset[str]:
        """Give the documents that answer a query."""
        return frozenset(docid for docid, grade in self.judgments.get(qid, {}).items() if grade > 0)

    def without(self, excluded: Iterable[str]) -> Qrels:
        """Give the judgments of the other queries."""
        gone = set(excluded)
        return Qrels({qid: docs for qid, docs in self.judgments.items() if qid not in gone}, self.name)

    def only(self, qids: Iterable[str]) -> Qrels:
        """Give the judgments of these queries, in this order, where there are any."""
        return Qrels({qid: self.judgments[qid] for qid in qids if qid in self.judgments}, self.name)


def read_bytes(path: Path) -> bytes:
    """Give the content of a file, unpacked where it is gzipped."""
    if path.is_dir():
        raise InputError(f"{path} is a directory, not a file; name a file in it")
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); check its permissions") from None
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise InputError(f"{path}: the gzip data is damaged or cut short; copy the file again") from None
    return data


def read_qrels(path: str | Path) -> Qrels:
    """Read judgments: JOKER's array of ``qid``, ``docid``, ``qrel``, or TREC's lines of qid, 0, docid, grade."""
    path = Path(path)
    data = read_bytes(path)
    head = data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if not head:
        raise InputError(f"{path}: the file is empty; it must hold judgments")
    judgments: dict[str, dict[str, int]] = {}
    entries = _joker(data, path) if head in b"[{" else _trec(data, path)
    for where, qid, docid, grade in entries:
        if grade < 0:
            raise InputError(f"{where}: the judgment {grade} is negative; write 0 for not relevant, 1 for relevant")
        docs = judgments.setdefault(qid, {})
        if docs.setdefault(docid, grade) != grade:
            raise InputError(
                f'{where}: query "{qid}", document "{docid}" is judged {grade} here and {docs[docid]} before'
            )
    return Qrels(judgments, path.name)


def _joker(data: bytes, path: Path) -> Iterable[tuple[str, str, str, int]]:
    for number, entry in enumerate(load_array(data, path), 1):
        where = f"{path}, item {number}"
        if not isinstance(entry, dict):
            raise InputError(f"{where}: {json.dumps(entry)[:40]} is not an object with qid, docid and qrel")
        values = []
        for name in ("qid", "docid", "qrel"):
            if name not in entry:
                have = ", ".join(entry) or "nothing"
                raise InputError(f'{where}: there is no field "{name}" (the item has: {have}); add it')
            values.append(entry[name])
        for name, value in zip(("qid", "docid"), values[:2], strict=True):
            if type(value) not in (str, int) or value == "":
                raise InputError(f'{where}, field "{name}": {value!r} is not an identifier; use a string or an integer')
        if type(values[2]) is not int:
            raise InputError(f'{where}, field "qrel": {values[2]!r} is not a whole number; write 0 or 1')
        yield where, str(values[0]), str(values[1]), values[2]


def _trec(data: bytes, path: Path) -> Iterable[tuple[str, str, str, int]]:
    for number, raw in enumerate(data.splitlines(), 1):
        where = f"{path}, line {number}"
        try:
            fields = raw.decode("utf-8-sig").split()
        except UnicodeDecodeError as fault:
            raise InputError(f"{where}: not UTF-8 (byte 0x{raw[fault.start]:02x}); convert it") from None
        if not fields:
            continue
        if len(fields) != 4:
            raise InputError(f"{where}: {len(fields)} fields where 4 are wanted; write qid 0 docid judgment")
        try:
            grade = int(fields[3])
        except ValueError:
            raise InputError(f"{where}: the judgment {fields[3]!r} is not a whole number; write 0 or 1") from None
        yield where, fields[0], fields[2], grade


def write_qrels(qrels: Qrels, path: str | Path) -> None:
    """Write judgments in JOKER's format, one a line."""
    lines = [
        json.dumps({"qid": qid, "docid": docid, "qrel": grade}, ensure_ascii=False)
        for qid, docs in qrels.judgments.items()
        for docid, grade in docs.items()
    ]
    Path(path).write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")


def resolve_exclusions(wishes: Iterable[str], known: Iterable[str]) -> frozenset[str]:
    """Give the query ids meant by ids, patterns such as ``qid_train_*``, or files of queries or judgments.

    A wish that names no known query is an error, because a misspelt exclusion would silently change every figure.
    """
    known = list(known)
    gone: set[str] = set()
    for wish in wishes:
        found = set(_file_ids(Path(wish))) & set(known) if Path(wish).is_file() else set(fnmatch.filter(known, wish))
        if not found:
            sample = ", ".join(known[:3])
            raise InputError(f'--exclude "{wish}" names no judged query (they look like: {sample}); check the spelling')
        gone |= found
    return frozenset(gone)


def _file_ids(path: Path) -> Iterable[str]:
    data = read_bytes(path)
    if data.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] != b"[":
        return [line.split()[0] for line in data.decode("utf-8-sig").splitlines() if line.strip()]
    return [str(entry["qid"]) for entry in load_array(data, path) if isinstance(entry, dict) and "qid" in entry]
