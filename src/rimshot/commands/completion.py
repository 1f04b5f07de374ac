"""``rimshot completion``."""

from __future__ import annotations

import argparse
import sys

HELP = "Print a script that completes rimshot's commands and options in bash, zsh or tcsh."
EXAMPLES = """  rimshot completion bash > ~/.local/share/bash-completion/completions/rimshot
  rimshot completion zsh > ~/.zfunc/_rimshot"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"), help="the shell")


def run(args: argparse.Namespace) -> int:
    """Print the script."""
    import shtab

    from rimshot.cli import build_parser

    sys.stdout.write(shtab.complete(build_parser(), shell=args.shell) + "\n")
    return 0
