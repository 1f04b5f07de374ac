from rimshot.wordplay.level import BANDS, level
from rimshot.wordplay.warning import warnings_of


def test_rarer_words_and_idioms_raise_the_level():
    easy = level("The dog is big.", "en")
    hard = level("The apothecary dispensed an emollient.", "en")
    assert BANDS.index(easy.band) < BANDS.index(hard.band)
    assert "Zipf" in hard.reason
    idiom = level("The dog is big.", "en", {"kind": "heterographic", "idiom": "every dog has its day"})
    assert BANDS.index(idiom.band) == BANDS.index(easy.band) + 1 and "every dog" in idiom.reason


def test_a_rare_sense_raises_the_level():
    text = "The bank is big."
    rare = {"kind": "homographic", "senses": [["bank%2:38:00::", "bank%1:17:01::"]]}
    assert BANDS.index(level(text, "en", rare).band) == BANDS.index(level(text, "en").band) + 1


def test_empty_texts_have_the_lowest_level():
    assert level("", "en").band == level("...", "pt").band == "A1"


def test_warnings_go_by_words():
    assert warnings_of("What a lovely day for a picnic", "en") == ()
    assert warnings_of("Oh shit, he is naked", "en") == ("profanity", "adult")
    assert warnings_of("Que merda", "pt") == ("profanity",)
    assert warnings_of("The class assassin", "en") == ()
