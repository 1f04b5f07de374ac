"""The reference of all commands, from their own --help: make docs."""

import argparse
import os
from pathlib import Path

ROOT = Path(__file__).parent.parent


def reference():
    os.environ["COLUMNS"] = "100"
    from rimshot.cli import build_parser

    parser = build_parser()
    parts = [
        "# Commands\n\nWhat `rimshot COMMAND --help` prints. Exit codes: 0 done, 1 nothing found, 2 a mistake one can mend.\n"
    ]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                parts.append(f"\n## rimshot {name}\n\n```text\n{command.format_help().rstrip()}\n```\n")
    return "".join(parts)


if __name__ == "__main__":
    (ROOT / "docs" / "commands.md").write_text(reference(), "utf-8")
