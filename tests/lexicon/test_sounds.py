import pytest

from rimshot.lexicon import english, portuguese
from rimshot.lexicon.alike import alike, distance, pronounce, sounds_like
from rimshot.lexicon.phones import PHONES, phone_distance, to_ipa


def test_distances_of_sounds_are_symmetric_and_bounded():
    for one in PHONES:
        assert phone_distance(one, one) == 0
        for other in PHONES:
            assert 0 <= phone_distance(one, other) == phone_distance(other, one) <= 1


def test_homophones_come_first():
    assert sounds_like("sail", "en", 1) == [("sale", 0.0)]
    assert "profane" in dict(sounds_like("propane", "en", 5))
    assert "absence" in dict(sounds_like("absinthe", "en", 5))


def test_a_word_inside_another_is_found():
    found = {near.word: near for near in alike(pronounce("barbarous", "en")[0], "en")}
    assert found["barber"].inside < 0.01 < found["barber"].distance


@pytest.mark.parametrize(("word", "ipa"), [("sail", "seɪl"), ("absinthe", "æbsɪnθ")])
def test_english_words_of_the_dictionary(word, ipa):
    assert to_ipa(english.pronounce(word)[0]) == ipa


def test_english_words_beyond_the_dictionary_are_put_together():
    assert english.pronounce("quilters")[0] == english.pronounce("quilt")[0] + "3z"
    assert english.pronounce("zorbify")


@pytest.mark.parametrize(
    ("word", "brazil", "portugal"),
    [
        ("tia", "tʃiə", "tiə"),
        ("coração", "koɾasɐ̃w", "kuɾəsɐ̃w"),
        ("mesmo", "mesmu", "meʃmu"),
        ("brasil", "bɾaziw", "bɾəzil"),
    ],
)
def test_portuguese_has_two_varieties(word, brazil, portugal):
    assert to_ipa(portuguese.pronounce(word, "pt-BR")[0]) == brazil
    assert to_ipa(portuguese.pronounce(word, "pt-PT")[0]) == portugal


def test_portuguese_sound_alikes():
    assert "telha" in dict(sounds_like("teia", "pt", 5))
    assert "injeção" in dict(sounds_like("ingessão", "pt", 3))


def test_nothing_to_say_is_nothing():
    assert pronounce("", "en") == () and pronounce("123", "en") == () and sounds_like("", "en") == []
    assert distance("", "") == 0 and distance("a", "") == 1
