"""Documents out of files, with their languages and their identifiers as strings."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rimshot.corpus.document import Doc
from rimshot.corpus.language import check_language, guess_language
from rimshot.corpus.records import Record, read_records
from rimshot.errors import InputError

__all__ = ["DocReader", "identifier", "read_docs"]

ID_FIELDS = ("docid", "id", "doc_id", "docno", "_id")
TEXT_FIELDS = ("text", "contents", "body")
_DUPLICATE_BLOCK = 1 << 18


def identifier(record: Record, names: Sequence[str], where: str) -> tuple[str, bool]:
    """Give the identifier of a record as a string, and whether the file wrote it as an integer."""
    name, value = _field(record, names, where)
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise InputError(f'{where}, field "{name}": {value!r} is not an identifier; use a string or an integer')
    text = str(value).strip()
    if not text:
        raise InputError(f'{where}, field "{name}": the identifier is empty; give every record one of its own')
    return text, not isinstance(value, str)


def _field(record: Record, names: Sequence[str], where: str) -> tuple[str, Any]:
    for name in names:
        if name in record:
            return name, record[name]
    have = ", ".join(map(str, record)) or "nothing"
    raise InputError(f'{where}: there is no field "{names[0]}" (the record has: {have}); add or rename it')


def read_text(record: Record, where: str, names: Sequence[str] = TEXT_FIELDS) -> str:
    """Give the text of a record, which must say something."""
    name, value = _field(record, names, where)
    if not isinstance(value, str):
        raise InputError(f'{where}, field "{name}": {str(value)[:40]!r} is not a text; put it in quotation marks')
    if not value.strip():
        raise InputError(f'{where}, field "{name}": the text is empty; fill it or leave the record out')
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InputError(
            f'{where}, field "{name}": half of a surrogate pair (\\ud800 to \\udfff); mend the escape'
        ) from None
    return value


class DocReader:
    """The documents of some files, in order; iterate over it once or more.

    ``lang`` is ``en``, ``pt`` or ``auto`` (a record's own ``lang`` field first, then a guess from its text). After an
    iteration ``integer_ids`` says whether every identifier was written as an integer.
    """

    def __init__(self, paths: Sequence[str | Path], lang: str = "auto") -> None:
        self.paths = [Path(path) for path in paths]
        self.lang = check_language(lang, auto=True)
        self.integer_ids = True

    def __iter__(self) -> Iterator[Doc]:
        self.integer_ids = True
        seen = _Seen()
        for path in self.paths:
            where = ""
            for where, record in read_records(path):
                doc_id, integer = identifier(record, ID_FIELDS, where)
                self.integer_ids = self.integer_ids and integer
                text = read_text(record, where)
                if seen.add(doc_id):
                    self._report_duplicates(seen.suspects)
                yield Doc(doc_id, text, self._language(record, text, where))
            if not where:
                raise InputError(f"{path}: there are no documents in it; it must hold at least one")
        if seen.close():
            self._report_duplicates(seen.suspects)

    def _language(self, record: Record, text: str, where: str) -> str:
        if self.lang != "auto":
            return self.lang
        given = record.get("lang")
        if given is None or given == "":
            return guess_language(text)
        try:
            return check_language(str(given))
        except InputError as fault:
            raise InputError(f'{where}, field "lang": {fault}') from None

    def _report_duplicates(self, suspects: set[int]) -> None:
        first: dict[str, str] = {}
        for path in self.paths:
            for where, record in read_records(path):
                doc_id, _ = identifier(record, ID_FIELDS, where)
                if hash(doc_id) in suspects:
                    if doc_id in first:
                        raise InputError(
                            f'{where}: the id "{doc_id}" stands already at {first[doc_id]}; make ids unique'
                        )
                    first[doc_id] = where


class _Seen:
    """Finds repeated identifiers in eight bytes each, so that ten million of them fit.

    Hashes are kept in sorted blocks; equal hashes are only *suspects*, which a second reading settles.
    """

    def __init__(self) -> None:
        self.sorted: list[np.ndarray[Any, np.dtype[np.int64]]] = []
        self.fresh = array("q")
        self.recent: set[int] = set()
        self.suspects: set[int] = set()

    def add(self, doc_id: str) -> bool:
        """Note an identifier; True when something repeated has been found."""
        code = hash(doc_id)
        if code in self.recent:
            self.suspects.add(code)
            return True
        self.recent.add(code)
        self.fresh.append(code)
        return len(self.fresh) >= _DUPLICATE_BLOCK and self.close()

    def close(self) -> bool:
        """Compare the newest block with all before it; True when something repeated has been found."""
        block = np.sort(np.frombuffer(self.fresh, dtype=np.int64))
        for older in self.sorted:
            at = np.minimum(np.searchsorted(older, block), len(older) - 1)
            self.suspects.update(block[older[at] == block].tolist())
        self.sorted.append(block)
        self.fresh, self.recent = array("q"), set()
        return bool(self.suspects)


def read_docs(path: str | Path, lang: str = "auto") -> Iterator[Doc]:
    """Yield the documents of one file."""
    return iter(DocReader([path], lang))
