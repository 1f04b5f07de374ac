"""From a pipeline's written form back to the pipeline."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from rimshot.errors import PipelineError, did_you_mean
from rimshot.rank.stage import Stage

__all__ = ["STAGES", "parse"]

_MODULES = {
    **{"Bm25": "bm25", "Tfidf": "tfidf", "QueryLikelihood": "likelihood", "Dense": "dense", "MaxSim": "maxsim"},
    **{"Nearest": "nearest", "Iterative": "iterative", "Jokes": "jokes", "Same": "same"},
    **{"Rm3": "rm3", "Expand": "expand", "Translate": "translate"},
    **{"Humour": "humour", "AtLeast": "humour", "Drop": "drop", "Mix": "mix", "Reranker": "reranker"},
    **{"Learned": "learned", "Top": "stage", "Blend": "blend", "Rrf": "blend"},
}
"""Where each stage is."""


class _Stages(Mapping[str, type[Stage]]):
    """The stages by name, imported when asked for: all of them together take longer to import than to search."""

    def __getitem__(self, name: str) -> type[Stage]:
        found: type[Stage] = getattr(import_module(f"rimshot.rank.{_MODULES[name]}"), name)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


STAGES: Mapping[str, type[Stage]] = _Stages()
_LONGEST = 4000


def parse(text: str) -> Stage:
    """Read a pipeline; ``parse(repr(pipeline)) == pipeline``.

    >>> parse("Bm25(k1=1.2) >> Rm3() >> Bm25() % 10")
    Bm25(k1=1.2) >> Rm3() >> Bm25() % 10
    """
    if len(text) > _LONGEST:
        raise PipelineError(f"a pipeline of {len(text)} characters; at most {_LONGEST} are read")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise PipelineError(f"{text!r} is not a pipeline; write e.g. Bm25() >> Rm3() >> Bm25() % 1000") from None
    value = _value(tree, text)
    if not isinstance(value, Stage):
        raise PipelineError(f"{text!r} is not a pipeline; write e.g. Bm25() >> Rm3() >> Bm25() % 1000")
    return value


def _value(node: ast.expr, text: str) -> Any:
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, text), _value(node.right, text)
        if isinstance(node.op, ast.RShift) and isinstance(left, Stage):
            return left >> right
        if isinstance(node.op, ast.Mod) and isinstance(left, Stage):
            return left % right
        if isinstance(node.op, ast.Add) and isinstance(left, Stage):
            return left + right
        if isinstance(node.op, ast.Mult) and isinstance(right, Stage) and isinstance(left, int | float):
            return left * right
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _call(node.func.id, node, text)
    elif isinstance(node, ast.Constant) and (node.value is None or isinstance(node.value, str | int | float)):
        return node.value
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, text)
        if isinstance(value, int | float):
            return -value
    elif isinstance(node, ast.Name):
        raise PipelineError(f"{node.id}: write it with parentheses, {node.id}()")
    piece = ast.get_source_segment(text.strip(), node) or text
    raise PipelineError(
        f"{piece!r} means nothing in a pipeline; the operators are >> (then), % (best k), * (weight), + (blend)"
    )


def _call(name: str, node: ast.Call, text: str) -> Stage:
    kind = STAGES.get(name)
    if kind is None:
        raise PipelineError(f'unknown stage "{name}"; {did_you_mean(name, STAGES)}')
    if any(keyword.arg is None for keyword in node.keywords):
        raise PipelineError(f"{name}: ** means nothing in a pipeline")
    given = [_value(argument, text) for argument in node.args]
    named = {str(keyword.arg): _value(keyword.value, text) for keyword in node.keywords}
    known = [field.name for field in fields(kind) if field.name != "parts"]
    for key in named:
        if key not in known:
            raise PipelineError(f'{name} has no parameter "{key}"; {did_you_mean(key, known)}')
    try:
        return kind(*given, **named)
    except TypeError as fault:
        raise PipelineError(
            f"{name}: {str(fault).replace('__init__() ', '')}; its parameters are {', '.join(known)}"
        ) from None
