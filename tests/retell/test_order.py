"""The order of candidates: what stands out in another language, and jokes whose pun has been taken out."""

import numpy as np

from rimshot.retell.similarity import NAMES, Likeness, shipped_similarity


def likeness(logits, foreign):
    values = np.array(logits, dtype=float)
    no = np.zeros(len(values), bool)
    return Likeness(values, np.zeros((len(values), len(NAMES))), values, values, np.array(foreign), no, no)


def test_a_text_in_another_language_counts_by_how_far_it_stands_out():
    apart = likeness([-1.0, 0.5, -6.0, -6.0, -6.0], [False, True, True, True, True]).order
    crowded = likeness([-1.0, 0.5, 0.0, 0.2, 0.1], [False, True, True, True, True]).order
    assert apart[1] > apart[0]
    assert crowded[1] < crowded[0]


def test_a_single_text_in_another_language_keeps_its_place():
    alone = likeness([-1.0, 0.5], [False, True]).order
    assert alone[1] > alone[0]


def test_the_probability_is_that_of_the_pair_whatever_else_is_near():
    assert likeness([0.5, 0.4], [True, True]).probabilities[0] == likeness([0.5, -9.0], [True, True]).probabilities[0]


def test_a_joke_without_its_pun_is_no_copy_of_it_though_two_letters_differ():
    features = np.zeros((2, len(NAMES)))
    features[0, [NAMES.index(name) for name in ("words", "late", "pun", "fixed", "edited")]] = (0.9, 8.0, 1.0, 0.9, 0.8)
    no, yes = np.zeros(2, bool), np.ones(2, bool)
    found = shipped_similarity().judge(features, yes, np.array([True, False]), no)
    assert found.edited.tolist() == [True, False]
    assert found.order[0] < found.order[1]
    equal = shipped_similarity().judge(features, yes, yes, yes)
    assert equal.logits[0] > 8 > found.logits[0]
    assert equal.order[0] > found.order[0] + 8


def test_what_is_a_free_retelling_is_likely_unless_it_is_foreign_or_edited():
    values, no, one = np.array([-1.0, -1.0, -1.0]), np.array([False] * 3), np.array([False, True, False])
    none = np.zeros((3, len(NAMES)))
    found = Likeness(values, none, values + 3, values, one, no, np.array([False, True, True]))
    assert found.odds.tolist() == [2.0, -1.0, -1.0]
    assert found.probabilities[0] > 0.5 > found.probabilities[1]


def test_versions_of_one_joke_come_near_the_best_of_them_and_copies_stay_first():
    ranks, no = np.array([2.0, -4.0, 1.0, -0.5, 0.0]), np.zeros(5, bool)
    copy = np.array([False, False, False, False, True])
    found = Likeness(np.array([0.0] * 4 + [9.0]), np.zeros((5, len(NAMES))), ranks, ranks, no, copy, no)
    families = np.array([3, 3, 8, -1, 8])
    assert found.order.argsort()[::-1].tolist() == [4, 0, 2, 3, 1]
    order = found.order_among(families)
    assert order.argsort()[::-1].tolist() == [4, 0, 2, 3, 1]
    assert order[:4].tolist() == [2.0, -1.0, 1.0, -0.5]
    assert found.order_among(np.array([3, 3, -1, 3, -1]))[1] == -1.0
    assert found.odds.tolist()[:4] == [2.0, 0.0, 1.0, 0.0]
