"""Further opinions in an index: P(humour) by another detector, vectors by another encoder.

The systems on record differ in their classifier and their encoder; with a column for each, one index serves them all:
``Tfidf() >> Humour(column='svm')``, ``Nearest(vectors='tuned')``. The manifest notes which model filled a column.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import IndexFault, InputError
from rimshot.index.reader import Index
from rimshot.index.segment import Segment
from rimshot.index.writer import IndexWriter, write_index
from rimshot.wordplay.annotate import annotate
from rimshot.wordplay.detector import Detector
from rimshot.wordplay.encoder import Encoder, choose_encoder

__all__ = ["add_humour", "add_vectors", "check_name", "vectors_encoder"]

OWN = frozenset(
    {
        "lang",
        "humour",
        "pun_start",
        "pun_end",
        "pun_confidence",
        "meaning",
        "family",
        "punch",
        "joke",
        "hinge",
        "hinge_share",
        "flagged",
    }
)
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_CHUNK = 2048


def check_name(name: str) -> str:
    """Give a name that a further column may have.

    >>> check_name("svm")
    'svm'
    """
    if not _NAME.fullmatch(name):
        raise InputError(f'"{name}" cannot name a column; write small letters, digits and _, e.g. svm')
    if name in OWN:
        raise InputError(f'"{name}" is a column of the index itself; choose another name, e.g. {name}2')
    return name


def add_humour(path: str | Path, name: str, detector: Detector, progress: Callable[[int], None] | None = None) -> int:
    """Fill column ``name`` with a detector's P(humour) for every document that has none; gives how many there were.

    An interrupted run goes on where it stopped. What another model has filled is refused.
    """
    check_name(name)
    folder = Path(path)
    store = folder / f"partial-{name}"
    count = 0
    with write_index(folder) as writer:
        _claim(writer, folder, f"column:{name}", detector.digest)
        for at, segment in enumerate(writer.segments):
            if f"doc:{name}" in segment.where:
                continue
            texts, langs = list(segment.bodies), _languages(segment)
            base = count
            tell = None if progress is None else (lambda done, base=base, progress=progress: progress(base + done))
            scores = annotate(texts, langs, detector, tell, store=store)
            writer.attach(at, {f"doc:{name}": scores.humour.astype(np.float32)})
            count += len(texts)
    shutil.rmtree(store, ignore_errors=True)
    return count


def add_vectors(path: str | Path, name: str, model: str, progress: Callable[[int], None] | None = None) -> int:
    """Fill vectors ``name`` with an encoder's for every document that has none; gives how many there were.

    ``model`` is a name or folder for :func:`rimshot.wordplay.encoder.choose_encoder`; the index remembers it,
    since queries must be read by the same encoder.
    """
    check_name(name)
    folder, encoder = Path(path), choose_encoder(model)
    count = 0
    with write_index(folder) as writer:
        note = {"model": _lasting(model), "digest": encoder.digest}
        _claim(writer, folder, f"vectors:{name}", note)
        for at, segment in enumerate(writer.segments):
            if f"doc:{name}" in segment.where:
                continue
            rows = []
            texts, langs = list(segment.bodies), _languages(segment)
            for begin in range(0, len(texts), _CHUNK):
                part = slice(begin, begin + _CHUNK)
                rows.append(encoder.encode(texts[part], langs[part]).astype(np.float16))
                if progress is not None:
                    progress(count + min(begin + _CHUNK, len(texts)))
            writer.attach(at, {f"doc:{name}": np.concatenate(rows) if rows else np.empty((0, encoder.dim), np.float16)})
            count += len(texts)
    return count


def vectors_encoder(index: Index, name: str) -> Encoder:
    """Give the encoder whose vectors an index holds under a name, to read queries with."""
    return index.memo(("encoder", name), lambda: _vectors_encoder(index, name))


def _vectors_encoder(index: Index, name: str) -> Encoder:
    note = index.manifest.get("notes", {}).get(f"vectors:{name}")
    if note is None:
        augment = f"rimshot augment {index.path} --endpoint URL --model NAME"
        cure = augment if name == "explained" else f"rimshot annotate {index.path} --encoder MODEL --column {name}"
        raise IndexFault(f'{index.path}: no vectors "{name}"; make them: {cure}')
    encoder = choose_encoder(note["model"])
    if encoder.digest != note["digest"]:
        raise IndexFault(
            f'{index.path}: vectors "{name}" come from another model than {note["model"]}; make them again'
        )
    return encoder


def _claim(writer: IndexWriter, folder: Path, note: str, value: object) -> None:
    before = writer.manifest.get("notes", {}).get(note)
    if before not in (None, value):
        what = note.partition(":")[2]
        raise IndexFault(
            f'{folder}: "{what}" was filled by another model; choose another name, or build the index again'
        )
    writer.note(note, value)


def _languages(segment: Segment) -> Sequence[str]:
    return [LANGUAGES[int(number)] for number in segment.array("doc:lang")]


def _lasting(model: str) -> str:
    return str(Path(model).resolve()) if Path(model).is_dir() else model
