import pytest

from rimshot.errors import InputError
from rimshot.rank.export import Exported, QueryRecord, export
from rimshot.rank.facets import facets
from rimshot.rank.kwic import concordance, kwic_line
from rimshot.rank.syntax import Asked, Filter, matches, parse_query, sound_gap

BANK = {
    "word": "bank", "kind": "homographic", "lang": "en", "patterns": ["one-liner"], "alternatives": [], "humour": 0.9,
    "senses": [["bank%1:14:00::", "bank%1:17:01::"]], "level": "B1", "warnings": [], "start": 4, "end": 8,
}  # fmt: skip
SALE = {**BANK, "word": "sale", "kind": "heterographic", "alternatives": ["sail"], "senses": []}


def test_conditions_are_told_from_the_topic():
    assert parse_query("money sound:sail kind:heterographic") == Asked(
        "money", (Filter("sound", "sail"), Filter("kind", "heterographic"))
    )
    assert parse_query('pun:"merry go round"').filters == (Filter("pun", "merry go round"),)
    assert parse_query("note: this is 3:15") == Asked("note: this is 3:15", ())
    assert parse_query("") == Asked("", ())


@pytest.mark.parametrize(("text", "told"), [("kind:homograpic", "homographic"), ("pattern:tomswifty", "tom-swifty")])
def test_a_wrong_value_is_told(text, told):
    with pytest.raises(InputError, match=told):
        parse_query(text)


@pytest.mark.parametrize(
    ("text", "record", "wanted"),
    [
        ("pun:banks", BANK, True),
        ("pun:sail", BANK, False),
        ("sense:bank/money", BANK, True),
        ("sense:bank/river", BANK, False),
        ("sense:bank/water", BANK, True),
        ("sense:bank", BANK, True),
        ("sound:sail", SALE, True),
        ("sound:whale", BANK, False),
        ("kind:heterographic", SALE, True),
        ("kind:heterographic sound:sail lang:pt", SALE, False),
        ("level:b1 warning:none", BANK, True),
        ("pattern:one-liner", BANK, True),
    ],
)
def test_conditions(text, record, wanted):
    assert matches(parse_query(text), record) is wanted


def test_the_nearest_in_sound_is_what_a_joke_plays_on():
    assert sound_gap("sail", SALE) == (0.0, "sail")
    assert sound_gap("flour", {**SALE, "word": "flowers", "alternatives": []}) == (0.0, "flowers")
    assert sound_gap("flour", {**SALE, "word": "foal", "alternatives": ["flow"]}) is None
    assert sound_gap("sail", {**BANK, "word": "sold"}) is None
    less_likely = {**SALE, "word": "valentine", "alternatives": ["violent", "fail", "sale"]}
    assert sound_gap("sail", less_likely) == (0.0, "sale")
    assert sound_gap("sail", {**less_likely, "alternatives": ["violent", "fail"]}) is None


def test_facets_count():
    found = facets([("a bank", BANK), ("banks", {**BANK, "word": "banks"}), ("a sale", SALE), ("plain", None)])
    assert found["word"] == [("bank", 2), ("sale", 1)]
    assert found["kind"] == [("homographic", 2), ("heterographic", 1)]
    assert found["length"] == [("up to 12 words", 4)]


def test_concordance_lines_up():
    assert kwic_line("one two three four five", 8, 13, 100) == ("one two", "three", "four five")
    left, word, right = kwic_line("alpha beta gamma delta epsilon zeta", 17, 22, 8)
    assert word == "delta" and len(left) <= 8 and len(right) <= 8 and "…" in left and "…" in right
    lines = concordance([("the sale", {"word": "sale", "start": 4, "end": 8}), ("the bank", BANK)])
    assert [word for _, word, _ in lines] == ["bank", "sale"]


def test_exports_carry_the_query_record():
    record = QueryRecord("bank", "Bm25()", "abc", "1", "2026-01-02T03:04:05+00:00", "Corpus & Co", "CC0")
    again = QueryRecord("bank", "Bm25()", "abc", "1", "2027-01-02T03:04:05+00:00")
    assert record.query_id == again.query_id
    hits = [Exported(1, "d_1", "=100% {bank}", 2.5, BANK)]
    assert record.query_id in export(hits, record, "csv") and "'=100%" in export(hits, record, "csv")
    assert '"licence": "CC0"' in export(hits, record, "json")
    bibtex = export(hits, record, "bibtex")
    assert "@misc{rimshot-d_1," in bibtex and r"=100\% \{bank\}" in bibtex and r"Corpus \& Co" in bibtex
    assert '"date-parts"' in export(hits, record, "csl")
    with pytest.raises(InputError, match="bibtex"):
        export(hits, record, "bibtx")
    assert export([], record, "json")
