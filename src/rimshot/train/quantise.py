"""Eight-bit weights whose answers do not depend on the company a text keeps.

Onnxruntime's dynamic quantisation takes one scale for the activations of a whole batch, so a
text's score would change with its neighbours. Here every row is scaled by itself: matrix products
become MatMulNBits (blocks of weights, rows of activations), the word vectors int8 rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

BLOCK = 64
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
    return "encoder" in name or "tower" in name


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
