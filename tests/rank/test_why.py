"""The reasons for a rank: the same ones in both languages, in words of the reader's."""

from string import Formatter

import numpy as np
import pytest

from rimshot.corpus import Query
from rimshot.index import open_index, write_index
from rimshot.rank.ranking import Hit
from rimshot.rank.why import REASONS, because, why


@pytest.fixture
def marked(puns):
    """The tiny index with "interest" of its first text as a pun word."""
    start = np.full(len(puns), -1, np.int32)
    end = start.copy()
    start[0], end[0] = 16, 24
    with write_index(puns.path) as writer:
        writer.set_column("pun_start", start)
        writer.set_column("pun_end", end)
    return open_index(puns.path)


def hit(index, number, **parts):
    return Hit(1, index.doc(number), number, 0.5, parts)


def test_reasons_in_both_languages(marked):
    found = hit(marked, 0, humour=0.9, topic=0.75, word=0.5, kind=0.0, sense=0.4, near=0.1)
    query = Query("1", "bank", "en")
    assert because(found, query, marked) == [
        "90% likely to be wordplay", "75% likely to be about it", 'says "bank"', '"interest" can mean it',
    ]  # fmt: skip
    assert because(found, query, marked, ui="pt") == [
        "90% de probabilidade de ser jogo de palavras", "75% de probabilidade de ser sobre o tema", 'diz "bank"',
        '"interest" pode ter esse sentido',
    ]  # fmt: skip


def test_kinds_and_near_words_are_named(marked):
    found = hit(marked, 5, humour=0.2, topic=0.6, kind=0.3, sense=0.0, near=0.9)
    told = because(found, Query("1", "food", "en"), marked, ui="pt")
    assert told[2].startswith("nomeia o que pertence ao tema: ") and '"Bread"' in told[2]
    assert told[3] == "tem uma palavra de sentido próximo"


def test_only_the_words_depend_on_the_language(marked):
    found = hit(marked, 0, humour=0.9, topic=0.75, sense=0.4)
    english, portuguese = (why(found, Query("1", "bank", "en"), marked, ui=ui) for ui in REASONS)
    assert english != portuguese
    assert {**english, "because": []} == {**portuguese, "because": []}
    assert len(english["because"]) == len(portuguese["because"])


def test_a_ranking_that_only_counts_words_has_no_reasons(marked):
    assert because(hit(marked, 0, bm25=3.0), Query("1", "bank", "en"), marked, ui="pt") == []


def test_the_table_is_whole():
    gaps = [
        {name: [gap for _, gap, _, _ in Formatter().parse(words) if gap] for name, words in table.items()}
        for table in REASONS.values()
    ]
    assert len(gaps) == 2 and gaps[0] == gaps[1]
