"""The judges together: what is weighed, what is looked at more closely, and what changes the digest."""

import json
from dataclasses import replace

import numpy as np
import pytest

from rimshot.corpus.sample import sample_path
from rimshot.wordplay import stacked as module
from rimshot.wordplay.detector import Scores
from rimshot.wordplay.prior import sigmoid
from rimshot.wordplay.stack_fit import TWINS, fit_look, fit_weights
from rimshot.wordplay.stacked import LOOK, Stacked, agreed, look_closely, opinions, stacked


class Fixed:
    """A detector that says of each text what it was told to."""

    languages = ("en",)

    def __init__(self, humour, confidence=0.5, name="fixed"):
        self.humour, self.confidence, self.name, self.digest = humour, confidence, name, name

    def score(self, texts, langs, progress=None):
        found = Scores.blank(len(texts), 4)
        found.humour[:] = [self.humour[text] for text in texts]
        found.confidence[:] = self.confidence
        found.start[:], found.end[:] = 0, 1
        return found


TEXTS = ["plain", "lively", "pun", "blank"]
NETWORK = Fixed({"plain": 0.001, "lively": 0.4, "pun": 0.4, "blank": 0.0})
GRAMS = Fixed({"plain": 0.002, "lively": 0.3, "pun": 0.3, "blank": 0.5, "hopeless": 0.0001})
READER = Fixed({"lively": 0.5, "pun": 0.5, "other": 0.9})
JUDGES = Stacked(NETWORK, GRAMS, READER, (1.0, 0.5, 0.0, 0.0), (1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 1.0, -0.5))


@pytest.fixture
def read(monkeypatch):
    """Closer looks, each noted; a pun is found strong, everything else weak."""
    seen = []

    def readings(texts, lang, scores):
        seen.extend(texts)
        assert lang == "en" and len(scores) == len(texts)
        return np.array([[1.5 if text == "pun" else -1.5, 0.0, 0.0, 1.0] for text in texts])

    monkeypatch.setattr(module, "readings", readings)
    return seen


def test_only_what_does_not_look_plain_is_read_closely(read):
    humour = JUDGES.score(TEXTS, "en").humour
    assert read == ["lively", "pun"]
    assert humour[2] > 0.5 > humour[1] and humour[0] < LOOK["en"]


def test_a_text_that_the_network_finds_blank_stays_at_nought(read):
    assert JUDGES.score(["blank"], "en").humour.tolist() == [0.0]


def test_what_n_grams_find_hopeless_no_network_judges(read):
    found = JUDGES.score(["hopeless", "pun"], "en")
    assert found.humour[0] == np.float32(0.0001) and found.start[0] == -1
    assert found.start[1] == 0 and read == ["pun"]


def test_plain_texts_get_the_weighed_sum(read):
    two = NETWORK.score(["plain"], "en"), GRAMS.score(["plain"], "en")
    expected = sigmoid(opinions(*two) @ np.array([1.0, 0.5, 0.0]))
    np.testing.assert_allclose(JUDGES.score(["plain"], "en").humour, expected, rtol=1e-5)


def test_an_order_of_texts_does_not_matter(read):
    there = JUDGES.score(TEXTS, "en").humour
    np.testing.assert_array_equal(JUDGES.score(TEXTS[::-1], "en").humour[::-1], there)


def test_weights_and_models_are_in_the_digest():
    others = [
        replace(JUDGES, closer=(1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)),
        replace(JUDGES, weights=(1.0, 0.4, 0.0, 0.0)),
    ]
    others += [replace(JUDGES, grams=Fixed({}, name="other")), replace(JUDGES, reader=Fixed({}, name="other"))]
    assert len({judges.digest for judges in [JUDGES, *others]}) == 5


def test_the_closer_reader_is_asked_of_few_and_heard(read):
    asked = []

    class Reader(Fixed):
        def score(self, texts, langs, progress=None):
            asked.extend(texts)
            return super().score(texts, langs)

    sure = replace(JUDGES, reader=Reader({"lively": 0.99, "pun": 0.5}))
    humour = sure.score(TEXTS, "en").humour
    assert asked == ["lively", "pun"]
    before = JUDGES.score(TEXTS, "en").humour
    assert humour[1] > before[1] and humour[2] == before[2]


def test_of_two_networks_that_name_a_word_each_the_surer_is_heard(read):
    text = "a pun"
    known = {**NETWORK.humour, text: 0.4}

    class Reader(Fixed):
        def score(self, texts, langs, progress=None):
            found = super().score(texts, langs)
            found.start[:], found.end[:] = 2, 5
            return found

    for confidence, start in ((0.4, 0), (0.6, 2)):
        judges = replace(JUDGES, network=Fixed(known), grams=Fixed({text: 0.3}), reader=Reader({text: 0.5}, confidence))
        assert judges.score([text], "en").start.tolist() == [start]


def test_the_pun_word_is_the_one_that_both_networks_find_likely():
    texts = ["one two three", ""]
    scores = Scores.blank(2)
    found = agreed(texts, scores, [np.array([0.5, 0.4, 0.1]), np.zeros(0)], [np.array([0.0, 0.4, 0.6]), np.zeros(0)])
    assert found.word(0, texts[0]) == "two" and found.confidence[0] == np.float32(0.4)
    assert found.word(1, "") is None and scores.word(0, texts[0]) is None


@pytest.mark.parametrize(("chance", "strength", "word"), [(0.4, 9.0, "two"), (0.4, 1.0, "one"), (0.15, 90.0, "one")])
def test_a_likely_rival_with_the_better_explanation_is_the_pun_word(monkeypatch, chance, strength, word):
    def told(texts, _lang, scores):
        first = np.where([scores.word(number, text) == "two" for number, text in enumerate(texts)], strength, 0.0)
        return np.column_stack([first, np.zeros((len(texts), 3))])

    monkeypatch.setattr("rimshot.wordplay.stacked.readings", told)
    chances = [np.array([0.5, chance, 0.1]), np.zeros(0)]
    texts = ["one two three", ""]
    found, read = look_closely(texts, "en", Scores.blank(2), chances, chances)
    assert found.word(0, texts[0]) == word and read[0, 0] == (strength if word == "two" else 0.0)
    assert found.confidence[0] == np.float32(chance if word == "two" else 0.5) and found.word(1, "") is None


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_shipped_weights_lean_the_right_way(lang):
    judges = stacked(lang)
    assert len(judges.weights) == 4 and all(weight > 0 for weight in judges.weights[:2])
    assert len(judges.closer) == 8 and all(judges.closer[at] > 0 for at in (0, 1, 5, 6))


def test_jokes_of_the_sample_mostly_score_above_their_twins():
    folder = sample_path("en")
    texts = {doc["docid"]: doc["text"] for doc in json.loads((folder / "corpus.json").read_text("utf-8"))}
    rows = [json.loads(line) for line in (folder / "twins.jsonl").read_text("utf-8").splitlines()][::3]
    asked = [texts[row[name]] for row in rows for name in ("twin_of", "docid")]
    humour = stacked("en").score(asked, "en").humour
    assert (humour[::2] > humour[1::2]).mean() > 0.6


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_judgments_are_the_same_without_vectors(lang):
    docs = json.loads((sample_path(lang) / "corpus.json").read_text("utf-8"))
    texts = [doc["text"] for doc in docs[::40]]
    whole, quick = stacked(lang).score(texts, lang), stacked(lang, vectors=False).score(texts, lang)
    assert whole.vectors is not None and quick.vectors is None
    np.testing.assert_allclose(quick.humour, whole.humour, atol=1e-5)
    np.testing.assert_array_equal(quick.start, whole.start)


def test_a_row_that_counts_twice_is_like_two_rows():
    random = np.random.default_rng(3)
    rows, truth = random.normal(size=(40, 2)), random.random(40) < 0.5
    counts = np.where(np.arange(40) < 10, 2.0, 1.0)
    twice = np.concatenate([rows, rows[:10]]), np.concatenate([truth, truth[:10]])
    assert fit_weights(rows, truth, counts=counts) == pytest.approx(fit_weights(*twice))


def test_a_closer_look_leans_on_what_tells_twins_from_puns(monkeypatch):
    random = np.random.default_rng(4)
    truth, twins = np.arange(900) < 200, np.arange(900) >= 860
    columns = random.normal(size=(900, 7))
    columns[:, 0] += 2.0 * (truth | twins)
    columns[:, 1] += 1.0 * (truth & ~twins)
    weights = {}
    for count in (1.0, 20.0):
        monkeypatch.setitem(TWINS, "pt", count)
        weights[count] = fit_look(columns, truth, twins, "pt")
        chance = 1 / (1 + np.exp(-(columns @ weights[count][:-1] + weights[count][-1])))
        assert chance.mean() == pytest.approx(truth.mean(), abs=0.01)
    assert weights[20.0][1] / weights[20.0][0] > 1.5 * weights[1.0][1] / weights[1.0][0]
