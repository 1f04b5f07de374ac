"""A pack: named arrays in one file, read through one memory map.

A pack is written once and never changed. Its directory (name, type, shape, offset of each array) is kept in the index's
manifest, so opening a pack is one ``mmap`` and no parsing. Lists of texts are stored as two arrays, bytes and offsets.
"""

from __future__ import annotations

import hashlib
import mmap
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from rimshot.errors import IndexFault

__all__ = ["Array", "PackEntry", "PackReader", "PackWriter", "Texts", "join_texts"]

Array = npt.NDArray[Any]
PackEntry = dict[str, Any]
_ALIGN = 64


class PackWriter:
    """Writes arrays to a new file, one after another; ``close`` makes it durable and gives its manifest entry."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file: BinaryIO = path.open("xb")
        self.hash = hashlib.blake2b(digest_size=16)
        self.arrays: dict[str, list[Any]] = {}
        self.at = 0

    def _write(self, data: bytes | memoryview) -> None:
        self.file.write(data)
        self.hash.update(data)
        self.at += len(data)

    def add(self, name: str, array: Array) -> None:
        """Append one array under a name."""
        self._write(b"\0" * (-self.at % _ALIGN))
        array = np.ascontiguousarray(array)
        self.arrays[name] = [array.dtype.str, list(array.shape), self.at]
        if array.nbytes:
            self._write(array.data.cast("B"))

    def add_texts(self, name: str, texts: Iterable[bytes]) -> None:
        """Append a list of byte strings under a name, as bytes and offsets."""
        blob, offsets = join_texts(texts)
        self.add(f"{name}.bytes", blob)
        self.add(f"{name}.offsets", offsets)

    def close(self) -> PackEntry:
        """Flush to the disk and give what the manifest must say of this pack."""
        self.file.flush()
        os.fsync(self.file.fileno())
        self.file.close()
        return {"file": self.path.name, "bytes": self.at, "digest": self.hash.hexdigest(), "arrays": self.arrays}

    def abandon(self) -> None:
        """Close and remove the file: nothing was written."""
        self.file.close()
        self.path.unlink(missing_ok=True)


def join_texts(texts: Iterable[bytes]) -> tuple[Array, Array]:
    """Join byte strings into one array of bytes and the offsets at which they begin (one more than there are)."""
    parts = list(texts)
    offsets = np.zeros(len(parts) + 1, dtype=np.int64)
    np.cumsum([len(part) for part in parts], out=offsets[1:])
    return np.frombuffer(b"".join(parts), dtype=np.uint8), offsets


class PackReader:
    """The arrays of a pack, as views into one memory map."""

    def __init__(self, folder: Path, entry: PackEntry) -> None:
        self.path = folder / entry["file"]
        self.entry = entry
        with self.path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size != entry["bytes"]:
                raise IndexFault(
                    f"{self.path}: {size} bytes where the manifest says {entry['bytes']}; "
                    "the index is truncated or damaged, build it again or restore it"
                )
            self.map: mmap.mmap | bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""

    def array(self, name: str) -> Array:
        """Give one array, without copying it."""
        dtype, shape, offset = self.entry["arrays"][name]
        count = int(np.prod(shape, dtype=np.int64)) if shape else 1
        if not count:
            return np.empty(shape, dtype=dtype)
        return np.frombuffer(self.map, dtype=dtype, count=count, offset=offset).reshape(shape)

    def let_go(self) -> None:
        """Take the pages that were read out of this process's memory; the system still has them if it has room."""
        if isinstance(self.map, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            self.map.madvise(mmap.MADV_DONTNEED)

    def verify(self) -> None:
        """Compare the file with its digest, which reads all of it."""
        if hashlib.blake2b(self.map, digest_size=16).hexdigest() != self.entry["digest"]:
            raise IndexFault(
                f"{self.path}: its digest differs from the manifest's; build the index again or restore it"
            )


class Texts(Sequence[str]):
    """A list of texts over two arrays, decoded one at a time."""

    def __init__(self, blob: Array, offsets: Array) -> None:
        self.blob, self.offsets = blob.data, offsets
        # A memory view gives whole numbers of Python, which are quicker to use one at a time than numpy's.
        self._starts = offsets.data

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def raw(self, at: int) -> bytes:
        """Give one text as the bytes that are stored."""
        return bytes(self.blob[self._starts[at] : self._starts[at + 1]])

    def __getitem__(self, at: Any) -> Any:
        return self.raw(at).decode()

    def find(self, wanted: bytes) -> int:
        """Give the position of a text in a sorted list, or -1."""
        low, high = 0, len(self)
        blob, starts = self.blob, self._starts
        while low < high:
            middle = (low + high) // 2
            if bytes(blob[starts[middle] : starts[middle + 1]]) < wanted:
                low = middle + 1
            else:
                high = middle
        return low if low < len(self) and self.raw(low) == wanted else -1
