"""The TREC run format: one line a document with qid, Q0, docid, rank, score and the name of the run.

As trec_eval reads it: the order is that of the scores, and the rank column is not believed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from rimshot.errors import InputError
from rimshot.evaluate.rows import Rows

__all__ = ["trec_rows", "trec_text"]


def trec_rows(data: bytes, path: Path) -> tuple[Rows, str]:
    """Give the rows of a TREC run and its name."""
    qids, docids, scores, lines = [], [], [], []
    name: str | None = None
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").splitlines(), 1):
        try:
            fields = raw.decode().split()
        except UnicodeDecodeError as fault:
            raise InputError(f"{path}, line {number}: not UTF-8 (byte 0x{raw[fault.start]:02x}); convert it") from None
        if not fields:
            continue
        if len(fields) != 6:
            raise InputError(
                f"{path}, line {number}: {len(fields)} fields where 6 are wanted; write qid Q0 docid rank score name"
            )
        qid, _, docid, rank, score, tag = fields
        if not rank.removeprefix("-").isdecimal():
            raise InputError(f'{path}, line {number}, field "rank": {rank!r} is not a whole number')
        try:
            scores.append(float(score))
        except ValueError:
            raise InputError(f'{path}, line {number}, field "score": {score!r} is not a number') from None
        if name is not None and tag != name:
            raise InputError(
                f"{path}, line {number}: the run {tag!r} after {name!r}; a file holds one run, so split it"
            )
        name = tag
        qids.append(qid)
        docids.append(docid)
        lines.append(number)
    if name is None:
        raise InputError(f"{path}: the file is empty; it must hold at least one line")
    rows = Rows(path, "line", qids, docids, np.array(scores, np.float64), bounded=False, places=lines.__getitem__)
    return rows, name


def trec_text(name: str, hits: Iterable[tuple[str, str, int, float]]) -> Iterator[str]:
    """Give the lines of a TREC run; a hit is qid, docid, rank, score. Blanks cannot be written in this format."""
    for part in (name,):
        _check(part, "the name of the run")
    for qid, docid, rank, score in hits:
        _check(qid, "the query id")
        _check(docid, "the document id")
        yield f"{qid} Q0 {docid} {rank} {score!r} {name}\n"


def _check(part: str, what: str) -> None:
    if not part or len(part.split()) != 1:
        raise InputError(f'{what} "{part}" has a blank, which TREC lines cannot hold; use --format joker')
