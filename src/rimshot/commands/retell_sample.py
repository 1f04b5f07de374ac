"""The embedded sample as ``rimshot retell fit`` learns from it: families, word-swapped twins, retellings, jokes in two languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from rimshot.index import Index
    from rimshot.rank.same import Asked
    from rimshot.retell.fit import Near, Whole
    from rimshot.retell.similarity import Similarity

    Array = np.ndarray[Any, Any]

__all__ = ["near", "retold", "retold_index", "sample_families", "whole_sample"]


def near(index: Index, number: int, similarity: Similarity) -> Near:
    """Give the candidates of a text in its own language with their features."""
    import numpy as np

    from rimshot.rank.same import asked_document, retellings
    from rimshot.retell.fit import Near
    from rimshot.retell.likeness import near_copies

    asked = asked_document(index, number)
    docs, found = retellings(asked, index, similarity)
    # Texts in the other language are judged by other weights.
    other = np.array([n != number and index.lang(int(n)) == asked.telling.lang for n in docs], dtype=bool)
    tellings = [asked_document(index, int(n)).telling for n in docs[other]]
    copies = np.array([near_copies(asked.telling, telling) for telling in tellings], dtype=bool)
    equal = np.array([asked.telling.spelling == telling.spelling for telling in tellings], dtype=bool)
    return Near(docs[other], found.features[other], copies, equal)


def _vectors(asked: Asked) -> tuple[Array, Array]:
    if asked.meaning is None or asked.ending is None:
        raise InputError("the index of the embedded sample has no vectors; install a model, then fit")
    return asked.meaning, asked.ending


def retold_index(folder: Path) -> Path:
    """Give a copy of the embedded sample's index with its retellings added, made if it is not there."""
    import shutil

    from rimshot.corpus.document import Doc
    from rimshot.index.annotate import annotate_index
    from rimshot.index.families import add_families
    from rimshot.index.sample import sample_index
    from rimshot.index.writer import write_index

    if not folder.exists():
        shutil.copytree(sample_index(), folder)
        with write_index(folder) as writer:
            writer.add(Doc(row["docid"], row["text"], row["lang"]) for row in retold())
        annotate_index(folder)
        add_families(folder)
    return folder


def retold() -> list[dict[str, str]]:
    """Give the retellings of jokes of the embedded sample, and jokes told in two languages, each beside its other telling."""
    from rimshot.corpus.records import read_records
    from rimshot.corpus.sample import sample_path

    rows = read_records(sample_path("en").parent / "retold.jsonl")
    return [{name: str(value) for name, value in row.items()} for _, row in rows]


def sample_families(lang: str) -> list[tuple[str, ...]]:
    """Give the families of the sample with the retellings in them."""
    from rimshot.corpus.sample import sample_path
    from rimshot.retell.judged import read_families

    groups = {
        doc: set(family.ids) for family in read_families(sample_path(lang) / "families.jsonl") for doc in family.ids[:1]
    }
    owner = {doc: group for group in groups.values() for doc in group}
    for row in retold():
        if row["lang"] == lang and row["retells"] in owner:
            owner[row["retells"]].add(row["docid"])
        elif row["lang"] == lang and not row["retells"].startswith(("en-", "pt-")):
            owner[row["retells"]] = {row["retells"], row["docid"]}
    return sorted({tuple(sorted(group)) for group in owner.values()})


def whole_sample() -> Whole:
    """The embedded sample with its retellings, all of whose families and twins are known."""
    import tempfile
    from dataclasses import replace

    import numpy as np

    from rimshot.corpus.records import read_records
    from rimshot.corpus.sample import SAMPLE_LANGUAGES, sample_path
    from rimshot.index import open_index
    from rimshot.rank.same import asked_document
    from rimshot.retell.fit import Whole
    from rimshot.retell.similarity import shipped_similarity

    with tempfile.TemporaryDirectory() as made:
        index = open_index(retold_index(Path(made) / "index"))
        similarity = replace(shipped_similarity(), scales=_scales(index))
        groups = [[index.number(doc) for doc in ids] for lang in SAMPLE_LANGUAGES for ids in sample_families(lang)]
        twins = [
            (index.number(str(row["docid"])), index.number(str(row["twin_of"])))
            for lang in SAMPLE_LANGUAGES
            for _, row in read_records(sample_path(lang) / "twins.jsonl")
        ]

        def features(pairs: Sequence[tuple[int, int]]) -> Array:
            rows = []
            for a, b in pairs:
                one, other = asked_document(index, a), asked_document(index, b)
                rows.append(similarity.compare(one.telling, [other.telling], one.cosines(other)).features[0])
            return np.array(rows)

        versions = [(a, b) for group in groups for at, a in enumerate(group) for b in group[at + 1 :]]
        nearest = {n: near(index, n, similarity) for group in groups for n in group}
        return Whole(
            groups, features(versions), features(twins), nearest, _across(index, similarity), similarity.scales
        )


def _scales(index: Index, rare: float = 0.999, count: int = 1000) -> dict[str, Array]:
    """The mean and a rare value of the cosines of texts in one language, and of texts in two."""
    import numpy as np

    from rimshot.index.english import vectors_in_english
    from rimshot.retell.similarity import ACROSS

    rng = np.random.default_rng(7)
    langs = np.array([index.lang(int(n)) for n in index.numbers()])
    chosen = {
        lang: rng.permutation(index.numbers()[langs == lang])[:count] for lang in sorted({str(lang) for lang in langs})
    }
    found: dict[str, Array] = {}
    for a, first in chosen.items():
        for b, second in chosen.items():
            other = first[:, None] != second[None, :]
            meaning, english, ending = (
                (np.asarray(rows[first], np.float32) @ np.asarray(rows[second], np.float32).T)[other]
                for rows in (index.column("meaning"), vectors_in_english(index), index.column("punch"))
            )
            values = [(meaning + english) / 2 if a == b else english, ending]
            if a <= b:
                usual = [(float(cosine.mean()), float(np.quantile(cosine, rare))) for cosine in values]
                found[a if a == b else ACROSS] = np.array(usual).T
    return found


def _across(index: Index, similarity: Similarity, depth: int = 60) -> list[tuple[Array, Array]]:
    """For each joke told in two languages, what is nearest in the other language, and which of it is the same joke."""
    from dataclasses import replace

    import numpy as np

    from rimshot.index.english import vectors_in_english
    from rimshot.rank.same import asked_document

    found: list[tuple[Array, Array]] = []
    langs = np.array([index.lang(int(n)) for n in index.numbers()])
    for row in retold():
        if not row["retells"].startswith(("en-", "pt-")):
            continue
        asked, right = asked_document(index, index.number(row["docid"])), index.number(row["retells"])
        others = index.numbers()[langs != row["lang"]]
        between = _vectors(replace(asked, meaning=asked.english))
        cosine = np.column_stack(
            [
                np.asarray(rows[others], dtype=np.float32) @ vector
                for rows, vector in zip((vectors_in_english(index), index.column("punch")), between, strict=True)
            ]
        )
        best = np.argsort(-cosine[:, 0], kind="stable")[:depth]
        best = np.union1d(best, np.flatnonzero(others == right))
        tellings = [asked_document(index, int(n)).telling for n in others[best]]
        found.append((similarity.compare(asked.telling, tellings, cosine[best]).features, others[best] == right))
    return found
