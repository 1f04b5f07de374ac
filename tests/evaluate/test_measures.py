"""Measures on runs small enough to work out by hand."""

import json
import math

import pytest

from rimshot.errors import InputError
from rimshot.evaluate.measures import SETS, evaluate, parse_measures
from rimshot.evaluate.qrels import Qrels, read_qrels, resolve_exclusions, write_qrels
from rimshot.evaluate.runs import Run
from rimshot.evaluate.topical import topical_gap

QRELS = Qrels({"a": {"1": 1, "2": 1, "9": 0}, "b": {"3": 1}})
RUN = Run("r", {"a": {"1": 0.9, "9": 0.8, "2": 0.7}, "b": {"4": 0.9, "3": 0.5}})


def test_the_measures_of_2025_by_hand():
    found = evaluate(RUN, QRELS, "joker2025").overall
    assert found["#ret"] == 5 and found["#rel"] == 3
    ap_a, ap_b = (1 + 2 / 3) / 2, 1 / 2
    assert found["MAP"] == pytest.approx((ap_a + ap_b) / 2)
    assert found["GMAP"] == pytest.approx(math.sqrt(ap_a * ap_b))
    assert found["P@R"] == pytest.approx((1 / 2 + 0) / 2)
    assert found["MRR"] == pytest.approx((1 + 1 / 2) / 2)
    assert found["P@5"] == pytest.approx((2 / 5 + 1 / 5) / 2)
    assert found["P@10"] == pytest.approx(0.15) and found["P@100"] == pytest.approx(0.015)
    assert found["P@1000"] == pytest.approx(0.0015)
    ideal = 1 + 1 / math.log2(3)
    assert found["NDCG@5"] == pytest.approx(((1 + 1 / 2) / ideal + 1 / math.log2(3)) / 2)
    # a: 1 stands before, 2 behind the one judged non-relevant document; b has none to stand behind
    assert found["bpref"] == pytest.approx(((1 + 0) / 2 + 1) / 2)


def test_the_measures_of_2024_by_hand():
    found = evaluate(RUN, QRELS, "joker2024").overall
    assert list(found) == ["map", "ndcg", "R@5", "R@10", "R@100", "R@1000", "bpref", "MRR", "P@1", "P@5", "P@10"]
    assert found["R@5"] == 1 and found["P@1"] == 0.5
    assert found["map"] == pytest.approx((5 / 6 + 1 / 2) / 2)


def test_a_judged_query_that_the_run_lacks_counts_nothing_and_is_reported():
    found = evaluate(Run("r", {"a": RUN.scores["a"]}), QRELS)
    assert found.missing == ("b",)
    assert found.overall["MAP"] == pytest.approx(5 / 6 / 2)
    assert found.overall["GMAP"] == pytest.approx(math.sqrt(5 / 6 * 1e-5))


def test_a_query_without_judgments_does_not_count_and_is_reported():
    more = Run("r", {**RUN.scores, "z": {"1": 1.0}})
    found = evaluate(more, QRELS)
    assert found.unjudged == ("z",)
    assert found.overall == evaluate(RUN, QRELS).overall


def test_a_judged_query_without_a_relevant_document_counts_nothing():
    found = evaluate(RUN, Qrels({**QRELS.judgments, "c": {"4": 0}}))
    assert found.overall["MAP"] == pytest.approx((5 / 6 + 1 / 2) / 3)
    assert found.missing == ("c",)


def test_the_floor_of_gmap_is_for_zero_only():
    tiny = Qrels({"a": {"1": 1} | {f"x{n}": 1 for n in range(199_999)}})
    found = evaluate(Run("r", {"a": {"1": 0.5}}), tiny)
    assert found.overall["GMAP"] == pytest.approx(1 / 200_000)
    nothing = evaluate(Run("r", {"a": {"zz": 0.5}}), tiny)
    assert nothing.overall["GMAP"] == pytest.approx(1e-5)


def test_ties_put_the_greater_identifier_first():
    tied = Run("r", {"a": {"1": 0.5, "9": 0.5}}, ties=1, tied=frozenset({"a"}))
    assert evaluate(tied, Qrels({"a": {"1": 1}}), "MRR").overall["MRR"] == 0.5
    assert evaluate(tied, Qrels({"a": {"9": 1}}), "MRR").overall["MRR"] == 1.0


def test_scores_that_only_float32_ties_are_apart_in_2025_and_tied_in_2024():
    near = Run("r", {"a": {"1": 0.5, "9": 0.5 - 1e-12}}, ties=1, tied=frozenset({"a"}))
    qrels = Qrels({"a": {"1": 1}})
    assert evaluate(near, qrels, "joker2025").overall["MRR"] == 1.0
    assert evaluate(near, qrels, "joker2024").overall["MRR"] == 0.5


def test_excluded_queries_leave_the_mean():
    found = evaluate(RUN, QRELS, exclude=["b"])
    assert found.queries == ("a",) and found.excluded == ("b",)
    assert found.overall["MAP"] == pytest.approx(5 / 6)
    assert "b" not in found.unjudged
    with pytest.raises(InputError, match="no judged query is left"):
        evaluate(RUN, QRELS, exclude=["a", "b"])


def test_exclusions_are_ids_patterns_or_files(tmp_path):
    known = ["qid_train_1", "qid_train_2", "qid_test_1"]
    assert resolve_exclusions(["qid_train_*"], known) == {"qid_train_1", "qid_train_2"}
    path = tmp_path / "queries.json"
    path.write_text(json.dumps([{"qid": "qid_train_2", "query": "steps"}, {"qid": 7, "query": "x"}]))
    assert resolve_exclusions([str(path), "qid_test_1"], known) == {"qid_train_2", "qid_test_1"}
    with pytest.raises(InputError, match='"qid_trian_" names no judged query'):
        resolve_exclusions(["qid_trian_"], known)


def test_integer_and_string_identifiers_meet(tmp_path):
    path = tmp_path / "qrels.json"
    path.write_text(json.dumps([{"qid": 1, "docid": 27260, "qrel": 1}, {"qid": "2", "docid": "5", "qrel": 0}]))
    qrels = read_qrels(path)
    assert qrels.judgments == {"1": {"27260": 1}, "2": {"5": 0}}
    write_qrels(qrels, tmp_path / "back.json")
    assert read_qrels(tmp_path / "back.json").judgments == qrels.judgments


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"qid": "1", "docid": "2"}]', r'item 1: there is no field "qrel"'),
        ('[{"qid": "1", "docid": "2", "qrel": "yes"}]', r'item 1, field "qrel"'),
        ('[{"qid": "1", "docid": "2", "qrel": -1}]', r"item 1: the judgment -1 is negative"),
        (
            '[{"qid": "1", "docid": 2, "qrel": 1}, {"qid": 1, "docid": "2", "qrel": 0}]',
            r"item 2: .* judged 0 here and 1",
        ),
        ("1 0 d 1\n1 0 d\n", r"line 2: 3 fields where 4"),
        ("1 0 d many\n", r"line 1: the judgment 'many'"),
        ("  ", r"the file is empty"),
    ],
)
def test_broken_judgments_are_refused_with_the_place(tmp_path, text, message):
    path = tmp_path / "qrels"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        read_qrels(path)


def test_trec_judgments_are_read(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    assert read_qrels(tmp_path / "qrels.txt").relevant("q1") == {"d1"}


def test_topical_judgments_show_the_gap():
    topical = Qrels({"a": {"1": 1, "2": 1, "9": 1}, "b": {"3": 1, "4": 1}, "other": {"1": 1}})
    both = topical_gap(RUN, QRELS, topical, "joker2024")
    assert both.topical.queries == both.official.queries
    assert both.topical.overall["map"] == 1.0
    assert both.gap["map"] == pytest.approx(1 - 2 / 3)
    with pytest.raises(InputError, match='no topical judgments for query "a"'):
        topical_gap(RUN, QRELS, Qrels({"b": {"3": 1}}))


def test_measures_are_found_by_any_name():
    assert parse_measures("joker2025") == SETS["joker2025"]
    assert [m.name for m in parse_measures("MAP,nDCG@10 P@5,  R(rel=1)@10")] == ["MAP", "nDCG@10", "P@5", "R(rel=1)@10"]
    found = evaluate(RUN, QRELS, "AP,MAP,RR@10,NumRet").overall
    assert found["AP"] == found["MAP"] and found["RR@10"] == 0.75 and found["NumRet"] == 5


@pytest.mark.parametrize("name", ["nDGC@10", "AAP", "P@x", "RBP(q=1)", "foo(", "P"])
def test_an_unknown_measure_is_refused_in_a_line(name):
    with pytest.raises(InputError, match="unknown measure") as fault:
        parse_measures(name)
    assert "\n" not in str(fault.value)


def test_an_empty_list_of_measures_is_refused():
    with pytest.raises(InputError, match="names nothing"):
        parse_measures(" , ")
