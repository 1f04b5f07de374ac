"""Going on from a joke encoder as it was written: its numbers, as they ship, are those that learning starts from.

The four-bit weights lie beside the graph (:mod:`rimshot.wordplay.packed_weights`) under the names that torch gave to products; whose they
are the graph says, where their product meets the bias of a layer.
"""

from __future__ import annotations

import gzip
import io
import re
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from rimshot.errors import InputError
from rimshot.train.word_codes import WordCodes
from rimshot.wordplay.packed_weights import weights_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray
    from torch import nn

__all__ = ["begin_from", "written_numbers"]

_PREFIX = "model."
"""What the names of a graph that begins with the numbers of words start with."""
_PARTS = "scene", "word"
_WORDS = "encoder.words.weight"
_MIDDLE = {4: 8, 8: 128}
"""The code of zero by the number of bits."""


def written_numbers(graph: Path) -> dict[str, NDArray[np.float32]]:
    """Give the numbers of a written joke encoder by the names that torch has for them; none of word vectors that are a detector's."""
    import onnx
    from google.protobuf.message import DecodeError
    from onnx import numpy_helper

    beside = weights_file(graph)
    packed: dict[str, NDArray[Any]] = {}
    try:
        model = onnx.load_from_string(gzip.decompress(graph.read_bytes()))
        if beside is not None:
            with np.load(io.BytesIO(gzip.decompress(beside.read_bytes())), allow_pickle=False) as kept:
                packed = {name: kept[name] for name in kept.files}
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, ValueError, DecodeError) as fault:
        raise InputError(
            f"{graph}: the graph or its weights cannot be read ({fault}); name what rimshot train joke wrote"
        ) from None
    inside = {
        tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer if not tensor.data_location
    }
    made = {name: node for node in model.graph.node for name in node.output}
    found: dict[str, NDArray[np.float32]] = {}
    for name, values in inside.items():
        if name.removeprefix(_PREFIX).split(".")[0] in ("encoder", "hinge", *_PARTS) and values.dtype == np.float32:
            found[name] = values
    for node in model.graph.node:
        bias = next((name for name in node.input if name in found and name.endswith(".bias")), None)
        if node.op_type != "Add" or bias is None:
            continue
        product = made.get(next(name for name in node.input if name != bias))
        weight = None if product is None else _weight(product, packed, inside)
        if weight is not None:
            found[bias.removesuffix("bias") + "weight"] = np.ascontiguousarray(weight.T, np.float32)
    words = [inside.get(f"{_PREFIX}{_WORDS}_{part}") for part in ("codes", "lengths", "books")]
    if all(part is not None for part in words):
        found[f"{_PREFIX}{_WORDS}"] = WordCodes(*words).decode()  # type: ignore[arg-type]
    return {name.removeprefix(_PREFIX): np.array(values, np.float32) for name, values in found.items()}


def _weight(
    product: Any, packed: Mapping[str, NDArray[Any]], inside: Mapping[str, NDArray[Any]]
) -> NDArray[np.float32] | None:
    """The weight [rows, columns] of a product, as the graph reads it."""
    if product.op_type == "MatMul" and product.input[1] in inside:
        return inside[product.input[1]]
    if product.op_type == "MatMulNBits":
        settings = {entry.name: entry.i for entry in product.attribute}
        codes, steps = inside[product.input[1]], inside[product.input[2].replace("_wide", "_scales")]
        if settings["bits"] == 4:
            codes = np.stack([codes & 15, codes >> 4], axis=-1)
        columns, blocks = settings["N"], codes.shape[1]
        whole = codes.reshape(columns, blocks, -1).astype(np.float32) - _MIDDLE[settings["bits"]]
        whole *= steps.astype(np.float32).reshape(columns, blocks, 1)
        return whole.reshape(columns, -1)[:, : settings["K"]].T
    name = re.sub(r"_\d+$", "", product.input[0])
    if f"{name}/codes" not in packed:
        return None
    codes, scales = packed[f"{name}/codes"], packed[f"{name}/scales"].astype(np.float32)
    whole = np.concatenate([codes & 15, codes >> 4], axis=1).astype(np.float32) - _MIDDLE[4]
    return (whole * scales[:, None]).reshape(-1, scales.shape[1])


def begin_from(model: nn.Module, graph: Path) -> None:
    """Fill an encoder with the numbers of a written one of the same layers; it says in words what does not fit."""
    numbers = written_numbers(graph)
    for part in _PARTS:
        if f"{part}.weight" in numbers:
            model.turn_by(part, numbers[f"{part}.weight"])
    own = dict(model.named_parameters())
    missing = [name for name in own if name not in numbers and (".layers." in name or name.split(".")[0] in _PARTS)]
    strange = [name for name in numbers if name not in own]
    if missing or strange:
        raise InputError(f"{graph}: not an encoder of this base and these layers ({(missing or strange)[0]})")
    with torch.no_grad():
        for name, values in numbers.items():
            part = own[name]
            if part.shape[1:] != values.shape[1:] or len(values) > len(part):
                raise InputError(f"{graph}: not an encoder of this base ({name} is {values.shape})")
            part[: len(values)] = torch.from_numpy(values)
