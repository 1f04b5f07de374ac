"""Boosted trees: many small decision trees whose values add up to log-odds (Friedman 2001).

What one likeness of two texts says depends on the others: shared wording settles the matter where there is much of it, and where there is
little the vectors of the jokes do. Trees are fitted by LightGBM, which is needed for that alone; they are read here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.errors import MissingPart

__all__ = ["Trees", "fit_trees", "library"]

Array = npt.NDArray[Any]
_NUMBERS = {"roots": np.intp, "column": np.intp, "cut": np.float64, "below": np.intp, "value": np.float64}


@dataclass(frozen=True, eq=False)
class Trees:
    """Trees end to end: from node n one goes to ``below[n]`` or, above the cut of its column, to the node after it; leaves have 0."""

    roots: Array
    column: Array
    cut: Array
    below: Array
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
        return cls(**parts)

    def written(self) -> dict[str, str]:
        """Give the trees for a JSON file, an array a line."""
        return {name: " ".join(f"{number:.6g}" for number in getattr(self, name).tolist()) for name in _NUMBERS}

    def logit(self, features: Array) -> Array:
        """Give the log-odds of every row."""
        rows = np.arange(len(features))[:, None]
        nodes = np.broadcast_to(self.roots, (len(features), len(self.roots)))
        while True:
            below = self.below[nodes]
            inner = below > 0
            if not inner.any():
                return np.asarray(self.value[nodes].sum(axis=1))
            high = features[rows, self.column[nodes]] > self.cut[nodes]
            nodes = np.where(inner, below + high, nodes)


def library() -> Any:
    """Give LightGBM, or say how to install it."""
    try:
        return import_module("lightgbm")
    except ImportError:
        raise MissingPart("lightgbm is not installed; install it with: pip install 'rimshot[classical]'") from None


def fit_trees(
    features: Array, labels: Array, weight: Array, rising: Sequence[bool], trees: int = 200, leaves: int = 8
) -> Trees:
    """Give trees that tell flagged rows from others; no ``rising`` column ever speaks against a row by being greater."""
    settings = {
        "objective": "binary", "num_leaves": leaves, "learning_rate": 0.06, "min_data_in_leaf": 40, "lambda_l2": 5.0,
        "monotone_constraints": [int(flag) for flag in rising], "deterministic": True, "force_row_wise": True,
        "num_threads": 2, "seed": 0, "verbosity": -1,
    }  # fmt: skip
    rows = library().Dataset(np.asarray(features, np.float64), np.asarray(labels, np.float64), weight=weight)
    grown = library().train(settings, rows, trees).dump_model()["tree_info"]
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
    found = {"roots": roots, "column": columns, "cut": cuts, "below": below, "value": values}
    return Trees(**{name: np.array(found[name], dtype=kind) for name, kind in _NUMBERS.items()})
