import pytest

from rimshot.errors import InputError
from rimshot.lexicon import expansion, lemmas, related, synset, wordnet, zipf


def test_senses_have_princeton_keys_and_counts():
    first = wordnet("en").senses("bank", "n")[0]
    assert first.key == "bank%1:17:01::"
    assert first.lexname == "noun.object" and first.count == 25
    assert "sloping land" in first.gloss


def test_a_satellite_adjective_has_its_head_in_the_key():
    keys = {sense.key for sense in wordnet("en").senses("galore")}
    assert keys and all(key.startswith("galore%5:00:00:") for key in keys)


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("geese", "goose"),
        ("leaves", "leave"),
        ("running", "run"),
        ("colours", "colour"),
        ("birds of prey", "bird of prey"),
    ],
)
def test_english_forms_lead_to_lemmas(form, lemma):
    assert lemma in lemmas(form, "en")


@pytest.mark.parametrize(
    ("form", "lemma"), [("cães", "cão"), ("furtou", "furtar"), ("animais domésticos", "animal doméstico")]
)
def test_portuguese_forms_lead_to_lemmas(form, lemma):
    assert lemma in lemmas(form, "pt")


def test_the_two_languages_share_synsets():
    dog = next(sense for sense in wordnet("en").senses("dog") if sense.pos == "n")
    assert "cão" in synset(dog.synset).portuguese
    assert dog.synset in {sense.synset for sense in wordnet("pt").senses("cão")}


def test_hyponyms_of_a_topic_are_related():
    animals = dict(related("domestic animals", "en"))
    assert {"dog", "cat"} <= set(animals)
    assert animals["domestic animal"] == 1.0 > animals["dog"]
    assert "red" in dict(related("colours", "en"))
    assert "gato" in dict(related("animais domésticos", "pt"))


def test_related_crosses_languages():
    assert "cão" in dict(related("domestic animal", "en", to="pt"))


def test_expansion_of_a_sense_leaves_the_word_out():
    sense = wordnet("en").sense("bank%1:14:00::")
    names = dict(expansion(sense))
    assert "financial institution" in names and "bank" not in names


def test_unknown_things_are_told():
    assert wordnet("en").senses("xqzzy") == () and lemmas("xqzzy", "en") == () and related("xqzzy", "en") == []
    with pytest.raises(InputError, match="sense key"):
        wordnet("en").sense("bank%9:99:99::")
    with pytest.raises(InputError, match="language"):
        wordnet("fr")


def test_frequencies_fall():
    assert zipf("the", "en") > zipf("bank", "en") > zipf("absinthe", "en") > zipf("xqzzy", "en")
