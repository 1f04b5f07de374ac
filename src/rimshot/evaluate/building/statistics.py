"""What a collection consists of, in the form of the lab's tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from rimshot.evaluate.building.items import Item
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.table import Table

__all__ = ["describe", "per_query_table", "source_table"]


def describe(qrels: Qrels) -> dict[str, float]:
    """Give count, mean, standard deviation, least, quartiles and most of relevant texts per query (2024, Table 2).

    >>> describe(Qrels({"a": {"1": 1, "2": 1}, "b": {"1": 1, "3": 0}}))["mean"]
    1.5
    """
    counts = np.array([len(qrels.relevant(qid)) for qid in qrels.judgments], np.float64)
    if not len(counts):
        return {"count": 0.0}
    low, middle, high = np.quantile(counts, [0.25, 0.5, 0.75])
    return {
        "count": float(len(counts)),
        "mean": float(counts.mean()),
        "std": float(counts.std(ddof=1)) if len(counts) > 1 else 0.0,
        "min": float(counts.min()),
        "25%": float(low),
        "50%": float(middle),
        "75%": float(high),
        "max": float(counts.max()),
    }


def per_query_table(sets: Mapping[str, Qrels]) -> Table:
    """Give the statistics of relevant texts per query for several judgments side by side."""
    found = {name: describe(qrels) for name, qrels in sets.items() if len(qrels)}
    rows = tuple(
        (measure, tuple(round(stats[measure], 2) for stats in found.values()))
        for measure in ("count", "mean", "std", "min", "25%", "50%", "75%", "max")
    )
    digits = dict.fromkeys(found, 1)
    return Table("relevant texts per query", tuple(found), rows, digits)


def source_table(items: Sequence[Item]) -> Table:
    """Give documents by source, humorous or not (2025, Table 2)."""
    funny = Counter(item.source for item in items if item.humorous)
    plain = Counter(item.source for item in items if not item.humorous)
    names = sorted({*funny, *plain}, key=lambda name: -(funny[name] + plain[name]))
    rows = [(name, (plain[name], funny[name], plain[name] + funny[name])) for name in names]
    rows.append(("total", (sum(plain.values()), sum(funny.values()), len(items))))
    columns = ("non-humorous", "humorous", "total")
    return Table("source", columns, tuple(rows), dict.fromkeys(columns, 0))
