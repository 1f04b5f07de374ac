"""``rimshot index``."""

from __future__ import annotations

import argparse
from pathlib import Path

from rimshot.commands.annotate import add_model, complete
from rimshot.commands.terminal import add_json, console, print_json, progress
from rimshot.errors import IndexFault

HELP = "Build a searchable index of texts from JSON, JSON lines, CSV, TSV or TREC files (each also .gz)."
EXAMPLES = """  rimshot index jokes.json --out jokes.rim
  rimshot index more.jsonl.gz --out jokes.rim --append
  rimshot index piadas.csv --out piadas.rim --lang pt"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("paths", metavar="PATH", nargs="+", type=Path, help="files with the fields docid and text")
    parser.add_argument("--out", metavar="DIR", type=Path, required=True, help="folder of the index")
    parser.add_argument(
        "--lang", default="auto", metavar="en|pt|auto", help="language of the texts (default: auto, each by itself)"
    )
    parser.add_argument("--append", action="store_true", help="add to an index that exists")
    parser.add_argument(
        "--plain", action="store_true", help="words only: no humour, no meaning (rimshot annotate adds them)"
    )
    add_model(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Build or extend the index."""
    from rimshot.corpus import Analyser, DocReader
    from rimshot.corpus.document import LANGUAGES
    from rimshot.index import open_index, write_index
    from rimshot.index.manifest import exists

    if args.append and not exists(args.out):
        raise IndexFault(f"{args.out}: there is no index to append to; build it first, without --append")
    reader = DocReader(args.paths, args.lang)
    create = None if args.append else {lang: Analyser(lang) for lang in LANGUAGES}
    with progress("reading texts") as tell, write_index(args.out, create=create) as writer:
        added = writer.add(reader, tell)
    if not args.plain:
        complete(args.out, args.model)
    index = open_index(args.out)
    if args.json:
        print_json(
            {"index": str(args.out), "added": added, "documents": len(index), "languages": index.manifest["languages"]}
        )
    else:
        console().print(f"{args.out}: {added:,} texts added, {len(index):,} in all", markup=False)
    return 0
