import json

import pytest

from rimshot.errors import InputError
from rimshot.retell.judged import Family, bcubed, judge_rankings, read_families, read_pairs, signal_means

FAMILIES = [Family("1", ("a", "b", "c"), "x"), Family("2", ("d", "e"), "y")]


def test_figures_are_averaged_over_members():
    orders = {"a": "bxc", "b": "xxa", "c": "ab", "d": "xe", "e": "x"}
    figures = judge_rankings(
        FAMILIES, lambda query: [f"{d}{i}" if d == "x" else d for i, d in enumerate(orders[query])]
    )
    assert figures[0].average_precision == pytest.approx(((1 + 2 / 3) / 2 + (1 / 3) / 2 + 1) / 3)
    assert figures[0].r_precision == pytest.approx((0.5 + 0 + 1) / 3)
    assert figures[0].recall_10 == pytest.approx((1 + 0.5 + 1) / 3)
    assert figures[1].average_precision == pytest.approx(0.25)
    assert signal_means(figures) == {"x": figures[0].average_precision, "y": figures[1].average_precision}


def test_the_query_itself_does_not_count():
    assert judge_rankings([FAMILIES[1]], lambda query: ["d", "e"])[0].average_precision == 1.0


def test_bcubed_extremes():
    assert bcubed(FAMILIES, dict.fromkeys("abcde", 0))[0] == pytest.approx((3 * 3 / 5 + 2 * 2 / 5) / 5)
    assert bcubed(FAMILIES, {d: i for i, d in enumerate("abcde")})[:2] == (1.0, pytest.approx(2 / 5))


def write(path, rows):
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    return path


def test_families_are_read(tmp_path):
    path = write(tmp_path / "f.jsonl", [{"ids": [1, 2], "cluster": 9, "signal": "d"}, {"ids": ["3", "4"]}])
    assert read_families(path) == [Family("9", ("1", "2"), "d"), Family("2", ("3", "4"))]


@pytest.mark.parametrize(
    "rows",
    [[{"id": 1}], [{"ids": ["a"]}], [{"ids": ["a", "a"]}], [{"ids": "ab"}], [{"ids": ["a", "b"]}, {"ids": ["b", "c"]}]],
)
def test_bad_families_are_refused_with_their_place(tmp_path, rows):
    with pytest.raises(InputError, match=r"f\.jsonl"):
        read_families(write(tmp_path / "f.jsonl", rows))


def test_pairs_are_read(tmp_path):
    assert read_pairs(write(tmp_path / "n.jsonl", [{"a": "x", "b": 2}])) == [("x", "2")]
