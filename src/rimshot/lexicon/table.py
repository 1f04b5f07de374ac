"""A read-only dictionary in one file, mapped into memory and searched in about a microsecond.

The layout is D. J. Bernstein's constant database with one hash: a power-of-two array of record positions, probed
linearly, then the records. Nothing is parsed at opening, so a table of a million words costs no start-up time and is
shared between processes by the operating system.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from zlib import crc32

from rimshot.errors import MissingPart

__all__ = ["Strings", "Table", "write_strings", "write_table"]

_TABLE = b"RIMTAB1\n"
_STRINGS = b"RIMSTR1\n"
_HEAD = struct.Struct("<8sII")
_SLOT = struct.Struct("<I")
_PAIR = struct.Struct("<II")
_RECORD = struct.Struct("<HI")
_AGAIN = "remove its folder and run python -m rimshot.lexicon.build"


def write_table(path: Path, items: Iterable[tuple[str, bytes]]) -> None:
    """Write (key, value) pairs as a `Table`; a key given twice keeps its first value."""
    seen: dict[bytes, bytes] = {}
    for key, value in items:
        seen.setdefault(key.encode(), value)
    slots = 8
    while slots < 2 * len(seen):
        slots *= 2
    positions = [0] * slots
    body = bytearray()
    start = _HEAD.size + _SLOT.size * slots
    for raw, value in seen.items():
        slot = crc32(raw) & (slots - 1)
        while positions[slot]:
            slot = (slot + 1) & (slots - 1)
        positions[slot] = start + len(body)
        body += _RECORD.pack(len(raw), len(value)) + raw + value
    path.write_bytes(_HEAD.pack(_TABLE, len(seen), slots) + struct.pack(f"<{slots}I", *positions) + bytes(body))


def write_strings(path: Path, texts: Iterable[str]) -> None:
    """Write a numbered list of texts as `Strings`."""
    body = bytearray()
    ends = [0]
    for text in texts:
        body += text.encode()
        ends.append(len(body))
    head = _HEAD.pack(_STRINGS, len(ends) - 1, 0)
    path.write_bytes(head + struct.pack(f"<{len(ends)}I", *ends) + bytes(body))


def _open(path: Path, magic: bytes) -> tuple[mmap.mmap, int, int]:
    try:
        with path.open("rb") as file:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except (OSError, ValueError) as fault:
        raise MissingPart(f"{path}: the compiled lexicon cannot be read ({fault}); {_AGAIN}") from fault
    found, count, slots = _HEAD.unpack_from(data) if len(data) >= _HEAD.size else (b"", 0, 0)
    if found != magic:
        raise MissingPart(f"{path}: not a compiled lexicon file; {_AGAIN}")
    return data, count, slots


class Table:
    """A mapped dictionary from str to bytes."""

    def __init__(self, path: Path) -> None:
        self._data, self._count, self._slots = _open(path, _TABLE)
        # Read as the processor's own numbers, which are little-endian wherever the wheels behind this run.
        self._places = memoryview(self._data)[_HEAD.size : _HEAD.size + _SLOT.size * self._slots].cast("I")

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: str) -> bool:
        return self.get(key) is not None

    def get(self, key: str) -> bytes | None:
        """Give the value of a key, or None when it is not there."""
        raw = key.encode()
        data, places, mask = self._data, self._places, self._slots - 1
        slot = crc32(raw) & mask
        while place := places[slot]:
            start = place + _RECORD.size
            end = start + len(raw)
            if data[start:end] == raw:
                key_size, size = _RECORD.unpack_from(data, place)
                if key_size == len(raw):
                    return data[end : end + size]
            slot = (slot + 1) & mask
        return None

    def items(self) -> Iterator[tuple[str, bytes]]:
        """Give all pairs in the order they were written."""
        place = _HEAD.size + _SLOT.size * self._slots
        data, end = self._data, len(self._data)
        while place < end:
            key_size, size = _RECORD.unpack_from(data, place)
            place += _RECORD.size
            yield data[place : place + key_size].decode(), data[place + key_size : place + key_size + size]
            place += key_size + size


class Strings:
    """A mapped list of texts."""

    def __init__(self, path: Path) -> None:
        self._data, self._count, _ = _open(path, _STRINGS)
        self._body = _HEAD.size + _SLOT.size * (self._count + 1)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> str:
        if not 0 <= number < self._count:
            raise IndexError(number)
        start, end = _PAIR.unpack_from(self._data, _HEAD.size + _SLOT.size * number)
        return self._data[self._body + start : self._body + end].decode()
