"""Matrix products in whole numbers, where a text's answer does not depend on the company it keeps.

Onnxruntime's own dynamic quantisation takes one scale for the activations of a whole batch. Here every row has its own: it
is divided by its largest number and rounded to eight bits. The weights are not in the graph but in a file beside it
(:mod:`rimshot.wordplay.packed_weights`); the graph has their names, types and shapes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rimshot.wordplay.packed_weights import LIFTED, LOWEST_GELU, Packed, pack

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray


STRENGTH = 0.5
"""How much of the unevenness of channels goes from the rows into the weights."""
_GELU_NODES = 5
_FIXED: Mapping[str, Any] = {
    "one": np.float32(1),
    "lowest": np.float32(LOWEST_GELU),
    "step": np.float32(1 / 127),
    "one_sided_step": np.float32(1 / 255),
    "middle": np.uint8(128),
    "bottom": np.uint8(0),
}


@dataclass(frozen=True)
class WholeNumbers:
    """Turns products of one graph into products of whole numbers, and keeps their weights."""

    graph: Any
    weights: dict[str, Packed] = field(default_factory=dict)

    def product(
        self,
        node: Any,
        name: str,
        codes: NDArray[np.uint8],
        scales: NDArray[np.float16],
        top: NDArray[np.float32] | None = None,
        *,
        after_gelu: bool,
    ) -> list[Any]:
        """Return the nodes in place of a MatMul by the weight `name`: codes [columns, blocks, block], a scale for each block.

        `top` is how large each channel of the rows that it meets becomes.
        """
        from onnx import TensorProto

        rows, whole, columns = node.input[0], f"{name}{LIFTED if after_gelu else '_whole'}", len(codes)
        evened = None if top is None else _evened(codes, scales, top + LOWEST_GELU if after_gelu else top)
        self.weights[whole] = Packed(pack(codes), np.ascontiguousarray(scales.T), evened)
        self._declare(whole, TensorProto.INT8, [codes[0].size, columns])
        self._declare(f"{whole}_column", TensorProto.FLOAT, [columns])
        line = _Line(self, whole)
        shown = line("Add", rows, "lowest") if after_gelu else rows
        if evened is not None:
            self._declare(f"{whole}_even", TensorProto.FLOAT, [len(evened)])
            shown = line("Mul", shown, f"{whole}_even")
        highest = line("ReduceMax", shown if after_gelu else line("Abs", shown), axes=[-1], keepdims=1)
        step = line("Mul", highest, "one_sided_step" if after_gelu else "step")
        zero = "bottom" if after_gelu else "middle"
        rounded = line("QuantizeLinear", line("Div", shown, step), "one", zero)
        given = (rounded, whole, "one", f"{whole}_column", zero)
        found = line("Mul", line("MatMulIntegerToFloat", *given, domain="com.microsoft"), step)
        if after_gelu:
            self._declare(f"{whole}_lift", TensorProto.FLOAT, [columns])
            line("Sub", found, f"{whole}_lift")
        line.nodes[-1].output[0] = node.output[0]
        return line.nodes

    def _declare(self, name: str, kind: int, shape: Sequence[int]) -> None:
        """Name an array that the session is given when it opens the graph."""
        from onnx import TensorProto

        tensor = TensorProto(name=name, data_type=kind, dims=shape, data_location=TensorProto.EXTERNAL)
        tensor.external_data.add(key="location", value="weights")
        self.graph.initializer.append(tensor)

    def fixed(self, name: str) -> str:
        """Give the graph's name of one of the fixed numbers, or the name itself if it is none."""
        from onnx import numpy_helper

        if name not in _FIXED:
            return name
        known = f"whole_{name}"
        if known not in {tensor.name for tensor in self.graph.initializer}:
            self.graph.initializer.append(numpy_helper.from_array(np.asarray(_FIXED[name]), known))
        return known


def _evened(codes: NDArray[np.uint8], scales: NDArray[np.float16], top: NDArray[np.float32]) -> NDArray[np.float16]:
    """What each channel is divided by: as large in the rows as its weights are, both are half as uneven as one was."""
    real = np.abs(codes.astype(np.float32) - 8) * scales.astype(np.float32)[:, :, None]
    largest = real.reshape(len(codes), -1).max(axis=0)
    even = np.maximum(top, 1e-4) ** STRENGTH / np.maximum(largest, 1e-4) ** (1 - STRENGTH)
    found: NDArray[np.float16] = (even / np.exp(np.log(even).mean())).clip(1e-2, 1e2).astype(np.float16)
    return found


@dataclass(frozen=True)
class _Line:
    """Nodes one after the other, their results named by their number."""

    numbers: WholeNumbers
    name: str
    nodes: list[Any] = field(default_factory=list)

    def __call__(self, kind: str, *inputs: str, **settings: Any) -> str:
        from onnx import helper

        result = f"{self.name}_{len(self.nodes)}"
        known = [self.numbers.fixed(name) for name in inputs]
        self.nodes.append(helper.make_node(kind, known, [result], **settings))
        return result


def comes_from_gelu(nodes: Sequence[Any], name: str) -> bool:
    """Whether a result is that of a GELU, which an exported graph writes with `Erf` and four nodes more."""
    makers = {result: node for node in nodes for result in node.output}
    left = [name]
    for _ in range(_GELU_NODES):
        found = [makers[result] for result in left if result in makers]
        if any(node.op_type == "Erf" for node in found):
            return True
        left = [result for node in found for result in node.input if node.op_type in {"Mul", "Add", "Div"}]
    return False
