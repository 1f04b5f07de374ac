"""Is there anything to explain? The detector's word, weighed by how well the explanation holds together.

A pun and its twin with the punning word swapped for a synonym look much alike to a detector. They differ in the
explanation: in the twin no second sense finds support, and no usual word sounds like the one that stands there. So
the strength of the explanation, fitted on puns against their twins, is added to the detector's log-odds. It is a logistic
regression with trees beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log

from rimshot.wordplay.explain_columns import COLUMNS
from rimshot.wordplay.explain_weights import forest, weights

__all__ = ["FEATURES", "VOTES", "belief", "belief_features", "log_odds", "strength"]

FEATURES = (*COLUMNS, "two_words")
VOTES = 2.0
"""How much the log-odds of the trees count beside those of the regression; their votes are timid."""


def belief_features(columns: Sequence[float], two_words: float) -> list[float]:
    """Give what speaks for the explanation, the detector's probability aside; `two_words` are log-odds of the kind."""
    return [*columns, max(-5.0, min(5.0, two_words))]


def strength(features: Sequence[float], lang: str) -> float:
    """Give how well an explanation holds together, as log-odds of a pun against its twin."""
    known, trees = weights(f"belief-{lang}").tolist(), forest(f"belief-{lang}")
    told = float(sum(value * weight for value, weight in zip(features, known, strict=True)))
    return told if trees is None else told + VOTES * log_odds(trees.chances(features))


def belief(humour: float, confidence: float, features: Sequence[float], lang: str) -> float:
    """Give the probability that a text is a pun, once its explanation is known.

    The detector's odds of a pun, its odds of the place and the strength of the explanation are weighed against each
    other, and shifted so that 0.5 is where one edited twin in ten is still taken for a pun.
    """
    share, place, told, middle = weights(f"threshold-{lang}").tolist()
    odds = share * log_odds(humour) + place * log_odds(confidence) + told * strength(features, lang) - middle
    return 1 / (1 + exp(-max(-30.0, min(30.0, odds))))


def log_odds(chance: float) -> float:
    """Give the logarithm of the odds, kept from running away at either end.

    >>> log_odds(0.5), log_odds(0.0) == log_odds(0.0001)
    (0.0, True)
    """
    kept = min(0.9999, max(0.0001, chance))
    return log(kept / (1 - kept))
