"""Queries out of files."""

from __future__ import annotations

from pathlib import Path

from rimshot.corpus.query import Query
from rimshot.corpus.readers import identifier, read_text
from rimshot.corpus.records import read_records
from rimshot.errors import InputError

__all__ = ["read_queries"]

ID_FIELDS = ("qid", "query_id", "id", "_id", "docid", "num")
TEXT_FIELDS = ("query", "text", "title", "topic")


def read_queries(path: str | Path, lang: str | None = None) -> list[Query]:
    """Give the queries of a file (JOKER's array of ``qid`` and ``query``, JSON lines, CSV or TSV), in order."""
    queries: list[Query] = []
    first: dict[str, str] = {}
    for where, record in read_records(path):
        qid, _ = identifier(record, ID_FIELDS, where)
        if qid in first:
            raise InputError(f'{where}: the id "{qid}" stands already at {first[qid]}; make ids unique')
        first[qid] = where
        queries.append(Query(qid, read_text(record, where, TEXT_FIELDS), lang))
    return queries
