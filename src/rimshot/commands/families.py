"""``rimshot families``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rimshot.commands.retell_weights import add_weights, chosen_similarity
from rimshot.commands.terminal import add_index, add_json, chosen_index, console, positive, print_json, progress
from rimshot.errors import InputError

if TYPE_CHECKING:
    from rimshot.index import Index

HELP = "List the families of an index: texts that are the same joke told differently. Merge and split them by hand."
EXAMPLES = """  rimshot families --index jokes.rim
  rimshot families --index jokes.rim --of J0042 --json
  rimshot families --index jokes.rim --merge J0042 J0815
  rimshot families --index jokes.rim --split J0815"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_index(parser)
    parser.add_argument(
        "-k", metavar="N", type=positive, help="show the N largest (default: 20 on a terminal, all as JSON)"
    )
    parser.add_argument(
        "--least", metavar="N", type=positive, default=2, help="members that a family needs (default: 2)"
    )
    parser.add_argument("--of", metavar="ID", help="only the family of this document")
    change = parser.add_mutually_exclusive_group()
    change.add_argument(
        "--merge", metavar="ID", nargs="+", help="make the families of these documents one, and remember it"
    )
    change.add_argument(
        "--split", metavar="ID", nargs="+", help="take these documents out of their family, and remember it"
    )
    change.add_argument(
        "--find", action="store_true", help="find the families anew (building an index does it by itself)"
    )
    add_weights(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Change if asked, then list."""
    if args.weights is not None and not args.find:
        raise InputError("--weights is read only when families are found; add --find")
    if args.merge or args.split or args.find:
        _change(args)
    index = chosen_index(args)
    rows = _rows(index, args.least if args.of is None else 1, args.of)
    if args.json:
        print_json({"documents": len(index), "families": rows if args.k is None else rows[: args.k]})
    else:
        _show(rows, index, 20 if args.k is None else args.k)
    return 0 if rows else 1


def _change(args: argparse.Namespace) -> None:
    from rimshot.index.families import add_families, merge_families, split_family

    if args.index is None:
        raise InputError("the embedded sample is not changed by hand; name an index with --index DIR")
    if args.merge:
        merge_families(args.index, args.merge)
    elif args.split:
        split_family(args.index, args.split)
    else:
        with progress("finding families", len(chosen_index(args))) as tell:
            add_families(args.index, similarity=chosen_similarity(args), progress=tell)


def _rows(index: Index, least: int, of: str | None) -> list[dict[str, Any]]:
    import numpy as np

    from rimshot.index.families import representatives

    column = index.column("family")
    live = index.numbers()
    if of is not None:
        number = index.number(of)
        if number < 0:
            raise InputError(f'no document has the id "{of}"; see rimshot info')
        live = live[column[live] == column[number]]
    live = live[column[live] >= 0]
    order = np.argsort(column[live], kind="stable")
    members, bounds = live[order], np.flatnonzero(np.diff(column[live][order])) + 1
    leads = representatives(index)
    rows = []
    for group in np.split(members, bounds):
        if len(group) >= least:
            lead = leads[int(column[group[0]])]
            ids = [_id(index, int(n)) for n in sorted(group.tolist(), key=lambda n: (n != lead, n))]
            rows.append(
                {
                    "family": int(column[group[0]]),
                    "size": len(group),
                    "representative": ids[0],
                    "text": index.text(lead),
                    "ids": ids,
                }
            )
    return sorted(rows, key=lambda row: (-row["size"], row["family"]))


def _id(index: Index, number: int) -> int | str:
    return int(index.id(number)) if index.integer_ids else index.id(number)


def _show(rows: list[dict[str, Any]], index: Index, most: int) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    inside = sum(row["size"] for row in rows)
    out.print(f"{len(rows):,} families with {inside:,} of {len(index):,} texts", markup=False)
    table = Table(box=None, pad_edge=False, header_style="bold", show_lines=False)
    table.add_column("size", justify="right", style="cyan")
    table.add_column("told as", ratio=3)
    table.add_column("versions", ratio=1, style="dim")
    for row in rows[:most]:
        table.add_row(str(row["size"]), Text(row["text"]), " ".join(str(doc) for doc in row["ids"]))
    if rows:
        out.print(table)
    if len(rows) > most:
        out.print(f"and {len(rows) - most:,} more; see them with -k {len(rows)} or --json", markup=False)
