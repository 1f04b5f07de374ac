"""The manifest: what an index consists of, changed in one step.

Packs are written and made durable first; then the new manifest takes the place of the old by a rename, which either
happens or does not. Whoever opens the index sees one manifest, hence one version of everything. Files that no manifest
names (a writer was killed) are removed by the next writer.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from rimshot.errors import IndexFault

__all__ = [
    "FORMAT",
    "VERSION",
    "Manifest",
    "exists",
    "explain_os_error",
    "locked",
    "read_manifest",
    "sweep",
    "write_manifest",
]

FORMAT = "rimshot-index"
VERSION = 1
NAME = "manifest.json"
Manifest = dict[str, Any]


def exists(folder: Path) -> bool:
    """Tell whether a folder holds an index."""
    return (folder / NAME).is_file()


def read_manifest(folder: Path) -> Manifest:
    """Read the manifest of an index, refusing what this program cannot read."""
    path = folder / NAME
    try:
        text = path.read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        if folder.is_file():
            raise IndexFault(
                f"{folder} is a file, not an index; build one from it: rimshot index {folder} --out DIR"
            ) from None
        if not folder.exists():
            raise IndexFault(f"{folder}: there is no index; build one: rimshot index FILE --out {folder}") from None
        raise IndexFault(f"{folder}: no index here (no {NAME}); build it: rimshot index FILE --out {folder}") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise IndexFault(f"{path}: cannot be read ({fault}); restore the index or build it again") from None
    try:
        manifest = json.loads(text)
        if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
            raise IndexFault(f"{path}: not the manifest of a rimshot index; name another folder")
        if int(manifest["version"]) > VERSION:
            raise IndexFault(
                f"{path}: index format {manifest['version']}, this program reads up to {VERSION}; update rimshot or rebuild"
            )
        _ = manifest["segments"], manifest["analysers"], manifest["generation"]
    except json.JSONDecodeError as fault:
        raise IndexFault(
            f"{path}, line {fault.lineno}: broken ({fault.msg}); restore the index or build it again"
        ) from None
    except (KeyError, TypeError, ValueError):
        raise IndexFault(f"{path}: incomplete; restore the index or build it again") from None
    return manifest


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Put a manifest in place of the one before, wholly or not at all."""
    fresh = folder / f"{NAME}.new"
    with fresh.open("w", encoding="utf-8") as file:
        json.dump(manifest, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(folder / NAME)
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Be the only writer of an index; the lock goes with the process, however it ends."""
    with (folder / "lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise IndexFault(f"{folder}: another program is writing this index; wait until it has finished") from None
        yield


def sweep(folder: Path, manifest: Manifest | None) -> None:
    """Remove packs that no manifest names; only the writer that holds the lock may."""
    named = {pack["file"] for segment in (manifest or {"segments": []})["segments"] for pack in segment["packs"]}
    for path in folder.glob("*.pack"):
        if path.name not in named:
            with suppress(FileNotFoundError):
                path.unlink()
    (folder / f"{NAME}.new").unlink(missing_ok=True)


def explain_os_error(fault: OSError, folder: Path) -> IndexFault:
    """Put an error of the disk into words."""
    if fault.errno in (errno.ENOSPC, errno.EDQUOT):
        return IndexFault(f"{folder}: the disk is full; make room and run it again (the index is as it was before)")
    if fault.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return IndexFault(f"{folder}: cannot be written ({fault.strerror}); choose a folder of your own")
    return IndexFault(f"{folder}: {fault.strerror or fault}; the index is as it was before")
