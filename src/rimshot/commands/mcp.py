"""``rimshot mcp``."""

from __future__ import annotations

import argparse
import io
import sys

from rimshot.commands.terminal import add_index, sample_folder

HELP = "Answer an assistant over the Model Context Protocol (standard input and output): search, explain, same."
EXAMPLES = """  rimshot mcp
  rimshot mcp --index jokes.rim"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_index(parser)


def run(args: argparse.Namespace) -> int:
    """Answer until the input ends."""
    from rimshot.serve.answers import Desk
    from rimshot.serve.limits import Limits
    from rimshot.serve.mcp import McpServer
    from rimshot.serve.shelf import Shelf

    path = args.index
    if path is None:
        path = sample_folder()
    limits = Limits()
    lines = io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8", errors="replace")
    out = io.TextIOWrapper(sys.stdout.buffer, encoding="utf-8", newline="\n")
    McpServer(Desk(Shelf(path), limits), limits).run(lines, out)
    out.detach()
    return 0
