"""Comparisons: tests and intervals on differences small enough to count by hand."""

import json
import math

import numpy as np
import pytest

from rimshot.errors import InputError
from rimshot.evaluate.compare import compare
from rimshot.evaluate.measures import parse_measures
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.runs import make_run
from rimshot.evaluate.significance import bootstrap, holm, randomisation
from rimshot.evaluate.systems import CUTS, measure_system, recall_curve
from rimshot.evaluate.table import Table

QRELS = Qrels({f"q{n}": {"1": 1, "2": 1, "9": 0} for n in range(8)})


def system(name, hits, qrels=QRELS, **more):
    """A system that ranks a relevant document first for the first ``hits`` queries and last for the others."""
    docs = ["1", "9", "7", "2"], ["9", "7", "8", "1"]
    run = make_run(name, [(qid, docs[n >= hits], [4, 3, 2, 1]) for n, qid in enumerate(qrels.judgments)])
    return measure_system(run, qrels, parse_measures("joker2025"), **more)


def test_the_randomisation_test_counts_all_signs_of_few_queries():
    # of 2 x 2 x 2 signs of (3, 2, 1), two sums are as large as 6
    assert randomisation(np.array([[3.0], [2.0], [1.0], [0.0]])).tolist() == [2 / 8]
    assert randomisation(np.zeros((5, 1))).tolist() == [1.0]


def test_the_sampled_randomisation_test_agrees_with_a_normal_approximation():
    rng = np.random.default_rng(0)
    change = rng.normal(0.05, 0.2, (200, 1))
    z = change.mean() / (np.sqrt((change**2).mean()) / math.sqrt(200))
    expected = math.erfc(abs(z) / math.sqrt(2))
    assert randomisation(change)[0] == pytest.approx(expected, rel=0.25)


def test_sampled_and_enumerated_tests_agree():
    change = np.random.default_rng(1).normal(0.3, 1, (14, 1))
    exact = randomisation(change[:13])[0]
    sampled = randomisation(np.vstack([change[:13], np.full((1, 1), 1e-13)]), samples=40_000)[0]
    assert sampled == pytest.approx(exact, abs=0.01)


def test_the_bootstrap_covers_the_mean_about_as_often_as_it_says():
    rng = np.random.default_rng(3)
    draws = rng.normal(1.0, 1.0, (60, 200))
    ends = bootstrap(draws, samples=600)
    covered = ((ends[:, 0] <= 1.0) & (ends[:, 1] >= 1.0)).mean()
    assert 0.88 <= covered <= 0.99


def test_holm_never_falls_and_never_passes_one():
    assert holm([0.01, 0.02, 0.03, 0.5]).tolist() == pytest.approx([0.04, 0.06, 0.06, 0.5])
    assert holm([0.6, 0.7]).tolist() == [1.0, 1.0]


def test_wins_ties_losses_and_the_difference():
    result = compare([system("base", 2), system("better", 5)])
    (pair,) = result.pairs
    assert (pair.system, pair.other) == ("better", "base")
    assert (pair.wins, pair.ties, pair.losses) == (3, 5, 0)
    gain = (1 + 2 / 4) / 2 - (1 / 4) / 2
    assert pair.difference == pytest.approx(3 * gain / 8)
    assert pair.p == 2 / 8 and pair.p_holm == pair.p and not pair.significant
    assert pair.low <= pair.difference <= pair.high


def test_all_pairs_are_corrected_together():
    result = compare([system("a", 0), system("b", 4), system("c", 8)], all_pairs=True)
    assert [(pair.system, pair.other) for pair in result.pairs] == [("b", "a"), ("c", "a"), ("c", "b")]
    assert result.pairs[1].p == pytest.approx(2 / 2**8)
    assert result.pairs[1].p_holm == pytest.approx(3 * 2 / 2**8)
    assert result.pairs[1].significant


def test_the_baseline_can_be_named_and_a_misspelt_one_gets_a_hint():
    result = compare([system("a", 0), system("b", 4)], baseline="b")
    assert result.systems[0].name == "b" and result.pairs[0].difference < 0
    with pytest.raises(InputError, match="no system"):
        compare([system("a", 0)], baseline="x")


def test_two_systems_of_one_name_are_told_apart():
    assert [s.name for s in compare([system("a", 0), system("a", 4)]).systems] == ["a", "a (2)"]


def test_only_means_over_queries_can_be_tested():
    with pytest.raises(InputError, match="is no mean over queries"):
        compare([system("a", 0)], primary="GMAP")


def test_training_queries_stand_apart_and_show_the_drop():
    learned = ["q0", "q1", "q2", "q3"]
    result = compare([system("honest", 0, train=learned), system("learnt", 4, train=learned)])
    assert len(result.queries) == 4 and "q0" not in result.queries
    honest, learnt = result.overfitting
    assert honest.drop == 0 and learnt.drop == pytest.approx(0.75 - 0.125)
    assert (learnt.train_rank, learnt.test_rank) == (1, 1) and learnt.low > 0
    assert "train" in result.overfitting_table().columns


def test_recall_is_the_mean_share_found_so_far():
    run = make_run("r", [("q0", ["1", "9", "2"], [3, 2, 1])])
    curve = recall_curve(run, Qrels({"q0": {"1": 1, "2": 1}, "q1": {"5": 1}, "none": {"5": 0}}))
    assert curve[CUTS.index(1)] == 0.25 and curve[CUTS.index(3)] == 0.5 == curve[-1]


def test_the_best_of_each_column_is_marked_as_it_is_shown():
    table = Table(
        "run",
        ("MAP", "#ret"),
        (("a", (0.50004, 5.0)), ("b", (0.5, 9.0)), ("c", (None, 1.0))),
        {"#ret": 0},
        frozenset({"MAP"}),
    )
    assert [[best for _, best in row] for row in table.cells()] == [[True, False], [True, False], [False, False]]
    assert table.markdown().splitlines()[2] == "| a | **0.5000** | 5 |"
    assert r"\textbf{0.5000} & 9 \\" in table.latex() and r"\#ret" in table.latex()
    assert table.csv().splitlines()[1] == "a,0.50004,5.0"
    assert table.markdown().splitlines()[-1] == "| c | - | 1 |"


def test_latex_survives_any_name():
    assert r"A\&B\_50\%" in Table("run", ("MAP",), (("A&B_50%", (0.1,)),)).latex()


def test_everything_is_plain_data():
    document = compare([system("a", 0), system("b", 4)]).document()
    back = json.loads(json.dumps(document, allow_nan=False))
    assert back["systems"][1]["name"] == "b" and back["per_query"]["q0"]["b"] == 0.75
    assert back["pairs"][0]["wins"] == 4
