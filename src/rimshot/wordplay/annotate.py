"""Scoring a whole collection so that a power cut costs one chunk.

Forty thousand texts take minutes. Each finished chunk goes to a file named for exactly what was asked (detector,
languages, texts); the next run over the same folder reads it instead of asking again, whatever has been added or left
out around it. Two chunks are under way at a time: while a network reads one on all cores, the other's closer look, which is
Python's alone, goes on.
"""

from __future__ import annotations

import hashlib
import threading
import zipfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from rimshot.wordplay.detector import Detector, Progress, Scores, spread_languages

__all__ = ["annotate"]

_TOGETHER = 2


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
    begins = range(0, len(texts), chunk)
    told = _Told(progress, len(begins))

    def score(number: int) -> Scores:
        begin = begins[number]
        some, theirs = texts[begin : begin + chunk], each[begin : begin + chunk]
        file = store / f"{_key(some, theirs, detector.digest)}.npz" if store is not None else None
        found = _read(file) if file is not None else None
        if found is None:
            found = detector.score(some, theirs, lambda done: told.tell(number, done))
            if file is not None:
                _write(file, found)
        told.tell(number, len(found))
        return found

    if len(begins) < _TOGETHER:
        return Scores.join([score(number) for number in range(len(begins))])
    workers = ThreadPoolExecutor(_TOGETHER)
    try:
        return Scores.join(list(workers.map(score, range(len(begins)))))
    finally:
        told.stopped = True
        workers.shutdown(cancel_futures=True)


class _Told:
    """How far several chunks have come; once stopped, the next to tell is interrupted."""

    def __init__(self, progress: Progress | None, chunks: int) -> None:
        self.progress, self.done, self.lock, self.stopped = progress, [0] * chunks, threading.Lock(), False

    def tell(self, number: int, done: int) -> None:
        if self.stopped:
            raise InterruptedError("stopped")
        with self.lock:
            if done > self.done[number]:
                self.done[number] = done
                if self.progress is not None:
                    self.progress(sum(self.done))


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
