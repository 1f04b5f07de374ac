"""A table of figures in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from rimshot.evaluate.table import Table

__all__ = ["show_table"]


def show_table(table: Table, out: Console) -> None:
    """Print a table with a star at the best of each column.

    One that is too wide for the terminal is turned on its side where that fits, and folded where it does not.
    """
    cells = table.cells()
    names = [name for name, _ in table.rows]
    upright = max(map(len, (table.head, *names)), default=0) + sum(
        max(len(column), *(len(row[place][0]) + 1 for row in cells), 0) + 1
        for place, column in enumerate(table.columns)
    )
    turned = max(map(len, table.columns)) + sum(max(len(name), 8) + 2 for name in names)
    if upright <= out.width or turned > out.width:
        _print(table, table.head, names, table.columns, cells, out)
    else:
        sideways = [[row[place] for row in cells] for place in range(len(table.columns))]
        _print(table, table.head, list(table.columns), tuple(names), sideways, out)


def _print(
    table: Table,
    head: str,
    names: list[str],
    columns: tuple[str, ...],
    cells: list[list[tuple[str, bool]]],
    out: Console,
) -> None:
    shown = RichTable(title=table.title or None, title_justify="left", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    shown.add_column(Text(head), overflow="fold")
    for name in columns:
        shown.add_column(Text(f"{name} "), justify="right", no_wrap=True)
    for name, row in zip(names, cells, strict=True):
        shown.add_row(Text(name), *(Text(f"{text}*", "bold green") if best else Text(f"{text} ") for text, best in row))
    out.print(shown)
