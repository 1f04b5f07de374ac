"""Runs are written so that every tool ranks them alike, and refused with their place where they break a rule."""

import gzip
import json
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rimshot.errors import InputError
from rimshot.evaluate.runs import (
    Run,
    make_run,
    provenance_path,
    read_provenance,
    read_run,
    spread_scores,
    write_provenance,
    write_run,
)


def row(qid="q1", docid="d1", rank=1, score=0.9, run_id="UBO_task_1_X", manual=0, **more):
    return {"run_id": run_id, "manual": manual, "qid": qid, "docid": docid, "rank": rank, "score": score} | more


def saved(tmp_path, rows, name="run.json"):
    path = tmp_path / name
    path.write_text(json.dumps(rows) if not isinstance(rows, str) else rows, encoding="utf-8")
    return path


RUN = Run("UBO_task_1_X", {"q1": {"7": 12.5, "3": 12.5, "9": 1.0}, "q2": {"3": -4.0, "5": -9.0}})


@pytest.mark.parametrize("format", ["joker", "trec", "codabench"])
def test_a_run_comes_back_as_it_was_written(tmp_path, format):
    path = write_run(RUN, tmp_path / f"run.{format}", format)
    back = read_run(path, strict=True)
    assert back.name == "UBO_task_1_X"
    assert {qid: list(docs) for qid, docs in back.scores.items()} == {"q1": ["7", "3", "9"], "q2": ["3", "5"]}
    assert back.ties == 0
    assert all(0 <= score <= 1 for docs in back.scores.values() for score in docs.values())


def test_the_joker_file_has_the_fields_of_the_lab_and_nothing_else(tmp_path):
    rows = json.loads(write_run(RUN, tmp_path / "run.json").read_text())
    assert rows[0] == {"run_id": "UBO_task_1_X", "manual": 0, "qid": "q1", "docid": "7", "rank": 1, "score": 1.0}
    assert [entry["rank"] for entry in rows] == [1, 2, 3, 1, 2]


def test_identifiers_keep_the_type_of_the_collection(tmp_path):
    integers = Run("r", {"1": {"27260": 1.0}}, integer_qids=True, integer_docids=True)
    rows = json.loads(write_run(integers, tmp_path / "a.json").read_text())
    assert (rows[0]["qid"], rows[0]["docid"]) == (1, 27260)
    back = read_run(tmp_path / "a.json")
    assert back.integer_qids and back.integer_docids and list(back.scores) == ["1"]
    with pytest.raises(InputError, match=r'"007" cannot be written as an integer'):
        write_run(Run("r", {"1": {"007": 1.0}}, integer_docids=True), tmp_path / "b.json")
    assert not (tmp_path / "b.json").exists()


def test_codabench_takes_one_prediction_at_the_top_of_the_zip(tmp_path):
    path = write_run(RUN, tmp_path / "run.zip", "codabench")
    with zipfile.ZipFile(path) as archive:
        assert archive.namelist() == ["prediction.json"]
    assert path.read_bytes() == write_run(RUN, tmp_path / "again.zip", "codabench").read_bytes()
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.json", "[]")
        archive.writestr("b.json", "[]")
    with pytest.raises(InputError, match=r"2 \.json files at its top"):
        read_run(tmp_path / "two.zip")


def test_only_a_thousand_documents_a_query_are_written(tmp_path):
    many = make_run("r", [("q", [str(n) for n in range(1500)], list(range(1500, 0, -1)))])
    assert len(read_run(write_run(many, tmp_path / "run.json"), strict=True)) == 1000


@given(st.lists(st.floats(-1e6, 1e6), max_size=1000))
def test_spread_scores_fall_strictly_in_float32_within_the_unit(scores):
    spread = spread_scores(sorted(scores, reverse=True))
    low = spread.astype(np.float32)
    assert (np.diff(low) < 0).all()
    assert ((spread >= 0) & (spread <= 1)).all()


@pytest.mark.parametrize("value", [0.0, 0.3, 1.0, 50.0, -2.0])
def test_a_thousand_equal_scores_can_be_told_apart(value):
    low = spread_scores([value] * 1000).astype(np.float32)
    assert (np.diff(low) < 0).all() and low.min() >= 0 and low.max() <= 1


def test_probabilities_keep_their_values():
    assert spread_scores([0.97, 0.8, 0.1]).tolist() == [0.97, 0.8, 0.1]


BROKEN = [
    ([row(), row(rank=2, score=0.1)], r'item 2: document "d1" stands already at item 1 for query "q1"'),
    ([row(score=1.5)], r'item 1, field "score": 1.5 is outside \[0, 1\]|item 1: field "score": 1.5 is outside'),
    ([row(score=-0.1)], "is outside"),
    ([row(score="0.9")], r'item 1, field "score": "0.9" is not a number'),
    ([row(score=None)], r'item 1, field "score": null is not a number'),
    ([row(score=True)], r'item 1, field "score": true is not a number'),
    ([row(), row(docid="d2", rank=3, score=0.1)], r'item 2: field "rank": 3 where query "q1" should have 2'),
    ([row(rank=0)], r'item 1: field "rank": 0 where query "q1" should have 1'),
    ([row(rank="1")], r'item 1, field "rank": "1" is not a whole number'),
    ([row(), row(docid="d2", rank=2, score=0.95)], r"item 2: the score 0.95 at rank 2 is above 0.9 at rank 1"),
    ([row(), row(docid="d2", rank=2, score=0.1, run_id="other")], r'item 2, field "run_id": .* a file holds one run'),
    ([row(manual=2)], r'item 1, field "manual": 2 is neither 0 nor 1'),
    ([row(docid=1.5)], r'item 1, field "docid": 1.5 is not an identifier'),
    ([row(docid="")], r'item 1: field "docid": the identifier is empty'),
    ([row(), {"qid": "q1"}], r'item 2: there is no field "run_id"'),
    ([row(), 7], r"item 2: 7 is not an object"),
    ([], r"the array is empty"),
    ("{}", r"a JSON dict where an array is wanted"),
    ("[{]", r"line 1, column 3: broken JSON"),
    ("", r"the file is empty"),
    ([row(score=float("nan"))], r'item 1: field "score": nan is not a finite number'),
]


@pytest.mark.parametrize(("rows", "message"), BROKEN)
def test_a_broken_run_is_refused_with_the_place(tmp_path, rows, message):
    path = saved(tmp_path, rows)
    with pytest.raises(InputError, match=message) as fault:
        read_run(path)
    assert str(fault.value).startswith(str(path)) and "\n" not in str(fault.value)


def test_a_query_with_too_many_documents_is_refused_where_the_limit_is_passed(tmp_path):
    rows = [row(docid=str(n), rank=n, score=1 - n / 2000) for n in range(1, 1002)]
    with pytest.raises(InputError, match=r'item 1001: query "q1" has 1001 documents; the limit is 1000'):
        read_run(saved(tmp_path, rows))


def test_the_order_of_the_rows_does_not_matter(tmp_path):
    rows = [row(docid="d2", rank=2, score=0.1), row(qid=5, docid=3), row()]
    run = read_run(saved(tmp_path, rows))
    assert run.ranked("q1") == ["d1", "d2"] and run.ranked("5") == ["3"]


def test_ties_are_read_counted_and_refused_when_strict(tmp_path):
    rows = [row(docid="d1", rank=1, score=0.5), row(docid="d2", rank=2, score=0.5 - 1e-12)]
    path = saved(tmp_path, rows)
    run = read_run(path)
    assert (run.ties, run.tied) == (1, frozenset({"q1"}))
    assert run.ranked("q1") == ["d2", "d1"]
    assert run.ranked("q1", low=False) == ["d1", "d2"]
    with pytest.raises(InputError, match=r'item 2: the score .* equals that of "d1" in float32'):
        read_run(path, strict=True)


TREC = "q1 Q0 d1 1 14.5 tag\nq1 Q0 d2 2 3 tag\n"


def test_trec_lines_take_any_score_and_do_not_believe_the_rank(tmp_path):
    run = read_run(saved(tmp_path, "q1 Q0 d2 0 3 tag\n\nq1 Q0 d1 7 14.5 tag\n", "run.trec"))
    assert run.ranked("q1") == ["d1", "d2"] and run.name == "tag"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TREC + "q1 Q0 d3 3 tag\n", r"line 3: 5 fields where 6 are wanted"),
        (TREC + "\nq1 Q0 d3 3 nan tag\n", r'line 4: field "score": nan is not a finite number'),
        (TREC + "q1 Q0 d3 3 high tag\n", r"line 3, field \"score\": 'high' is not a number"),
        (TREC + "q1 Q0 d3 x 1 tag\n", r"line 3, field \"rank\""),
        (TREC + "q1 Q0 d1 3 1 tag\n", r'line 3: document "d1" stands already at line 1'),
        (TREC + "q1 Q0 d3 3 1 other\n", r"line 3: the run 'other' after 'tag'"),
    ],
)
def test_a_broken_trec_run_is_refused_with_the_line(tmp_path, text, message):
    with pytest.raises(InputError, match=message):
        read_run(saved(tmp_path, text, "run.trec"))


def test_blanks_cannot_be_written_in_trec_lines(tmp_path):
    with pytest.raises(InputError, match="has a blank"):
        write_run(Run("r", {"my query": {"d": 1.0}}), tmp_path / "run.trec", "trec")


def test_a_gzipped_run_and_a_byte_order_mark_are_read(tmp_path):
    text = json.dumps([row()])
    (tmp_path / "run.json.gz").write_bytes(gzip.compress(b"\xef\xbb\xbf" + text.encode()))
    assert list(read_run(tmp_path / "run.json.gz").scores) == ["q1"]
    (tmp_path / "cut.json.gz").write_bytes(gzip.compress(text.encode())[:-9])
    with pytest.raises(InputError, match=r"damaged or cut short"):
        read_run(tmp_path / "cut.json.gz")


@pytest.mark.parametrize("what", ["absent.json", "."])
def test_a_path_that_is_no_file_is_refused(tmp_path, what):
    with pytest.raises(InputError, match=r"no such file|is a directory"):
        read_run(tmp_path / what)


def test_how_a_run_was_made_stands_beside_it(tmp_path):
    path = tmp_path / "run.v2.json"
    assert provenance_path(path).name == "run.v2.provenance.json"
    write_provenance(path, {"pipeline": "Bm25()", "index": "abc"})
    assert read_provenance(path)["pipeline"] == "Bm25()" and "date" in read_provenance(path)
    assert read_provenance(tmp_path / "other.json") is None


def test_an_unknown_format_gets_a_hint(tmp_path):
    with pytest.raises(InputError, match='did you mean "codabench"'):
        write_run(RUN, tmp_path / "x", "codabnech")
