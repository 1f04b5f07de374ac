"""The manner of a text: everyday sentences lie apart from jokes, and a joke's twin lies where the joke does."""

import json
import sys

import numpy as np
import pytest

from rimshot.corpus.sample import sample_path
from rimshot.wordplay import manner as module
from rimshot.wordplay.encoder import choose_encoder
from rimshot.wordplay.manner import manner
from rimshot.wordplay.manner_fit import main
from rimshot.wordplay.measure import auc

EVERYDAY = [
    "The book is on the shelf.",
    "We had soup for dinner and went to bed early.",
    "She paid the bill and left.",
    "The children played football after school.",
    "He painted the garden gate green last weekend.",
    "I forgot my umbrella at the office again.",
    "Our flight was delayed by two hours.",
    "The teacher explained the lesson twice.",
]


def sample_texts(lang, humorous):
    texts = {doc["docid"]: doc["text"] for doc in json.loads((sample_path(lang) / "corpus.json").read_text("utf-8"))}
    rows = [json.loads(line) for line in (sample_path(lang) / "labels.jsonl").read_text("utf-8").splitlines()]
    return [texts[row["docid"]] for row in rows if bool(row["humorous"]) is humorous]


def told(texts, lang):
    return manner(choose_encoder().encode(texts, lang), lang, len(texts))


def test_everyday_sentences_are_not_told_like_jokes():
    jokes = sample_texts("en", True)[::6]
    assert auc(told(jokes, "en"), told(EVERYDAY, "en")) > 0.85


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_jokes_of_the_sample_are_told_like_jokes_and_so_are_their_twins(lang):
    folder = sample_path(lang)
    texts = {doc["docid"]: doc["text"] for doc in json.loads((folder / "corpus.json").read_text("utf-8"))}
    rows = [json.loads(line) for line in (folder / "twins.jsonl").read_text("utf-8").splitlines()][::4]
    jokes = told([texts[row["twin_of"]] for row in rows], lang)
    twins = told([texts[row["docid"]] for row in rows], lang)
    plain = told(sample_texts(lang, False)[::10], lang)
    assert auc(jokes, plain) > 0.6 and 0.35 < auc(jokes, twins) < 0.65


def test_without_a_vector_or_a_direction_it_says_nothing():
    assert manner(None, "en", 2).tolist() == [0.0, 0.0]
    assert manner(np.ones((2, 5), np.float32), "en", 2).tolist() == [0.0, 0.0]
    assert manner(np.ones((1, 384), np.float32), "xx", 1).tolist() == [0.0]


def test_the_direction_is_found_again_from_labelled_texts(tmp_path, monkeypatch, capsys):
    for lang in ("en", "pt"):
        rows = [{"text": text, "humorous": True, "source": "own"} for text in sample_texts(lang, True)[:40]]
        rows += [{"text": text, "humorous": False, "source": "own"} for text in sample_texts(lang, False)[:40]]
        folder = tmp_path / lang / "train"
        folder.mkdir(parents=True)
        (folder / "texts.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    fit = sys.modules[main.__module__]
    monkeypatch.setattr(fit, "PATH", tmp_path / "manner.npz")
    monkeypatch.setattr(fit, "everyday", lambda part, _most, _apart: EVERYDAY[part::2] * 5)
    assert main(["--data", str(tmp_path)]) == 0
    with np.load(tmp_path / "manner.npz") as found:
        assert found["en"].shape == found["pt"].shape == module._direction("en").shape
    assert capsys.readouterr().out.count("AUC") == 2
