"""Dictionary forms: only of a part of speech that has the ending."""

import pytest

from rimshot.lexicon.lemma import lemmas, verbs_of
from rimshot.lexicon.wordnet import main_lemma


@pytest.mark.parametrize("form", ["flower", "butter", "waiter", "letter", "banker", "news"])
def test_a_noun_is_no_comparative_and_no_plural_of_an_adjective(form):
    assert lemmas(form, "en") == (form,)
    assert main_lemma(form, "en") == form


@pytest.mark.parametrize(
    ("form", "lemma"),
    [("bigger", "big"), ("happiest", "happy"), ("stopped", "stop"), ("wolves", "wolf"), ("glasses", "glass")],
)
def test_inflected_forms_are_traced_back(form, lemma):
    assert lemma in lemmas(form, "en")


@pytest.mark.parametrize(("form", "other"), [("casa", "caso"), ("bola", "bolo"), ("porta", "porto")])
def test_a_portuguese_noun_is_not_the_feminine_of_another(form, other):
    assert other not in lemmas(form, "pt")


@pytest.mark.parametrize(("form", "adjective"), [("barata", "barato"), ("lindas", "lindo"), ("cara", "caro")])
def test_a_portuguese_adjective_agrees(form, adjective):
    assert adjective in lemmas(form, "pt")


@pytest.mark.parametrize(("form", "verb"), [("nada", "nadar"), ("casa", "casar"), ("banho", "banhar")])
def test_a_portuguese_noun_may_be_a_verb_too(form, verb):
    assert verb in verbs_of(form)
    assert verb not in lemmas(form, "pt")
