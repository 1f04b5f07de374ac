"""The weights of a network's layers as they lie in a file, and as a processor multiplies by them.

In the file a weight is a code of four bits, two to a byte, with one scale for each block of a column. Opened, it is a whole
number of seven bits with one scale for its column: products with rows of eight bits then add up, two at a time, within
sixteen, all that the kernels for common processors keep, and are exact in any order.

A few channels of a network's states are far larger than all others, and a row whose scale they set is rounded coarsely. So
channels are made even: divided in the row, multiplied in the weight (SmoothQuant, Xiao et al. 2023).
"""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import InputError

__all__ = ["LIFTED", "LOWEST_GELU", "Packed", "pack", "read_packed", "smaller", "weights_file", "widen", "write_packed"]

LOWEST_GELU = 0.17
"""What comes out of a GELU lies above minus this; rows are lifted by it, so that all steps lie on one side of zero."""
LIFTED = "_lifted"
"""What the name of a weight that meets such rows ends in."""
_ZERO = 8
_MOST = 63


def pack(codes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Put codes below 16 [columns, blocks, block] two into a byte [blocks, half a block, columns], low bits first.

    >>> pack(np.array([[[1, 2, 3, 4]]], np.uint8)).ravel().tolist()
    [49, 66]
    """
    half = codes.shape[2] // 2
    pairs = codes[:, :, :half] | np.left_shift(codes[:, :, half:], 4)
    return np.ascontiguousarray(pairs.transpose(1, 2, 0)).astype(np.uint8)


def widen(
    packed: NDArray[np.uint8], scales: NDArray[np.float16], evened: NDArray[np.float32] | None = None
) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Give the weight [rows, columns] in whole numbers and the scale of each column; `scales` are [blocks, columns].

    What a channel of the rows that it meets is divided by, to be as large as the others (`evened`), its row is multiplied by.

    >>> codes = np.array([[[0, 8, 9, 15]]], np.uint8)
    >>> weight, scale = widen(pack(codes), np.array([[2.0]], np.float16))
    >>> np.round(weight[:, 0] * scale[0], 2).tolist()
    [-16.0, 0.0, 2.03, 13.97]
    """
    blocks, half, columns = packed.shape
    steps = scales.astype(np.float32)[:, None]
    whole = np.empty((blocks, 2 * half, columns), np.float32)
    np.subtract(packed & 15, np.float32(_ZERO), out=whole[:, :half])
    np.subtract(packed >> 4, np.float32(_ZERO), out=whole[:, half:])
    whole *= steps if evened is None else steps * evened.reshape(blocks, -1, 1)
    flat = whole.reshape(-1, columns)
    column = np.maximum(np.maximum(flat.max(axis=0), -flat.min(axis=0)) / np.float32(_MOST), np.float32(1e-12))
    flat /= column
    return np.rint(flat, out=flat).astype(np.int8), column


def weights_file(graph: Path) -> Path | None:
    """Give the file of a graph's weights, None where they are in the graph itself."""
    stem = graph.name.split(".")[0]
    found = (graph.with_name(f"{stem}.weights.npz{packed}") for packed in ("", ".gz"))
    return next((path for path in found if path.exists()), None)


@dataclass(frozen=True, eq=False)
class Packed:
    """A weight as it lies in a file: packed codes, the scales of their blocks, and what evens the channels it meets."""

    codes: NDArray[np.uint8]
    scales: NDArray[np.float16]
    evened: NDArray[np.float16] | None = None


def write_packed(path: Path, weights: Mapping[str, Packed]) -> None:
    """Write weights by their names; a file name that ends in .gz is made smaller."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, weight in weights.items():
        arrays[f"{name}/codes"], arrays[f"{name}/scales"] = weight.codes, weight.scales
        if weight.evened is not None:
            arrays[f"{name}/evened"] = weight.evened
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)  # type: ignore[arg-type]
    path.write_bytes(smaller(buffer.getvalue()) if path.suffix == ".gz" else buffer.getvalue())


def smaller(data: bytes) -> bytes:
    """Give the gzip of arrays of codes: they do not repeat, what makes them smaller is that some are more frequent."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 16 + zlib.MAX_WBITS, 9, zlib.Z_HUFFMAN_ONLY)
    return packer.compress(data) + packer.flush()


def read_packed(path: Path) -> dict[str, NDArray[Any]]:
    """Give what a graph asks for by name: each weight, the scale of its columns, what its rows are multiplied by, what they add."""
    try:
        data = path.read_bytes()
        with np.load(io.BytesIO(gzip.decompress(data) if path.suffix == ".gz" else data), allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        names = [name.removesuffix("/codes") for name in arrays if name.endswith("/codes")]
        packed = [
            (name, Packed(arrays[f"{name}/codes"], arrays[f"{name}/scales"], arrays.get(f"{name}/evened")))
            for name in names
        ]
    except (zipfile.BadZipFile, gzip.BadGzipFile, EOFError, zlib.error, ValueError, KeyError) as fault:
        raise InputError(f"{path} cannot be read ({fault}); install the package anew, or export it again") from None
    with ThreadPoolExecutor() as workers:
        return dict(entry for entries in workers.map(_opened, packed) for entry in entries)


def _opened(named: tuple[str, Packed]) -> list[tuple[str, NDArray[Any]]]:
    name, packed = named
    evened = None if packed.evened is None else packed.evened.astype(np.float32)
    weight, column = widen(packed.codes, packed.scales, evened)
    found: list[tuple[str, NDArray[Any]]] = [(name, weight), (f"{name}_column", column)]
    even = np.ones(len(weight), np.float32) if evened is None else 1 / evened
    if evened is not None:
        found.append((f"{name}_even", even))
    if name.endswith(LIFTED):
        found.append((f"{name}_lift", np.float32(LOWEST_GELU) * column * (even @ weight)))
    return found
