"""The JOKER run format: a JSON array of run_id, manual, qid, docid, rank and score.

Ermakova et al., Overview of the CLEF 2025 JOKER Task 1, section 2.4.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from rimshot.errors import InputError
from rimshot.evaluate.rows import Rows

__all__ = ["FIELDS", "joker_rows", "joker_text", "load_array"]

FIELDS = ("run_id", "manual", "qid", "docid", "rank", "score")
_IDENTIFIER: tuple[type, ...] = (str, int)
_NUMBER: tuple[type, ...] = (int, float)


def load_array(data: bytes, path: Path) -> list[dict[str, Any]]:
    """Give the objects of a JSON array, or say where it is broken."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data[: fault.start].count(b"\n") + 1
        raise InputError(f"{path}, line {line}: not UTF-8 (byte 0x{data[fault.start]:02x}); convert it") from None
    if not text.strip():
        raise InputError(f"{path}: the file is empty; it must hold a JSON array")
    try:
        found = json.loads(text)
    except json.JSONDecodeError as fault:
        raise InputError(
            f"{path}, line {fault.lineno}, column {fault.colno}: broken JSON ({fault.msg}); mend it there"
        ) from None
    if not isinstance(found, list):
        raise InputError(f"{path}: a JSON {type(found).__name__} where an array is wanted; put the objects in [ ]")
    if not found:
        raise InputError(f"{path}: the array is empty; it must hold at least one object")
    return found


def joker_rows(found: list[dict[str, Any]], path: Path) -> tuple[Rows, str, bool, tuple[bool, bool]]:
    """Give the rows of a run, its name, whether it is manual, and whether qids and docids were written as integers."""
    columns: dict[str, list[Any]] = {}
    for name in FIELDS:
        try:
            columns[name] = [row[name] for row in found]
        except (KeyError, TypeError, IndexError):
            _refuse_missing(found, path)
    integers = []
    for name in ("qid", "docid"):
        kinds = _check_types(columns[name], _IDENTIFIER, name, "an identifier; use a string or an integer", path)
        integers.append(kinds == {int})
        if int in kinds:
            columns[name] = list(map(str, columns[name]))
    _check_types(columns["rank"], (int,), "rank", "a whole number", path)
    _check_types(columns["score"], _NUMBER, "score", "a number; write it without quotation marks", path)
    _check_same(columns["run_id"], "run_id", path)
    _check_same(columns["manual"], "manual", path)
    if type(columns["run_id"][0]) is not str or not columns["run_id"][0].strip():
        _refuse(path, 0, "run_id", "not a name; write team_task_method, e.g. UBO_task_1_TFIDF")
    if type(columns["manual"][0]) not in (int, bool) or columns["manual"][0] not in (0, 1):
        _refuse(path, 0, "manual", f"{columns['manual'][0]!r} is neither 0 nor 1")
    rows = Rows(
        path,
        "item",
        columns["qid"],
        columns["docid"],
        np.array(columns["score"], np.float64),
        np.array(columns["rank"], np.int64),
    )
    return rows, columns["run_id"][0], bool(columns["manual"][0]), (integers[0], integers[1])


def _refuse(path: Path, row: int, name: str, message: str) -> NoReturn:
    raise InputError(f'{path}, item {row + 1}, field "{name}": {message}')


def _refuse_missing(found: list[dict[str, Any]], path: Path) -> NoReturn:
    for row, entry in enumerate(found):
        if not isinstance(entry, dict):
            raise InputError(
                f"{path}, item {row + 1}: {json.dumps(entry)[:40]} is not an object with {', '.join(FIELDS)}"
            )
        for name in FIELDS:
            if name not in entry:
                have = ", ".join(entry) or "nothing"
                raise InputError(f'{path}, item {row + 1}: there is no field "{name}" (the item has: {have}); add it')
    raise AssertionError("a field was missing and then was not")


def _check_types(column: Sequence[Any], kinds: tuple[type, ...], name: str, wanted: str, path: Path) -> set[type]:
    found = set(map(type, column))
    if found <= set(kinds):
        return found
    row = next(row for row, value in enumerate(column) if type(value) not in kinds)
    _refuse(path, row, name, f"{json.dumps(column[row])[:40]} is not {wanted}")


def _check_same(column: Sequence[Any], name: str, path: Path) -> None:
    first = column[0]
    if column.count(first) == len(column):
        return
    row = next(row for row, value in enumerate(column) if value != first)
    _refuse(path, row, name, f"{column[row]!r} after {first!r}; a file holds one run, so split it")


def joker_text(name: str, manual: bool, hits: Iterable[tuple[str | int, str | int, int, float]]) -> Iterator[str]:
    """Give the text of a run file piece by piece, one row a line; a hit is qid, docid, rank, score."""
    head = f'{{"run_id": {json.dumps(name)}, "manual": {int(manual)}, "qid": '
    before = "[\n"
    for qid, docid, rank, score in hits:
        yield f'{before}{head}{json.dumps(qid)}, "docid": {json.dumps(docid)}, "rank": {rank}, "score": {score!r}}}'
        before = ",\n"
    yield "[]\n" if before == "[\n" else "\n]\n"
