"""The pipeline algebra: four operators over small frozen values.

``a >> b`` then, ``a % k`` the best k, ``w * a`` weight, ``a + b`` blend. A pipeline's ``repr`` is its written form and
:func:`rimshot.rank.parse` reads it back. One that cannot work is refused when it is built.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar

from rimshot.errors import PipelineError
from rimshot.index.reader import Index
from rimshot.rank.ranking import Ranking, best

__all__ = ["Shape", "Stage", "Then", "Top", "Weighted"]


class Shape(Enum):
    """What flows between two stages."""

    QUERY = "a query"
    HITS = "ranked documents"


@dataclass(frozen=True, repr=False)
class Stage(ABC):
    """A step of a search; subclasses are frozen dataclasses whose fields are its parameters."""

    @property
    def needs(self) -> Shape:
        """What it starts from; most stages that differ say so in a class variable."""
        return Shape.QUERY

    @property
    def gives(self) -> Shape:
        """What it leaves."""
        return Shape.HITS

    @abstractmethod
    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the ranking after this stage."""

    def __rshift__(self, other: Stage) -> Stage:
        return Then((*_steps(self), *_steps(_stage(other, ">>"))))

    def __mod__(self, k: int) -> Stage:
        if isinstance(k, bool) or not isinstance(k, int):
            raise PipelineError(f"{self!r} % {k!r}: the number of hits to keep must be a whole number, e.g. % 1000")
        return Then((*_steps(self), Top(k)))

    def __add__(self, other: Stage) -> Stage:
        from rimshot.rank.blend import Blend

        return Blend(*_addends(self), *_addends(_stage(other, "+")))

    def __mul__(self, weight: float) -> Stage:
        return Weighted(weight, self)

    __rmul__ = __mul__

    def __repr__(self) -> str:
        given = [
            f"{field.name}={getattr(self, field.name)!r}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        ]
        return f"{type(self).__name__}({', '.join(given)})"


def _stage(value: Any, operator: str) -> Stage:
    if not isinstance(value, Stage):
        raise PipelineError(f"{operator} {value!r}: not a stage; write e.g. Bm25() {operator} Humour()")
    return value


def _steps(stage: Stage) -> tuple[Stage, ...]:
    return stage.steps if isinstance(stage, Then) else (stage,)


def _addends(stage: Stage) -> tuple[Stage, ...]:
    from rimshot.rank.blend import Blend

    return stage.parts if isinstance(stage, Blend) and stage.norm == "minmax" else (stage,)


@dataclass(frozen=True, repr=False)
class Then(Stage):
    """Stages one after another."""

    steps: tuple[Stage, ...]

    def __post_init__(self) -> None:
        for before, after in zip(self.steps, self.steps[1:], strict=False):
            if after.needs is not before.gives and after.needs is not Shape.QUERY:
                raise PipelineError(
                    f"{after!r} needs {after.needs.value} but {before!r} gives only {before.gives.value}; "
                    "put a retriever such as Bm25() between them"
                )
            if after.needs is Shape.QUERY and before.gives is Shape.HITS:
                raise PipelineError(
                    f"{after!r} starts from a query and would throw away the ranked documents of {before!r}; "
                    "put Rm3() between them, or blend the two with +"
                )

    @property
    def needs(self) -> Shape:
        """What the first stage needs."""
        return self.steps[0].needs

    @property
    def gives(self) -> Shape:
        """What the last stage gives."""
        return self.steps[-1].gives

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Apply the stages in order."""
        for step in self.steps:
            ranking = step.apply(ranking, index)
        return ranking

    def __repr__(self) -> str:
        text = ""
        for step, after in zip(self.steps, (*self.steps[1:], None), strict=True):
            if isinstance(step, Top) and text:
                text += f" % {step.k}"
            else:
                cut = isinstance(after, Top) and not _tight(step) and not isinstance(step, Weighted)
                text += (" >> " if text else "") + (f"({step!r})" if cut else repr(step))
        return text


@dataclass(frozen=True, repr=False)
class Top(Stage):
    """The best k hits."""

    k: int = 1000

    needs: ClassVar[Shape] = Shape.HITS
    gives: ClassVar[Shape] = Shape.HITS

    def __post_init__(self) -> None:
        if isinstance(self.k, bool) or not isinstance(self.k, int) or self.k < 1:
            raise PipelineError(f"Top(k={self.k!r}): keep at least one hit")

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the k hits with the highest scores."""
        rows, _, _ = best(ranking.docs, ranking.scores, self.k)
        return ranking.take(rows)


@dataclass(frozen=True, repr=False)
class Weighted(Stage):
    """A stage whose scores count ``weight`` times in a blend."""

    weight: float
    part: Stage

    def __post_init__(self) -> None:
        if isinstance(self.weight, bool) or not isinstance(self.weight, int | float):
            raise PipelineError(f"{self.weight!r} * {self.part!r}: the weight must be a number")
        if self.part.gives is not Shape.HITS:
            raise PipelineError(f"{self.weight!r} * {self.part!r}: only ranked documents have scores to weigh")

    @property
    def needs(self) -> Shape:
        """What the weighted stage needs."""
        return self.part.needs

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Multiply every score."""
        found = self.part.apply(ranking, index)
        return found.rescored(found.scores * self.weight)

    def __repr__(self) -> str:
        return f"{self.weight!r} * {self.part!r}" if _tight(self.part) else f"{self.weight!r} * ({self.part!r})"


def _tight(stage: Stage) -> bool:
    from rimshot.rank.blend import Blend

    return not isinstance(stage, Then | Weighted | Blend)


def check_parts(name: str, parts: Sequence[Stage]) -> None:
    """Refuse parts that cannot be put side by side."""
    if len(parts) < 2:
        raise PipelineError(f"{name} needs at least two parts")
    for part in parts:
        if not isinstance(part, Stage):
            raise PipelineError(f"{name}: {part!r} is not a stage")
        if part.gives is not Shape.HITS:
            raise PipelineError(f"{name}: {part!r} gives only {part.gives.value}; only ranked documents can be blended")
        if part.needs is not parts[0].needs:
            raise PipelineError(f"{name}: {parts[0]!r} needs {parts[0].needs.value}, {part!r} {part.needs.value}")
