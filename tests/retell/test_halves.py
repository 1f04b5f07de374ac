import pytest

from rimshot.retell.halves import HALVES, half_features
from rimshot.retell.telling import read_telling


def halves(a, b, lang="en"):
    return dict(zip(HALVES, half_features(read_telling(a, "en"), read_telling(b, lang)), strict=True))


CASHIER = 'The cashier was leaving her husband at the supermarket. "Wait," he said, "I can change."'
SHIRTS = 'A boy wore a different shirt every hour until his mother gave up. "Wait," he said, "I can change."'
TILL = 'At the supermarket the cashier was leaving her husband. He begged: "I can change!"'


def test_the_same_ending_after_another_set_up_is_the_weaker_half():
    assert halves(CASHIER, SHIRTS)["close"] == pytest.approx(1.0)
    assert halves(CASHIER, SHIRTS)["weaker"] < halves(CASHIER, TILL)["weaker"]


def test_the_longest_run_at_the_end_counts_wherever_it_stands_there():
    assert halves(CASHIER, SHIRTS)["last"] > halves(CASHIER, "My dog cannot swim. I can.")["last"] > 0
    assert halves(CASHIER, "Nobody sleeps.")["last"] == 0


def test_order_makes_no_difference():
    assert half_features(read_telling(CASHIER), read_telling(TILL)) == pytest.approx(
        half_features(read_telling(TILL), read_telling(CASHIER))
    )


def test_texts_of_one_sentence_or_in_two_languages_have_no_halves_to_compare():
    assert halves("One short line.", "One short line.")["weaker"] == 0
    assert set(halves(CASHIER, CASHIER, "pt").values()) == {0.0}
