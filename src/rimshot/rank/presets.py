"""Good pipelines by name."""

from __future__ import annotations

from functools import lru_cache

from rimshot.errors import PipelineError, did_you_mean
from rimshot.rank.parse import parse
from rimshot.rank.record_presets import RECORD
from rimshot.rank.stage import Stage

__all__ = ["BY_JOKE", "DEFAULT", "PRESETS", "preset"]

DEFAULT = "jokes"

PRESETS: dict[str, str] = {
    "jokes": "Jokes() % 1000",
    "same": "Same(depth=500) % 1000",
    "likelihood": "QueryLikelihood() % 1000",
    **{name: known.pipeline for name, known in RECORD.items() if not known.needs},
}
"""What runs on an index as `rimshot index` makes it; RECORD has more, which name what they need."""

BY_JOKE = {"same"}
"""Presets whose query is a whole joke, not a topic."""


@lru_cache(maxsize=64)
def preset(name: str) -> Stage:
    """Give a pipeline by its name."""
    text = PRESETS.get(name) or (RECORD[name].pipeline if name in RECORD else None)
    if text is None:
        raise PipelineError(f'unknown preset "{name}"; {did_you_mean(name, {*PRESETS, *RECORD})}')
    return parse(text)
