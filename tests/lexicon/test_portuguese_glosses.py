"""Portuguese glosses: a list of our own, for concepts that Portuguese words stand for."""

import re
from pathlib import Path

from rimshot.lexicon import portuguese_glosses as module
from rimshot.lexicon.portuguese_glosses import gloss_language, portuguese_gloss
from rimshot.lexicon.store import strings
from rimshot.lexicon.wordnet import synset, wordnet


def test_every_gloss_is_short_and_of_a_concept_that_has_portuguese_words():
    lines = Path(module.__file__).with_name("glosses_pt.txt").read_text("utf-8").splitlines()
    known = {synset(number).id: synset(number) for number in range(len(strings("synsets")))}
    assert len(lines) > 5000 and lines == sorted(lines)
    for line in lines:
        concept, gloss = line.split("\t")
        assert known[concept].portuguese, line
        assert gloss == gloss.strip() and 2 <= len(gloss.split()) <= 25 and not re.search(r"\s{2}|\.$", gloss), line


def test_a_portuguese_sense_is_told_in_portuguese_and_an_english_one_in_english():
    senses = wordnet("pt").senses("banco")
    told = [sense for sense in senses if gloss_language(sense.gloss) == "pt"]
    assert len(told) >= 2 and all(portuguese_gloss(synset(sense.synset).id) == sense.gloss for sense in told)
    assert all(gloss_language(sense.gloss) == "en" for sense in wordnet("en").senses("bank"))


def test_a_concept_without_one_keeps_the_english_definition():
    rare = next(
        sense
        for number in range(len(strings("synsets")))
        if synset(number).portuguese and portuguese_gloss(synset(number).id) is None
        for sense in wordnet("pt").senses(synset(number).portuguese[0].lower())
        if sense.synset == number
    )
    assert rare.gloss == synset(rare.synset).gloss
