"""Learning to rank: gradient-boosted trees over what is known of query, text and wordplay."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from rimshot.corpus.query import Query
from rimshot.errors import InputError
from rimshot.extra import library
from rimshot.index.reader import Index
from rimshot.rank.features import RANKING_FEATURES, ranking_features
from rimshot.rank.ranking import Ranking
from rimshot.rank.stage import Shape, Stage
from rimshot.rank.trained import trained_part

__all__ = ["Learned", "train_ranker"]

_CURE = "train one with: rimshot train ranker --collection DIR --index DIR"
_TREES = "trees.txt"
PARAMETERS = {
    "objective": "lambdarank",
    "num_leaves": 15,
    "learning_rate": 0.05,
    "min_data_in_leaf": 20,
    "feature_fraction": 0.7,
    "lambda_l2": 5.0,
    "deterministic": True,
    "force_row_wise": True,
    "verbosity": -1,
}


@lru_cache(maxsize=2)
def _opened(folder: Path) -> Any:
    path = folder / "model.json"
    try:
        names = json.loads(path.read_text("utf-8"))["features"]
    except (FileNotFoundError, ValueError, KeyError):
        raise InputError(f"{path} does not say which features the trees read; {_CURE}") from None
    if names != list(RANKING_FEATURES):
        raise InputError(f"{path}: made for other features than this version has; {_CURE}")
    return library("lightgbm").Booster(model_file=str(folder / _TREES))


@dataclass(frozen=True, repr=False)
class Learned(Stage):
    """Orders the hits by LambdaMART (Burges 2010) as LightGBM has it, over ``rimshot.rank.features``.

    ``model`` is a folder written by ``rimshot train ranker``; a bare name is one among the user's own.
    """

    model: str = "ranker"

    needs: ClassVar[Shape] = Shape.HITS
    reads_files: ClassVar[bool] = True

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the hits in the order of the trees."""
        trees = _opened(trained_part(self.model, _TREES, _CURE))
        if not len(ranking):
            return ranking
        scores = np.asarray(trees.predict(ranking_features(ranking.query, ranking.docs, index)), np.float64)
        return ranking.rescored(scores, {"learned": scores})


def train_ranker(
    pipeline: Stage,
    queries: Sequence[Query],
    relevant: Mapping[str, frozenset[str]],
    index: Index,
    folder: Path,
    rounds: int = 120,
    seed: int = 0,
    without: frozenset[str] = frozenset(),
) -> dict[str, Any]:
    """Train on the hits of a pipeline and the judgments of its queries; write the model, give what model.json says.

    A query without a relevant hit teaches nothing and is left out. SYSTEMS on record show that a dozen queries
    overfit.
    """
    rows, labels, groups = [], [], []
    for query in queries:
        good = relevant.get(query.id, frozenset())
        docs = pipeline.apply(Ranking(query), index).docs
        docs = docs[[index.id(number) not in without for number in docs.tolist()]] if without else docs
        gains = np.array([index.id(number) in good for number in docs.tolist()], np.int32)
        if gains.any():
            rows.append(ranking_features(query, docs, index))
            labels.append(gains)
            groups.append(len(gains))
    if not groups:
        raise InputError("no query has a relevant document among its hits; there is nothing to learn from")
    lightgbm = library("lightgbm")
    names = list(RANKING_FEATURES)
    data = lightgbm.Dataset(np.concatenate(rows), np.concatenate(labels), group=groups, feature_name=names)
    trees = lightgbm.train({**PARAMETERS, "seed": seed}, data, rounds)
    folder.mkdir(parents=True, exist_ok=True)
    trees.save_model(str(folder / _TREES))
    gain = trees.feature_importance("gain")
    about = {
        "kind": "ranker",
        "features": names,
        "pipeline": repr(pipeline),
        "queries": len(groups),
        "rows": int(sum(groups)),
        "rounds": rounds,
        "gain": {
            name: round(float(value), 1) for name, value in sorted(zip(names, gain, strict=True), key=lambda p: -p[1])
        },
    }
    (folder / "model.json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")
    return about
