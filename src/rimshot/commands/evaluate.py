"""``rimshot evaluate``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rimshot.commands.terminal import add_json, console, print_json
from rimshot.evaluate.measures import Evaluation, Measure, evaluate, parse_measures
from rimshot.evaluate.qrels import Qrels, read_qrels, resolve_exclusions
from rimshot.evaluate.runs import Run, read_run
from rimshot.evaluate.systems import System, measure_system
from rimshot.evaluate.table import TEXT_FORMATS, Table
from rimshot.evaluate.topical import topical_gap

HELP = "Measure runs against relevance judgments, as CLEF JOKER does or by any measure of ir-measures."
EXAMPLES = """  rimshot evaluate run.json --qrels qrels.json
  rimshot evaluate a.json b.trec --qrels qrels.json --measures joker2024 --exclude "qid_train_*"
  rimshot evaluate run.json --qrels qrels.json --topical topical.json --report report
  rimshot evaluate run.json --qrels qrels.json --measures "AP,nDCG@10,RBP(rel=1)" --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run: JOKER JSON, TREC lines or a Codabench zip")
    parser.add_argument("--qrels", required=True, metavar="QRELS", help="the judgments: JOKER JSON or TREC lines")
    parser.add_argument(
        "--measures",
        default="joker2025",
        metavar="LIST",
        help="joker2024, joker2025 (default), or names of ir-measures",
    )
    parser.add_argument(
        "--exclude",
        action="append",
        default=[],
        metavar="WHAT",
        help="queries to leave out: ids with commas, a pattern such as 'qid_train_*', or a file of queries",
    )
    parser.add_argument("--topical", metavar="QRELS", help="topical judgments: show the run under both, and the gap")
    parser.add_argument("--per-query", action="store_true", help="add the figures of every query")
    parser.add_argument("--strict", action="store_true", help="refuse a run with scores that are equal in float32")
    parser.add_argument("--report", metavar="DIR", help="write a page with plots to DIR/index.html")
    parser.add_argument(
        "--format", choices=("terminal", *TEXT_FORMATS, "json"), default="terminal", help="how to print"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure, print, and write the report where one is asked for."""
    measures = parse_measures(args.measures)
    qrels = read_qrels(args.qrels)
    topical = read_qrels(args.topical) if args.topical else None
    gone = exclusions(args.exclude, qrels)
    entries: list[dict[str, Any]] = []
    found: list[tuple[str, Evaluation]] = []
    systems: list[System] = []
    for path in args.runs:
        one = read_run(path, strict=args.strict)
        if args.report:
            systems.append(measure_system(one, qrels, measures, topical, exclude=gone, made=str(path)))
        entry, evaluations = _measure(one, path, qrels, topical, measures, gone, args.per_query)
        entries.append(entry)
        found.extend(evaluations)
    if args.report:
        _report(systems, qrels.without(gone), args.report)
    if args.json or args.format == "json":
        document = {"qrels": str(args.qrels), "measures": [measure.name for measure in measures], "runs": entries}
        print_json(document)
        return 0
    table = _table(found, measures)
    if args.format != "terminal":
        sys.stdout.write(table.text(args.format))
        return 0
    _show(table, entries, args.report)
    return 0


def _report(systems: Sequence[System], qrels: Qrels, folder: str) -> None:
    from rimshot.evaluate.compare import compare
    from rimshot.evaluate.report import write_report

    write_report(compare(systems), qrels, Path(folder), qrels.name)


def exclusions(wishes: Sequence[str], qrels: Qrels) -> frozenset[str]:
    """Give the queries to leave out; a wish that is no file may name several with commas."""
    split = [part.strip() for wish in wishes for part in ([wish] if Path(wish).is_file() else wish.split(","))]
    return resolve_exclusions([part for part in split if part], qrels.judgments)


def _measure(
    one: Run,
    path: str,
    qrels: Qrels,
    topical: Qrels | None,
    measures: tuple[Measure, ...],
    gone: frozenset[str],
    per_query: bool,
) -> tuple[dict[str, Any], list[tuple[str, Evaluation]]]:
    if topical is None:
        official = evaluate(one, qrels, measures, gone)
        shown = [(one.name, official)]
    else:
        both = topical_gap(one, qrels, topical, measures, gone)
        official = both.official
        shown = [(one.name, official), (f"{one.name}, topical", both.topical)]
    entry: dict[str, Any] = {
        "run_id": one.name,
        "file": str(path),
        "queries": len(official.queries),
        "scores": _plain(official.overall, measures),
        "missing": list(official.missing),
        "unjudged": list(official.unjudged),
        "excluded": list(official.excluded),
        "ties": official.ties,
    }
    if topical is not None:
        entry["topical"] = _plain(both.topical.overall, measures)
        entry["gap"] = _plain(both.gap, measures)
    if per_query:
        entry["per_query"] = {qid: _plain(official.per_query(qid), measures) for qid in official.queries}
        if len(shown) == 1:
            shown += [(f"  {qid}", _single(official, qid)) for qid in official.queries]
    return entry, shown


def _single(evaluation: Evaluation, qid: str) -> Evaluation:
    return Evaluation(evaluation.run, evaluation.measures, (qid,), {}, evaluation.per_query(qid))


def _plain(figures: Any, measures: Sequence[Measure]) -> dict[str, float | int]:
    return {m.name: round(figures[m.name]) if m.counts else float(figures[m.name]) for m in measures}


def _table(found: Sequence[tuple[str, Evaluation]], measures: Sequence[Measure]) -> Table:
    names = tuple(measure.name for measure in measures)
    rows = tuple((name, tuple(evaluation.overall[column] for column in names)) for name, evaluation in found)
    digits = {measure.name: 0 for measure in measures if measure.counts}
    return Table("run", names, rows, digits, frozenset(names) - digits.keys())


def _show(table: Table, entries: Sequence[dict[str, Any]], report: str | None) -> None:
    from rimshot.commands.show_table import show_table

    out = console()
    show_table(table, out)
    for entry in entries:
        notes = []
        if entry["missing"]:
            notes.append(f"{_some(entry['missing'])} missing from the run: counted as 0")
        if entry["unjudged"]:
            notes.append(f"{_some(entry['unjudged'])} in the run without judgments: not counted")
        if entry["ties"]:
            notes.append(f"{entry['ties']} neighbours with equal scores in float32: the greater docid goes first")
        if "gap" in entry:
            name = next(iter(entry["gap"]), "") if "MAP" not in entry["gap"] else "MAP"
            name = "map" if "map" in entry["gap"] else name
            notes.append(f"topical {name} less official {name}: {entry['gap'][name]:+.4f}")
        out.print(
            f"{entry['run_id']}: {entry['queries']} queries" + "".join(f"\n  {note}" for note in notes), highlight=False
        )
    if report:
        out.print(f"report: {Path(report) / 'index.html'}", highlight=False)


def _some(names: Sequence[str]) -> str:
    noun = "query" if len(names) == 1 else "queries"
    return f"{len(names)} {noun} ({', '.join(names[:3])}{', ...' if len(names) > 3 else ''})"
