"""What is never offered unasked."""

from rimshot.lexicon.offensive import offensive, polite, stems


def test_marks_of_the_wordnet_count_for_the_marked_word_only():
    assert offensive("blackamoor", "en")
    assert not offensive("black person", "en")


def test_a_second_sense_does_not_condemn_a_usual_word():
    assert not offensive("boy", "en")
    assert not offensive("turkey", "en")


def test_the_list_counts_in_both_languages():
    assert offensive("bastards", "en")
    assert offensive("merda", "pt")
    assert set(stems("pt")) == {"profanity", "slur", "adult"}


def test_what_was_asked_for_stays():
    found = [("bastard", 1.0), ("child", 0.5)]
    assert polite(found, "en") == [("child", 0.5)]
    assert polite(found, "en", "bastard") == found
