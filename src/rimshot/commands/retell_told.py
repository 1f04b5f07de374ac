"""The short jokes that ``rimshot retell fit`` learns from: families, word-swapped twins, other jokes, jokes in two languages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.errors import InputError

if TYPE_CHECKING:
    import numpy as np

    from rimshot.corpus.document import Doc
    from rimshot.index import Index
    from rimshot.rank.same import Asked
    from rimshot.retell.fit import Near, Whole
    from rimshot.retell.similarity import Similarity

    Array = np.ndarray[Any, Any]

__all__ = ["ShortJokes", "bilingual", "near", "short_jokes", "told_index", "whole_told"]


@dataclass(frozen=True)
class ShortJokes:
    """Texts, which of them are tellings of one joke, pairs of a joke's word-swapped twin and the joke, and jokes told once.

    ``kin`` has a number for each family, the same for different jokes on the same two meanings of a word.
    """

    docs: Sequence[Doc]
    families: Sequence[tuple[str, ...]]
    twins: Sequence[tuple[str, str]]
    lone: Sequence[str] = ()
    kin: Sequence[int] = ()


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


def _vectors(asked: Asked) -> tuple[Array, Array, Array]:
    if asked.meaning is None or asked.ending is None or asked.joke is None:
        raise InputError("the index of short jokes has no vectors; install a model, then fit")
    return asked.meaning, asked.ending, asked.joke


def bilingual() -> list[dict[str, str]]:
    """Give jokes told in two languages, each telling beside the other (``retells``)."""
    from rimshot.corpus.records import read_records
    from rimshot.corpus.sample import sample_path

    rows = read_records(sample_path("en").parent / "retold.jsonl")
    return [{name: str(value) for name, value in row.items()} for _, row in rows]


def short_jokes() -> ShortJokes:
    """Give the short jokes that come with rimshot to fit on, which no encoder has learnt from."""
    from rimshot.corpus.document import LANGUAGES, Doc
    from rimshot.train.own_texts import composed, key_of
    from rimshot.train.tellings import constellations, retellings

    texts: dict[str, str] = {}
    pairs: dict[str, dict[bool, str]] = {}
    for lang in LANGUAGES:
        for example in composed(lang):
            name = f"{lang}-{key_of(example.text)}"
            texts[name] = example.text
            if example.pair:
                pairs.setdefault(example.pair, {})[example.humorous] = name
    families: list[tuple[str, ...]] = []
    lone = {pair[True] for pair in pairs.values() if True in pair}
    for row in retellings():
        joke = f"{row.lang}-{key_of(row.joke)}"
        told = tuple(f"{joke}-told{at}" for at in range(len(row.told)))
        texts |= dict(zip(told, row.told, strict=True))
        others = {f"{joke}-other{at}": text for at, text in enumerate(row.others)}
        texts |= {joke: row.joke} | others
        lone |= others.keys()
        if row.twin:
            texts[f"{joke}-twin"] = row.twin
            pairs[joke] = {True: joke, False: f"{joke}-twin"}
        families.append((joke, *told))
    kin = list(range(len(families)))
    for lang in LANGUAGES:
        for one in (one for one in constellations(lang) if one.kept):
            kin += [kin[-1] + 1] * len(one.jokes)
            for tellings in one.jokes:
                named = {f"{lang}-{key_of(text)}": text for text in tellings}
                texts |= named
                families.append(tuple(named))
            texts |= {f"{lang}-{key_of(text)}": text for text in one.others}
    texts |= {row["docid"]: row["text"] for row in bilingual()}
    twins = [(pair[False], pair[True]) for pair in pairs.values() if len(pair) == 2]
    alone = sorted(lone - {name for family in families for name in family})
    return ShortJokes([Doc(name, text, name[:2]) for name, text in texts.items()], families, twins, alone, kin)


def told_index(docs: Sequence[Doc], folder: Path) -> Path:
    """Give an index of some texts with everything that a comparison needs."""
    from rimshot.index.annotate import annotate_index
    from rimshot.index.families import add_families
    from rimshot.index.writer import build_index

    if not folder.exists():
        build_index(docs, folder)
        annotate_index(folder)
        add_families(folder)
    return folder


def whole_told() -> Whole:
    """The short jokes, all of whose families and twins are known, as the weights are fitted on them."""
    import tempfile
    from dataclasses import replace

    import numpy as np

    from rimshot.index import open_index
    from rimshot.rank.same import asked_document
    from rimshot.retell.fit import Whole
    from rimshot.retell.similarity import shipped_similarity

    jokes = short_jokes()
    with tempfile.TemporaryDirectory() as made:
        index = open_index(told_index(jokes.docs, Path(made) / "index"))
        similarity = replace(shipped_similarity(), scales=_scales(index))
        groups = [[index.number(doc) for doc in ids] for ids in jokes.families]
        twins = [(index.number(twin), index.number(joke)) for twin, joke in jokes.twins]

        def features(pairs: Sequence[tuple[int, int]]) -> Array:
            rows = []
            for a, b in pairs:
                one, other = asked_document(index, a), asked_document(index, b)
                rows.append(similarity.compare(one.telling, [other.telling], one.cosines(other)).features[0])
            return np.array(rows)

        versions = [(a, b) for group in groups for at, a in enumerate(group) for b in group[at + 1 :]]
        nearest = {n: near(index, n, similarity) for group in groups for n in group}
        return Whole(
            groups,
            [index.lang(group[0]) for group in groups],
            features(versions),
            features(twins),
            nearest,
            _across(index, similarity),
            similarity.scales,
            [near(index, index.number(doc), similarity) for doc in _some(jokes.lone)],
            jokes.kin,
        )


def _some(ids: Sequence[str], count: int = 1000) -> list[str]:
    import random

    return random.Random(1).sample(ids, min(count, len(ids)))


def _scales(index: Index, rare: float = 0.999, count: int = 1000) -> dict[str, Array]:
    """The mean and a rare value of the cosines of texts in one language, and of texts in two."""
    import numpy as np

    from rimshot.index.english import vectors_in_english
    from rimshot.retell.joke_encoder import scenes
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
            meaning, english, ending, joke, scene = (
                (np.asarray(rows[first], np.float32) @ np.asarray(rows[second], np.float32).T)[other]
                for rows in (
                    index.column("meaning"),
                    vectors_in_english(index),
                    index.column("punch"),
                    index.column("joke"),
                    scenes(index.column("joke")),
                )
            )
            values = [(meaning + english) / 2 if a == b else english, ending, joke[joke != 0], scene[scene != 0]]
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
    from rimshot.retell.joke_encoder import scenes

    found: list[tuple[Array, Array]] = []
    langs = np.array([index.lang(int(n)) for n in index.numbers()])
    for row in bilingual():
        asked, right = asked_document(index, index.number(row["docid"])), index.number(row["retells"])
        others = index.numbers()[langs != row["lang"]]
        meaning, ending, joke = _vectors(replace(asked, meaning=asked.english))
        cosine = np.column_stack(
            [
                np.asarray(rows[others], dtype=np.float32) @ vector
                for rows, vector in (
                    (vectors_in_english(index), meaning),
                    (index.column("punch"), ending),
                    (index.column("joke"), joke),
                    (scenes(index.column("joke")), scenes(joke)),
                )
            ]
        )
        best = np.argsort(-cosine[:, 0], kind="stable")[:depth]
        best = np.union1d(best, np.flatnonzero(others == right))
        tellings = [asked_document(index, int(n)).telling for n in others[best]]
        found.append((similarity.compare(asked.telling, tellings, cosine[best]).features, others[best] == right))
    return found
