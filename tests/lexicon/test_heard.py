"""Names and phrases that Portuguese puns play on, and how they are said."""

from rimshot.lexicon.alike import pronounce, sounds_like
from rimshot.lexicon.heard import names, said


def test_names_come_with_respellings_that_portuguese_rules_can_read():
    found = names()
    assert len(found) > 9000
    for name, spelled in found.items():
        assert name == name.lower().strip() and len(name.split()) <= 4, name
        assert all(pronounce(form, "pt") for form in spelled), (name, spelled)


def test_a_long_word_of_a_name_is_a_name_with_its_part_of_the_sound():
    readings = names()["cyrano de bergerac"]
    assert readings and names()["bergerac"] == tuple(reading.split()[-1] for reading in readings)
    assert names()["mercury"] and names()["freddie mercury"]


def test_a_name_is_read_by_its_spelling_and_as_people_say_it():
    assert len(pronounce("hyundai", "pt")) > 1
    assert len(pronounce("casa", "pt")) == 1


def test_names_and_phrases_are_found_by_their_sound():
    assert "hyundai" in [word for word, _ in sounds_like("riundai", "pt")]
    assert "tem gente" in [word for word, _ in sounds_like("tangente", "pt", 40)]


def test_phrases_are_of_several_words_without_marks():
    assert len(said()) > 3000
    assert all(" " in phrase and phrase == phrase.lower().strip(" .!?") for phrase in said())
