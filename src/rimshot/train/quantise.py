"""Four-bit weights, rounded as ``rounding`` says, and word vectors as codes (``word_codes``).

The products of a network's layers become products of whole numbers (``whole_numbers``), those of its heads, and of a network
that keeps eight bits, MatMulNBits; both scale every row of activations by itself.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rimshot.train.rounding import Met, round_with_feedback, rows_met
from rimshot.train.whole_numbers import WholeNumbers, comes_from_gelu
from rimshot.train.word_codes import WordCodes, gather_codes, word_codes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from rimshot.wordplay.packed_weights import Packed

BLOCK = 64
BITS = 4
INT8_ACTIVATIONS = 4
# The largest weight of a block lies at half of the levels times one of these.
CLIPPING = (0.8, 0.87, 0.93, 1.0, 1.07, 1.15, 1.25, 1.4)
LARGE_TABLE = 4096
LARGE_MATRIX = 16_384


def quantise(
    model: Any,
    feeds: Iterable[Mapping[str, NDArray[Any]]] = (),
    bits: int = BITS,
    levels: int = 0,
    block: int = BLOCK,
    run: int = 2,
) -> tuple[Any, dict[str, Packed]]:
    """Return an ONNX model with its layers' products in four or eight bits and its word vectors as codes, and its weights.

    Those of four bits are not in the model; those of eight are, and there are no others then.

    `feeds` are inputs of the model, from which the rounding learns what to keep; without them each weight goes to the
    nearest step. With fewer `levels` than the bits could tell apart, the file packs the better. `run` numbers of a word
    vector share a code.
    """
    from onnx import helper, numpy_helper

    graph = model.graph
    tables = _code_tables(graph, run)
    met = rows_met(model, feeds)
    levels = levels or 1 << bits
    numbers = WholeNumbers(graph)
    weights = {tensor.name: tensor for tensor in graph.initializer}
    nodes = []
    for node in graph.node:
        name = next((i for i in node.input if i in weights and len(weights[i].dims) == 2), None)
        array = numpy_helper.to_array(weights[name]) if name else np.zeros((0, 0), np.float32)
        if node.op_type == "MatMul" and name == node.input[1] and array.size >= LARGE_MATRIX:
            steps = Steps(bits, levels, block, met.get(name))
            if bits == BITS:
                nodes += _whole(numbers, node, name, array, steps)
            else:
                nodes += _product(graph, node, name, array, steps)
        elif node.op_type == "Gemm" and name == node.input[1] and array.size >= LARGE_MATRIX:
            nodes += _head(graph, node, name, array)
        elif node.op_type == "Gather" and node.input[0] in tables:
            nodes += gather_codes(graph, node, node.input[0], tables[node.input[0]])
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model, numbers.weights


def _code_tables(graph: Any, run: int) -> dict[str, WordCodes]:
    """The codes of each large table that is looked up; the table itself becomes what the codes give back."""
    from onnx import numpy_helper

    looked_up = {node.input[0] for node in graph.node if node.op_type == "Gather"}
    found = {}
    for tensor in graph.initializer:
        if tensor.name in looked_up and len(tensor.dims) == 2 and tensor.dims[0] > LARGE_TABLE:
            found[tensor.name] = word_codes(numpy_helper.to_array(tensor).astype(np.float32), run)
            tensor.CopyFrom(numpy_helper.from_array(found[tensor.name].decode(), tensor.name))
    return found


@dataclass(frozen=True)
class Steps:
    """How a weight is rounded: bits to write it in, levels to use of them, weights to a scale, what the layer meets."""

    bits: int = BITS
    levels: int = 16
    block: int = BLOCK
    met: Met | None = None


def _whole(numbers: WholeNumbers, node: Any, name: str, array: NDArray[np.float32], steps: Steps) -> list[Any]:
    """A MatMul in whole numbers; blocks fill the weight without a rest."""
    codes, scales = blocks(array.astype(np.float32), replace(steps, block=math.gcd(steps.block, len(array))))
    after_gelu = comes_from_gelu(numbers.graph.node, node.input[0])
    top = None if steps.met is None else steps.met.top
    return numbers.product(node, name, codes, scales, top, after_gelu=after_gelu)


def _product(graph: Any, node: Any, name: str, array: NDArray[np.float32], steps: Steps) -> list[Any]:
    """A MatMul by blocks of eight bits; the scales are kept in 16 bits and widened once, when the graph is opened."""
    from onnx import TensorProto, helper, numpy_helper

    codes, scales = blocks(array.astype(np.float32), steps)
    graph.initializer.append(numpy_helper.from_array(codes, f"{name}_codes"))
    graph.initializer.append(numpy_helper.from_array(scales.ravel(), f"{name}_scales"))
    settings = {"K": array.shape[0], "N": array.shape[1], "bits": steps.bits, "block_size": steps.block}
    return [
        helper.make_node("Cast", [f"{name}_scales"], [f"{name}_wide"], name=f"{node.name}_wide", to=TensorProto.FLOAT),
        helper.make_node(
            "MatMulNBits",
            [node.input[0], f"{name}_codes", f"{name}_wide"],
            list(node.output),
            name=node.name,
            domain="com.microsoft",
            accuracy_level=INT8_ACTIVATIONS,
            **settings,
        ),
    ]


def _head(graph: Any, node: Any, name: str, array: NDArray[np.float32]) -> list[Any]:
    """A product with a bias, as the heads have it: few weights, and eight bits for each."""
    from onnx import helper

    settings = {attribute.name: helper.get_attribute_value(attribute) for attribute in node.attribute}
    if settings.get("transA") or {settings.get("alpha", 1.0), settings.get("beta", 1.0)} != {1.0}:
        return [node]
    weight = array.T if settings.get("transB") else array
    out = node.output[0] if len(node.input) < 3 else f"{node.output[0]}_product"
    plain = helper.make_node("MatMul", [node.input[0], name], [out], name=node.name)
    nodes = _product(graph, plain, name, np.ascontiguousarray(weight), Steps(8, 256, BLOCK))
    if len(node.input) > 2:
        nodes.append(helper.make_node("Add", [out, node.input[2]], list(node.output), name=f"{node.name}_bias"))
    return nodes


def blocks(weight: NDArray[np.float32], steps: Steps) -> tuple[NDArray[np.uint8], NDArray[np.float16]]:
    """Return the codes [N, K/block, block] and scales [N, K/block] of a weight [K, N]; zero is half of all codes."""
    rows, columns = weight.shape
    count = -(-rows // steps.block)
    padded = np.zeros((columns, count * steps.block), np.float32)
    padded[:, :rows] = weight.T
    parts = padded.reshape(columns, count, steps.block)
    half = steps.levels // 2
    scales, whole = _nearest_steps(parts, half)
    if steps.met is not None and rows % steps.block == 0:
        wide = scales.astype(np.float32)
        whole = (
            round_with_feedback(weight.T, wide, steps.met.moments, -half, half - 1)
            .reshape(parts.shape)
            .astype(np.int16)
        )
    return (whole + (1 << (steps.bits - 1))).astype(np.uint8), scales


def _nearest_steps(parts: NDArray[np.float32], half: int) -> tuple[NDArray[np.float16], NDArray[np.int16]]:
    """The scale of each block that errs least, and the steps of its weights; a little clipping often errs less."""
    top = np.abs(parts).max(-1)
    scales, least = np.zeros(top.shape, np.float16), np.full(top.shape, np.inf, np.float32)
    found = np.zeros(parts.shape, np.int16)
    for share in CLIPPING:
        tried = np.maximum(top / (half * share), 1e-7).astype(np.float16)
        wide = tried.astype(np.float32)[:, :, None]
        whole = np.clip(np.rint(parts / wide), -half, half - 1)
        error = ((whole * wide - parts) ** 2).sum(-1)
        better = error < least
        least, scales = np.where(better, error, least), np.where(better, tried, scales)
        found = np.where(better[:, :, None], whole.astype(np.int16), found)
    return scales, found
