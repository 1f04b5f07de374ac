"""Comparing systems honestly: differences per query, tests, intervals, wins and losses, train against test."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import InputError, did_you_mean
from rimshot.evaluate.measures import Measure
from rimshot.evaluate.significance import bootstrap, holm, randomisation
from rimshot.evaluate.systems import System
from rimshot.evaluate.table import Table

__all__ = ["LEVEL", "Comparison", "Overfitting", "Pair", "compare"]

LEVEL = 0.05
_EQUAL = 1e-9


@dataclass(frozen=True)
class Pair:
    """How ``system`` does against ``other``: a positive difference is in favour of ``system``."""

    system: str
    other: str
    difference: float
    low: float
    high: float
    p: float
    p_holm: float
    wins: int
    ties: int
    losses: int

    @property
    def significant(self) -> bool:
        """Whether the difference stands after Holm's correction."""
        return self.p_holm < LEVEL


@dataclass(frozen=True)
class Overfitting:
    """A system on training and on test queries: a drop far larger than the baseline's points to overfitting."""

    system: str
    train: float
    test: float
    low: float
    high: float
    train_rank: int
    test_rank: int

    @property
    def drop(self) -> float:
        """Train less test."""
        return self.train - self.test


@dataclass(frozen=True)
class Comparison:
    """Systems measured over the same queries, with one measure that decides."""

    systems: tuple[System, ...]
    measures: tuple[Measure, ...]
    primary: str
    queries: tuple[str, ...]
    intervals: dict[str, tuple[float, float]]
    pairs: tuple[Pair, ...]
    overfitting: tuple[Overfitting, ...] = ()

    def values(self, system: System) -> NDArray[np.float64]:
        """Give the deciding measure of a system for each query."""
        return system.official.values[self.primary]

    def table(self) -> Table:
        """Give the figures of every system, then how it does against the baseline."""
        names = tuple(measure.name for measure in self.measures)
        baseline = {pair.system: pair for pair in self.pairs if pair.other == self.systems[0].name}
        extra = ("95% low", "95% high", "diff", "p", "p Holm", "W/T/L")
        rows = []
        for system in self.systems:
            low, high = self.intervals[system.name]
            pair = baseline.get(system.name)
            more: tuple[float | str | None, ...] = (None,) * 4
            if pair:
                more = (pair.difference, pair.p, pair.p_holm, f"{pair.wins}/{pair.ties}/{pair.losses}")
            rows.append((system.name, (*(system.official.overall[name] for name in names), low, high, *more)))
        digits = {measure.name: 0 for measure in self.measures if measure.counts}
        best = frozenset(names) - digits.keys()
        return Table(
            "system", (*names, *extra), tuple(rows), digits, best, f"{self.primary} over {len(self.queries)} queries"
        )

    def figures(self) -> Table:
        """Give the figures of every system alone."""
        full = self.table()
        count = len(self.measures)
        rows = tuple((name, values[:count]) for name, values in full.rows)
        return Table("system", full.columns[:count], rows, full.digits, full.best)

    def pair_table(self) -> Table:
        """Give every tested pair; a star at p stands after Holm's correction."""
        rows = tuple(
            (
                f"{pair.system} - {pair.other}",
                (
                    f"{pair.difference:+.4f}",
                    f"{pair.low:+.4f} to {pair.high:+.4f}",
                    f"{pair.p:.4f}",
                    f"{pair.p_holm:.4f}{'*' if pair.significant else ''}",
                    f"{pair.wins}/{pair.ties}/{pair.losses}",
                ),
            )
            for pair in self.pairs
        )
        columns = ("difference", "95% interval", "p", "p Holm", "wins/ties/losses")
        return Table(f"{self.primary}", columns, rows, title="Paired randomisation test, bootstrap interval")

    def query_table(self, limit: int | None = None) -> Table:
        """Give the deciding measure per query; with a limit, the queries where systems differ most."""
        matrix = np.stack([self.values(system) for system in self.systems], axis=1)
        spread = matrix.max(axis=1) - matrix.min(axis=1)
        order = range(len(self.queries)) if limit is None else np.argsort(-spread, kind="stable")[:limit].tolist()
        rows = tuple((self.queries[place], tuple(map(float, matrix[place]))) for place in order)
        names = tuple(system.name for system in self.systems)
        title = f"{self.primary} per query" + (", where the systems differ most" if limit else "")
        # a query is no contest across rows, so no column has a best
        return Table("query", names, rows, title=title)

    def overfitting_table(self) -> Table:
        """Give train against test."""
        rows = tuple(
            (
                entry.system,
                (
                    entry.train,
                    entry.test,
                    f"{entry.drop:+.4f}",
                    f"{entry.low:+.4f} to {entry.high:+.4f}",
                    f"{entry.train / entry.test:.2f}" if entry.test else "-",
                    f"{entry.train_rank} -> {entry.test_rank}",
                ),
            )
            for entry in self.overfitting
        )
        columns = ("train", "test", "drop", "95% interval", "train/test", "place")
        return Table(
            f"{self.primary}", columns, rows, best=frozenset(("train", "test")), title="Training against test queries"
        )

    def document(self) -> dict[str, Any]:
        """Give everything as plain data."""
        return {
            "measures": [measure.name for measure in self.measures],
            "primary": self.primary,
            "queries": len(self.queries),
            "systems": [self._plain(system) for system in self.systems],
            "pairs": [{**vars(pair), "significant": pair.significant} for pair in self.pairs],
            "per_query": {
                qid: {system.name: float(self.values(system)[place]) for system in self.systems}
                for place, qid in enumerate(self.queries)
            },
            "overfitting": [{**vars(entry), "drop": entry.drop} for entry in self.overfitting],
        }

    def _plain(self, system: System) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "name": system.name,
            "made": system.made,
            "scores": dict(system.official.overall),
            "interval": list(self.intervals[system.name]),
            "missing": list(system.official.missing),
            "ties": system.official.ties,
        }
        if system.topical is not None:
            entry["topical"] = dict(system.topical.overall)
        return entry


def compare(
    systems: Sequence[System], primary: str | None = None, baseline: str | None = None, all_pairs: bool = False
) -> Comparison:
    """Compare systems that were measured over the same queries; the baseline (the first unless named) stands first."""
    if not systems:
        raise InputError("nothing to compare; name at least one run or preset")
    systems = list(_distinct(systems))
    if baseline is not None:
        names = [system.name for system in systems]
        if baseline not in names:
            raise InputError(f'no system "{baseline}" to be the baseline; {did_you_mean(baseline, names)}')
        systems.insert(0, systems.pop(names.index(baseline)))
    measures = systems[0].official.measures
    primary = _primary(measures, primary)
    queries = systems[0].official.queries
    matrix = np.stack([system.official.values[primary] for system in systems], axis=1)
    ends = bootstrap(matrix)
    places = (
        list(itertools.combinations(range(len(systems)), 2)) if all_pairs else [(0, n) for n in range(1, len(systems))]
    )
    return Comparison(
        tuple(systems),
        measures,
        primary,
        queries,
        {system.name: (float(low), float(high)) for system, (low, high) in zip(systems, ends, strict=True)},
        _pairs([system.name for system in systems], matrix, places),
        _overfitting(systems, primary),
    )


def _distinct(systems: Sequence[System]) -> list[System]:
    from dataclasses import replace

    seen: dict[str, int] = {}
    found = []
    for system in systems:
        seen[system.name] = seen.get(system.name, 0) + 1
        number = seen[system.name]
        found.append(system if number == 1 else replace(system, name=f"{system.name} ({number})"))
    return found


def _primary(measures: Sequence[Measure], wish: str | None) -> str:
    able = [measure.name for measure in measures if measure.mean == "mean"]
    if not able:
        raise InputError("no measure here is a mean over queries, so nothing can be tested; add one such as MAP")
    if wish is None:
        return next((name for name in able if name.casefold() in ("map", "ap")), able[0])
    if wish not in able:
        raise InputError(f'"{wish}" is no mean over queries among the measures; {did_you_mean(wish, able)}')
    return wish


def _pairs(names: Sequence[str], matrix: NDArray[np.float64], places: Sequence[tuple[int, int]]) -> tuple[Pair, ...]:
    if not places:
        return ()
    differences = np.stack([matrix[:, after] - matrix[:, before] for before, after in places], axis=1)
    ps = randomisation(differences)
    ends = bootstrap(differences)
    found = []
    for column, ((before, after), p, corrected) in enumerate(zip(places, ps, holm(ps), strict=True)):
        change = differences[:, column]
        wins, losses = int((change > _EQUAL).sum()), int((change < -_EQUAL).sum())
        low, high = map(float, ends[column])
        found.append(
            Pair(
                names[after],
                names[before],
                float(change.mean()),
                low,
                high,
                float(p),
                float(corrected),
                wins,
                len(change) - wins - losses,
                losses,
            )
        )
    return tuple(found)


def _overfitting(systems: Sequence[System], primary: str) -> tuple[Overfitting, ...]:
    if any(system.train is None for system in systems):
        return ()
    learned = [system.train.overall[primary] for system in systems if system.train is not None]
    tested = [system.official.overall[primary] for system in systems]
    found = []
    for system, train, test in zip(systems, learned, tested, strict=True):
        assert system.train is not None
        drops = _unpaired(system.train.values[primary], system.official.values[primary])
        ranks = 1 + sum(value > train for value in learned), 1 + sum(value > test for value in tested)
        found.append(Overfitting(system.name, train, test, *drops, *ranks))
    return tuple(found)


def _unpaired(train: NDArray[np.float64], test: NDArray[np.float64], samples: int = 10_000) -> tuple[float, float]:
    rng = np.random.default_rng(20240909)
    means = [
        rng.multinomial(len(values), np.full(len(values), 1 / len(values)), samples) @ values / len(values)
        for values in (train, test)
    ]
    low, high = np.quantile(means[0] - means[1], [0.025, 0.975])
    return float(low), float(high)
