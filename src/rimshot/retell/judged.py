"""Judged families of retellings, and how well a ranking or a partition agrees with them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.corpus.records import read_records
from rimshot.errors import InputError

__all__ = ["Family", "RankingFigures", "bcubed", "judge_rankings", "read_families", "read_pairs", "signal_means"]

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Family:
    """Documents that people judged to be the same joke; ``signal`` says how the family was found."""

    name: str
    ids: tuple[str, ...]
    signal: str = ""


@dataclass(frozen=True)
class RankingFigures:
    """Figures of one family, each the mean over its members as queries."""

    family: Family
    average_precision: float
    r_precision: float
    recall_10: float
    recall_500: float
    ranks: tuple[int, ...]
    """Rank of each relevant document in each of its rankings; 0 when it was not found."""


def _rows(path: Path, needed: Sequence[str]) -> Iterable[tuple[str, dict[str, Any]]]:
    for where, row in read_records(path):
        for name in needed:
            if name not in row:
                raise InputError(f'{where}: no field "{name}"; each record needs {", ".join(needed)}')
        yield where, row


def read_families(path: Path) -> list[Family]:
    """Read families from a file of records with ``ids``, and if given ``family`` or ``cluster`` (a name) and ``signal``."""
    families: list[Family] = []
    owner: dict[str, str] = {}
    for where, row in _rows(path, ["ids"]):
        ids = tuple(str(i) for i in row["ids"]) if isinstance(row["ids"], list) else ()
        if len(set(ids)) < 2:
            raise InputError(f'{where}, field "ids": a family needs at least two different documents')
        for i in ids:
            if owner.setdefault(i, where) != where:
                raise InputError(f'{where}: "{i}" stands in the family at {owner[i]} too; families must be disjoint')
        name = row.get("family", row.get("cluster", len(families) + 1))
        families.append(Family(str(name), ids, str(row.get("signal", ""))))
    return families


def read_pairs(path: Path) -> list[tuple[str, str]]:
    """Read pairs of documents that are different jokes from a file of records with ``a`` and ``b``."""
    return [(str(row["a"]), str(row["b"])) for _, row in _rows(path, ["a", "b"])]


def judge_rankings(families: Sequence[Family], rank: Callable[[str], Sequence[str]]) -> list[RankingFigures]:
    """Rank the collection for each member of each family, the query itself left out, and give each family's figures."""
    found = []
    for family in families:
        rows, ranks = [], []
        for query in family.ids:
            place = {doc: at for at, doc in enumerate((d for d in rank(query) if d != query), 1)}
            relevant = sorted(place.get(doc, 0) for doc in family.ids if doc != query)
            hits = [r for r in relevant if r]
            total = len(relevant)
            rows.append(
                (
                    sum(n / r for n, r in enumerate(hits, 1)) / total,
                    sum(r <= total for r in hits) / total,
                    sum(r <= 10 for r in hits) / total,
                    sum(r <= 500 for r in hits) / total,
                )
            )
            ranks += relevant
        precision, r_precision, recall_10, recall_500 = np.array(rows).mean(axis=0).tolist()
        found.append(RankingFigures(family, precision, r_precision, recall_10, recall_500, tuple(ranks)))
    return found


def signal_means(figures: Sequence[RankingFigures]) -> dict[str, float]:
    """Give the mean average precision of the families of each signal."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in figures:
        groups[row.family.signal].append(row.average_precision)
    return {signal: float(np.mean(values)) for signal, values in sorted(groups.items())}


def bcubed(families: Sequence[Family], assigned: Mapping[str, int]) -> tuple[float, float, float]:
    """Give B-cubed precision, recall and F1 of a partition, over the documents of judged families (Bagga, Baldwin 1998).

    >>> bcubed([Family("1", ("a", "b")), Family("2", ("c", "d"))], {"a": 0, "b": 0, "c": 1, "d": 2})
    (1.0, 0.75, 0.8571428571428571)
    """
    gold = {doc: at for at, family in enumerate(families) for doc in family.ids}
    both: dict[tuple[int, int], int] = defaultdict(int)
    ours: dict[int, int] = defaultdict(int)
    for doc, at in gold.items():
        both[at, assigned[doc]] += 1
        ours[assigned[doc]] += 1
    precision = sum(n * n / ours[cluster] for (_, cluster), n in both.items()) / max(len(gold), 1)
    recall = sum(n * n / len(families[at].ids) for (at, _), n in both.items()) / max(len(gold), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-12)
