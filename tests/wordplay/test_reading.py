"""What is told of a text that is refused."""

from dataclasses import replace

import pytest

from rimshot.wordplay.explain import explain_at
from rimshot.wordplay.reading import perhaps

TEXT = "I used to be a banker, but I lost interest."


@pytest.fixture(scope="module")
def pun():
    found = explain_at(TEXT, "en", 34, 42)
    return replace(found, humour=0.4, explained=False, sentence="I see no wordplay here.")


def test_the_best_reading_of_an_unsure_text_is_told(pun):
    assert perhaps(pun).startswith("If it is a pun after all: “interest” can be read in two ways")


def test_a_plain_text_and_an_explained_one_have_no_perhaps(pun):
    assert perhaps(replace(pun, humour=0.001)) is None
    assert perhaps(replace(pun, explained=True)) is None
    assert perhaps(replace(pun, word=None)) is None
    assert perhaps(replace(pun, pairs=(), sounds=())) is None
