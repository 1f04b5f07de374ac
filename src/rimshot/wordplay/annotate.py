"""Scoring a whole collection so that a power cut costs one chunk.

Forty thousand texts take minutes. Each finished chunk goes to a file named for exactly what was asked (detector,
languages, texts); the next run over the same folder reads it instead of asking again, whatever has been added or left
out around it.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rimshot.wordplay.detector import Detector, Progress, Scores, after, spread_languages

__all__ = ["annotate"]


def annotate(
    texts: Sequence[str],
    langs: str | Sequence[str],
    detector: Detector,
    progress: Progress | None = None,
    *,
    store: Path | None = None,
    chunk: int = 1024,
) -> Scores:
    """Give the scores of many texts; with a ``store`` folder, an interrupted call goes on where it stopped.

    ``progress`` is called with the number of texts that have been scored or found in the store. The folder is the
    caller's to delete once the scores are safe elsewhere. Nothing else may be kept in it.
    """
    each = spread_languages(texts, langs)
    if store is not None:
        store.mkdir(parents=True, exist_ok=True)
    parts: list[Scores] = []
    for begin in range(0, len(texts), chunk):
        some, theirs = texts[begin : begin + chunk], each[begin : begin + chunk]
        file = store / f"{_key(some, theirs, detector.digest)}.npz" if store is not None else None
        found = _read(file) if file is not None else None
        if found is None:
            found = detector.score(some, theirs, after(progress, begin))
            if file is not None:
                _write(file, found)
        elif progress is not None:
            progress(begin + len(found))
        parts.append(found)
    return Scores.join(parts)


def _key(texts: Sequence[str], langs: Sequence[str], digest: str) -> str:
    name = hashlib.blake2b(digest.encode(), digest_size=16)
    for text, lang in zip(texts, langs, strict=True):
        name.update(f"\x1e{lang}\x1f{text}".encode("utf-8", "surrogatepass"))
    return name.hexdigest()


def _read(file: Path) -> Scores | None:
    """Give a finished chunk; one that cannot be read counts as not finished."""
    try:
        with file.open("rb") as opened, np.load(opened, allow_pickle=False) as kept:
            vectors = kept["vectors"] if "vectors" in kept.files else None
            return Scores(kept["humour"], kept["start"], kept["end"], kept["confidence"], vectors)
    except (FileNotFoundError, zipfile.BadZipFile, ValueError, KeyError, EOFError):
        return None


def _write(file: Path, scores: Scores) -> None:
    arrays = {name: getattr(scores, name) for name in ("humour", "start", "end", "confidence")}
    if scores.vectors is not None:
        arrays["vectors"] = scores.vectors
    half = file.with_suffix(".part")
    with half.open("wb") as out:
        np.savez(out, **arrays)
    half.replace(file)
