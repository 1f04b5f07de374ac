"""Texts written for this project: swaps for the puns of the training data, and puns of its own."""

import json
from collections import Counter
from pathlib import Path

import pytest

from rimshot.train import own_texts
from rimshot.train.batches import Mix, epoch_units
from rimshot.train.examples import EVERYDAY, Example
from rimshot.train.own_texts import add_twins, composed, key_of, riddles

FOLDER = Path(own_texts.__file__).parent


@pytest.fixture
def swaps(tmp_path):
    row = {"key": key_of("The baker took a toll."), "edits": [["toll", "fee"], ["a toll", "his bread"], ["bell", "x"]]}
    (tmp_path / "twins_en.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    return tmp_path


def test_a_text_gets_its_twins_whatever_its_case_and_marks(swaps):
    known, other = add_twins([Example("the baker took a  toll", True, "x"), Example("A bell.", True, "x")], swaps)
    assert known.twins == ("the baker took a fee", "the baker took his bread")
    assert other.twins == ()


def test_the_last_mention_is_swapped(tmp_path):
    row = {"key": key_of("Bee or not to bee"), "edits": [["bee", "be"]]}
    (tmp_path / "twins_en.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert add_twins([Example("bee or not to bee", True, "x")], tmp_path)[0].twins == ("bee or not to be",)


def test_an_epoch_has_a_written_twin_of_each_pun_and_everyday_sentences():
    import random

    pun = Example("The baker took a toll", True, "x", twins=("The baker took a fee", "The baker took a loaf"))
    plain = [Example(f"It rained on day {number}", False, EVERYDAY) for number in range(9)]
    mix = Mix(fresh_twins=0, everyday=4, swapped_plain=0.0)
    units = epoch_units([pun, *plain], None, mix, random.Random(2))
    assert [item.text in pun.twins for item in units[0]] == [False, True]
    assert [item.partner for item in units[0]] == [-1, 0]
    assert len(units) == 5 and all(unit[0].label == 0.0 for unit in units[1:])


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_the_swaps_that_ship_are_words_and_no_sentences(lang):
    rows = [json.loads(line) for line in (FOLDER / f"twins_{lang}.jsonl").read_text("utf-8").splitlines()]
    assert len({row["key"] for row in rows}) == len(rows) > 1400
    for old, new in (edit for row in rows for edit in row["edits"]):
        assert old != new and old.strip() and len(old.split()) <= 4


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_every_composed_pun_has_its_word_its_twin_and_a_plain_sentence(lang):
    texts = composed(lang)
    assert len({key_of(text.text) for text in texts}) == len(texts)
    puns = [text for text in texts if text.humorous]
    assert all(pun.spans for pun in puns) and len(puns) > 400
    assert Counter(text.source for text in texts if not text.humorous).keys() == {"edit", "composed"}
    edits = {text.pair: text for text in texts if text.source == "edit"}
    assert {pun.pair for pun in puns} == edits.keys() and len(edits) == len(puns)


def test_every_riddle_has_its_word_and_a_twin_that_differs():
    texts = riddles("pt")
    puns, twins = texts[::2], texts[1::2]
    assert len({key_of(pun.text) for pun in puns}) == len(puns) > 6000
    for pun, twin in zip(puns, twins, strict=True):
        assert pun.humorous and pun.spans and not twin.humorous
        assert pun.pair == twin.pair and key_of(pun.text) != key_of(twin.text)


def test_own_texts_are_read_along_unless_the_given_ones_are_to_stand_alone(labelled, wordnet, tmp_path):
    from rimshot.train.detector import Sources, gather
    from rimshot.wordplay.everyday import everyday

    sources = Sources(wordnet=wordnet)
    given = len(gather("en", labelled, sources, whole=True, alone=True).train)
    measured = everyday(0, 1)[0]
    dev = tmp_path / "dev"
    dev.mkdir()
    (dev / "corpus.json").write_text(json.dumps([{"docid": "1", "text": measured}]), "utf-8")
    (dev / "labels.json").write_text(json.dumps({"humorous": {"1": 0}, "source": {"1": "definition"}}), "utf-8")
    (dev / "puns.jsonl").write_text("", "utf-8")
    texts = [example.text for example in gather("en", labelled, sources, whole=True).train]
    apart = [example.text for example in gather("en", labelled, sources, dev=dev, whole=True).train]
    own = {example.text for example in composed("en")}
    assert len(texts) > given + len(own) and own <= set(texts)
    assert measured in texts and measured not in apart
