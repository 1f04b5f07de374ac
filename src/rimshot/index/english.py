"""Jokes of other languages read in English too.

The vectors of the smaller languages are weaker than the English ones, and their wordnets know fewer words. A text that may
be a joke is therefore translated once, when it is indexed, and the translation kept as a record. The table of the texts worth asking
has the vector of the translation, and its words beside the text's own; the vector of a joke rests on both readings.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import numpy as np

from rimshot.index.pack import Array
from rimshot.index.reader import Index
from rimshot.index.segment import Segment
from rimshot.index.words import has_words, read_words
from rimshot.lexicon.sentences import sentences_in_english

__all__ = ["ENGLISH", "known_in_english", "read_in_english", "vectors_in_english"]

ENGLISH = "record:english"
"""Where a segment keeps translations."""


def read_in_english(
    texts: Sequence[str], langs: Sequence[str], chosen: Array, progress: Callable[[int], None] | None = None
) -> dict[int, str]:
    """Give the chosen texts (a boolean array) that are not English in English, by their numbers.

    ``progress`` is told the number up to which all texts are done.
    """
    found: dict[int, str] = {}
    numbers = [int(number) for number in np.flatnonzero(chosen) if langs[int(number)] != "en"]
    for lang in sorted({langs[number] for number in numbers}):
        mine = [number for number in numbers if langs[number] == lang]
        tell = None if progress is None else (lambda done, mine=mine, progress=progress: progress(mine[done - 1] + 1))
        found.update(zip(mine, sentences_in_english([texts[number] for number in mine], lang, tell), strict=True))
    return {number: text for number, text in found.items() if text}


def known_in_english(segment: Segment, numbers: Sequence[int]) -> dict[int, str]:
    """Give the translations that a segment keeps of some documents, by their places in ``numbers``."""
    if f"{ENGLISH}.offsets" not in segment.where:
        return {}
    rows = segment.texts(ENGLISH)
    return {at: str(json.loads(row)["text"]) for at, number in enumerate(numbers) if (row := rows.raw(number))}


def vectors_in_english(index: Index) -> Array:
    """Give a vector of meaning for each document by which it can be compared with one in another language.

    It is that of the translation where there is one, and the document's own elsewhere.
    """
    return index.memo("vectors in English", lambda: _vectors_in_english(index))


def _vectors_in_english(index: Index) -> Array:
    own = index.column("meaning")
    tables = [read_words(segment) if has_words(segment) else None for segment in index.segments]
    if not any(table is not None and len(table.read) for table in tables):
        return own
    found = np.array(own)
    for table, base in zip(tables, index.bases, strict=True):
        if table is not None and len(table.read):
            found[table.docs[table.read] + base] = table.english
    return found
