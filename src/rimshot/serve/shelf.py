"""The index that is being served, and its successor.

A request takes the index once and keeps it to its end; when the manifest on disk has changed, the new version is opened
and warmed beside the old one and takes its place between two requests. The old version's files stay mapped while
anyone reads.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from rimshot.errors import IndexFault
from rimshot.index import Index, open_index

__all__ = ["Shelf"]

_Mark = tuple[int, int, int]


class Shelf:
    """Holds the newest opened version of the index at a path."""

    def __init__(self, path: Path, warm: Callable[[Index], None] | None = None) -> None:
        self.path = path
        self.swaps = 0
        self.failures = 0
        self._warm = warm
        self._lock = threading.Lock()
        self._seen = self._mark()
        self._index = self._open()

    def _open(self) -> Index:
        index = open_index(self.path)
        if self._warm is not None:
            self._warm(index)
        return index

    def _mark(self) -> _Mark | None:
        try:
            found = (self.path / "manifest.json").stat()
        except OSError:
            return None
        return found.st_ino, found.st_mtime_ns, found.st_size

    def index(self) -> Index:
        """Give the version to answer from."""
        return self._index

    def refresh(self) -> bool:
        """Open the version on disk if it is another one; tells whether it was.

        A version that cannot be opened leaves the old one in place and raises :class:`IndexFault` once.
        """
        with self._lock:
            mark = self._mark()
            if mark is None or mark == self._seen:
                return False
            self._seen = mark
            try:
                fresh = self._open()
            except IndexFault:
                self.failures += 1
                raise
            self._index = fresh
            self.swaps += 1
            return True
