"""The weights of the small models behind an explanation, read from one JSON file, and its trees."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import MissingPart
from rimshot.lexicon.arrays import read_arrays
from rimshot.wordplay.explain_forest import Forest

__all__ = ["forest", "save_forest", "save_weights", "weights"]

PATH = Path(__file__).with_name("explain_weights.json")
TREES = Path(__file__).with_name("explain_trees.npz")


@lru_cache(maxsize=1)
def _all() -> dict[str, dict[str, Any]]:
    try:
        found: dict[str, dict[str, Any]] = json.loads(PATH.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MissingPart(f"{PATH} is missing; make it with python -m rimshot.wordplay.explain_fit") from None
    return found


@lru_cache(maxsize=16)
def weights(name: str) -> NDArray[np.float32]:
    """Give the weights of one model in the order of its features."""
    found = _all().get(name)
    if found is None:
        raise MissingPart(f'{PATH} has no "{name}"; make it anew with python -m rimshot.wordplay.explain_fit')
    return np.array(list(found.values()), np.float32)


@lru_cache(maxsize=4)
def forest(lang: str) -> Forest | None:
    """Give the trees of a language, or None where it has none."""
    found = read_arrays(TREES) or {}
    parts = {name.partition("-")[2]: rows for name, rows in found.items() if name.startswith(f"{lang}-")}
    return Forest.read(parts) if parts else None


def save_weights(found: Mapping[str, Mapping[str, float]]) -> None:
    """Write weights over the ones of the same names, and forget what was read before."""
    kept = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    PATH.write_text(json.dumps({**kept, **found}, indent=1) + "\n", encoding="utf-8")
    _all.cache_clear()
    weights.cache_clear()


def save_forest(lang: str, trees: Forest) -> None:
    """Write the trees of a language over those of before, and forget what was read before."""
    whole: dict[str, Any] = {
        name: rows for name, rows in (read_arrays(TREES) or {}).items() if not name.startswith(f"{lang}-")
    }
    whole |= {f"{lang}-{name}": rows for name, rows in trees.written().items()}
    np.savez_compressed(TREES, **whole)
    read_arrays.cache_clear()
    forest.cache_clear()
