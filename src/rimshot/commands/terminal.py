"""What all commands share: writing for people, writing JSON, progress, and the options for index and pipeline."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.errors import InputError

if TYPE_CHECKING:
    from rich.console import Console

    from rimshot.index import Index
    from rimshot.rank import Stage

__all__ = [
    "add_index",
    "add_json",
    "add_pipeline",
    "chosen_index",
    "chosen_pipeline",
    "console",
    "positive",
    "print_json",
    "progress",
    "steps",
]


def console(*, errors: bool = False) -> Console:
    """Give the terminal, with colour where it has any; plain and wide where output goes to a file."""
    from rich.console import Console

    stream = sys.stderr if errors else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else 120, highlight=False, soft_wrap=False)


def print_json(document: Any) -> None:
    """Print one JSON document on standard output, and nothing else."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal's error stream while work goes on; give the function that is told how far it is."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console(errors=True),
        transient=True,
    )
    with bar:
        task = bar.add_task(label, total=total)
        yield lambda done: bar.update(task, completed=done)


@contextmanager
def steps(total: int) -> Iterator[Callable[[str, int], None]]:
    """Show a bar for each named step of long work; give the function that is told the step and how far it is."""
    with ExitStack() as open_bars:
        bars: dict[str, Callable[[int], None]] = {}
        first = ""

        def tell(name: str, done: int) -> None:
            nonlocal first
            first = first or name
            if name not in bars:
                open_bars.close()
                bars.clear()
                bars[name] = open_bars.enter_context(progress(name, total if name == first else None))
            bars[name](done)

        yield tell


def positive(text: str) -> int:
    """Read a whole number of at least 1."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of at least 1")
    return number


def add_json(parser: argparse.ArgumentParser) -> None:
    """Offer --json."""
    parser.add_argument("--json", action="store_true", help="print one JSON document and nothing else")


def add_index(parser: argparse.ArgumentParser) -> None:
    """Offer --index."""
    parser.add_argument("--index", metavar="DIR", type=Path, help="the index to ask (default: the embedded sample)")


def add_pipeline(parser: argparse.ArgumentParser) -> None:
    """Offer --preset and --pipeline."""
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--preset", metavar="NAME", help="a ranking by name (default: the best one)")
    group.add_argument("--pipeline", metavar="TEXT", help='a ranking in full, e.g. "Bm25() >> Rm3() >> Bm25() %% 1000"')


def chosen_index(args: argparse.Namespace) -> Index:
    """Open the index that was named, or the embedded sample."""
    from rimshot.index import open_index

    return open_index(sample_folder() if args.index is None else args.index)


def sample_folder() -> Path:
    """Give the folder of the embedded sample's index; the first time, show how its building goes."""
    from rimshot.index.sample import sample_index

    with steps(0) as tell:
        return sample_index(tell)


def chosen_pipeline(args: argparse.Namespace) -> Stage:
    """Give the pipeline that was named or written, or the best there is."""
    from rimshot.rank import DEFAULT, parse, preset

    if args.pipeline is not None:
        if not args.pipeline.strip():
            raise InputError("--pipeline is empty; write e.g. Bm25() % 1000")
        return parse(args.pipeline)
    return preset(args.preset if args.preset is not None else DEFAULT)
