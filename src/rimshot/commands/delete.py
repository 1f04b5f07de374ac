"""``rimshot delete``."""

from __future__ import annotations

import argparse
from pathlib import Path

from rimshot.commands.terminal import add_json, console, print_json

HELP = "Remove documents from an index by their identifiers. All of them must be there, or none is removed."
EXAMPLES = """  rimshot delete 17 23 --index jokes.rim"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("ids", metavar="DOCID", nargs="+", help="identifiers of documents")
    parser.add_argument("--index", metavar="DIR", type=Path, required=True, help="the index to change")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Delete the documents."""
    from rimshot.index import open_index, write_index

    with write_index(args.index) as writer:
        deleted = writer.delete(args.ids)
    left = len(open_index(args.index))
    if args.json:
        print_json({"index": str(args.index), "deleted": deleted, "documents": left})
    else:
        console().print(f"{args.index}: {deleted:,} texts deleted, {left:,} left", markup=False)
    return 0
