"""What can be counted about the senses of a word in its context, and about pairs of them.

Each sense is measured by how usual it is, by the words its gloss and neighbours share with the text (Lesk 1986; Miller
and Gurevych 2015 for puns), by the distance of its meaning from the context, by whether its part of speech can stand
there; each pair by how far apart its two senses are and whether each is called up by a word of its own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from math import log1p

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.clues import clues, meanings
from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.played import played
from rimshot.lexicon.vectors import word_vectors
from rimshot.lexicon.wordnet import Sense, synset, synset_words
from rimshot.wordplay.explain_text import STOP, Context, TextView

__all__ = [
    "PAIR_FEATURES",
    "SENSE_FEATURES",
    "called_up",
    "clue_vectors",
    "concepts_above",
    "lemmas_told",
    "meaning_of",
    "pair_features",
    "sense_features",
]

SENSE_FEATURES = (
    "count", "share", "first", "rank", "likeness", "nearest", "overlap", "pos", "phrase", "form", "other_lemma",
    "person", "gloss",
)  # fmt: skip
PAIR_FEATURES = (
    "same_pos", "same_file", "alike", "same_above", "same_lemma", "least", "most", "both_overlap", "least_count",
    "gloss_least", "gloss_most", "gloss_alike",
    "two_words", "turn_least", "turn_most",
    "least_rank", "least_share", "count_apart", "use", "least_use", "narrow", "told_at_length", "domain", "register",
    "verbs", "nouns", "least_pos", "gloss_standing", "gloss_best", "gloss_worst", "both_first",
    "played", "least_played", "both_played",
    "called", "called_least", "called_most", "called_two", "called_turn_least", "called_turn_most", "clued",
)  # fmt: skip
_NEAR = ("@", "@i", "~", "~i", "+", "&", "^", "\\", "%p", "#p", "#m", ";c", ";u", ";r", "-c", "$", "*", ">", "=")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


@lru_cache(maxsize=1 << 15)
def _gloss_words(number: int, lang: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    here = synset(number)
    told = tuple(
        word
        for word in _WORD.findall(" ".join((here.gloss, *here.examples)).lower())
        if word not in STOP["en"] and len(word) > 1
    )
    near = [word.lower() for word in here.words(lang)]
    for symbol, to, _, _ in here.edges:
        if symbol in _NEAR:
            near += [word.lower() for word in synset_words(to, lang)[:4]]
    return told, tuple(part for word in near for part in word.split())


@lru_cache(maxsize=1 << 15)
def meaning_of(number: int, lang: str) -> NDArray[np.float32] | None:
    """Give the direction of a sense: the words of its gloss (English has them) and of its neighbours, rare ones most."""
    told, near = _gloss_words(number, lang)
    vectors = word_vectors(lang)
    if vectors is None:
        return None
    words = [word for word in (*(told if lang == "en" else ()), *near[:30]) if word in vectors]
    if not words:
        return None
    share = np.array([min(1.0, max(0.05, (6.5 - zipf(word, lang)) / 4)) for word in words], np.float32)
    total = share @ vectors.rows(words)
    size = float(np.sqrt(total @ total))
    return total / np.float32(size) if size else None


@lru_cache(maxsize=1 << 15)
def lemmas_told(number: int, lang: str) -> frozenset[str]:
    """Give the lemmas that tell a sense: of its gloss (English has them) and its neighbours."""
    told, near = _gloss_words(number, lang)
    found: set[str] = set()
    for word in (*(told if lang == "en" else ()), *near):
        found.update(lemmas(word, lang) or (word,))
    return frozenset(found - STOP[lang])


_NOUN = "the a an his her their my your its this that some no of in for with from into every any on"
_NOUN_AFTER = frozenset(_NOUN.split())
_VERB = "to they i you we he she it will would can could just didn't don't not never who"
_VERB_AFTER = frozenset(_VERB.split())
_ADJECTIVE = "was is were are be very so too been feel felt being"
_ADJECTIVE_AFTER = frozenset(_ADJECTIVE.split())
_OBJECT = "the a an his her their my your it him them me up out off down over"
_OBJECT_BEFORE = frozenset(_OBJECT.split())


def _pos_guess(view: TextView) -> dict[str, float]:
    """How well each part of speech would stand at the pun, by its neighbours and its ending (English)."""
    score = {"n": 0.0, "v": 0.0, "a": 0.0, "r": 0.0}
    if view.lang != "en":
        return score
    word, before, after = view.word, view.before, view.after
    if before in _NOUN_AFTER:
        score["n"] += 1.0
        score["a"] += 0.4
    if before in _VERB_AFTER:
        score["v"] += 1.0
    if before in _ADJECTIVE_AFTER:
        score["a"] += 0.7
        score["v"] += 0.4
    if word.endswith(("ing", "ed")):
        score["v"] += 0.7
    if word.endswith("s") and not word.endswith("ss"):
        score["n"] += 0.3
        score["v"] += 0.1
        score["a"] -= 0.5
    if after in _OBJECT_BEFORE:
        score["v"] += 0.5
    return score


def sense_features(
    view: TextView, senses: list[Sense], names: list[str], gloss: NDArray[np.float32]
) -> list[list[float]]:
    """Give a row of :data:`SENSE_FEATURES` for each sense.

    `names` are the lemmas of the word, `gloss` is how near the text each sense's definition is.
    """
    total = sum(sense.count for sense in senses) + 0.5 * len(senses)
    around: set[str] = set()
    for word in view.context.words:
        around.update(lemmas(word, view.lang))
    around -= set(names)
    guess = _pos_guess(view)
    centre = view.context.centre()
    ranks: dict[tuple[str, str], int] = {}
    rows = []
    for number, sense in enumerate(senses):
        key = (sense.lemma, sense.pos)
        ranks[key] = ranks.get(key, 0) + 1
        meaning = meaning_of(sense.synset, sense.lang)
        _, nearest = view.context.likeness(meaning)
        rows.append(
            [
                log1p(sense.count),
                sense.count / total,
                float(sense.rank == 1),
                1 / ranks[key],
                float(meaning @ centre) if meaning is not None and centre is not None else 0.0,
                nearest,
                min(3.0, len(around & lemmas_told(sense.synset, sense.lang))),
                guess[sense.pos],
                float(" " in sense.lemma),
                float(sense.lemma == view.word),
                float(sense.lemma not in names[:1]),
                float(sense.lexname == "noun.person"),
                float(gloss[number]),
            ]
        )
    return rows


def pair_features(
    view: TextView,
    senses: list[Sense],
    single: NDArray[np.float32],
    gloss: NDArray[np.float32],
    told_by: NDArray[np.float32],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> NDArray[np.float32]:
    """Give a row of :data:`SENSE_FEATURES`, summed over the two, and :data:`PAIR_FEATURES` for each pair by number."""
    parts = [
        single[first] + single[second],
        _pair_columns(senses, single, gloss, told_by, first, second),
        _support_columns(_nearness(view, senses), first, second),
        _standing_columns(senses, single, gloss, first, second),
        _called_columns(view, senses, first, second),
    ]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _pair_columns(
    senses: list[Sense],
    single: NDArray[np.float32],
    gloss: NDArray[np.float32],
    told_by: NDArray[np.float32],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> NDArray[np.float32]:
    meanings = [meaning_of(sense.synset, sense.lang) for sense in senses]
    dim = next((len(meaning) for meaning in meanings if meaning is not None), 1)
    rows = np.stack([np.zeros(dim, np.float32) if meaning is None else meaning for meaning in meanings])
    above = [concepts_above(sense.synset) for sense in senses]
    pos = np.array([sense.pos for sense in senses])
    file = np.array([sense.lexname for sense in senses])
    lemma = np.array([sense.lemma for sense in senses])
    like, told, count = single[:, 4], single[:, 6] > 0, single[:, 0]
    return np.stack(
        [
            pos[first] == pos[second],
            file[first] == file[second],
            (rows @ rows.T)[first, second],
            np.array([bool(above[i] & above[j]) for i, j in zip(first, second, strict=True)]),
            lemma[first] == lemma[second],
            np.minimum(like[first], like[second]),
            np.maximum(like[first], like[second]),
            told[first] & told[second],
            np.minimum(count[first], count[second]),
            np.minimum(gloss[first], gloss[second]),
            np.maximum(gloss[first], gloss[second]),
            (told_by @ told_by.T)[first, second],
        ],
        axis=1,
    ).astype(np.float32)


def _nearness(view: TextView, senses: list[Sense]) -> NDArray[np.float32]:
    """How near each sense (row) is to each weighty word of the text (column), weighty ones most."""
    context = view.context
    if not len(context):
        return np.zeros((len(senses), 1), np.float32)
    nothing = np.zeros(context.rows.shape[1], np.float32)
    meanings = [meaning_of(sense.synset, sense.lang) for sense in senses]
    rows = np.stack([nothing if meaning is None else meaning for meaning in meanings])
    found: NDArray[np.float32] = (rows @ context.rows.T) * np.minimum(
        np.float32(1.0), context.weights + np.float32(0.3)
    )
    return found


def _support_columns(
    near: NDArray[np.float32], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float32]:
    """Is each sense called up by a word of its own? The best support by two different words, and the two turns.

    A turn is how much nearer one sense is than the other to the word that tells them apart best.
    """
    best = near.argmax(axis=1)
    top = near.max(axis=1)
    if near.shape[1] > 1:
        rest = near.copy()
        rest[np.arange(len(near)), best] = -np.inf
        runner_up = rest.max(axis=1)
    else:
        runner_up = np.zeros_like(top)
    clash = best[first] == best[second]
    shared = np.maximum(top[first] + runner_up[second], runner_up[first] + top[second])
    apart = near[first] - near[second]
    one, other = apart.max(axis=1), -apart.min(axis=1)
    return np.stack(
        [np.where(clash, shared, top[first] + top[second]), np.minimum(one, other), np.maximum(one, other)], axis=1
    )


def _called_columns(
    view: TextView, senses: list[Sense], first: NDArray[np.intp], second: NDArray[np.intp]
) -> NDArray[np.float32]:
    """How strongly words of the text call up the two senses, by the words that are known to (``clues``)."""
    near = _called(view.context, [_clue_rows(sense) for sense in senses])
    top = near.max(axis=1)
    known = np.array([bool(clues(sense)) for sense in senses], np.float32)
    return np.column_stack(
        [
            top[first] + top[second],
            np.minimum(top[first], top[second]),
            np.maximum(top[first], top[second]),
            _support_columns(near, first, second),
            known[first] + known[second],
        ]
    )


def _called(context: Context, told: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """How near the nearest clue of each meaning (row) is to each weighty word of a text (column)."""
    found = np.zeros((len(told), max(1, len(context))), np.float32)
    if len(context):
        share = np.minimum(np.float32(1.0), context.weights + np.float32(0.3))
        for row, rows in zip(found, told, strict=True):
            if len(rows):
                row[:] = (context.rows @ rows.T).max(axis=1) * share
    return found


def called_up(context: Context, told: Sequence[NDArray[np.float32]]) -> tuple[list[float], float, float]:
    """Give how strongly a text calls up each meaning, the best two of them by words of their own, and the best turn."""
    near = _called(context, told)
    if len(told) < 2:
        return near.max(axis=1).tolist(), 0.0, 0.0
    two = _support_columns(near, *np.triu_indices(len(told), 1))
    return near.max(axis=1).tolist(), float(two[:, 0].max()), float(two[:, 1].max())


@lru_cache(maxsize=1 << 11)
def clue_vectors(word: str, lang: str) -> tuple[NDArray[np.float32], ...]:
    """Give the vectors of the words that call up each meaning of a word."""
    vectors = word_vectors(lang)
    return () if vectors is None else tuple(vectors.rows(told) for told in meanings(word, lang))


@lru_cache(maxsize=1 << 11)
def _clue_rows(sense: Sense) -> NDArray[np.float32]:
    vectors = word_vectors(sense.lang)
    told = clues(sense)
    return vectors.rows(told) if vectors is not None and told else np.empty((0, 0), np.float32)


def _standing_columns(
    senses: list[Sense],
    single: NDArray[np.float32],
    gloss: NDArray[np.float32],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> NDArray[np.float32]:
    """How usual, how special and how near the text the two are among the senses of the word."""
    here = [synset(sense.synset) for sense in senses]
    use = np.log1p([one.count for one in here])
    narrow = np.array([min(6, len(one.targets("~"))) for one in here])
    length = np.array([len(one.gloss.split()) / 10 for one in here])
    domain = np.array([bool(one.targets(";c")) for one in here], np.float32)
    register = np.array([bool(one.targets(";u", ";r")) for one in here], np.float32)
    verb = np.array([sense.pos == "v" for sense in senses], np.float32)
    noun = np.array([sense.pos == "n" for sense in senses], np.float32)
    joked = np.array([played(sense) for sense in senses], np.float32)
    count, share, rank, pos = single[:, 0], single[:, 1], single[:, 3], single[:, 7]
    standing = (gloss - gloss.mean()) / (gloss.std() + 1e-3)
    order = np.argsort(np.argsort(-gloss, kind="stable"), kind="stable") / max(1, len(gloss) - 1)
    return np.stack(
        [
            np.minimum(rank[first], rank[second]),
            np.minimum(share[first], share[second]),
            np.abs(count[first] - count[second]),
            use[first] + use[second],
            np.minimum(use[first], use[second]),
            narrow[first] + narrow[second],
            length[first] + length[second],
            domain[first] + domain[second],
            register[first] + register[second],
            verb[first] + verb[second],
            noun[first] + noun[second],
            np.minimum(pos[first], pos[second]),
            standing[first] + standing[second],
            np.minimum(order[first], order[second]),
            np.maximum(order[first], order[second]),
            (rank[first] == 1) & (rank[second] == 1),
            joked[first] + joked[second],
            np.minimum(joked[first], joked[second]),
            (joked[first] > 0) & (joked[second] > 0),
        ],
        axis=1,
    ).astype(np.float32)


@lru_cache(maxsize=1 << 15)
def concepts_above(number: int) -> frozenset[int]:
    """Give the concepts right above a synset."""
    return frozenset(synset(number).targets("@", "@i"))
