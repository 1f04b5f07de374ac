"""Where the trained parts of a ranking are looked for."""

from __future__ import annotations

from pathlib import Path

from rimshot.errors import MissingPart
from rimshot.lexicon.store import cache_folder

__all__ = ["trained_part", "trained_place"]


def trained_place(name: str) -> Path:
    """Give the folder of a trained part: a bare name stands for one among the user's own, anything else is a path."""
    return Path(name) if "/" in name or "\\" in name or name.startswith(".") else cache_folder() / "trained" / name


def trained_part(name: str, file: str, cure: str) -> Path:
    """Give the folder of a trained part that holds a certain file, or say how to get it."""
    folder = trained_place(name)
    if not (folder / file).is_file():
        raise MissingPart(f"{folder} has no {file}; {cure}")
    return folder
