"""``rimshot annotate``."""

from __future__ import annotations

import argparse
from pathlib import Path

from rimshot.commands.terminal import add_json, console, print_json, progress, steps
from rimshot.errors import InputError

HELP = (
    "Complete an index: P(humour), the pun word and the meaning of every text that has none yet. "
    "`rimshot index` does this by itself; an interrupted one is taken up here where it stopped."
)
EXAMPLES = """  rimshot annotate jokes.rim
  rimshot annotate jokes.rim --model tiny
  rimshot annotate jokes.rim --model my-svm --column svm
  rimshot annotate jokes.rim --encoder my-encoder --column tuned"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("index", metavar="DIR", type=Path, help="the index")
    add_model(parser)
    parser.add_argument(
        "--encoder", metavar="NAME|DIR", help="fill --column with this encoder's vectors, for Nearest()"
    )
    parser.add_argument(
        "--column", metavar="NAME", help="a further column beside the index's own, e.g. for Humour(column='NAME')"
    )
    add_json(parser)


def add_model(parser: argparse.ArgumentParser) -> None:
    """Offer --model."""
    parser.add_argument(
        "--model", default="default", metavar="NAME|DIR", help="the detector: default, tiny, or a folder"
    )


def complete(path: Path, model: str) -> int:
    """Do what has not been done for an index, with a bar a step; gives how many texts were scored."""
    from rimshot.index import open_index
    from rimshot.index.complete import complete_index
    from rimshot.wordplay.choose import choose_detector

    with steps(open_index(path).size) as tell:
        return complete_index(path, choose_detector(model), steps=tell)


def _further(args: argparse.Namespace) -> int:
    from rimshot.index import open_index
    from rimshot.index.further import add_humour, add_vectors
    from rimshot.wordplay.choose import choose_detector

    with progress("scoring texts", open_index(args.index).size) as tell:
        if args.encoder:
            return add_vectors(args.index, args.column, args.encoder, tell)
        return add_humour(args.index, args.column, choose_detector(args.model), tell)


def run(args: argparse.Namespace) -> int:
    """Annotate the index."""
    if args.encoder and not args.column:
        raise InputError("--encoder fills a further column; name it, e.g. --column tuned")
    count = _further(args) if args.column else complete(args.index, args.model)
    if args.json:
        print_json({"index": str(args.index), "annotated": count})
    else:
        console().print(f"{args.index}: {count:,} texts annotated", markup=False)
    return 0
