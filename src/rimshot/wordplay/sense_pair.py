"""The two senses of a homographic pun that its context supports.

Every pair of senses of the word is scored: each sense by how usual it is, by the words its gloss and neighbours share
with the text (Lesk 1986; Miller and Gurevych 2015 for puns), by the distance of its meaning from the context, by
whether its part of speech can stand there; the pair by how far apart its two senses are. The weights are fitted on puns
with known senses.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import log1p

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.glosses import gloss_rows
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.vectors import word_vectors
from rimshot.lexicon.wordnet import Sense, synset, wordnet
from rimshot.wordplay.explain_text import STOP, TextView
from rimshot.wordplay.explain_weights import weights

__all__ = [
    "PAIR_FEATURES",
    "SENSE_FEATURES",
    "SensePair",
    "SenseReading",
    "alike_coarsely",
    "read_senses",
    "sense_pairs",
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
)  # fmt: skip
_NEAR = ("@", "@i", "~", "~i", "+", "&", "^", "\\", "%p", "#p", "#m", ";c", ";u", ";r", "-c", "$", "*", ">", "=")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_MOST = 40
_COARSE = 0.3
"""How much a pair gains from the probability of pairs that differ from it only finely."""


@dataclass(frozen=True, slots=True)
class SensePair:
    """Two senses, how probable the pair is, and the words of the text that support each."""

    first: Sense
    second: Sense
    probability: float
    support: tuple[tuple[str, ...], tuple[str, ...]]


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
            near += [word.lower() for word in synset(to).words(lang)[:4]]
    return told, tuple(part for word in near for part in word.split())


@lru_cache(maxsize=1 << 15)
def _meaning(number: int, lang: str) -> NDArray[np.float32] | None:
    """The direction of a sense: the words of its gloss (English has them) and of its neighbours, rare ones most."""
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
def _lemmas_told(number: int, lang: str) -> frozenset[str]:
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


def _phrases(view: TextView) -> list[str]:
    """Entries of several words that hold the pun word: "out of the picture"."""
    net = wordnet(view.lang)
    found = []
    for start in range(max(0, view.place - 2), view.place + 1):
        for end in range(view.place + view.size, min(len(view.words), view.place + 4) + 1):
            if end - start > view.size:
                found += [name for name in net.lemmas(" ".join(view.words[start:end])) if " " in name]
    return list(dict.fromkeys(found))


def _senses(view: TextView) -> tuple[list[Sense], list[str]]:
    net = wordnet(view.lang)
    names = list(net.lemmas(view.word))
    return [sense for name in [*names, *_phrases(view)] for sense in net.senses(name)][:_MOST], names


@dataclass(frozen=True, eq=False, slots=True)
class SenseReading:
    """The senses of a pun word and all pairs of them: `first` and `second` by number, a row of features each."""

    senses: list[Sense]
    single: NDArray[np.float32]
    gloss: NDArray[np.float32]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    rows: NDArray[np.float32]

    @property
    def scores(self) -> NDArray[np.float32]:
        """The score of each pair; the pairs' probabilities are their softmax."""
        found: NDArray[np.float32] = self.rows @ weights("senses-en")
        return found

    @property
    def files(self) -> list[str]:
        """The lexicographer file of each sense."""
        return [sense.lexname for sense in self.senses]

    def order(self, scores: NDArray[np.float32]) -> NDArray[np.intp]:
        """Give the pairs best first: by their own probability and by that of pairs that differ from them finely."""
        first, second = self.first, self.second
        probabilities = _softmax(scores)
        table = np.zeros((len(self.senses), len(self.senses)), np.float32)
        table[first, second] = probabilities
        table += table.T
        kin = _kin(self.senses)
        together = probabilities + _COARSE * (kin @ table @ kin)[first, second]
        return np.argsort(-together, kind="stable")

    def pairs(self, view: TextView, limit: int = 3) -> list[SensePair]:
        """Give the most probable pairs, each with the words of the text that support it."""
        if not len(self.first):
            return []
        scores, senses, first, second = self.scores, self.senses, self.first, self.second
        probabilities = _softmax(scores)
        found = []
        for number in self.order(scores)[:limit].tolist():
            one, other = senses[first[number]], senses[second[number]]
            support = (_support(view, one), _support(view, other))
            found.append(SensePair(one, other, float(probabilities[number]), support))
        return found


def read_senses(view: TextView) -> SenseReading:
    """Give the senses of the pun word, the pairs of them by number, and a row of features for each pair."""
    senses, names = _senses(view)
    told_by = gloss_rows([sense.synset for sense in senses])
    gloss = told_by @ view.meaning if view.meaning is not None else np.zeros(len(senses), np.float32)
    single = np.array(_single(view, senses, names, gloss), np.float32).reshape(-1, len(SENSE_FEATURES))
    first, second = np.triu_indices(len(senses), 1)
    numbers = np.array([sense.synset for sense in senses])
    apart = numbers[first] != numbers[second] if len(senses) else np.empty(0, bool)
    first, second = first[apart], second[apart]
    rows = np.empty((0, len(SENSE_FEATURES) + len(PAIR_FEATURES)), np.float32)
    if len(first):
        near = _nearness(view, senses)
        pair = [
            _pair_columns(senses, single, gloss, told_by, first, second),
            _support_columns(near, first, second),
            _standing_columns(senses, single, gloss, first, second),
        ]
        rows = np.concatenate([single[first] + single[second], *pair], axis=1).astype(np.float32)
    return SenseReading(senses, single, gloss, first, second, rows)


def _pair_columns(
    senses: list[Sense],
    single: NDArray[np.float32],
    gloss: NDArray[np.float32],
    told_by: NDArray[np.float32],
    first: NDArray[np.intp],
    second: NDArray[np.intp],
) -> NDArray[np.float32]:
    meanings = [_meaning(sense.synset, sense.lang) for sense in senses]
    dim = next((len(meaning) for meaning in meanings if meaning is not None), 1)
    rows = np.stack([np.zeros(dim, np.float32) if meaning is None else meaning for meaning in meanings])
    above = [_above(sense.synset) for sense in senses]
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
    meanings = [_meaning(sense.synset, sense.lang) for sense in senses]
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
        ],
        axis=1,
    ).astype(np.float32)


def _single(view: TextView, senses: list[Sense], names: list[str], gloss: NDArray[np.float32]) -> list[list[float]]:
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
        meaning = _meaning(sense.synset, sense.lang)
        _, nearest = view.context.likeness(meaning)
        rows.append(
            [
                log1p(sense.count),
                sense.count / total,
                float(sense.rank == 1),
                1 / ranks[key],
                float(meaning @ centre) if meaning is not None and centre is not None else 0.0,
                nearest,
                min(3.0, len(around & _lemmas_told(sense.synset, sense.lang))),
                guess[sense.pos],
                float(" " in sense.lemma),
                float(sense.lemma == view.word),
                float(sense.lemma not in names[:1]),
                float(sense.lexname == "noun.person"),
                float(gloss[number]),
            ]
        )
    return rows


def sense_pairs(view: TextView, limit: int = 3) -> list[SensePair]:
    """Give the pairs of senses that the pun at a view plays on, most probable first."""
    return read_senses(view).pairs(view, limit)


def _softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    raised: NDArray[np.float32] = np.exp(scores - scores.max())
    return raised / np.float32(raised.sum())


def alike_coarsely(one: Sense, other: Sense) -> bool:
    """Say whether two senses differ only finely: one synset, one lexicographer file, or a common concept right above.

    >>> bank = wordnet("en").sense("bank%1:17:01::")
    >>> alike_coarsely(bank, wordnet("en").sense("hill%1:17:00::")), alike_coarsely(bank, wordnet("en").senses("red")[0])
    (True, False)
    """
    return one.lexname == other.lexname or bool(_above(one.synset) & _above(other.synset))


@lru_cache(maxsize=1 << 15)
def _above(number: int) -> frozenset[int]:
    return frozenset(synset(number).targets("@", "@i"))


def _kin(senses: list[Sense]) -> NDArray[np.float32]:
    """Which senses are alike coarsely."""
    file = np.array([sense.lexname for sense in senses])
    kin: NDArray[np.float32] = (file[:, None] == file[None, :]).astype(np.float32)
    above = [_above(sense.synset) for sense in senses]
    for i in range(len(senses)):
        for j in range(i):
            if not above[i].isdisjoint(above[j]):
                kin[i, j] = kin[j, i] = 1.0
    return kin


def _support(view: TextView, sense: Sense, limit: int = 3) -> tuple[str, ...]:
    """The words of the text that speak for a sense: named by its gloss or neighbours, or near it in meaning."""
    told = _lemmas_told(sense.synset, sense.lang)
    named = [word for word in view.context.words if told.intersection(lemmas(word, view.lang))]
    meaning = _meaning(sense.synset, sense.lang)
    if meaning is not None and len(view.context):
        near = view.context.rows @ meaning
        order = np.argsort(-near, kind="stable").tolist()
        named += [view.context.words[number] for number in order if near[number] > 0.3]
    return tuple(dict.fromkeys(named))[:limit]
