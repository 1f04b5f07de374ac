"""The order of candidates: what stands out in another language, and jokes whose pun has been taken out."""

import numpy as np

from rimshot.retell.similarity import NAMES, Likeness, shipped_similarity


def likeness(logits, foreign, turns=None, length=100):
    values = np.array(logits, dtype=float)
    return Likeness(
        values,
        np.zeros((len(values), len(NAMES))),
        np.zeros(len(values)) if turns is None else np.array(turns, dtype=float),
        np.array(foreign),
        np.zeros(len(values), bool),
        length,
    )


def test_a_text_in_another_language_counts_by_how_far_it_stands_out():
    apart = likeness([-1.0, 0.5, -6.0, -6.0, -6.0], [False, True, True, True, True]).order
    crowded = likeness([-1.0, 0.5, 0.0, 0.2, 0.1], [False, True, True, True, True]).order
    assert apart[1] > apart[0]
    assert crowded[1] < crowded[0]


def test_the_turn_of_a_short_joke_counts_and_that_of_a_long_one_hardly():
    short = likeness([0.0, 1.0], [False, False], [2.0, 0.0], 12).order
    long = likeness([0.0, 1.0], [False, False], [2.0, 0.0], 120).order
    assert short[0] > short[1]
    assert long[0] < long[1]


def test_a_single_text_in_another_language_keeps_its_place():
    alone = likeness([-1.0, 0.5], [False, True]).order
    assert alone[1] > alone[0]


def test_the_probability_is_that_of_the_pair_whatever_else_is_near():
    assert likeness([0.5, 0.4], [True, True]).probabilities[0] == likeness([0.5, -9.0], [True, True]).probabilities[0]


def test_a_joke_without_its_pun_stands_below_one_that_has_nothing_in_common():
    features = np.zeros((2, len(NAMES)))
    features[0, [NAMES.index(name) for name in ("words", "late", "pun", "fixed", "edited")]] = (0.9, 8.0, 1.0, 0.9, 0.8)
    no, yes = np.zeros(2, bool), np.ones(2, bool)
    found = shipped_similarity().judge(features, yes, no, no, 20)
    assert found.order[0] < found.order[1]
    equal = shipped_similarity().judge(features, yes, yes, yes, 20)
    assert equal.logits[0] > 8 > found.logits[0]
    assert equal.order[0] > found.order[0] + 8
