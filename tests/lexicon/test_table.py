import pytest

from rimshot.errors import MissingPart
from rimshot.lexicon.table import Strings, Table, write_strings, write_table


def test_a_table_gives_back_what_was_written(tmp_path):
    items = {f"chave{number}é": str(number).encode() for number in range(1000)}
    write_table(tmp_path / "t.tab", items.items())
    table = Table(tmp_path / "t.tab")
    assert len(table) == 1000
    assert all(table.get(key) == value for key, value in items.items())
    assert table.get("chave") is None and "" not in table
    assert dict(table.items()) == items


def test_a_key_is_not_taken_for_the_beginning_of_another(tmp_path):
    longer = {"ab" * number: bytes([number]) for number in range(2, 200)}
    write_table(tmp_path / "t.tab", longer.items())
    table = Table(tmp_path / "t.tab")
    assert all(table.get(key) == value for key, value in longer.items())
    assert not any(key[:-1] in table for key in longer)


def test_an_empty_table_has_nothing(tmp_path):
    write_table(tmp_path / "t.tab", [])
    assert Table(tmp_path / "t.tab").get("a") is None


def test_the_first_value_of_a_key_stays(tmp_path):
    write_table(tmp_path / "t.tab", [("a", b"1"), ("a", b"2")])
    assert Table(tmp_path / "t.tab").get("a") == b"1"


def test_strings_are_numbered(tmp_path):
    write_strings(tmp_path / "s.str", ["um", "", "três"])
    texts = Strings(tmp_path / "s.str")
    assert [texts[number] for number in range(len(texts))] == ["um", "", "três"]
    with pytest.raises(IndexError):
        texts[3]


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 100])
def test_a_foreign_file_is_refused_in_words(tmp_path, content):
    path = tmp_path / "t.tab"
    path.write_bytes(content)
    with pytest.raises(MissingPart, match=r"rimshot\.lexicon\.build"):
        Table(path)
