"""Which senses puns play on: a list of our own, whose keys are WordNet's."""

from pathlib import Path

from rimshot.lexicon import played as module
from rimshot.lexicon.played import played
from rimshot.lexicon.wordnet import wordnet


def test_every_key_of_the_list_is_a_sense_of_its_word():
    lines = Path(module.__file__).with_name("played_en.txt").read_text("utf-8").splitlines()
    words = [line.split()[0] for line in lines]
    assert words == sorted(set(words)) and len(words) > 4000
    for line in lines:
        word, *keys = line.split()
        known = {sense.key for sense in wordnet("en").senses(word)}
        assert 1 <= len(keys) <= 6 and len(set(keys)) == len(keys)
        assert {f"{word}%{key}" for key in keys} <= known, line


def test_senses_that_jokes_use_come_before_those_they_do_not():
    money, river = (wordnet("en").sense(key) for key in ("bank%1:14:00::", "bank%1:17:01::"))
    row = wordnet("en").sense("bank%1:14:01::")
    assert played(money) == 1.0 and played(river) == 0.5 and played(row) < 0.5


def test_other_languages_have_no_list():
    assert all(played(sense) == 0.0 for sense in wordnet("pt").senses("banco"))
