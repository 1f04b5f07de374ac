"""Records out of a file, whatever its format, each with its place for error messages.

JSON arrays, JSON lines, CSV and TSV with a header, and TREC text, each also gzipped, recognised by content first and by
suffix where content does not tell. Everything streams: memory does not grow with the file.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any, cast

from rimshot.errors import InputError

__all__ = ["Record", "place", "read_records"]

Record = dict[str, Any]
_BLOCK = 1 << 20
_LONGEST = 64 << 20
_TREC_DOC = re.compile(r"<DOC>(.*?)</DOC>", re.DOTALL | re.IGNORECASE)
_TREC_TAG = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL)
_TAG = re.compile(r"</?\w+>")


def place(path: Path, number: int, unit: str) -> str:
    """Name a place in a file, the way every message about input does.

    >>> place(Path("jokes.jsonl"), 7, "line")
    'jokes.jsonl, line 7'
    """
    return f"{path}, {unit} {number}"


def read_records(path: str | Path) -> Iterator[tuple[str, Record]]:
    """Yield ``(place, record)`` for every record of a file, in order; a record is a dict of its fields."""
    path = Path(path)
    stream = _open(path)
    with stream:
        head = _peek(stream, path)
        reader = _choose(head, path)
        yield from _guarded(reader(stream, path), path)


def _open(path: Path) -> io.BufferedReader:
    if path.is_dir():
        raise InputError(f"{path} is a directory, not a file; name the files in it, e.g. {path}/*.json")
    try:
        raw = path.open("rb")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror}); check its permissions") from None
    magic = raw.read(2)
    raw.seek(0)
    if magic != b"\x1f\x8b":
        return raw
    raw.close()
    return io.BufferedReader(cast(io.RawIOBase, gzip.GzipFile(path, mode="rb")), _BLOCK)


def _peek(stream: io.BufferedReader, path: Path) -> bytes:
    try:
        head = stream.peek(4096)[:4096]
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise InputError(f"{path}: the gzip data is damaged or cut short; copy the file again") from None
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{path}, line 1: the text is UTF-16; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)")
    if not head.removeprefix(codecs.BOM_UTF8).strip():
        raise InputError(f"{path}: the file is empty; it must hold at least one record")
    return head.removeprefix(codecs.BOM_UTF8).lstrip()


def _choose(head: bytes, path: Path) -> Callable[[IO[bytes], Path], Iterator[tuple[str, Record]]]:
    if head[:1] == b"[":
        return _json_array
    if head[:1] == b"{":
        return _json_lines
    if head[:5].upper() == b"<DOC>":
        return _trec
    suffixes = [suffix.lower() for suffix in path.suffixes]
    first = head.split(b"\n", 1)[0]
    if ".tsv" in suffixes or (".csv" not in suffixes and b"\t" in first):
        return _table("\t")
    if ".csv" in suffixes or b"," in first:
        return _table(",")
    raise InputError(
        f"{path}, line 1: not a format that is known; use a JSON array, JSON lines, CSV or TSV with a header, or TREC text"
    )


def _guarded(records: Iterator[tuple[str, Record]], path: Path) -> Iterator[tuple[str, Record]]:
    try:
        yield from records
    except (EOFError, gzip.BadGzipFile, zlib.error):
        raise InputError(f"{path}: the gzip data is damaged or cut short; copy the file again") from None
    except OSError as fault:
        raise InputError(f"{path}: cannot be read ({fault.strerror or fault}); check the disk") from None


def _encoding_fault(path: Path, line: int, fault: UnicodeDecodeError) -> InputError:
    byte = fault.object[fault.start]
    return InputError(
        f"{place(path, line, 'line')}: not UTF-8 (byte 0x{byte:02x}); convert it (iconv -f LATIN1 -t UTF-8)"
    )


def _blocks(stream: IO[bytes], path: Path) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder("utf-8-sig")()
    line = 1
    while True:
        block = stream.read(_BLOCK)
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeDecodeError as fault:
            raise _encoding_fault(path, line + fault.object[: fault.start].count(b"\n"), fault) from None
        line += text.count("\n")
        if text:
            yield text
        if not block:
            return


def _lines(stream: IO[bytes], path: Path) -> Iterator[str]:
    for number, raw in enumerate(stream, 1):
        try:
            yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as fault:
            raise _encoding_fault(path, number, fault) from None


def _object(value: object, where: str) -> Record:
    if not isinstance(value, dict):
        raise InputError(f'{where}: {json.dumps(value)[:40]} is not an object; write {{"docid": "1", "text": "..."}}')
    return value


def _json_lines(stream: IO[bytes], path: Path) -> Iterator[tuple[str, Record]]:
    decode = json.JSONDecoder().decode
    for number, line in enumerate(_lines(stream, path), 1):
        if line.isspace():
            continue
        where = place(path, number, "line")
        try:
            value = decode(line)
        except json.JSONDecodeError as fault:
            raise InputError(f"{where}, column {fault.colno}: broken JSON ({fault.msg}); one object a line") from None
        yield where, _object(value, where)


class _Buffer:
    """The part of a JSON text that has been read and not yet used."""

    def __init__(self, blocks: Iterator[str], path: Path) -> None:
        self.blocks, self.path = blocks, path
        self.text, self.at, self.line = "", 0, 1

    def more(self) -> bool:
        block = next(self.blocks, "")
        self.line += self.text.count("\n", 0, self.at)
        self.text, self.at = self.text[self.at :] + block, 0
        return bool(block)

    def skip(self) -> str:
        """Pass over white space and give the next character, '' at the end."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in " \t\r\n":
                self.at += 1
            if self.at < len(self.text):
                return self.text[self.at]
            if not self.more():
                return ""

    def fault(self, message: str, at: int | None = None) -> InputError:
        line = self.line + self.text.count("\n", 0, self.at if at is None else at)
        return InputError(f"{place(self.path, line, 'line')}: {message}")


def _json_array(stream: IO[bytes], path: Path) -> Iterator[tuple[str, Record]]:
    buffer = _Buffer(_blocks(stream, path), path)
    decode = json.JSONDecoder().raw_decode
    buffer.skip()
    buffer.at += 1
    number = 0
    if buffer.skip() == "]":
        raise InputError(f"{path}: the array is empty; it must hold at least one record")
    while True:
        number += 1
        buffer.skip()
        while True:
            try:
                value, end = decode(buffer.text, buffer.at)
                break
            except json.JSONDecodeError as fault:
                cut = fault.msg.startswith("Unterminated string") or fault.pos >= len(buffer.text) - 16
                if cut and len(buffer.text) < _LONGEST and buffer.more():
                    continue
                raise buffer.fault(
                    f"item {number}: broken JSON ({fault.msg}); mend the array there", fault.pos
                ) from None
        where = place(path, number, "item")
        yield where, _object(value, where)
        buffer.at = end
        following = buffer.skip()
        if following == "]":
            buffer.at += 1
            if buffer.skip():
                raise buffer.fault("text after the end of the array; remove it")
            return
        if following != ",":
            raise buffer.fault(f"broken JSON after item {number} (a comma or ] is missing); mend the array there")
        buffer.at += 1


def _table(delimiter: str) -> Callable[[IO[bytes], Path], Iterator[tuple[str, Record]]]:
    def read(stream: IO[bytes], path: Path) -> Iterator[tuple[str, Record]]:
        lines = _lines(stream, path)
        if delimiter == ",":
            rows = csv.reader(lines, strict=True)
        else:
            rows = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
        try:
            header = [name.strip() for name in next(rows)]
            for row in rows:
                if not row:
                    continue
                where = place(path, rows.line_num, "line")
                if len(row) != len(header):
                    raise InputError(f"{where}: {len(row)} fields where the header has {len(header)}; quote the text")
                yield where, dict(zip(header, row, strict=True))
        except csv.Error as fault:
            raise InputError(
                f"{place(path, rows.line_num, 'line')}: broken table ({fault}); check the quotes"
            ) from None

    return read


def _trec(stream: IO[bytes], path: Path) -> Iterator[tuple[str, Record]]:
    text, number = "", 0
    for block in _blocks(stream, path):
        text += block
        end = 0
        for match in _TREC_DOC.finditer(text):
            number += 1
            where = place(path, number, "document")
            found = {name.lower(): _TAG.sub(" ", body).strip() for name, body in _TREC_TAG.findall(match.group(1))}
            yield where, found
            end = match.end()
        text = text[end:]
        if len(text) > _LONGEST:
            raise InputError(f"{place(path, number + 1, 'document')}: </DOC> is missing; close the document")
    if text.strip():
        raise InputError(f"{place(path, number + 1, 'document')}: </DOC> is missing; close the document")
