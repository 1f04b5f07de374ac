"""A table of figures with the best of each column marked, as Markdown, LaTeX, CSV or plain data."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["TEXT_FORMATS", "Table", "figure"]

TEXT_FORMATS = ("markdown", "latex", "csv")
_LATEX = {"&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}"}


def figure(value: float | int | str | None, digits: int = 4) -> str:
    """Give a figure as people read it: counts whole, shares with four decimals, nothing as a dash.

    >>> figure(0.35009), figure(207000.0, 0), figure(None), figure(float("nan"))
    ('0.3501', '207000', '-', 'NaN')
    """
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if isinstance(value, float) and math.isnan(value):
        return "NaN"
    return f"{value:.{digits}f}"


@dataclass(frozen=True)
class Table:
    """Rows of a name and figures; ``digits`` has the decimals of a column (4 unless told), ``best`` those to mark."""

    head: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[float | int | str | None, ...]], ...]
    digits: Mapping[str, int] | None = None
    best: frozenset[str] = frozenset()
    title: str = ""

    def cells(self) -> list[list[tuple[str, bool]]]:
        """Give every row's figures as text, with whether each is the best of its column as it is shown."""
        texts = [
            [figure(value, (self.digits or {}).get(name, 4)) for name, value in zip(self.columns, values, strict=True)]
            for _, values in self.rows
        ]
        marks = [self._best(place, [row[place] for row in texts]) for place in range(len(self.columns))]
        return [[(text, marks[place][number]) for place, text in enumerate(row)] for number, row in enumerate(texts)]

    def _best(self, place: int, texts: Sequence[str]) -> list[bool]:
        numbers = [
            float(text) if isinstance(row[1][place], int | float) and text not in ("-", "NaN") else -math.inf
            for row, text in zip(self.rows, texts, strict=True)
        ]
        top = max(numbers, default=-math.inf)
        marked = self.columns[place] in self.best and len(numbers) > 1 and top > -math.inf
        return [marked and number == top for number in numbers]

    def markdown(self) -> str:
        """Give the table for a README."""
        lines = [f"**{self.title}**\n"] if self.title else []
        lines.append(f"| {self.head} | " + " | ".join(self.columns) + " |")
        lines.append("|---|" + "---:|" * len(self.columns))
        for (name, _), row in zip(self.rows, self.cells(), strict=True):
            shown = [f"**{text}**" if best else text for text, best in row]
            lines.append(f"| {name.replace('|', chr(92) + '|')} | " + " | ".join(shown) + " |")
        return "\n".join(lines) + "\n"

    def latex(self) -> str:
        """Give the table for a paper, with booktabs."""
        lines = [r"\begin{tabular}{l" + "r" * len(self.columns) + "}", r"\toprule"]
        lines.append(" & ".join(map(_escape, (self.head, *self.columns))) + r" \\")
        lines.append(r"\midrule")
        for (name, _), row in zip(self.rows, self.cells(), strict=True):
            shown = [rf"\textbf{{{_escape(text)}}}" if best else _escape(text) for text, best in row]
            lines.append(" & ".join([_escape(name), *shown]) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}"]
        return "\n".join(([f"% {self.title}"] if self.title else []) + lines) + "\n"

    def csv(self) -> str:
        """Give the table for a spreadsheet, with unrounded figures."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow([self.head, *self.columns])
        for name, values in self.rows:
            writer.writerow([name, *("" if value is None else value for value in values)])
        return out.getvalue()

    def text(self, format: str) -> str:
        """Give the table in one of TEXT_FORMATS."""
        return {"markdown": self.markdown, "latex": self.latex, "csv": self.csv}[format]()


def _escape(text: str) -> str:
    return "".join(_LATEX.get(letter, letter) for letter in text.replace("\\", "/"))
