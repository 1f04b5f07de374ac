"""The weights of the small models behind an explanation, read from one JSON file; trees and hidden units lie beside it."""

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
from rimshot.wordplay.explain_units import Units

__all__ = ["forest", "save_forest", "save_units", "save_weights", "units", "weights"]

PATH = Path(__file__).with_name("explain_weights.json")
ARRAYS = Path(__file__).with_name("explain_arrays.npz")


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
def forest(name: str) -> Forest | None:
    """Give the trees of a model, or None where it has none."""
    parts = _parts(f"trees-{name}-")
    return Forest.read(parts) if parts else None


@lru_cache(maxsize=4)
def units(name: str) -> Units | None:
    """Give the hidden units of a ranker, or None where it has none."""
    parts = _parts(f"{name}-")
    return Units.read(parts) if parts else None


def _parts(start: str) -> dict[str, NDArray[Any]]:
    found = read_arrays(ARRAYS) or {}
    return {name.removeprefix(start): rows for name, rows in found.items() if name.startswith(start)}


def save_weights(found: Mapping[str, Mapping[str, float]]) -> None:
    """Write weights over the ones of the same names, and forget what was read before."""
    kept = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    PATH.write_text(json.dumps({**kept, **found}, indent=1) + "\n", encoding="utf-8")
    _all.cache_clear()
    weights.cache_clear()


def save_forest(name: str, trees: Forest) -> None:
    """Write the trees of a model over those of before, and forget what was read before."""
    _save_parts(f"trees-{name}-", trees.written())


def save_units(name: str, found: Units) -> None:
    """Write the hidden units of a ranker over those of before, and forget what was read before."""
    _save_parts(f"{name}-", found.written())


def _save_parts(start: str, parts: Mapping[str, NDArray[Any]]) -> None:
    whole: dict[str, Any] = {
        name: rows for name, rows in (read_arrays(ARRAYS) or {}).items() if not name.startswith(start)
    }
    whole |= {start + name: rows for name, rows in parts.items()}
    np.savez_compressed(ARRAYS, **whole)
    read_arrays.cache_clear()
    forest.cache_clear()
    units.cache_clear()
