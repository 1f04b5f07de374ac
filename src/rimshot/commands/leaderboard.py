"""``rimshot leaderboard``."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from rimshot.commands.evaluate import exclusions
from rimshot.commands.terminal import add_json, console, positive, print_json
from rimshot.errors import InputError
from rimshot.evaluate.table import TEXT_FORMATS

if TYPE_CHECKING:
    from rimshot.evaluate.leaderboard import Entry, Standing
    from rimshot.evaluate.table import Table

HELP = "Show the published results of CLEF JOKER Task 1, with your own runs in their place."
EXAMPLES = """  rimshot leaderboard
  rimshot leaderboard --year 2025 --lang pt --split train
  rimshot leaderboard run.json --qrels qrels.json --bm25 bm25.json
  rimshot leaderboard --year 2024 --judgments topical --format markdown"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("runs", nargs="*", metavar="RUN", help="your own runs, to be put in their place")
    parser.add_argument("--qrels", metavar="QRELS", help="the judgments to measure them on")
    parser.add_argument(
        "--bm25", metavar="RUN", help="a BM25 run on your collection, so that the ratio to BM25 can be told"
    )
    parser.add_argument(
        "--official",
        action="store_true",
        help="your judgments are the lab's own (else runs are marked: another collection)",
    )
    parser.add_argument("--exclude", action="append", default=[], metavar="WHAT", help="queries to leave out")
    parser.add_argument("--year", type=int, choices=(2024, 2025, 2026), default=2025, help="(default: 2025)")
    parser.add_argument("--lang", choices=("en", "pt"), default="en", help="(default: en)")
    parser.add_argument("--split", choices=("test", "train"), default="test", help="(default: test)")
    parser.add_argument(
        "--judgments",
        choices=("official", "topical"),
        default="official",
        help="topical: 2024 only (default: official)",
    )
    parser.add_argument("--by", metavar="MEASURE", help="the column to order by (default: MAP)")
    parser.add_argument("--top", metavar="N", type=positive, help="only the best N, and your own")
    parser.add_argument(
        "--format", choices=("terminal", *TEXT_FORMATS, "json"), default="terminal", help="how to print"
    )
    parser.add_argument("--wide", action="store_true", help="all columns, also in the terminal")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Show a table."""
    from rimshot.evaluate.leaderboard import choose, standing

    table = choose(args.year, args.lang, args.split, args.judgments)
    own, bm25 = _own(args, table)
    shown = standing(table, own, args.by, args.top)
    if args.json or args.format == "json":
        print_json(shown.document())
        return 0
    drawn = shown.table(args.by, bm25, args.wide or args.format != "terminal")
    if args.format != "terminal":
        sys.stdout.write(drawn.text(args.format))
        return 0
    _show(shown, drawn)
    return 0


def _own(args: argparse.Namespace, table: Standing) -> tuple[list[Entry], float | None]:
    from rimshot.evaluate.leaderboard import own_entry
    from rimshot.evaluate.measures import evaluate
    from rimshot.evaluate.qrels import read_qrels
    from rimshot.evaluate.runs import read_run

    if not args.runs and not args.bm25:
        return [], None
    if not args.qrels:
        raise InputError("your runs need judgments to be measured on; name them with --qrels")
    qrels = read_qrels(args.qrels)
    gone = exclusions(args.exclude, qrels)
    year = "joker2024" if args.year == 2024 else "joker2025"
    found = [own_entry(evaluate(read_run(path), qrels, year, gone), table, args.official) for path in args.runs]
    if not args.bm25:
        return found, None
    base = own_entry(evaluate(read_run(args.bm25), qrels, year, gone), table, args.official)
    return found, table.figure_of(base, args.by or "MAP")


def _show(shown: Standing, drawn: Table) -> None:
    from rimshot.commands.show_table import show_table

    out = console()
    show_table(drawn, out)
    if any(entry.elsewhere for entry in shown.entries):
        out.print("† measured on another collection: compare the ratio to BM25, not the figure", markup=False)
    doubts = {entry.doubt: entry for entry in shown.entries if entry.doubt}
    for doubt in doubts:
        names = ", ".join(dict.fromkeys(entry.run for entry in shown.entries if entry.doubt == doubt))
        out.print(f"? {names}: {doubt}", markup=False, soft_wrap=True, style="dim")
    out.print(f"{shown.source['paper']}. {shown.source['published']}.", markup=False, soft_wrap=True, style="dim")
