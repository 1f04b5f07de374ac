from rimshot.lexicon.idioms import bent_idiom, idioms, phrase_fit, phrase_fits
from rimshot.lexicon.pairs import bond


def test_an_idiom_is_heard_behind_a_changed_word():
    words = "he took a leave of absinthe today".split()
    assert bent_idiom(words, 5, "absence", "en").phrase == "leave of absence"
    assert bent_idiom(words, 5, "banana", "en") is None


def test_a_portuguese_saying_is_heard_too():
    words = "é furto do trabalho".split()
    assert bent_idiom(words, 1, "fruto", "pt").phrase == "o fruto do trabalho"


def test_the_lists_are_clean():
    for lang, least in (("en", 1000), ("pt", 500)):
        found = idioms(lang)
        assert len(found) >= least
        assert all(phrase == phrase.strip().lower() for phrase in found)


def test_entries_of_several_words_are_found_around_a_word():
    assert phrase_fit("a gravy bote".split(), 2, "boat", "en") == "gravy boat"
    assert phrase_fit(["boat"], 0, "boat", "en") is None


def test_bonds_are_for_words_that_go_together():
    assert bond("of", "absence", "en") > bond("of", "absinthe", "en") == 0 == bond("de", "casa", "pt")


def test_several_words_are_tried_at_one_place():
    words = "a gravy bote".split()
    assert phrase_fits(words, 2, ["goat", "boat", "bote"], "en") == [None, "gravy boat", None]
