"""What can be counted about the word a detector points at: the columns behind kind, belief and evidence.

The best sound-alike and how it fits, the two senses and how each is supported, the saying that is bent or taken at its
word, how well the word suits its place, what a near synonym would have done there, the mould of the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log1p

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.idioms import bent_idiom, phrase_fit, phrase_fits
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.pairs import bond
from rimshot.lexicon.vectors import word_vectors
from rimshot.lexicon.wordnet import synset, wordnet
from rimshot.wordplay.explain_text import STOP, TextView
from rimshot.wordplay.pattern import PATTERNS, patterns
from rimshot.wordplay.sense_pair import SenseReading
from rimshot.wordplay.sense_pair_features import PAIR_FEATURES, SENSE_FEATURES, called_up, clue_vectors
from rimshot.wordplay.sound_pun import FEATURES as SOUND_FEATURES
from rimshot.wordplay.sound_pun import SoundReading

__all__ = ["COLUMNS", "columns"]

_GAINS = ("gain", "bond_gain", "idiom", "nearest", "context")
_SOUND = ("sound_score", "sound_chance", "sound_margin", *(f"sound_best_{name}" for name in _GAINS), "sound_best_name")
_SENSES = ("senses", "pair_score", "pair_chance", "pair_margin", "gloss_first", "gloss_other_file", "near_first",
           "near_other_file")  # fmt: skip
_WORD = ("usual", "length", "known", "capital", "position", "from_end", "stop", "own_before", "own_after", "own_fit",
         "own_nearest", "own_idiom", "own_phrase", "count", "repeated", "adverb", "hyphen")  # fmt: skip
_MEANT = ("meanings", "meant_first", "meant_second", "meant_two", "meant_turn")
_SWAP = ("swap_bond", "swap_idiom", "swap_phrase", "swap_senses", "swap_fit", "swap_usual")
_TEXT = ("words", "context", "rarest", "question", "quote", "named")
COLUMNS: tuple[str, ...] = (
    "bias",
    *_SOUND,
    *(f"sound_{name}" for name in SOUND_FEATURES),
    *_SENSES,
    *(f"pair_{name}" for name in (*SENSE_FEATURES, *PAIR_FEATURES)),
    *_WORD,
    *_MEANT,
    *_SWAP,
    *_TEXT,
    *(f"is_{name}" for name in PATTERNS),
)
"""Names of the columns; the first is the constant 1."""

_NEAR_SOUND = 0.2
"""Distance below which a sound-alike is one that a listener would hear."""


def columns(seen: TextView, sounds: SoundReading, senses: SenseReading) -> list[float]:
    """Give the row of :data:`COLUMNS` for a located word whose sounds and senses have been read."""
    found = patterns(seen.text, seen.lang)
    return [
        1.0,
        *_sound_columns(sounds),
        *_sense_columns(senses),
        *_word_columns(seen),
        *_meant_columns(seen),
        *_swap_columns(seen),
        *_text_columns(seen),
        *(float(name in found) for name in PATTERNS),
    ]


def _sound_columns(sounds: SoundReading) -> list[float]:
    rows, scores = sounds.rows, sounds.scores
    if not len(rows):
        return [0.0] * (len(_SOUND) + len(SOUND_FEATURES))
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    chance = 1 / float(np.exp(scores - scores[best]).sum())
    margin = float(scores[best] - scores[order[1]]) if len(order) > 1 else 5.0
    near = rows[rows[:, 0] < _NEAR_SOUND]
    gains = [float(near[:, _AT[name]].max()) if len(near) else 0.0 for name in _GAINS]
    named = near[near[:, _AT["name"]] > 0, _AT["nearest"]]
    return [float(scores[best]), chance, margin, *gains, float(named.max(initial=0.0)), *rows[best].tolist()]


_AT = {name: number for number, name in enumerate(SOUND_FEATURES)}


def _sense_columns(read: SenseReading) -> list[float]:
    scores, files = read.scores, read.files
    gloss, near = _two_files(read.gloss, files), _two_files(read.single[:, 4], files)
    head = [log1p(len(read.senses))]
    if not len(scores):
        return [*head, 0.0, 0.0, 0.0, *gloss, *near] + [0.0] * (len(SENSE_FEATURES) + len(PAIR_FEATURES))
    order = np.argsort(-scores, kind="stable")
    best = int(order[0])
    chance = 1 / float(np.exp(scores - scores[best]).sum())
    margin = float(scores[best] - scores[order[1]]) if len(order) > 1 else 5.0
    return [*head, float(scores[best]), chance, margin, *gloss, *near, *read.rows[best].tolist()]


def _two_files(values: NDArray[np.float32], files: Sequence[str]) -> tuple[float, float]:
    """The greatest value, and the greatest among senses of other lexicographer files."""
    if not len(values):
        return 0.0, 0.0
    best = int(values.argmax())
    others = [float(value) for value, file in zip(values, files, strict=True) if file != files[best]]
    return float(values[best]), max(others, default=0.0)


_ADVERB = {"en": "ly", "pt": "mente"}


def _word_columns(seen: TextView) -> list[float]:
    word, lang = seen.word, seen.lang
    vectors = word_vectors(lang)
    fit, nearest = seen.context.likeness(vectors.get(word) if vectors else None)
    whole = bent_idiom(seen.words, seen.place, word, lang) if seen.size == 1 else None
    count = sum(sense.count for sense in wordnet(lang).senses_of(word))
    last = len(seen.words) - 1
    return [
        min(zipf(part, lang) for part in word.split()),
        float(len(word)),
        float(bool(lemmas(word, lang))),
        float(seen.text[seen.spans[seen.place][0]].isupper() and seen.place > 0),
        seen.place / max(1, last),
        float(min(8, last - seen.place - seen.size + 1)),
        float(word in STOP[lang]),
        bond(seen.before, word, lang),
        bond(word, seen.after, lang),
        fit,
        nearest,
        whole.kept if whole else 0.0,
        float(seen.size == 1 and phrase_fit(seen.words, seen.place, word, lang) is not None),
        log1p(count),
        float(seen.words.count(word) > 1),
        float(word.endswith(_ADVERB[lang])),
        float("-" in word or " " in word),
    ]


def _meant_columns(seen: TextView) -> list[float]:
    """How strongly words of the text call up the meanings of the word: the first, the second, and two at once."""
    told = clue_vectors(seen.word, seen.lang)
    top, two, turn = called_up(seen.context, told)
    first, second = [*sorted(top, reverse=True), 0.0, 0.0][:2]
    return [float(len(told)), first, second, two, turn]


@lru_cache(maxsize=1 << 14)
def _synonyms(word: str, lang: str) -> tuple[str, ...]:
    """Single words that could have stood for a word: of its synsets first, then of the concepts above."""
    net = wordnet(lang)
    own = {word, *lemmas(word, lang)}
    senses = net.senses_of(word)[:8]
    same = [name for sense in senses for name in net.words(sense.synset)]
    above = [name for sense in senses for to in synset(sense.synset).targets("@", "&") for name in net.words(to)]
    names = (name.lower() for name in (*same, *above))
    return tuple(dict.fromkeys(name for name in names if name not in own and name.isalpha()))[:16]


def _swap_columns(seen: TextView) -> list[float]:
    """What the best synonym would do in the word's place: a swapped word leaves its better behind."""
    word, lang = seen.word, seen.lang
    names = _synonyms(word, lang) if seen.size == 1 else ()
    if not names:
        return [0.0] * len(_SWAP)
    own = bond(seen.before, word, lang) + bond(word, seen.after, lang)
    net, idioms = wordnet(lang), [bent_idiom(seen.words, seen.place, name, lang) for name in names]
    return [
        max(bond(seen.before, name, lang) + bond(name, seen.after, lang) for name in names) - own,
        max(idiom.kept if idiom else 0.0 for idiom in idioms),
        float(any(phrase_fits(seen.words, seen.place, names, lang))),
        log1p(max(len(net.senses(name)) for name in names)),
        _better_fit(seen, names),
        max(zipf(name, lang) for name in names) - zipf(word, lang),
    ]


def _better_fit(seen: TextView, names: Sequence[str]) -> float:
    """How much nearer to the context the nearest of some words is than the pun word; those without a vector are at 0."""
    vectors = word_vectors(seen.lang)
    if vectors is None:
        return 0.0
    own, *others = seen.context.likenesses(vectors.rows([seen.word, *names]))[0].tolist()
    return float(max(others) - own)


def _text_columns(seen: TextView) -> list[float]:
    content = [word for word in seen.words if word not in STOP[seen.lang] and len(word) > 2]
    named = sum(seen.text[start].isupper() for start, _ in seen.spans[1:])
    return [
        log1p(len(seen.words)),
        log1p(len(content)),
        min((zipf(word, seen.lang) for word in content), default=7.0),
        float("?" in seen.text),
        float(any(mark in seen.text for mark in '"“«')),
        named / max(1, len(seen.words)),
    ]
