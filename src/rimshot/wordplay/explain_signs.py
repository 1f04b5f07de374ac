"""The second sign of a Portuguese pun: what is heard behind it, or the very words that stand there.

Puntuguese (Inácio et al. 2024) notes for each pun its sign and an alternative sign. Where both are written alike, the
alternative is the pun word itself or the set phrase that it stands in ("perdeu a linha"). So the runs of words around
the pun word are put in order by a small linear model, fitted on such puns (`explain_fit`), and take their places among the
sound-alikes by the chance that the pun is of that kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.idioms import bent_idiom
from rimshot.lexicon.pairs import bond
from rimshot.lexicon.wordnet import wordnet
from rimshot.wordplay.explain_text import STOP, TextView
from rimshot.wordplay.explain_weights import weights
from rimshot.wordplay.sound_pun import SoundPun

__all__ = ["SIGN_FEATURES", "own_signs", "second_signs", "sign_features"]

SIGN_FEATURES = (
    "one", "two", "three", "more", "stop_first", "stop_last", "from_start", "to_end", "whole", "entry", "saying",
    "least_bond", "bonds", "content", "at_end", "one_content", "rarest", "before", "after",
)  # fmt: skip
_REACH = 4
_MOST = 5
_SHOWN = 10
_ONE_WORD = 0.1
"""The least chance of a homographic pun: the judge of kinds, who has seen few, is too sure that there is none."""
_BREAK = frozenset(".?!,:;…")


def _clause(view: TextView) -> tuple[int, int]:
    """The first and the last word of the unbroken run around the pun."""
    first, last = view.place, view.place + view.size - 1
    while first > 0 and not _broken(view, first - 1):
        first -= 1
    while last + 1 < len(view.words) and not _broken(view, last):
        last += 1
    return first, last


def _broken(view: TextView, number: int) -> bool:
    """Whether a mark stands between a word and the next."""
    return not _BREAK.isdisjoint(view.text[view.spans[number][1] : view.spans[number + 1][0]])


def sign_features(view: TextView) -> tuple[list[str], NDArray[np.float32]]:
    """Give the runs of words that hold the pun word, and a row of :data:`SIGN_FEATURES` for each."""
    low, high = _clause(view)
    last = view.place + view.size - 1
    saying = bent_idiom(view.words, view.place, view.word, view.lang) if view.size == 1 else None
    phrase = saying.phrase if saying is not None else None
    names: list[str] = []
    rows: list[list[float]] = []
    for start in range(max(low, view.place - _REACH), view.place + 1):
        for end in range(last, min(high, last + _REACH) + 1):
            if end - start < max(_MOST, view.size):
                words = view.words[start : end + 1]
                names.append(" ".join(words))
                edges = [start == low, end == high, start == low and end == high]
                sides = [start < view.place, end > last]
                rows.append(_row(words, view.lang, edges, names[-1] == phrase, end == len(view.words) - 1, sides))
    return names, np.array(rows, np.float32).reshape(len(rows), len(SIGN_FEATURES))


def _row(
    words: Sequence[str], lang: str, edges: Sequence[bool], saying: bool, at_end: bool, sides: Sequence[bool]
) -> list[float]:
    size, stop = len(words), STOP[lang]
    bonds = [bond(one, other, lang) / 5 for one, other in pairwise(words)]
    content = [word for word in words if word not in stop]
    entry = size > 1 and bool(wordnet(lang).senses(" ".join(words)))
    found: list[float] = [
        size == 1, size == 2, size == 3, size > 3, words[0] in stop, words[-1] in stop, *edges, entry, saying,
        min(bonds, default=0.0), sum(bonds), len(content), at_end, len(content) == 1 and size > 1,
        min(zipf(word, lang) for word in content or words) / 7, *sides,
    ]  # fmt: skip
    return [float(value) for value in found]


def own_signs(view: TextView) -> list[tuple[str, float]]:
    """Give the runs of words that may be the sign of a homographic pun, each with its chance."""
    names, rows = sign_features(view)
    scores = rows @ weights(f"signs-{view.lang}")
    raised = np.exp(scores - scores.max())
    return list(zip(names, (raised / raised.sum()).tolist(), strict=True))


def second_signs(view: TextView, sounds: Sequence[SoundPun], two_words: float) -> tuple[str, ...]:
    """Give the second signs of a Portuguese pun, most probable first; `two_words` is the chance of a heterographic one."""
    one_word = max(_ONE_WORD, 1 - two_words)
    ranked = [((1 - one_word) * sound.probability, sound.form) for sound in sounds]
    ranked += [(one_word * chance, name) for name, chance in own_signs(view)]
    ranked.sort(key=lambda pair: -pair[0])
    return tuple(dict.fromkeys(name for _, name in ranked))[:_SHOWN]
