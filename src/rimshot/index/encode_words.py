"""Working out the table of word vectors of a segment.

The vectors of all languages come from the English encoder, which knows single words best; a word of another language is
read in English through the wordnets, and counts less when they do not know it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from rimshot.corpus.analyser import Analyser
from rimshot.corpus.document import LANGUAGES
from rimshot.index.pack import Array
from rimshot.index.segment import Segment
from rimshot.index.words import WordTable
from rimshot.lexicon import zipf
from rimshot.lexicon.translate import in_english
from rimshot.wordplay.encoder import Encoder

__all__ = ["encode_words", "rarity"]

COMMONEST = 7.0
UNKNOWN = 0.3


def rarity(word: str, lang: str) -> float:
    """Give 0 for the commonest words of a language and 1 for words met once in ten million.

    >>> rarity("the", "en") < 0.1 < 0.4 < rarity("attorney", "en")
    True
    """
    return float(np.clip((COMMONEST - zipf(word, lang)) / COMMONEST, 0.0, 1.0))


def encode_words(
    segment: Segment, chosen: Array, encoder: Encoder, known: dict[str, Array], english: Mapping[int, str]
) -> WordTable:
    """Make the table of a segment for the documents chosen (a boolean array).

    ``known`` maps words to vectors already worked out elsewhere in the index; new ones are added to it. ``english`` are
    translations of some documents, whose words stand beside their own.
    """
    docs = np.flatnonzero(chosen).astype(np.int32)
    langs = segment.array("doc:lang")
    rows = []
    for number in docs.tolist():
        lang = LANGUAGES[int(langs[number])]
        readings = {"en": english.get(number, ""), lang: segment.bodies[number]}
        rows.append(sorted({f"{to} {word.lower()}" for to, text in readings.items() for word in Analyser.split(text)}))
    words = sorted({word for row in rows for word in row})
    number_of = {word: number for number, word in enumerate(words)}
    missing = [word for word in words if word not in known]
    if missing:
        fresh = encoder.encode([_english(word) or word.split(" ", 1)[1] for word in missing], "en")
        known.update(zip(missing, fresh.astype(np.float16), strict=True))
    vectors = np.stack([known[word] for word in words]) if words else np.empty((0, encoder.dim), np.float16)
    weights = np.array([_weight(word) for word in words], dtype=np.float32)
    pointers = np.zeros(len(docs) + 1, dtype=np.int64)
    np.cumsum([len(row) for row in rows], out=pointers[1:])
    members = np.array([number_of[word] for row in rows for word in row], dtype=np.int32)
    norms = np.zeros(len(docs), dtype=np.float32)
    for at in range(len(docs)):
        mine = members[pointers[at] : pointers[at + 1]]
        norms[at] = np.linalg.norm(weights[mine] @ vectors[mine].astype(np.float32))
    read = np.flatnonzero([number in english for number in docs.tolist()]).astype(np.int32)
    told = encoder.encode([english[int(number)] for number in docs[read]], "en") if len(read) else vectors[:0]
    return WordTable(words, weights, vectors, docs, pointers, members, norms, read, told.astype(np.float16))


def _english(word: str) -> str:
    lang, form = word.split(" ", 1)
    return form if lang == "en" else ", ".join(in_english(form, lang))


def _weight(word: str) -> float:
    lang, form = word.split(" ", 1)
    return rarity(form, lang) * (1.0 if _english(word) else UNKNOWN)
