"""A pipeline from a stranger: read, but only if it is short, cheap and touches nothing outside the index.

Stages are admitted by name: one that is not listed in ``OPEN`` (it may read a file, load a model or ask another server)
is refused, so a stage written tomorrow is closed until somebody decides. A text given to a stage must be the name of a
field, column or normalisation, so no path can be given. Every stage looks at the clock before it starts.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache, lru_cache
from typing import Any

from rimshot.errors import IndexFault, PipelineError
from rimshot.index import Index
from rimshot.index.words import has_words
from rimshot.rank import DEFAULT, PRESETS, Ranking, Stage, parse
from rimshot.rank.blend import NORMS, Blend, Rrf
from rimshot.rank.stage import Shape, Then, Weighted
from rimshot.serve.limits import Limits
from rimshot.serve.problems import Busy

__all__ = ["CLOSED", "OPEN", "admit", "annotated", "check_parts", "cost", "open_presets", "timed", "usual"]

OPEN = frozenset(
    [
        "Bm25",
        "Tfidf",
        "QueryLikelihood",
        "Rm3",
        "Expand",
        "Translate",
        "Iterative",
        "Dense",
        "MaxSim",
        "Jokes",
        "Same",
        "Top",
        "Blend",
        "Rrf",
        "Mix",
        "Humour",
        "AtLeast",
        "Drop",
    ]
)
CLOSED = frozenset({"Learned", "Nearest", "Reranker"})
_ANNOTATED = frozenset({"Jokes", "MaxSim"})
_LARGEST = 10_000
_DEAR = {"Dense": 2.0, "Jokes": 5.0, "MaxSim": 5.0, "Same": 10.0}


def leaves(stage: Stage) -> Iterator[Stage]:
    """Give the stages of a pipeline that are no combination of others."""
    if isinstance(stage, Then):
        for step in stage.steps:
            yield from leaves(step)
    elif isinstance(stage, Weighted):
        yield from leaves(stage.part)
    elif isinstance(stage, Blend | Rrf):
        for part in stage.parts:
            yield from leaves(part)
    else:
        yield stage


def cost(pipeline: Stage) -> float:
    """Give the price of a pipeline, in searches of one retriever to depth 1000.

    Feedback is dear: it reads texts, and makes the query of the retriever after it longer.

    >>> cost(parse("Bm25() % 10"))
    1.0
    """
    total, length = 0.0, 1.0
    for stage in leaves(pipeline):
        if stage.gives is Shape.QUERY:
            total += getattr(stage, "docs", 10) / 10
            length = max(1.0, getattr(stage, "terms", getattr(stage, "limit", 10)) / 5)
        elif stage.needs is Shape.QUERY:
            work = _DEAR.get(type(stage).__name__, length)
            work *= 1 + getattr(stage, "rounds", 0) * getattr(stage, "docs", 10) / 10
            total += work * (0.9 + getattr(stage, "depth", 1000) / 10_000)
    return total


def admit(text: str, limits: Limits, index: Index) -> Stage:
    """Read a stranger's pipeline, or refuse it with the reason."""
    if len(text) > limits.pipeline:
        raise PipelineError(f"a pipeline of {len(text)} characters; this service reads at most {limits.pipeline}")
    pipeline = _parsed(text)
    found = list(leaves(pipeline))
    if len(found) > limits.stages:
        raise PipelineError(f"a pipeline of {len(found)} stages; this service runs at most {limits.stages}")
    for stage in found:
        _check(stage, index)
    price = cost(pipeline)
    if price > limits.cost:
        raise PipelineError(
            f"a pipeline that costs as much as {price:.0f} searches; this service allows {limits.cost:.0f}: "
            "use fewer retrievers, feedback documents or terms"
        )
    return pipeline


@lru_cache(maxsize=256)
def _parsed(text: str) -> Stage:
    return parse(text)


@cache
def open_presets() -> dict[str, str]:
    """Give the presets that a stranger may name: those made of open stages alone."""
    return {
        name: text
        for name, text in PRESETS.items()
        if all(type(stage).__name__ in OPEN for stage in leaves(parse(text)))
    }


def _check(stage: Stage, index: Index) -> None:
    name = type(stage).__name__
    if name not in OPEN:
        raise PipelineError(f"{name} cannot be used over the network; use {', '.join(sorted(OPEN))}, or a preset")
    for field in fields(stage):
        value = getattr(stage, field.name)
        if isinstance(value, str):
            if value not in NORMS and not index.has_field(value) and not index.has_column(value):
                raise PipelineError(f'{name}({field.name}={value!r}): the index has no field or column "{value}"')
        elif isinstance(value, int | float) and not abs(value) <= _LARGEST:
            raise PipelineError(f"{name}({field.name}={value!r}): this service takes numbers up to {_LARGEST}")


def annotated(index: Index) -> bool:
    """Tell whether every document has what the humour-aware rankings look at."""
    return (
        index.size > 0
        and index.has_column("meaning")
        and index.has_field("pun")
        and all(map(has_words, index.segments))
    )


def usual(index: Index) -> str:
    """Name the ranking of a search that names none: the best that the index has everything for."""
    return DEFAULT if annotated(index) else "bm25"


def check_parts(pipeline: Stage, index: Index) -> None:
    """Refuse a ranking that needs annotations which the index does not have (yet)."""
    for stage in leaves(pipeline):
        if type(stage).__name__ in _ANNOTATED and index.size and not annotated(index):
            raise IndexFault(
                f"{index.path} is not annotated, which {stage!r} needs; complete it: rimshot annotate {index.path}"
            )


@dataclass(frozen=True, repr=False)
class _Timed(Stage):
    """A stage that is not begun after the deadline."""

    stage: Stage
    deadline: float
    seconds: float

    @property
    def needs(self) -> Shape:
        return self.stage.needs

    @property
    def gives(self) -> Shape:
        return self.stage.gives

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        if time.monotonic() > self.deadline:
            raise Busy(f"the search took more than {self.seconds:g} seconds; use a shorter pipeline or ask again later")
        return self.stage.apply(ranking, index)

    def __repr__(self) -> str:
        return repr(self.stage)


def timed(pipeline: Stage, seconds: float) -> Stage:
    """Give the same pipeline, which stops between two stages once the time is up."""
    return _timed(pipeline, time.monotonic() + seconds, seconds)


def _timed(stage: Stage, deadline: float, seconds: float) -> Stage:
    def inner(part: Stage) -> Any:
        return _timed(part, deadline, seconds)

    if isinstance(stage, Then):
        return Then(tuple(inner(step) for step in stage.steps))
    if isinstance(stage, Weighted):
        return replace(stage, part=inner(stage.part))
    if isinstance(stage, Blend):
        return Blend(*map(inner, stage.parts), norm=stage.norm)
    if isinstance(stage, Rrf):
        return Rrf(*map(inner, stage.parts), k=stage.k)
    return _Timed(stage, deadline, seconds)
