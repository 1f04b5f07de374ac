"""The two senses of a homographic pun that its context supports.

Every pair of senses of the word is scored by what `sense_pair_features` counts about it, with weights fitted on puns with
known senses; which pair is named first, `explain_senses` says.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.glosses import gloss_rows
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.wordnet import Sense, wordnet
from rimshot.wordplay.explain_senses import expected_worth, near_examples, order_columns
from rimshot.wordplay.explain_text import TextView
from rimshot.wordplay.explain_weights import weights
from rimshot.wordplay.sense_pair_features import (
    PAIR_FEATURES,
    SENSE_FEATURES,
    concepts_above,
    lemmas_told,
    meaning_of,
    pair_features,
    sense_features,
)

__all__ = ["SensePair", "SenseReading", "alike_coarsely", "read_senses", "sense_pairs"]

_MOST = 40


@dataclass(frozen=True, slots=True)
class SensePair:
    """Two senses, how probable the pair is, and the words of the text that support each."""

    first: Sense
    second: Sense
    probability: float
    support: tuple[tuple[str, ...], tuple[str, ...]]


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
    names = list(net.readings(view.word))
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

    def order_rows(self, view: TextView) -> NDArray[np.float32]:
        """Give the features by which the pairs are put in order: those of `rows`, and how examples stand to the text."""
        numbers = np.array([sense.synset for sense in self.senses])
        near, shown = near_examples(numbers, view.meaning)
        return np.concatenate([self.rows, order_columns(self.gloss, near, shown, self.first, self.second)], axis=1)

    def order(self, scores: NDArray[np.float32]) -> NDArray[np.intp]:
        """Give the pairs best first, by what each is worth on average."""
        return np.argsort(-expected_worth(scores, _kin(self.senses), self.first, self.second), kind="stable")

    def pairs(self, view: TextView, limit: int = 3) -> list[SensePair]:
        """Give the most probable pairs, each with the words of the text that support it."""
        if not len(self.first):
            return []
        senses, first, second = self.senses, self.first, self.second
        scores: NDArray[np.float32] = self.order_rows(view) @ weights("order-en")
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
    single = np.array(sense_features(view, senses, names, gloss), np.float32).reshape(-1, len(SENSE_FEATURES))
    first, second = np.triu_indices(len(senses), 1)
    numbers = np.array([sense.synset for sense in senses])
    apart = numbers[first] != numbers[second] if len(senses) else np.empty(0, bool)
    first, second = first[apart], second[apart]
    rows = np.empty((0, len(SENSE_FEATURES) + len(PAIR_FEATURES)), np.float32)
    if len(first):
        rows = pair_features(view, senses, single, gloss, told_by, first, second)
    return SenseReading(senses, single, gloss, first, second, rows)


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
    return one.lexname == other.lexname or bool(concepts_above(one.synset) & concepts_above(other.synset))


def _kin(senses: list[Sense]) -> NDArray[np.float32]:
    """Which senses are alike coarsely."""
    file = np.array([sense.lexname for sense in senses])
    kin: NDArray[np.float32] = (file[:, None] == file[None, :]).astype(np.float32)
    below: dict[int, list[int]] = {}
    for number, concepts in enumerate(concepts_above(sense.synset) for sense in senses):
        for concept in concepts:
            below.setdefault(concept, []).append(number)
    for numbers in below.values():
        if len(numbers) > 1:
            kin[np.ix_(numbers, numbers)] = 1.0
    return kin


def _support(view: TextView, sense: Sense, limit: int = 3) -> tuple[str, ...]:
    """The words of the text that speak for a sense: named by its gloss or neighbours, or near it in meaning."""
    told = lemmas_told(sense.synset, sense.lang)
    named = [word for word in view.context.words if told.intersection(lemmas(word, view.lang))]
    meaning = meaning_of(sense.synset, sense.lang)
    if meaning is not None and len(view.context):
        near = view.context.rows @ meaning
        order = np.argsort(-near, kind="stable").tolist()
        named += [view.context.words[number] for number in order if near[number] > 0.3]
    return tuple(dict.fromkeys(named))[:limit]
