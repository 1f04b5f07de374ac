"""Is there anything to explain? The detector's word, weighed by how well the explanation holds together.

A pun and its twin with the punning word swapped for a synonym look much alike to a detector. They differ in the
explanation: in the twin no second sense finds support, and no usual word sounds like the one that stands there. So
the strength of the explanation, a logistic regression fitted on puns against their twins, is added to the detector's
log-odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from rimshot.wordplay.explain_text import TextView
from rimshot.wordplay.explain_weights import weights
from rimshot.wordplay.kind import FEATURES as KIND_FEATURES
from rimshot.wordplay.kind import kind_features
from rimshot.wordplay.sense_pair import SensePair
from rimshot.wordplay.sound_pun import SoundPun

__all__ = ["FEATURES", "belief", "belief_features", "strength"]

FEATURES = (*KIND_FEATURES, "located", "two_words", "heard", "late", "two_words_heard", "one_word_senses")


def belief_features(
    seen: TextView, sounds: Sequence[SoundPun], pairs: Sequence[SensePair], two_words: float, confidence: float
) -> list[float]:
    """Give what speaks for the explanation, the detector's probability aside."""
    heard = sounds[0].probability * (1 - sounds[0].distance) if sounds else 0.0
    support = sum(bool(words) for words in pairs[0].support) / 2 if pairs else 0.0
    return [
        *kind_features(seen, sounds, pairs),
        confidence,
        two_words,
        heard,
        seen.place / max(1, len(seen.words) - 1),
        two_words * heard,
        (1 - two_words) * support,
    ]


def strength(features: Sequence[float], lang: str) -> float:
    """Give how well an explanation holds together, as log-odds of a pun against its twin."""
    return sum(value * weight for value, weight in zip(features, weights(f"belief-{lang}").tolist(), strict=True))


def belief(humour: float, features: Sequence[float], lang: str) -> float:
    """Give the probability that a text is a pun, once its explanation is known.

    The odds are shifted so that 0.5 is where one edited twin in ten is still taken for a pun, and flattened since the
    detector and the explanation partly see the same things.
    """
    share, middle = weights(f"threshold-{lang}").tolist()
    odds = log(max(humour, 1e-6) / max(1 - humour, 1e-6)) + share * strength(features, lang) - middle
    return 1 / (1 + exp(-max(-30.0, min(30.0, odds / 2))))
