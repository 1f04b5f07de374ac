"""A list of results as CSV, JSON, BibTeX or CSL, so that a paper can cite what was found and how.

Every form carries the query record: what was asked, the ranking, the digest of the index, the program's version, and
when. With the same index and version the same list comes out again; `query_id` is a digest of all of that but the date.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rimshot.errors import InputError, did_you_mean

__all__ = ["FORMATS", "Exported", "QueryRecord", "export"]

FORMATS = ("csv", "json", "bibtex", "csl")
_COLUMNS = (
    "rank",
    "docid",
    "text",
    "score",
    "lang",
    "word",
    "kind",
    "alternatives",
    "senses",
    "level",
    "warnings",
    "source",
    "licence",
)


@dataclass(frozen=True, slots=True)
class QueryRecord:
    """What makes a result list repeatable."""

    query: str
    pipeline: str
    index: str
    version: str
    date: str
    source: str = "unknown"
    licence: str = "unknown"

    @property
    def query_id(self) -> str:
        """A name for the list that does not change from one day to the next."""
        told = "\x1f".join((self.query, self.pipeline, self.index, self.version))
        return hashlib.sha256(told.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Exported:
    """One hit on its way out: rank, identifier, text, score and its explanation record, if any."""

    rank: int
    docid: str
    text: str
    score: float
    pun: Mapping[str, Any] | None = None


def export(hits: Sequence[Exported], record: QueryRecord, form: str) -> str:
    """Give a result list as text in one of `FORMATS`."""
    if form not in FORMATS:
        raise InputError(f'no export format "{form}"; {did_you_mean(form, FORMATS)}')
    return {"csv": _csv, "json": _json, "bibtex": _bibtex, "csl": _csl}[form](hits, record)


def _row(hit: Exported, record: QueryRecord) -> dict[str, Any]:
    pun = hit.pun or {}
    return {
        "rank": hit.rank,
        "docid": hit.docid,
        "text": hit.text,
        "score": hit.score,
        "lang": pun.get("lang"),
        "word": pun.get("word"),
        "kind": pun.get("kind"),
        "alternatives": list(pun.get("alternatives") or ()),
        "senses": [list(pair) for pair in pun.get("senses") or ()],
        "level": pun.get("level"),
        "warnings": list(pun.get("warnings") or ()),
        "source": pun.get("source") or record.source,
        "licence": pun.get("licence") or record.licence,
    }


def _told(record: QueryRecord) -> dict[str, str]:
    return {"query_id": record.query_id, **asdict(record)}


def _csv(hits: Sequence[Exported], record: QueryRecord) -> str:
    out = io.StringIO()
    for name, value in _told(record).items():
        out.write(f"# {name}: {' '.join(value.split())}\n")
    table = csv.DictWriter(out, _COLUMNS, lineterminator="\n")
    table.writeheader()
    for hit in hits:
        row = _row(hit, record)
        row["alternatives"] = " | ".join(row["alternatives"])
        row["senses"] = " | ".join(" + ".join(pair) for pair in row["senses"])
        row["warnings"] = " ".join(row["warnings"])
        table.writerow({name: _safe(cell) if name in ("text", "docid") else cell for name, cell in row.items()})
    return out.getvalue()


def _safe(cell: Any) -> Any:
    """A spreadsheet takes a cell that begins with one of these for a formula."""
    return f"'{cell}" if str(cell)[:1] in ("=", "+", "-", "@") else cell


def _json(hits: Sequence[Exported], record: QueryRecord) -> str:
    document = {"query": _told(record), "hits": [_row(hit, record) for hit in hits]}
    return json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False) + "\n"


_ESCAPES = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    **{letter: "\\" + letter for letter in "{}&%$#_"},
}  # fmt: skip


def _tex(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in " ".join(text.split()))


def _key(docid: str) -> str:
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "-" for letter in docid)
    return f"rimshot-{plain}" if plain == docid else f"rimshot-{plain}-{hashlib.sha256(docid.encode()).hexdigest()[:6]}"


def _note(hit: Exported, record: QueryRecord) -> str:
    licence = _row(hit, record)["licence"]
    return f"licence: {licence}; rank {hit.rank} for “{record.query}”, list {record.query_id}"


def _bibtex(hits: Sequence[Exported], record: QueryRecord) -> str:
    entries = []
    for hit in hits:
        row = _row(hit, record)
        fields = {
            "title": f"{{{_tex(hit.text)}}}",
            "howpublished": f"{{{_tex(row['source'])}, document {_tex(hit.docid)}}}",
            "year": f"{{{record.date[:4]}}}",
            "note": f"{{{_tex(_note(hit, record))}}}",
        }
        body = ",\n".join(f"  {name} = {value}" for name, value in fields.items())
        entries.append(f"@misc{{{_key(hit.docid)},\n{body}\n}}\n")
    head = "".join(f"% {name}: {' '.join(value.split())}\n" for name, value in _told(record).items())
    return head + "\n" + "\n".join(entries)


def _csl(hits: Sequence[Exported], record: QueryRecord) -> str:
    year, month, day = (int(part) for part in record.date[:10].split("-"))
    items = [
        {
            "id": _key(hit.docid),
            "type": "document",
            "title": hit.text,
            "archive": _row(hit, record)["source"],
            "archive_location": hit.docid,
            "accessed": {"date-parts": [[year, month, day]]},
            "note": _note(hit, record),
        }
        for hit in hits
    ]
    return json.dumps(items, ensure_ascii=False, indent=2) + "\n"
