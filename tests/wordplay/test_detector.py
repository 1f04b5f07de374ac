"""Scores, detectors by language, and scoring that survives an interruption."""

import threading
import time

import numpy as np
import pytest

from rimshot.errors import InputError
from rimshot.wordplay.annotate import annotate
from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.detector import ByLanguage, Scores


class Shouter:
    """Finds exclamation marks funny, and names the first word."""

    name = "shouter"
    digest = "1"

    def __init__(self, lang="en", dim=2):
        self.languages = (lang,)
        self.dim = dim
        self.asked = []

    def score(self, texts, langs, progress=None):
        scores = Scores.blank(len(texts), self.dim)
        for number, text in enumerate(texts):
            self.asked.append(text)
            if not text.strip():
                continue
            scores.humour[number] = min(1.0, text.count("!") / 4)
            scores.start[number], scores.end[number] = 0, len(text.split()[0])
            scores.vectors[number, 0] = 1.0
        if progress and len(texts):
            progress(len(texts))
        return scores


def test_word_is_cut_from_the_text_as_written():
    scores = Shouter().score(["Ha ha!", ""], "en")
    assert scores.word(0, "Ha ha!") == "Ha"
    assert scores.word(1, "") is None


def test_by_language_asks_each_its_own_and_keeps_the_order():
    english, portuguese = Shouter("en"), Shouter("pt")
    both = ByLanguage({"en": english, "pt": portuguese})
    told = []
    scores = both.score(["a!", "b", "c!!", "d!!!!"], ["en", "pt", "pt", "en"], told.append)
    assert scores.humour.tolist() == [0.25, 0.0, 0.5, 1.0]
    assert english.asked == ["a!", "d!!!!"] and portuguese.asked == ["b", "c!!"]
    assert told == [2, 4]
    assert both.languages == ("en", "pt") and "en:1" in both.digest


def test_languages_must_be_known_and_as_many_as_the_texts():
    both = ByLanguage({"en": Shouter()})
    with pytest.raises(InputError, match='no language "fr"'):
        both.score(["a"], "fr")
    with pytest.raises(InputError, match="2 texts but 1 languages"):
        both.score(["a", "b"], ["en"])


def test_join_of_nothing_is_empty():
    assert len(Scores.join([])) == 0


def test_unknown_detector_names_the_near_one():
    with pytest.raises(InputError, match='did you mean "tiny"'):
        choose_detector("tinny")


def test_folder_without_model_says_what_is_missing(tmp_path):
    from rimshot.errors import MissingPart

    with pytest.raises(MissingPart, match=r"model\.json"):
        choose_detector(tmp_path)
    (tmp_path / "model.json").write_text('{"kind": "lstn"}')
    with pytest.raises(InputError, match='did you mean "lstm"'):
        choose_detector(tmp_path)


class Fuse(Shouter):
    """Breaks off after some texts, as a person's Ctrl-C does."""

    left = 5

    def score(self, texts, langs, progress=None):
        self.left -= len(texts)
        if self.left < 0:
            raise KeyboardInterrupt
        return super().score(texts, langs, progress)


def test_annotation_goes_on_where_it_stopped(tmp_path):
    texts = [f"text {number}" + "!" * (number % 3) for number in range(10)]
    whole = annotate(texts, "en", Shouter(), chunk=2)
    with pytest.raises(KeyboardInterrupt):
        annotate(texts, "en", Fuse(), store=tmp_path, chunk=2)
    second, told = Shouter(), []
    scores = annotate(texts, "en", second, told.append, store=tmp_path, chunk=2)
    assert len(second.asked) == len(set(second.asked)) == 6
    assert told == [2, 4, 6, 8, 10]
    for name in ("humour", "start", "end", "confidence", "vectors"):
        assert np.array_equal(getattr(scores, name), getattr(whole, name))


def test_an_interrupted_annotation_stops_the_chunk_beside(tmp_path):
    begun, ended = threading.Event(), []

    class Slow(Shouter):
        def score(self, texts, langs, progress=None):
            if texts[0] == "a":
                begun.wait(10)
                raise KeyboardInterrupt
            try:
                for done in range(10_000):
                    progress(done)
                    begun.set()
                    time.sleep(0.01)
            except InterruptedError:
                ended.append(texts[0])
                raise

    with pytest.raises(KeyboardInterrupt):
        annotate(["a", "b", "c"], "en", Slow(), store=tmp_path, chunk=1)
    assert "b" in ended
    assert list(tmp_path.iterdir()) == []


def test_annotation_of_another_detector_is_not_reused(tmp_path):
    annotate(["a"], "en", Shouter(), store=tmp_path)
    other = Shouter()
    other.digest = "2"
    annotate(["a"], "en", other, store=tmp_path)
    assert other.asked == ["a"]


def test_half_written_chunk_is_scored_again(tmp_path):
    annotate(["a!"], "en", Shouter(), store=tmp_path)
    (kept,) = tmp_path.glob("*.npz")
    kept.write_bytes(kept.read_bytes()[:40])
    again = Shouter()
    assert annotate(["a!"], "en", again, store=tmp_path).humour.tolist() == [0.25]
    assert again.asked == ["a!"]


def test_no_texts_no_scores():
    assert len(annotate([], "en", Shouter())) == 0
