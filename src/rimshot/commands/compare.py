"""``rimshot compare``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from rimshot.commands.evaluate import exclusions
from rimshot.commands.terminal import add_json, console, print_json, progress
from rimshot.errors import InputError, did_you_mean
from rimshot.evaluate.table import TEXT_FORMATS, Table

if TYPE_CHECKING:
    from rimshot.evaluate.collections import Collection
    from rimshot.evaluate.compare import Comparison
    from rimshot.evaluate.qrels import Qrels
    from rimshot.evaluate.runs import Run

HELP = "Compare runs, presets or pipelines over a collection: tests, intervals, wins and losses, train against test."
EXAMPLES = """  rimshot compare bm25 rm3
  rimshot compare bm25.json mine.json --qrels qrels.json --train "qid_train_*"
  rimshot compare bm25 rm3 "Bm25(k1=1.2) % 1000" --collection data/en --report report
  rimshot compare *.json --qrels qrels.json --all-pairs --format latex"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("systems", nargs="+", metavar="SYSTEM", help="a run file, a preset, or a pipeline in full")
    parser.add_argument(
        "--collection",
        metavar="DIR",
        help="folder with corpus.json, queries.json, qrels.json; or sample-en, sample-pt (default: sample-en)",
    )
    parser.add_argument("--qrels", metavar="QRELS", help="the judgments, where only runs are compared")
    parser.add_argument(
        "--topical", metavar="QRELS", help="topical judgments (default: topical.json of the collection)"
    )
    parser.add_argument(
        "--index", metavar="DIR", help="index of the collection for presets (default: built for the occasion)"
    )
    parser.add_argument(
        "--measures", default="joker2025", metavar="LIST", help="joker2024, joker2025 or names of ir-measures"
    )
    parser.add_argument("--by", metavar="MEASURE", help="the measure that is tested (default: MAP)")
    parser.add_argument(
        "--baseline", metavar="NAME", help="the system that others are tested against (default: the first)"
    )
    parser.add_argument("--all-pairs", action="store_true", help="test every pair instead")
    parser.add_argument("--exclude", action="append", default=[], metavar="WHAT", help="queries to leave out")
    parser.add_argument(
        "--train",
        action="append",
        default=[],
        metavar="WHAT",
        help="training queries: shown apart, left out of the rest",
    )
    parser.add_argument(
        "--per-query", action="store_true", help="show every query, not only where the systems differ most"
    )
    parser.add_argument("--report", metavar="DIR", help="write a page with plots to DIR/index.html")
    parser.add_argument(
        "--format", choices=("terminal", *TEXT_FORMATS, "json"), default="terminal", help="how to print"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure all systems, compare, print, and write the report where one is asked for."""
    from rimshot.evaluate.collections import open_collection
    from rimshot.evaluate.compare import compare
    from rimshot.evaluate.measures import parse_measures
    from rimshot.evaluate.qrels import read_qrels
    from rimshot.evaluate.systems import measure_system

    measures = parse_measures(args.measures)
    collection = None if args.qrels and not args.collection else open_collection(args.collection or "sample-en")
    qrels = read_qrels(args.qrels) if args.qrels else _judgments(collection)
    topical = _topical(args.topical, collection, qrels)
    gone, learned = exclusions(args.exclude, qrels), exclusions(args.train, qrels)
    systems = [
        measure_system(found, qrels, measures, topical, learned, gone, name, made)
        for name, made, found in _runs(args.systems, collection, args.index)
    ]
    result = compare(systems, args.by, args.baseline, args.all_pairs)
    if args.report:
        from rimshot.evaluate.report import write_report

        texts = {query.id: query.text for query in collection.queries} if collection else {}
        title = collection.name if collection else qrels.name
        write_report(result, qrels.without(gone | learned), Path(args.report), title, texts)
    if args.json or args.format == "json":
        print_json({"collection": collection.name if collection else None, "qrels": qrels.name, **result.document()})
    elif args.format != "terminal":
        sys.stdout.write("\n".join(table.text(args.format) for table in _tables(result, args)))
    else:
        _show(result, args)
    return 0


def _judgments(collection: Collection | None) -> Qrels:
    assert collection is not None
    return collection.qrels


def _topical(path: str | None, collection: Collection | None, qrels: Qrels) -> Qrels | None:
    from rimshot.evaluate.qrels import read_qrels

    if path:
        return read_qrels(path)
    found = collection.topical if collection else None
    return found if found and all(qid in found.judgments for qid in qrels.judgments) else None


def _runs(
    names: Sequence[str], collection: Collection | None, index_path: str | None
) -> Iterator[tuple[str, str, Run]]:
    """Give each system's name, how it was made, and its run; only one run is in memory at a time."""
    from rimshot.evaluate.answer import answer
    from rimshot.evaluate.collections import needs_annotation
    from rimshot.evaluate.runs import read_provenance, read_run
    from rimshot.index import Index, open_index
    from rimshot.rank import PRESETS, parse

    index: Index | None = None
    annotated = needs_annotation(PRESETS.get(name, name) for name in names if not Path(name).is_file())
    with ExitStack() as stack:
        for name in names:
            if Path(name).is_file():
                found = read_run(name)
                facts = read_provenance(name) or {}
                yield found.name, str(facts.get("pipeline", name)), found
                continue
            text = PRESETS.get(name, name)
            if name not in PRESETS and "(" not in name:
                raise InputError(f'"{name}" is no file, preset or pipeline; {did_you_mean(name, PRESETS)}')
            pipeline = parse(text)
            if collection is None:
                raise InputError(f'the preset "{name}" needs texts and queries; name them with --collection')
            if index is None:
                index = open_index(index_path) if index_path else stack.enter_context(collection.index(annotated))
            with progress(name, len(collection.queries)) as tell:
                found = answer(pipeline, collection.queries, index, name, progress=tell)
            yield name, repr(pipeline), found


def _tables(result: Comparison, args: argparse.Namespace) -> list[Table]:
    if args.format == "csv":
        return [result.query_table() if args.per_query else result.table()]
    tables = [result.figures()]
    if result.pairs:
        tables.append(result.pair_table())
    if result.overfitting:
        tables.append(result.overfitting_table())
    if args.per_query or args.format == "terminal":
        tables.append(result.query_table(None if args.per_query else 10))
    return tables


def _show(result: Comparison, args: argparse.Namespace) -> None:
    from rimshot.commands.show_table import show_table

    out = console()
    for table in _tables(result, args):
        show_table(table, out)
        out.print()
    if result.pairs:
        out.print(f"* best of its column; p Holm is corrected for {len(result.pairs)} tests; * there: below 0.05")
    if args.report:
        out.print(f"report: {Path(args.report) / 'index.html'}", markup=False, soft_wrap=True)
