"""The weights of a shipped joke encoder, read back into the network that it was written from, to go on learning."""

from __future__ import annotations

import gzip
import io
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from rimshot.errors import InputError
from rimshot.wordplay.packed_weights import weights_file

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from rimshot.train.joke_encoder import JokeEncoder

__all__ = ["reopen"]

_ZERO = 8
_PRODUCTS = ("qkv", "out", "up", "down")
"""The products of a layer, in the order in which a graph has them."""


def reopen(model: JokeEncoder, graph: Path) -> None:
    """Fill the layers and the hinge of a model from a written graph, as rounded as they are there; how vectors turn is left out."""
    import onnx
    from onnx import numpy_helper

    opened = onnx.load_from_string(gzip.decompress(graph.read_bytes())).graph
    arrays = {t.name: numpy_helper.to_array(t) for t in opened.initializer if not t.data_location}
    beside = weights_file(graph)
    if beside is None:
        raise InputError(f"{graph} has no weights beside it; name a graph that rimshot train joke wrote")
    with np.load(io.BytesIO(gzip.decompress(beside.read_bytes())), allow_pickle=False) as kept:
        names = [name.removesuffix("/codes") for name in kept.files if name.endswith("/codes")]
        products = [_unpacked(kept[f"{name}/codes"], kept[f"{name}/scales"]) for name in names]
    if len(products) != len(_PRODUCTS) * len(model.encoder.layers):
        raise InputError(
            f"{graph} has {len(products) // len(_PRODUCTS)} layers; name one of {len(model.encoder.layers)}"
        )
    state: dict[str, Any] = {}
    for number, weight in enumerate(products):
        state[f"layers.{number // len(_PRODUCTS)}.{_PRODUCTS[number % len(_PRODUCTS)]}.weight"] = weight.T
    own = {name.partition("encoder.")[2]: value for name, value in arrays.items() if "encoder.layers." in name}
    head = next(value for value in arrays.values() if value.shape == (model.encoder.shape.dim, 1))
    with torch.no_grad():
        for name, part in model.encoder.named_parameters():
            found = state.get(name, own.get(name))
            if name.startswith("layers.") and found is not None:
                part.copy_(torch.from_numpy(np.array(found, np.float32)))
        model.hinge.weight.copy_(torch.from_numpy(head.T.copy()))
        model.hinge.bias.copy_(torch.from_numpy(arrays["hinge.bias"].copy()))


def _unpacked(codes: NDArray[np.uint8], scales: NDArray[np.float16]) -> NDArray[np.float32]:
    """The weight [rows, columns] of packed codes [blocks, half a block, columns]."""
    whole = np.concatenate([codes & 15, codes >> 4], axis=1).astype(np.float32) - _ZERO
    found: NDArray[np.float32] = (whole * scales.astype(np.float32)[:, None]).reshape(-1, codes.shape[2])
    return found
