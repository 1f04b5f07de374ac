"""Progress of a training run on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


@contextmanager
def progress_bar(console: Console | None = None) -> Iterator[Callable[[str, float], None]]:
    """Give a `tell` for `train_detector`: a bar for the present epoch, a line for each finished one."""
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console or Console(stderr=True)) as progress:
        task = progress.add_task("reading", total=1.0)
        shown = ""

        def tell(text: str, share: float) -> None:
            nonlocal shown
            if text.startswith("{"):
                progress.console.print(text, markup=False, highlight=False)
            elif text != shown:
                shown = text
                progress.reset(task, description=text, total=1.0)
            progress.update(task, completed=share)

        yield tell
