"""Run only what is asked for: the judgment and the vector each become a branch that a flag switches on.

A query needs no judgment and a detector no vector, and each costs as much as the other. An ONNX graph always runs
whole, so what only one of the two needs moves into an `If`; the layers below the fork stay outside. Where both share all
layers there is one flag for everything above the word vectors, which a closer reader asks for alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WAYS = {"want_judgment": ("humour", "pun"), "want_vector": ("vector",)}
ONE_WAY = {"want_layers": ("humour", "pun", "vector")}


def fork(model: Any) -> Any:
    """Return the ONNX model with a further input for each way; the answers of a way not wanted are empty."""
    from onnx import TensorProto, helper

    graph = model.graph
    needs = {flag: _ancestors(graph.node, outputs) for flag, outputs in WAYS.items()}
    shared = set.intersection(*needs.values())
    ways: Mapping[str, Sequence[str]] = WAYS
    if not all(_has_layers(graph, places - shared) for places in needs.values()):
        ways, needs = ONE_WAY, {flag: set.union(*needs.values()) for flag in ONE_WAY}
        shared = _ancestors(graph.node, ["first"])
    chosen = []
    for flag, outputs in ways.items():
        nodes = [_renamed(node, outputs) for at, node in enumerate(graph.node) if at in needs[flag] - shared]
        shapes = [value for value in graph.output if value.name in outputs]
        ranks = [len(value.type.tensor_type.shape.dim) for value in shapes]
        inner = [helper.make_tensor_value_info(f"{value.name}_own", TensorProto.FLOAT, None) for value in shapes]
        then = helper.make_graph(nodes, f"{flag}_yes", [], inner, _only_for(graph, nodes, needs, shared, flag))
        blanks = [_blank(f"{value.name}_blank", rank) for value, rank in zip(shapes, ranks, strict=True)]
        empty = [helper.make_tensor_value_info(node.output[0], TensorProto.FLOAT, None) for node in blanks]
        other = helper.make_graph(blanks, f"{flag}_no", [], empty)
        names = [value.name for value in shapes]
        chosen.append(helper.make_node("If", [flag], names, name=flag, then_branch=then, else_branch=other))
    kept = [node for at, node in enumerate(graph.node) if at in shared]
    used = {name for node in kept for name in node.input}
    inner_names = {tensor.name for node in chosen for tensor in node.attribute[0].g.initializer}
    inner_names |= {tensor.name for node in chosen for tensor in node.attribute[1].g.initializer}
    weights = [tensor for tensor in graph.initializer if tensor.name in used or tensor.name not in inner_names]
    del graph.node[:], graph.initializer[:]
    graph.node.extend([*kept, *chosen])
    graph.initializer.extend(weights)
    graph.input.extend(helper.make_tensor_value_info(flag, TensorProto.BOOL, []) for flag in ways)
    return model


def _ancestors(nodes: Sequence[Any], outputs: Iterable[str]) -> set[int]:
    maker = {name: at for at, node in enumerate(nodes) for name in node.output}
    found: set[int] = set()
    left = [maker[name] for name in outputs]
    while left:
        at = left.pop()
        if at not in found:
            found.add(at)
            left += [maker[name] for name in nodes[at].input if name in maker]
    return found


def _has_layers(graph: Any, places: Iterable[int]) -> bool:
    """Whether nodes do more than read an answer off: attention takes a softmax."""
    return any(graph.node[at].op_type == "Softmax" for at in places)


def _renamed(node: Any, outputs: Sequence[str]) -> Any:
    """Names inside a branch must not be those outside: the answers get one of their own."""
    copy = type(node)()
    copy.CopyFrom(node)
    for names in (copy.input, copy.output):
        for at, name in enumerate(names):
            if name in outputs:
                names[at] = f"{name}_own"
    return copy


def _only_for(graph: Any, nodes: Sequence[Any], needs: dict[str, set[int]], shared: set[int], flag: str) -> list[Any]:
    """The weights that no node outside this branch uses; those in a file of their own stay outside, where they are given."""
    here = {name for node in nodes for name in node.input}
    others = shared.union(*(places for name, places in needs.items() if name != flag))
    elsewhere = {name for at, node in enumerate(graph.node) if at in others for name in node.input}
    return [tensor for tensor in graph.initializer if tensor.name in here - elsewhere and not tensor.data_location]


def _blank(name: str, rank: int) -> Any:
    from onnx import helper, numpy_helper

    nothing = numpy_helper.from_array(np.zeros((0,) * rank, np.float32))
    return helper.make_node("Constant", [], [name], value=nothing)
