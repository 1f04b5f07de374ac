"""The canonical spelling takes away what must not matter, and nothing else."""

from hypothesis import given
from hypothesis import strategies as st

from rimshot.wordplay.canonical import canonical, canonical_text


def test_case_spaces_marks():
    plain = "i used to be a banker, but i lost interest."
    for text in (
        "I used to be a banker, but I lost interest.",
        "I USED TO BE A BANKER, BUT I LOST INTEREST",
        "  i used to be a banker, but i lost interest!!!  ",
        "I used to be a banker,, but I lost\n\tinterest…",
        "I used to be a banker, but I lost interest ?! ",
    ):
        assert canonical_text(text) == plain


def test_quotation_marks_keep_their_place():
    assert canonical_text("“I dropped the toothpaste,” said Tom, crestfallen.") == (
        '"i dropped the toothpaste," said tom, crestfallen.'
    )
    assert canonical_text("'Why not?'") == "'why not'."
    assert canonical_text("'Why not'!") == "'why not'."


def test_accents_compose_and_stay():
    assert canonical_text("Ac\u0327a\u0303o") == "ação."


def test_nothing_left():
    for text in ("", " ", "...", "?! \n", '"'):
        assert canonical(text).text == ""


def test_span_leads_back():
    text = "  “Ac\u0327a\u0303o” É  TUDO!"
    view = canonical(text)
    start = view.text.index("tudo")
    assert text[slice(*view.span(start, start + 4))] == "TUDO"
    start = view.text.index("ação")
    assert text[slice(*view.span(start, start + 3))] == "Ac\u0327a\u0303"


@given(st.text(max_size=60))
def test_idempotent_and_aligned(text):
    view = canonical(text)
    assert len(view.text) == len(view.origin)
    assert list(view.origin) == sorted(view.origin)
    assert all(0 <= place < len(text) for place in view.origin)
    assert canonical_text(view.text) == view.text


@given(st.text(alphabet="abc ÉÃ'\".,!?-", max_size=30), st.text(alphabet=" .!?…,", max_size=5))
def test_closing_marks_never_matter(text, tail):
    assert canonical_text(text + tail) == canonical_text(text)
    assert canonical_text(tail + text.upper()).lstrip(" .,!?") == canonical_text(text).lstrip(" .,!?")
