"""The published record of CLEF JOKER Task 1, with one's own runs put in their place.

The tables are data in ``record/``: figures as printed, names as the papers' text spells them. A row keeps under
``scan`` what the scan had instead, and under ``doubt`` why one of its figures cannot be taken at its word.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any

from rimshot.errors import InputError
from rimshot.evaluate.measures import Evaluation
from rimshot.evaluate.table import Table

__all__ = ["Entry", "Standing", "choose", "own_entry", "published", "standing"]

YEARS = (2024, 2025, 2026)
_QUOTED = frozenset({"#rel", "MAP", "map", "GMAP", "ndcg", "MRR", "P@1", "P@5", "P@10", "NDCG@5", "R@100", "R@1000"})


@dataclass(frozen=True)
class Entry:
    """A row: figures are shares from 0 to 1 (counts stay counts); ``own`` rows were measured here."""

    run: str
    figures: Mapping[str, float | None]
    scan: str | None = None
    doubtful: tuple[str, ...] = ()
    doubt: str | None = None
    own: bool = False
    elsewhere: bool = False
    place: int = 0


@dataclass(frozen=True)
class Standing:
    """A published table, in the order of one measure."""

    id: str
    year: int
    title: str
    lang: str
    split: str
    judgments: str
    queries: int | None
    columns: tuple[str, ...]
    percent: bool
    baseline: str | None
    entries: tuple[Entry, ...]
    source: Mapping[str, Any]

    @property
    def _own(self) -> bool:
        return any(entry.own for entry in self.entries)

    def figure_of(self, entry: Entry, measure: str) -> float | None:
        """Give a figure of a row; MAP and map, NDCG and ndcg are the same."""
        folded = {name.casefold(): value for name, value in entry.figures.items()}
        return folded.get(measure.casefold())

    def table(self, by: str | None = None, ratio_to: float | None = None, wide: bool = True) -> Table:
        """Give the rows for people, each with its place, its ratio to BM25, and marks.

        ``ratio_to`` is BM25's figure on one's own collection, for own rows of another collection. The narrow table has
        the measures that people quote.
        """
        by = by or self.columns[0 if self.columns[0] != "#ret" else 2]
        whole = next(table for table in published() if table.id == self.id)
        base = next((entry for entry in whole.entries if entry.run == self.baseline), None)
        base_figure = self.figure_of(base, by) if base else None
        names = tuple(name for name in self.columns if wide or name in _QUOTED or name == by)
        rows = []
        for entry in self.entries:
            value = self.figure_of(entry, by)
            against = ratio_to if entry.own and entry.elsewhere else base_figure
            ratio = f"{value / against:.2f}" if value is not None and against else None
            marks = ("†" if entry.elsewhere else "") + ("?" if entry.doubt else "")
            name = f"{'> ' if entry.own else ''}{entry.run}{' ' + marks if marks else ''}"
            rows.append((f"{entry.place:2d}  {name}", (*(self._shown(entry, column) for column in names), ratio)))
        digits = {name: 0 if name.startswith("#") else 2 if self.percent or not self._own else 4 for name in names}
        best = frozenset(name for name in names if not name.startswith("#"))
        unit = ", per cent" if self.percent else ""
        number = self.id.split("-")[1]
        table = f", Table {number}" if number.isdigit() else ""
        title = f"CLEF JOKER {self.year}{table}: {self.title}{unit}"
        return Table("    run", (*names, f"{by}/BM25"), tuple(rows), digits, best, title)

    def _shown(self, entry: Entry, column: str) -> float | None:
        value = self.figure_of(entry, column)
        if value is None or column.startswith("#"):
            return value
        return round(value * 100, 2) if self.percent else round(value, 4)

    def document(self) -> dict[str, Any]:
        """Give everything as plain data; figures are shares."""
        return {
            "table": self.id,
            "title": self.title,
            "lang": self.lang,
            "split": self.split,
            "judgments": self.judgments,
            "queries": self.queries,
            "source": dict(self.source),
            "rows": [{**vars(entry), "figures": dict(entry.figures)} for entry in self.entries],
        }


@cache
def published() -> tuple[Standing, ...]:
    """Give every published table."""
    found = []
    for year in YEARS:
        data = json.loads((files("rimshot.evaluate") / "record" / f"{year}.json").read_text(encoding="utf-8"))
        found += [_standing(year, table, data["source"]) for table in data["tables"]]
    return tuple(found)


def _standing(year: int, table: Mapping[str, Any], source: Mapping[str, Any]) -> Standing:
    percent = table["unit"] == "percent"
    columns = tuple(table["columns"])
    entries = []
    for row in table["rows"]:
        figures = {
            name: value / 100 if percent and value is not None and not name.startswith("#") else value
            for name, value in zip(columns, row["values"], strict=True)
        }
        entries.append(Entry(row["run"], figures, row.get("scan"), tuple(row.get("doubtful", ())), row.get("doubt")))
    known = {name: table[name] for name in ("id", "title", "lang", "split", "judgments", "queries", "baseline")}
    return Standing(year=year, columns=columns, percent=percent, entries=tuple(entries), source=source, **known)


def choose(year: int, lang: str = "en", split: str = "test", judgments: str = "official") -> Standing:
    """Give one published table."""
    for table in published():
        if (table.year, table.lang, table.split, table.judgments) == (year, lang, split, judgments):
            return table
    have = ", ".join(f"{t.year} {t.lang} {t.split} {t.judgments}" for t in published())
    raise InputError(f"no table for {year} {lang} {split} {judgments}; there are: {have}")


def own_entry(evaluation: Evaluation, table: Standing, official: bool = False) -> Entry:
    """Give a row for a run measured here, marked as another collection unless the judgments are the lab's."""
    if official and table.queries is not None and len(evaluation.queries) != table.queries:
        raise InputError(
            f"{len(evaluation.queries)} judged queries are not the {table.queries} of {table.id}, so these cannot be "
            "the lab's judgments; leave --official out, or --exclude the training queries"
        )
    return Entry(evaluation.run, dict(evaluation.overall), own=True, elsewhere=not official)


def standing(table: Standing, own: Sequence[Entry] = (), by: str | None = None, top: int | None = None) -> Standing:
    """Give a table in the order of a measure with own rows in their place; ``top`` keeps the best and all own rows."""
    by = by or table.columns[0 if table.columns[0] != "#ret" else 2]
    if by.casefold() not in {name.casefold() for name in table.columns}:
        raise InputError(f'"{by}" is not a column of {table.id}; there are: {", ".join(table.columns)}')

    def key(entry: Entry) -> float:
        value = table.figure_of(entry, by)
        return -1.0 if value is None else value

    ranked = sorted((*table.entries, *own), key=key, reverse=True)
    ordered = [replace(entry, place=place) for place, entry in enumerate(ranked, 1)]
    if top is not None:
        ordered = [entry for entry in ordered if entry.place <= top or entry.own]
    return replace(table, entries=tuple(ordered))
