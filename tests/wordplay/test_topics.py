import pytest

from rimshot.errors import InputError
from rimshot.wordplay.labelled import Labelled
from rimshot.wordplay.topics import asked_puns

TEXTS = [
    Labelled("The baker needs the dough.", True, "pun", "p", ("dough",)),
    Labelled("The baker needs the mixture.", False, "edit", "p"),
    Labelled("Rain fell all night.", False, "plain", "q"),
]


def test_queries_are_the_pun_word_and_what_it_stands_for():
    found = asked_puns(TEXTS, "en", queries=3, seed=1)
    own = [one for one in found if one.relevance == 1.0]
    assert own[0].query == "dough" and len({one.query for one in own}) == 3
    assert {one.text for one in own} == {TEXTS[0].text}
    for one in own:
        others = [other for other in found if other.query == one.query and other.relevance == 0.0]
        assert TEXTS[1].text in {other.text for other in others}
    assert asked_puns(TEXTS, "en", 3, 1) == found


def test_texts_without_a_pun_word_cannot_teach():
    with pytest.raises(InputError, match="word"):
        asked_puns(TEXTS[1:], "en")
