"""The command line: ``rimshot COMMAND``. Each command is a file in ``rimshot/commands``."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn

from rimshot import __version__
from rimshot.errors import RimshotError, did_you_mean

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS: dict[str, str] = {
    "search": "find jokes about a topic",
    "same": "has this joke been told? find its other versions",
    "explain": "say why a text is a pun: the word, its two senses or its sound-alike",
    "detect": "tell how likely a text is wordplay, and which word does it",
    "sounds": "find jokes that play on a word sounding like another",
    "senses": "find jokes on a word, grouped by the sense they use",
    "kwic": "show concordance lines around the pun words",
    "families": "list families of retellings, merge or split them",
    "export": "write a list of results to cite",
    "serve": "open the page and the service",
    "mcp": "answer an assistant over the Model Context Protocol",
    "index": "build a searchable index of texts",
    "annotate": "complete an index whose building was interrupted",
    "augment": "let a language model explain every text of an index",
    "delete": "remove documents from an index",
    "info": "tell what an index holds",
    "run": "answer a file of queries and write a run",
    "evaluate": "measure runs against relevance judgments",
    "compare": "compare systems on a collection, with tests and pictures",
    "leaderboard": "show the published results, and your own among them",
    "collection": "build a test collection from annotated texts",
    "retell": "repeat the same-joke experiments on judged families",
    "train": "train a wordplay model",
    "completion": "print the completion script of a shell",
}


class _Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line with a cure."""

    def error(self, message: str) -> NoReturn:
        raise RimshotError(f"{message}; see {self.prog} --help")


def _module(name: str) -> ModuleType:
    return import_module(f"rimshot.commands.{name}")


def _add(commands: argparse._SubParsersAction[_Parser], name: str) -> None:
    module = _module(name)
    parser = commands.add_parser(
        name,
        help=COMMANDS[name],
        description=module.HELP,
        epilog=f"examples:\n{module.EXAMPLES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    module.configure(parser)
    parser.set_defaults(run=module.run)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """Give the parser of all commands, or of one (which imports nothing of the others)."""
    parser = _Parser(
        prog="rimshot",
        description="Humour-aware search for short texts: ask for a topic, get the jokes and puns about it.",
        epilog="rimshot COMMAND --help tells more of a command, with examples.",
    )
    parser.add_argument("--version", action="version", version=f"rimshot {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser)
    for name, summary in COMMANDS.items():
        if only is None or name == only:
            _add(commands, name)
        else:
            commands.add_parser(name, help=summary)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and give its exit code: 0 done, 1 nothing found, 2 a mistake one can mend, 130 interrupted."""
    words = list(sys.argv[1:] if argv is None else argv)
    command = next((word for word in words if not word.startswith("-")), None)
    try:
        if command is not None and command not in COMMANDS:
            raise RimshotError(f'unknown command "{command}"; {did_you_mean(command, COMMANDS)}')
        parser = build_parser(only=command or "")
        args = parser.parse_args(words)
        if command is None:
            parser.print_help()
            return 2
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except RimshotError as fault:
        print(f"rimshot: {fault}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("rimshot: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
