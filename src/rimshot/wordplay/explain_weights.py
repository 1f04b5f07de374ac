"""The weights of the small models behind an explanation, read from one JSON file."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import MissingPart
from rimshot.wordplay.explain_forest import Forest

__all__ = ["forest", "weights"]

PATH = Path(__file__).with_name("explain_weights.json")


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
    """Give the trees of one model, or None where it has none."""
    found = _all().get(name)
    return None if found is None else Forest.read(found)
