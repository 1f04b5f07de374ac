"""Boosted trees: many small decision trees whose values add up to log-odds (Friedman 2001), or to a score to rank by.

What one likeness of two texts says depends on the others: shared wording settles the matter where there is much of it, and where there is
little the vectors of the jokes do. Trees that only have to put the candidates of one joke in order learn from pairs of these, the more
the higher a wrong one would stand (LambdaMART: Burges 2010), and need not care how the candidates of another joke compare. Trees are
fitted by LightGBM, which is needed for that alone; they are read here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.extra import library
from rimshot.wordplay.forest import Forks

__all__ = ["Trees", "fit_ranking_trees", "fit_trees"]

Array = npt.NDArray[Any]
_NUMBERS = {"roots": np.intp, "column": np.intp, "cut": np.float64, "below": np.intp, "value": np.float64}
_FORKS = ("roots", "column", "cut", "below")


@dataclass(frozen=True, eq=False)
class Trees:
    """Trees (``rimshot.wordplay.forest``) and what a row gains at each of their nodes."""

    forks: Forks
    value: Array

    @classmethod
    def nothing(cls) -> Trees:
        """Give one tree that finds every pair as likely as not."""
        return cls.read(dict.fromkeys(_NUMBERS, "0"))

    @classmethod
    def read(cls, row: Mapping[str, Any]) -> Trees:
        """Give the trees that were written."""
        parts = {name: np.array(row[name].split(), dtype=kind) for name, kind in _NUMBERS.items()}
        sizes = {len(parts[name]) for name in _NUMBERS if name != "roots"}
        if len(sizes) != 1 or any(parts[name].max(initial=0) >= min(sizes) for name in ("roots", "below")):
            raise ValueError("the trees do not fit together")
        return cls(Forks(*(parts[name] for name in _FORKS)), parts["value"])

    def written(self) -> dict[str, str]:
        """Give the trees for a JSON file, an array a line."""
        parts = {name: getattr(self.forks, name) for name in _FORKS} | {"value": self.value}
        return {name: " ".join(f"{number:.6g}" for number in part.tolist()) for name, part in parts.items()}

    def raised(self, by: float) -> Trees:
        """Give trees by which every row gains so much more."""
        value, first = self.value.copy(), self.forks.roots[:2].tolist()
        value[first[0] : first[1] if len(first) > 1 else None] += by
        return Trees(self.forks, value)

    def on_scale_of(self, other: Trees, features: Array) -> Trees:
        """Give trees that say of some rows, by and large, what other trees say: in the same order as before, by one factor and one sum."""
        own, wanted = self.logit(features), other.logit(features)
        spread = float(own.var())
        factor = float(np.cov(own, wanted, bias=True)[0, 1]) / spread if spread > 0 else 1.0
        factor = max(factor, 1e-6)
        return Trees(self.forks, self.value * factor).raised(float(wanted.mean() - factor * own.mean()))

    def logit(self, features: Array) -> Array:
        """Give the log-odds of every row."""
        return np.asarray(self.value[self.forks.leaves(features)].sum(axis=1))


def fit_trees(
    features: Array, labels: Array, weight: Array, rising: Sequence[bool], trees: int = 200, leaves: int = 8
) -> Trees:
    """Give trees that tell flagged rows from others; no ``rising`` column ever speaks against a row by being greater."""
    return _grown({"objective": "binary"}, rising, trees, leaves, features, labels=labels, weight=weight)


def fit_ranking_trees(
    features: Array,
    labels: Array,
    groups: Sequence[int],
    weight: Array,
    rising: Sequence[bool],
    trees: int = 400,
    leaves: int = 16,
) -> Trees:
    """Give trees that put flagged rows before others of their group; ``groups`` are the sizes of runs of rows."""
    settings = {"objective": "lambdarank", "lambdarank_truncation_level": 30}
    return _grown(settings, rising, trees, leaves, features, labels=labels, weight=weight, groups=groups)


def _grown(
    settings: Mapping[str, Any],
    rising: Sequence[bool],
    trees: int,
    leaves: int,
    features: Array,
    *,
    labels: Array,
    weight: Array,
    groups: Sequence[int] | None = None,
) -> Trees:
    every = {
        **settings, "num_leaves": leaves, "learning_rate": 0.06, "min_data_in_leaf": 40, "lambda_l2": 5.0,
        "monotone_constraints": [int(flag) for flag in rising], "deterministic": True, "force_row_wise": True,
        "num_threads": 2, "seed": 0, "verbosity": -1,
    }  # fmt: skip
    lightgbm = library("lightgbm")
    rows = lightgbm.Dataset(
        np.asarray(features, np.float64), np.asarray(labels, np.float64), weight=weight, group=groups
    )
    return _written_out(lightgbm.train(every, rows, trees).dump_model()["tree_info"])


def _written_out(grown: Sequence[Mapping[str, Any]]) -> Trees:
    """Trees as LightGBM gives them, as arrays."""
    nodes: list[tuple[int, float, int, float]] = []
    roots = []
    for tree in grown:
        roots.append(len(nodes))
        nodes.append((0, 0.0, 0, 0.0))
        waiting = [(roots[-1], tree["tree_structure"])]
        while waiting:
            at, node = waiting.pop()
            if "leaf_value" in node:
                nodes[at] = (0, 0.0, 0, float(node["leaf_value"]))
                continue
            nodes[at] = (int(node["split_feature"]), float(node["threshold"]), len(nodes), 0.0)
            waiting += [(len(nodes), node["left_child"]), (len(nodes) + 1, node["right_child"])]
            nodes += [(0, 0.0, 0, 0.0)] * 2
    columns, cuts, below, values = zip(*nodes, strict=True)
    parts = zip((roots, columns, cuts, below), (_NUMBERS[name] for name in _FORKS), strict=True)
    return Trees(Forks(*(np.array(part, dtype=kind) for part, kind in parts)), np.array(values, np.float64))
