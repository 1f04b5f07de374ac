from hypothesis import given
from hypothesis import strategies as st

from rimshot.retell.parts import body, punch_line, sentences, windows


def test_sentences_survive_lost_line_breaks():
    text = 'The teacher asks, "How many are left?"The boy says, "None!"She laughs.'
    assert sentences(text) == ['The teacher asks, "How many are left?"', 'The boy says, "None!"', "She laughs."]


def test_abbreviations_do_not_end_sentences():
    assert sentences("Dr. Frost met Mrs. Thaw. It rained.") == ["Dr. Frost met Mrs. Thaw.", "It rained."]


def test_punch_line_takes_in_a_mere_word():
    assert punch_line("A man sells ladders. Business is looking up. Really!") == "Business is looking up. Really!"
    assert body("A man sells ladders. Business is looking up. Really!") == "A man sells ladders."


def test_one_sentence_is_its_own_punch_line():
    assert punch_line("only this") == "only this"
    assert body("only this") == ""
    assert punch_line("") == ""


def test_windows_are_short_and_keep_both_ends():
    text = " ".join(f"This is sentence number {i}." for i in range(200))
    found = windows(text, most=20, count=5)
    assert len(found) == 5
    assert found[0].startswith("This is sentence number 0.")
    assert found[-1].endswith("number 199.")
    assert all(len(window.split()) <= 20 for window in found)


@given(st.text(alphabet="ab .?!\"'\nÉ", max_size=80))
def test_nothing_is_lost_but_space(text):
    assert "".join("".join(sentences(text)).split()) == "".join(text.split())
    assert "".join(" ".join(windows(text, most=3, count=1000)).split()) == "".join(text.split())
