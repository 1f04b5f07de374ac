"""The embedded sample, indexed once and kept in the cache."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from rimshot import __version__
from rimshot.corpus.readers import DocReader
from rimshot.corpus.sample import SAMPLE_LANGUAGES, sample_path
from rimshot.index.manifest import VERSION, exists
from rimshot.lexicon.store import cache_folder

__all__ = ["sample_index"]

BUILD = 8
"""Raised whenever the same texts and models would give another index."""

_MODELS = Path(__file__).parent.parent / "wordplay" / "models"


def sample_index(steps: Callable[[str, int], None] | None = None) -> Path:
    """Give the folder of the sample's index, building it the first time.

    The folder is named by the content of the sample, the models and the program's version, is built beside its place and
    moved there in one step, so two processes may do it at once.
    """
    place = cache_folder() / f"sample-{_name()}"
    if exists(place):
        return place
    from rimshot.index.complete import complete_index
    from rimshot.index.writer import build_index

    place.parent.mkdir(parents=True, exist_ok=True)
    _sweep(place.parent)
    beside = Path(tempfile.mkdtemp(prefix="sample-", suffix=".new", dir=place.parent))
    try:
        build_index(DocReader([sample_path(lang) / "corpus.json" for lang in SAMPLE_LANGUAGES]), beside / "index")
        complete_index(beside / "index", steps=steps)
        try:
            (beside / "index").rename(place)
        except OSError:
            if not exists(place):
                raise
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return place


def _sweep(folder: Path, age: float = 86_400.0) -> None:
    """Remove what builds that were killed a day ago or earlier have left."""
    for left in folder.glob("sample-*.new"):
        # Another process may be faster.
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > age:
                shutil.rmtree(left)


def _name() -> str:
    """Name everything that the index is made from; sizes and stored digests stand for what is large."""
    parts = [__version__, str(VERSION), str(BUILD)]
    for lang in SAMPLE_LANGUAGES:
        parts.append(sha256((sample_path(lang) / "corpus.json").read_bytes()).hexdigest())
    wordplay, retell = _MODELS.parent, _MODELS.parent.parent / "retell"
    fitted = (
        wordplay / "stack.json",
        wordplay / "explain_weights.json",
        wordplay / "explain_arrays.npz",
        retell / "weights.json",
        retell / "centre.json",
    )
    for path in (*fitted, *sorted(_MODELS.glob("*/model.json"))):
        parts.append(sha256(path.read_bytes()).hexdigest())
    parts += [str(path.stat().st_size) for path in sorted(retell.glob("models/*/*.gz"))]
    return sha256("\0".join(parts).encode()).hexdigest()[:16]
