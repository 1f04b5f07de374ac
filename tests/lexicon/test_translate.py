"""Topics in English: by the wordnets where they have the entry, by a translation where not."""

import pytest

from rimshot.lexicon.translate import known_topic, topic_in_english


@pytest.mark.parametrize("topic", ["redes sociais", "desporto", "férias na praia"])
def test_a_topic_that_is_no_entry_is_translated(topic):
    expected = {"redes sociais": "social networks", "desporto": "sport", "férias na praia": "beach holidays"}
    assert topic_in_english(topic, "pt") == expected[topic]


def test_an_entry_is_read_through_the_wordnets():
    assert topic_in_english("Matemática", "pt").startswith("math")
    assert known_topic("matemática", "pt") == ("matemática", "pt")


def test_english_stays_as_it_is():
    assert topic_in_english("social networks", "en") == "social networks"
    assert known_topic("xyzzy", "en") == ("xyzzy", "en")


@pytest.mark.parametrize("name", ["Benfica", "xyzzy plugh", "!!!", "palavra " * 500])
def test_what_nobody_knows_does_not_stop_a_search(name):
    assert topic_in_english(name, "pt")
    text, lang = known_topic(name, "pt")
    assert text and lang in ("en", "pt")


def test_a_phrase_only_the_english_wordnet_has_is_looked_up_there():
    assert known_topic("super-herói", "pt") == ("superhero", "en")
