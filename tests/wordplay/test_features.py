"""The countable signs of wordplay, each on a text that has it and one that has not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.wordplay.features import (
    FEATURES,
    alliteration,
    features,
    homophones,
    quotation,
    repetition,
    rhymes,
    swifty,
)


def value(text, name, lang="en"):
    return float(features([text], lang)[0, FEATURES.index(name)])


def test_a_row_has_a_number_for_every_name():
    rows = features(["I love hot dogs, said Tom frankly.", ""], "en")
    assert rows.shape == (2, len(FEATURES)) and np.isfinite(rows).all()
    assert len(features([], "pt")) == 0


@pytest.mark.parametrize(
    ("name", "has", "has_not"),
    [
        ("riddle", "Why did he run? To catch up.", "Why did he run?"),
        ("quotation", '"I am ill," said Anna.', "Anna was ill."),
        ("swifty", "I lost my trousers, said Tom expansively.", "Tom said that he lost his trousers."),
        ("homophones", "Bakers knead because they need it.", "Bakers work because they want it."),
        ("last_homophone", "He could not find the flour", "He could not find the kitchen"),
        ("first_person", "I lost my hat.", "She lost her hat."),
        ("numbers", "It took 12 men and 3 days.", "It took some men and days."),
    ],
)
def test_sign(name, has, has_not):
    assert value(has, name) > value(has_not, name)


def test_portuguese_swifty():
    assert value("Perdi a vez, disse o Tom pacientemente.", "swifty", "pt") == 1
    assert value("O Tom perdeu a vez.", "swifty", "pt") == 0


def test_counts():
    assert repetition([]) == 0 and repetition(["a", "a", "b", "a"]) == 0.5
    assert alliteration(["knight", "never", "nine"], "en") == 3
    assert alliteration([], "en") == 0
    assert rhymes(["moon", "june", "spoon", "table"], "en") == 3
    assert homophones(["knight", "night", "nite"], "en") == 3
    assert not quotation("he was told to go.", "en") and not swifty("", "en")


@settings(deadline=None, max_examples=40)
@given(st.text(alphabet="abc, '\"?-é", max_size=40), st.sampled_from(["", "!", " ...", "\n"]))
def test_case_and_closing_marks_do_not_count(text, tail):
    assert np.array_equal(features([text], "en"), features([text.upper() + tail], "en"))
