"""Rounding weights so that what a layer says stays as it was: GPTQ (Frantar et al. 2022).

Each weight is rounded in turn, and those of its row that are not yet rounded take up the error, as far as the inputs that
the layer meets allow: where two inputs move together, one weight can make good the other's rounding. What inputs move
together is learnt from some hundred texts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

DAMPING = 0.01
STRETCH = 128


@dataclass(frozen=True, eq=False)
class Met:
    """What a weight meets: the second moments of rows, and how large each of their channels becomes."""

    moments: NDArray[np.float32]
    top: NDArray[np.float32]


def rows_met(model: Any, feeds: Iterable[Mapping[str, NDArray[Any]]]) -> dict[str, Met]:
    """Run an ONNX model and give, for the weight of each MatMul, what reaches it."""
    import onnxruntime
    from onnx import helper

    weights = {tensor.name for tensor in model.graph.initializer if len(tensor.dims) == 2}
    wanted = {node.input[1]: node.input[0] for node in model.graph.node if _multiplies(node, weights)}
    watched = type(model)()
    watched.CopyFrom(model)
    known = {value.name for value in watched.graph.output}
    extra = sorted(set(wanted.values()) - known)
    watched.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in extra)
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(watched.SerializeToString(), options, providers=["CPUExecutionProvider"])
    moments: dict[str, NDArray[np.float32]] = {}
    tops: dict[str, NDArray[np.float32]] = {}
    for feed in feeds:
        real = feed["attention_mask"].astype(bool)
        for name, rows in zip(extra, session.run(extra, dict(feed)), strict=True):
            kept = rows[real] if rows.shape[:2] == real.shape else rows.reshape(-1, rows.shape[-1])
            moments[name] = moments.get(name, np.float32(0)) + kept.T @ kept
            tops[name] = np.maximum(tops.get(name, np.float32(0)), np.abs(kept).max(axis=0))
    return {weight: Met(moments[rows], tops[rows]) for weight, rows in wanted.items() if rows in moments}


def _multiplies(node: Any, weights: set[str]) -> bool:
    return node.op_type == "MatMul" and node.input[1] in weights


def round_with_feedback(
    weight: NDArray[np.float32], scales: NDArray[np.float32], moments: NDArray[np.float32], low: int, high: int
) -> NDArray[np.int8]:
    """Give the whole numbers of a weight [columns, rows]; `scales` [columns, blocks] hold for equal runs of rows.

    >>> weight = np.array([[0.4, 0.4]], np.float32)
    >>> same = np.ones((2, 2), np.float32)
    >>> round_with_feedback(weight, np.ones((1, 1), np.float32), same, -8, 7).tolist()
    [[0, 1]]
    """
    left = weight.astype(np.float32).copy()
    rows = left.shape[1]
    run = -(-rows // scales.shape[1])
    damped = moments.astype(np.float64) + DAMPING * max(float(np.diag(moments).mean()), 1e-9) * np.eye(rows)
    upper = np.linalg.cholesky(np.linalg.inv(damped)).T.astype(np.float32)
    codes = np.zeros(left.shape, np.int8)
    for start in range(0, rows, STRETCH):
        end = min(start + STRETCH, rows)
        errors = np.zeros((len(left), end - start), np.float32)
        for at in range(start, end):
            scale = scales[:, at // run]
            whole = np.clip(np.rint(left[:, at] / scale), low, high)
            codes[:, at] = whole
            errors[:, at - start] = (left[:, at] - whole * scale) / upper[at, at]
            left[:, at:end] -= errors[:, at - start, None] * upper[at, at:end]
        left[:, end:] -= errors @ upper[start:end, end:]
    return codes
