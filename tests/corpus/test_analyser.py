import pytest
from hypothesis import given
from hypothesis import strategies as st

from rimshot.corpus.analyser import Analyser, fold_accents, words
from rimshot.errors import InputError

analysers = st.builds(
    Analyser, lang=st.sampled_from(["en", "pt"]), fold=st.booleans(), stem=st.booleans(), stop=st.booleans()
)


@given(analysers)
def test_written_form_round_trips(analyser):
    assert Analyser.parse(repr(analyser)) == analyser


@pytest.mark.parametrize("text", ["Analyser(", "Analyzer()", "Analyser(size=3)", "Analyser('en', 1, 2, 3, 4)", "1"])
def test_other_text_is_refused(text):
    with pytest.raises(InputError, match="not an analyser"):
        Analyser.parse(text)


def test_unknown_language_is_refused_with_a_hint():
    with pytest.raises(InputError, match='unknown language "fr"'):
        Analyser("fr")


def test_clitics_and_one_letter_words_are_kept():
    terms = Analyser("pt", stem=False).terms("É a vida: disse-lhe o João.")
    assert terms == ["e", "a", "vida", "disse", "lhe", "o", "joao"]


def test_accents_folded_or_kept():
    assert Analyser("pt", stem=False, fold=True).terms("avó avô") == ["avo", "avo"]
    assert Analyser("pt", stem=False, fold=False).terms("avó avô") == ["avó", "avô"]


def test_composed_and_decomposed_letters_are_one():
    assert Analyser("pt").terms("canção") == Analyser("pt").terms("cança\u0303o")


def test_apostrophes_bind_and_typographic_ones_are_the_same():
    assert Analyser(stem=False).terms("don’t") == Analyser(stem=False).terms("don't") == ["don't"]


def test_stop_words_are_left_out_only_when_asked():
    assert "the" in Analyser().terms("the bank")
    assert Analyser(stop=True).terms("the bank") == ["bank"]


@given(st.text(max_size=60))
def test_case_does_not_matter_for_plain_letters(text):
    plain = "".join(c for c in text if c.isascii())
    assert Analyser().terms(plain.upper()) == Analyser().terms(plain.lower())


@given(st.text(max_size=60), analysers)
def test_any_text_can_be_analysed(text, analyser):
    assert all(analyser.terms(text))


@given(st.text(max_size=60))
def test_words_lie_where_they_say(text):
    for word, start, end in words(text):
        assert text[start:end].replace("’", "'") == word


def test_folding_leaves_other_scripts_alone():
    assert fold_accents("naïve ñandú Ж") == "naive nandu Ж"
