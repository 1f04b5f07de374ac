"""A query that only one language knows is answered in that language, unless every language is asked for."""

import pytest

from rimshot.index import open_index
from rimshot.index.sample import sample_index
from rimshot.rank import parse
from rimshot.rank.filtered import filtered_search


@pytest.fixture(scope="module")
def index():
    return open_index(sample_index())


def languages(ranking, index):
    return {index.lang(int(number)) for number in ranking.docs[:20]}


@pytest.mark.parametrize(("query", "lang"), [("matemática", "pt"), ("cheese", "en")])
def test_hits_speak_the_language_of_the_query(index, query, lang):
    found = filtered_search(parse("Jokes()"), query, index)
    assert len(found) > 5 and languages(found, index) == {lang}
    assert filtered_search(parse("Jokes()"), query, index, any_language=True).docs.size > found.docs.size


def test_a_language_that_is_named_wins(index):
    assert languages(filtered_search(parse("Jokes()"), "bar", index, lang="pt"), index) == {"pt"}


def test_a_word_of_both_languages_finds_both(index):
    assert languages(filtered_search(parse("Bm25()"), "animal", index), index) == {"en", "pt"}


def test_a_phrase_that_one_language_knows_whole_is_read_in_that_language(index):
    assert languages(filtered_search(parse("Jokes()"), "redes sociais", index), index) == {"pt"}
