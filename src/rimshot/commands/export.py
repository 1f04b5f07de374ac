"""``rimshot export``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from rimshot.commands.terminal import add_index, add_pipeline, chosen_index, chosen_pipeline, positive
from rimshot.errors import InputError

HELP = "Write a result list as CSV, JSON, BibTeX or CSL, with the record of the query."
EXAMPLES = """  rimshot export math --format csv --out math.csv
  rimshot export "bank kind:homographic" --format bibtex --source "My corpus" --licence "CC BY 4.0" """


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("query", metavar="QUERY", help="a topic, with or without conditions such as kind:homographic")
    add_index(parser)
    add_pipeline(parser)
    parser.add_argument(
        "--format", default="csv", metavar="csv|json|bibtex|csl", help="form of the list (default: csv)"
    )
    parser.add_argument("--out", metavar="F", type=Path, help="file to write (default: standard output)")
    parser.add_argument("--source", default="unknown", metavar="TEXT", help="where the jokes come from, for citing")
    parser.add_argument("--licence", default="unknown", metavar="TEXT", help="their licence, for citing")
    parser.add_argument("-k", metavar="N", type=positive, default=100, help="how many hits (default: 100)")


def run(args: argparse.Namespace) -> int:
    """Search and write."""
    from datetime import UTC, datetime
    from importlib.metadata import PackageNotFoundError, version

    from rimshot.index.explanations import RECORDS
    from rimshot.rank.export import Exported, QueryRecord, export
    from rimshot.rank.filtered import filtered_search

    if not args.query.strip():
        raise InputError("the query is empty; ask for a topic, e.g. rimshot export math")
    pipeline, index = chosen_pipeline(args), chosen_index(args)
    ranking = filtered_search(pipeline, args.query, index)
    explained = index.has_records(RECORDS)
    hits = [
        Exported(
            hit.rank, hit.doc.id, hit.doc.text, hit.score, index.record(RECORDS, hit.number) if explained else None
        )
        for hit in ranking.take(slice(0, args.k)).hits(index)
    ]
    try:
        own = version("rimshot")
    except PackageNotFoundError:
        own = "unknown"
    now = datetime.now(UTC).isoformat(timespec="seconds")
    record = QueryRecord(args.query, repr(pipeline), index.digest, own, now, args.source, args.licence)
    text = export(hits, record, args.format)
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8")
    return 0 if hits else 1
