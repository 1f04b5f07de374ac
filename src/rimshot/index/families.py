"""Families of retellings in an index, and what they rest on.

Columns ``family`` and ``family_lead``; vectors ``punch`` and ``joke``; the words that jokes hang on, ``hinge`` and ``hinge_share``; what
people changed by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import IndexFault, InputError
from rimshot.index.english import known_in_english, vectors_in_english
from rimshot.index.pack import Array
from rimshot.index.reader import Index, open_index
from rimshot.index.writer import IndexWriter, write_index
from rimshot.retell.families import Material, Partition, apply_edits, find_families
from rimshot.retell.joke_encoder import JokeReader, Jokes, joke_reader
from rimshot.retell.parts import punch_line
from rimshot.retell.similarity import Similarity, shipped_similarity
from rimshot.wordplay.encoder import Encoder

__all__ = [
    "add_families",
    "family_members",
    "hinges_of",
    "material",
    "merge_families",
    "pun_of",
    "representatives",
    "split_family",
]

EDITS, JOKES = "family_edits", "joke_encoder"
"""The notes of the manifest: what people changed by hand, and the digest of the encoder of jokes."""
_SLAB = 4096
FLOOR = {"en": 0.0005, "pt": 0.0003}
"""P(humour) below which a text has no vector as a joke: one English joke in two hundred lies below, one Portuguese one in fifty, of those
that the similarity is fitted on."""


def pun_of(index: Index, number: int) -> tuple[str, float]:
    """Give the word a document puns on, if it does, with the probability of that; ('', 0) where no model has named one."""
    if not index.has_column("pun_start"):
        return "", 0.0
    start, end = int(index.column("pun_start")[number]), int(index.column("pun_end")[number])
    if start < 0:
        return "", 0.0
    return index.text(number)[start:end], float(index.column("pun_confidence")[number])


def hinges_of(index: Index) -> tuple[Array, Array] | None:
    """Give the codes and shares of the words that each document may hang on, None where no model has said."""
    return (index.column("hinge"), index.column("hinge_share")) if index.has_column("hinge") else None


def material(index: Index, ending: Array | None = None, jokes: Jokes | None = None) -> Material:
    """Give what is known of the texts of an index, for comparing them; ``ending`` and ``jokes`` are what it is yet to have."""
    langs = index.memo("langs", lambda: [LANGUAGES[int(n)] for s in index.segments for n in s.array("doc:lang")])
    meaning = index.column("meaning") if index.has_column("meaning") else None
    if ending is None and index.has_column("punch"):
        ending = index.column("punch")
    joke, hinges = None, hinges_of(index)
    if jokes is not None:
        joke, hinges = jokes.vectors, (jokes.hinges, jokes.shares)
    elif index.has_column("joke"):
        joke = index.column("joke")
    humour = index.column("humour") if index.has_column("humour") else None
    english = None if meaning is None else vectors_in_english(index)
    # Where nothing was translated, pairs need not be looked at for their languages.
    english = None if english is meaning else english
    return Material(
        index.text, langs, meaning, ending, lambda number: pun_of(index, number), humour, english, joke, hinges
    )


def add_families(
    path: str | Path,
    encoder: Encoder | None = None,
    similarity: Similarity | None = None,
    progress: Callable[[int], None] | None = None,
    jokes: JokeReader | None = None,
) -> int:
    """Find the families of all documents of an index and store them; gives how many have two members or more.

    Everything is worked out anew, so the families are the same whether texts came at once or were appended; only vectors are
    kept from before. Without vectors of meaning in the index, families rest on words alone. ``jokes`` reads texts as jokes: the
    shipped one, unless ``encoder`` is one's own, whose vectors of meaning then stand in.
    """
    with write_index(path) as writer:
        index = open_index(path)
        ending, read = None, None
        if index.has_column("meaning"):
            if encoder is None:
                from rimshot.wordplay.encoder import choose_encoder

                encoder, jokes = choose_encoder(), jokes or joke_reader()
            ending = _punch_vectors(index, writer, encoder)
            if jokes is not None:
                read = _read_jokes(index, writer, jokes)
        model = similarity or shipped_similarity()
        found = find_families(index.numbers().tolist(), material(index, ending, read), model, progress)
        found = _padded(found, index.size)
        found = apply_edits(found, writer.manifest.get("notes", {}).get(EDITS, []), index.number)
        _store(writer, found)
    sizes = np.bincount(found.family[found.family >= 0]) if index.size else np.zeros(0)
    return int((sizes > 1).sum())


def _punch_vectors(index: Index, writer: IndexWriter, encoder: Encoder) -> Array:
    """Vectors of all punch lines; those of jokes of one sentence are the vectors of the jokes."""
    parts = []
    for at, segment in enumerate(writer.segments):
        if "doc:punch" not in segment.where:
            langs = [LANGUAGES[int(code)] for code in segment.array("doc:lang")]
            vectors = np.array(segment.array("doc:meaning"), dtype=np.float16)
            texts = list(segment.bodies)
            lines = [punch_line(text) for text in texts]
            longer = [n for n, (text, line) in enumerate(zip(texts, lines, strict=True)) if text.strip() != line]
            for start in range(0, len(longer), _SLAB):
                some = longer[start : start + _SLAB]
                vectors[some] = encoder.encode([lines[n] for n in some], [langs[n] for n in some]).astype(np.float16)
            writer.attach(at, {"doc:punch": vectors})
        parts.append(writer.segments[at].array("doc:punch"))
    return np.concatenate(parts) if parts else np.empty((0, encoder.dim), dtype=np.float16)


def _read_jokes(index: Index, writer: IndexWriter, reader: JokeReader) -> Jokes:
    """All texts that may be jokes, read as jokes; nothing for others."""
    made = writer.manifest.get("notes", {}).get(JOKES)
    if made not in (None, reader.digest):
        raise IndexFault(f"{index.path}: its jokes were encoded by another model ({made}); build the index again")
    for at, segment in enumerate(writer.segments):
        if "doc:hinge" not in segment.where:
            found = Jokes.blank(segment.size, reader.dim)
            humour = segment.array("doc:humour") if "doc:humour" in segment.where else np.ones(segment.size)
            texts, langs = segment.bodies, segment.array("doc:lang")
            may_be = np.flatnonzero(humour >= np.array([FLOOR[lang] for lang in LANGUAGES])[langs])
            for start in range(0, len(may_be), _SLAB):
                some = [int(number) for number in may_be[start : start + _SLAB]]
                told = [LANGUAGES[int(langs[number])] for number in some]
                english = known_in_english(segment, some)
                found.fill(some, reader.read([texts[number] for number in some], told, english))
            writer.attach(
                at,
                {
                    "doc:joke": found.vectors.astype(np.float16),
                    "doc:hinge": found.hinges,
                    "doc:hinge_share": found.shares.astype(np.float16),
                },
            )
    writer.note(JOKES, reader.digest)
    if not writer.segments:
        return Jokes.blank(0, reader.dim)
    names = ("doc:joke", "doc:hinge", "doc:hinge_share")
    return Jokes(*(np.concatenate([segment.array(name) for segment in writer.segments]) for name in names))


def _padded(found: Partition, size: int) -> Partition:
    family, leads = np.full(size, -1, dtype=np.int32), np.zeros(size, dtype=np.uint8)
    family[: len(found.family)], leads[: len(found.leads)] = found.family, found.leads
    return Partition(family, leads)


def _store(writer: IndexWriter, found: Partition) -> None:
    writer.set_column("family", found.family.astype(np.int32))
    writer.set_column("family_lead", found.leads.astype(np.uint8))


def family_members(index: Index, number: int) -> Array:
    """Give the live documents of a document's family, itself among them, rising."""
    column = index.column("family")
    members = np.flatnonzero(column == column[number]) if column[number] >= 0 else np.array([number])
    return members if index.live is None else members[index.live[members]]


def representatives(index: Index) -> dict[int, int]:
    """Give the representative of each family; of one whose own was deleted, its first live document."""

    def find() -> dict[int, int]:
        column, leads = index.column("family"), index.column("family_lead")
        live = index.numbers()
        live = live[column[live] >= 0]
        first = {int(column[n]): int(n) for n in live[::-1]}
        return first | {int(column[n]): int(n) for n in live[leads[live] == 1]}

    return index.memo("representatives", find)


def merge_families(path: str | Path, ids: Sequence[str]) -> None:
    """Make the families of these documents one, now and whenever families are found again."""
    if len(set(ids)) < 2:
        raise InputError("name at least two documents whose families are the same joke")
    _edit(path, {"action": "merge", "ids": list(dict.fromkeys(ids))})


def split_family(path: str | Path, ids: Sequence[str]) -> None:
    """Take these documents out of their family, as a family of their own, now and whenever families are found again."""
    _edit(path, {"action": "split", "ids": list(dict.fromkeys(ids))})


def _edit(path: str | Path, edit: dict[str, Any]) -> None:
    with write_index(path) as writer:
        index = open_index(path)
        numbers = [index.number(doc) for doc in edit["ids"]]
        for doc, number in zip(edit["ids"], numbers, strict=True):
            if number < 0:
                raise InputError(f'no document has the id "{doc}"; nothing was changed')
        if edit["action"] == "split":
            everyone = {int(n) for number in numbers for n in family_members(index, number)}
            others = sorted(everyone - set(numbers))
            if not others:
                raise InputError(f'"{edit["ids"][0]}" would take its whole family along; nothing was changed')
            edit = {**edit, "from": [index.id(n) for n in others]}
        before = Partition(index.column("family"), index.column("family_lead"))
        _store(writer, apply_edits(before, [edit], index.number))
        writer.note(EDITS, [*writer.manifest.get("notes", {}).get(EDITS, []), edit])
