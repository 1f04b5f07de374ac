"""What a model and a lexicon know of each document, worked out once and stored.

Columns ``humour``, ``pun_start``, ``pun_end``, ``pun_confidence``; vectors ``meaning``; the table of word vectors. Each
segment is annotated once; an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import IndexFault
from rimshot.index.encode_words import encode_words
from rimshot.index.english import ENGLISH, read_in_english
from rimshot.index.pack import Array
from rimshot.index.segment import Segment
from rimshot.index.words import WordTable, arrays_of, has_words, read_words
from rimshot.index.writer import IndexWriter, write_index
from rimshot.wordplay.annotate import annotate
from rimshot.wordplay.detector import Detector, Scores
from rimshot.wordplay.encoder import Encoder

__all__ = ["FLOOR", "annotate_index"]

FLOOR = 0.002
"""P(humour) below which a text is not worth a place in the table of word vectors."""
TRANSLATED = 0.001
"""P(humour) below which it is not read in English: one Portuguese joke in twelve lies below, of those that the similarity is fitted on."""

COLUMNS = ("humour", "pun_start", "pun_end", "pun_confidence")


def annotate_index(
    path: str | Path,
    detector: Detector | None = None,
    encoder: Encoder | None = None,
    progress: Callable[[int], None] | None = None,
    translating: Callable[[int], None] | None = None,
) -> int:
    """Annotate the documents of an index that are not annotated yet; gives how many there were.

    ``progress`` is told how many are scored, ``translating`` up to where likely jokes are read in English.

    Without a detector and an encoder the shipped ones are used. What another model has annotated is refused, since its
    probabilities would not be comparable: build the index again.
    """
    if detector is None:
        from rimshot.wordplay.choose import choose_detector

        detector = choose_detector()
    if encoder is None:
        from rimshot.wordplay.encoder import choose_encoder

        encoder = choose_encoder()
    folder = Path(path)
    with write_index(folder) as writer:
        before = writer.manifest.get("notes", {}).get("detector")
        if before not in (None, detector.digest):
            raise IndexFault(f"{folder} was annotated by another model ({before}); build the index again with this one")
        store = folder / "partial"
        done = sum(segment.size for segment in writer.segments if _whole(segment))
        todo = [at for at, segment in enumerate(writer.segments) if not _whole(segment)]
        count = 0
        for at in todo:
            segment = writer.segments[at]
            langs = [LANGUAGES[int(number)] for number in segment.array("doc:lang")]
            texts = list(segment.bodies)
            tell = None if progress is None else _offset(progress, done + count)
            scores = annotate(texts, langs, detector, tell, store=store)
            tell = None if translating is None else _offset(translating, done + count)
            english = read_in_english(texts, langs, scores.humour >= TRANSLATED, tell)
            vectors = scores.vectors if scores.vectors is not None else encoder.encode(texts, langs)
            words = encode_words(segment, scores.humour >= FLOOR, encoder, _known_words(writer.segments), english)
            _attach(writer, at, scores, vectors, words, [english.get(number, "") for number in range(len(texts))])
            count += len(texts)
        writer.note("detector", detector.digest)
        writer.note("encoder", encoder.digest)
    shutil.rmtree(store, ignore_errors=True)
    return count


def _offset(progress: Callable[[int], None], base: int) -> Callable[[int], None]:
    return lambda number: progress(base + number)


def _whole(segment: Segment) -> bool:
    return all(f"doc:{name}" in segment.where for name in (*COLUMNS, "meaning")) and has_words(segment)


def _attach(
    writer: IndexWriter, at: int, scores: Scores, vectors: Array, words: WordTable, english: Sequence[str]
) -> None:
    arrays, lists = arrays_of(words)
    lists[ENGLISH] = [json.dumps({"text": text}, ensure_ascii=False).encode() if text else b"" for text in english]
    columns: dict[str, Array] = {
        "doc:humour": scores.humour.astype(np.float32),
        "doc:pun_start": scores.start.astype(np.int32),
        "doc:pun_end": scores.end.astype(np.int32),
        "doc:pun_confidence": scores.confidence.astype(np.float32),
        "doc:meaning": vectors.astype(np.float16),
    }
    writer.attach(at, {**columns, **arrays}, lists)


def _known_words(segments: list[Segment]) -> dict[str, Array]:
    known: dict[str, Array] = {}
    for segment in segments:
        if has_words(segment):
            table = read_words(segment)
            known.update(zip(table.words, table.vectors, strict=True))
    return known
