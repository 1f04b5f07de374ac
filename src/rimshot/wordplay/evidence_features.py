"""What speaks for a pun beyond a network's word: a row of numbers for each text, to be weighed beside its logit.

A small encoder cannot hear that "absinthe" is near "absence", nor see that a text would still be a saying if another
word stood there. These numbers can. All are about the one word that the detector points at.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.detector import Scores
from rimshot.wordplay.explain_belief import belief_features, log_odds, strength
from rimshot.wordplay.explain_columns import COLUMNS, columns
from rimshot.wordplay.explain_text import TextView, view
from rimshot.wordplay.kind import heterographic_score
from rimshot.wordplay.sense_pair import read_senses
from rimshot.wordplay.sound_pun import read_sounds

__all__ = ["EVIDENCE", "evidence"]

EVIDENCE: tuple[str, ...] = ("located", "two_words", "strength", *COLUMNS)
"""Names of the columns; "bias" is 1 where a word was found."""


def evidence(texts: Sequence[str], lang: str, scores: Scores) -> NDArray[np.float32]:
    """Give a row of :data:`EVIDENCE` for each text; zeros where the detector points at no word.

    `located` are the log-odds of the place, `two_words` those of a heterographic pun, `strength` those of a pun against
    its edited twin by the explanation alone.
    """
    table = np.zeros((len(texts), len(EVIDENCE)), np.float32)
    for number, text in enumerate(texts):
        start, end = int(scores.start[number]), int(scores.end[number])
        vector = None if scores.vectors is None else scores.vectors[number]
        seen = view(text, lang, start, end, vector) if start >= 0 else None
        if seen is not None:
            table[number] = _row(seen, float(scores.confidence[number]))
    return table


def _row(seen: TextView, confidence: float) -> list[float]:
    known = columns(seen, read_sounds(seen), read_senses(seen))
    two_words = heterographic_score(known, seen.lang)
    return [log_odds(confidence), two_words, strength(belief_features(known, two_words), seen.lang), *known]
