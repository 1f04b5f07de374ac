"""``rimshot info``."""

from __future__ import annotations

import argparse

from rimshot.commands.terminal import add_index, add_json, chosen_index, console, print_json

HELP = "Tell what an index holds: documents, languages, fields, columns, analysers, models and digest."
EXAMPLES = """  rimshot info
  rimshot info --index jokes.rim --verify"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_index(parser)
    parser.add_argument("--verify", action="store_true", help="read everything and compare it with its digests")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Describe the index."""
    index = chosen_index(args)
    if args.verify:
        index.verify()
    common = [set(segment.columns) for segment in index.segments]
    facts = {
        "index": str(index.path),
        "documents": len(index),
        "languages": index.manifest["languages"],
        "fields": sorted(set.intersection(*(set(s.fields) for s in index.segments)) if index.segments else set()),
        "columns": sorted(name.removeprefix("doc:") for name in (set.intersection(*common) if common else set())),
        "segments": len(index.segments),
        "analysers": index.manifest["analysers"],
        "notes": index.manifest.get("notes", {}),
        "digest": index.digest,
        "verified": bool(args.verify),
    }
    if args.json:
        print_json(facts)
        return 0
    out = console()
    for name, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
        elif isinstance(value, list):
            value = ", ".join(value) or "none"
        out.print(f"[bold]{name:<10}[/bold]", end=" ")
        out.print(str(value), markup=False)
    return 0
