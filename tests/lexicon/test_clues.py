"""Words that call up meanings: lists of our own, whose English keys are WordNet's."""

from pathlib import Path

import pytest

from rimshot.lexicon import clues as module
from rimshot.lexicon.clues import clues, listed, meanings
from rimshot.lexicon.wordnet import wordnet


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_each_meaning_of_the_lists_is_told_by_other_words(lang):
    known = listed(lang)
    assert len(known) > 9000
    for word, groups in known.items():
        assert word == word.lower().strip() and 1 <= len(groups) <= 4, word
        for told in groups:
            assert 1 <= len(told) <= 8 and len(set(told)) == len(told), (word, told)
            assert word not in told and all(part.strip("-'") for part in told), (word, told)


def test_words_are_in_order_and_the_keys_are_senses_of_theirs():
    lines = Path(module.__file__).with_name("clues_en.txt").read_text("utf-8").splitlines()
    words = [line.split()[0] for line in lines]
    assert words == sorted(set(words))
    for line in lines:
        word, _, groups = line.partition(" ")
        keys = [group.split()[0] for group in groups.split(" / ")]
        known = {sense.key for sense in wordnet("en").senses(word.replace("_", " "))} if keys[0] != "-" else set()
        assert all(key == "-" or f"{word}%{key}" in known for key in keys), line


def test_a_sense_that_is_not_listed_has_no_clues():
    money, river = (wordnet("en").sense(key) for key in ("bank%1:14:00::", "bank%1:17:01::"))
    assert "loan" in clues(money) and "loan" not in clues(river)
    assert clues(wordnet("en").sense("bank%1:14:01::")) == ()
    assert all(clues(sense) == () for sense in wordnet("pt").senses("banco"))


def test_forms_have_the_meanings_of_their_lemma():
    assert meanings("bancos", "pt") == meanings("banco", "pt") != ()
    assert meanings("banks", "en") == meanings("bank", "en") != ()
    assert meanings("xyzzy", "pt") == ()
