"""``rimshot kwic``."""

from __future__ import annotations

import argparse

from rimshot.commands.terminal import add_index, add_json, chosen_index, console, positive, print_json

HELP = "Show concordance lines around the pun words of an index."
EXAMPLES = """  rimshot kwic
  rimshot kwic "pun:bank kind:homographic" --width 50 --index jokes.rim"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "query", metavar="FILTERS", nargs="?", default="", help="e.g. pun:bank or sound:sail (default: all)"
    )
    add_index(parser)
    parser.add_argument("-k", metavar="N", type=positive, default=50, help="how many lines (default: 50)")
    parser.add_argument("--width", metavar="N", type=positive, default=40, help="characters on each side (default: 40)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the lines, pun words under one another."""
    from rimshot.index.explanations import puns_of
    from rimshot.rank.kwic import concordance
    from rimshot.rank.syntax import matches, parse_query

    index = chosen_index(args)
    asked = parse_query(args.query)
    topic = asked.topic.lower().split()
    hits = [
        (text, record)
        for number, record in puns_of(index).items()
        if matches(asked, record) and all(word in (text := index.text(number)).lower() for word in topic or ("",))
    ]
    lines = concordance(hits, args.width)[: args.k]
    if args.json:
        print_json({"query": args.query, "lines": [{"left": a, "word": b, "right": c} for a, b, c in lines]})
    else:
        out = console()
        for left, word, right in lines:
            out.print(f"{left:>{args.width}}  {word}  {right}", markup=False, soft_wrap=True)
    return 0 if lines else 1
