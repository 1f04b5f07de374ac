"""The kind of a pun: one word with two senses (homographic), or two words that sound alike (heterographic)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from rimshot.wordplay.explain_columns import COLUMNS
from rimshot.wordplay.explain_weights import forest, weights

__all__ = ["FEATURES", "heterographic", "heterographic_score"]

FEATURES = COLUMNS
"""A sound-alike that is near, usual and fits speaks for two words; senses that fit speak for one."""


def heterographic_score(columns: Sequence[float], lang: str) -> float:
    """Give the log-odds that a pun is heterographic, from what is known of its word."""
    weighed = zip(columns, weights(f"kind-{lang}").tolist(), strict=True)
    return float(sum(value * weight for value, weight in weighed))


def heterographic(columns: Sequence[float], lang: str, confidence: float = 1.0) -> float:
    """Give the probability that a pun is heterographic; as far as its word is unsure, that of any pun of the language.

    It is the mean of the regression's and of the trees' where a language has trees.
    """
    of_word = 1 / (1 + exp(-max(-30.0, min(30.0, heterographic_score(columns, lang)))))
    if (trees := forest(f"kind-{lang}")) is not None:
        of_word = (of_word + trees.chances(columns)) / 2
    of_any = float(weights(f"kinds-{lang}")[0])
    return confidence * of_word + (1 - confidence) * of_any
