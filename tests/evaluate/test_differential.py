"""The same figures as trec_eval (pytrec-eval-terrier), ir-measures and TrecTools, but for differences that are decided.

docs/evaluation.md lists the differences; each has a test here that shows both sides.
"""

import random
import warnings

import pytest

from rimshot.evaluate.measures import SETS, evaluate
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.runs import Run, make_run, read_run, write_run


def collection(seed, queries=12, documents=300, judged=40):
    rng = random.Random(seed)
    names = [str(n) for n in range(1, documents + 1)]
    qrels = {f"q{n}": {doc: rng.choice((0, 0, 1, 1, 2)) for doc in rng.sample(names, judged)} for n in range(queries)}
    rankings = []
    for qid in qrels:
        depth = rng.randrange(3, 250)
        rankings.append((qid, rng.sample(names, depth), sorted((rng.random() for _ in range(depth)), reverse=True)))
    return Qrels(qrels), make_run("random", rankings)


def trec_eval(run, qrels, names):
    import pytrec_eval

    found = pytrec_eval.RelevanceEvaluator(qrels.judgments, set(names)).evaluate(run.scores)
    return {
        name: pytrec_eval.compute_aggregated_measure(name, [values[name] for values in found.values()])
        for name in names
    }


def trectools(run, qrels, names=()):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pandas
        import trectools

        rows = [
            (qid, "Q0", docid, rank, docs[docid], "run")
            for qid, docs in run.scores.items()
            for rank, docid in enumerate(docs, 1)
        ]
        other = trectools.TrecRun()
        other.load_run_from_dataframe(
            pandas.DataFrame(rows, columns=["query", "q0", "docid", "rank", "score", "system"])
        )
        judged = trectools.TrecQrel()
        judged.qrels_data = pandas.DataFrame(
            [(qid, "0", docid, grade) for qid, docs in qrels.judgments.items() for docid, grade in docs.items()],
            columns=["query", "q0", "docid", "rel"],
        )
        tool = trectools.TrecEval(other, judged)
        figures = {
            "#ret": tool.get_retrieved_documents,
            "#rel": tool.get_relevant_retrieved_documents,
            "MAP": tool.get_map,
            "GMAP": tool.get_geometric_map,
            "P@R": tool.get_rprec,
            "MRR": tool.get_reciprocal_rank,
            "P@5": lambda: tool.get_precision(depth=5),
            "P@10": lambda: tool.get_precision(depth=10),
            "P@100": lambda: tool.get_precision(depth=100),
            "P@1000": lambda: tool.get_precision(depth=1000),
            "NDCG@5": lambda: tool.get_ndcg(depth=5),
            "bpref": tool.get_bpref,
        }
        return {name: figures[name]() for name in names or figures}


@pytest.mark.parametrize("seed", range(5))
def test_2024_agrees_with_trec_eval(seed):
    qrels, run = collection(seed)
    ours = evaluate(run, qrels, "joker2024").overall
    theirs = trec_eval(run, qrels, [measure.trec for measure in SETS["joker2024"]])
    for measure in SETS["joker2024"]:
        assert ours[measure.name] == pytest.approx(theirs[measure.trec], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_2024_agrees_with_ir_measures(seed):
    import ir_measures

    qrels, run = collection(seed)
    names = {
        "map": "AP",
        "ndcg": "nDCG",
        "R@5": "R@5",
        "R@1000": "R@1000",
        "bpref": "Bpref",
        "MRR": "RR",
        "P@10": "P@10",
    }
    chosen = {name: ir_measures.parse_measure(other) for name, other in names.items()}
    theirs = ir_measures.calc_aggregate(list(chosen.values()), qrels.judgments, run.scores)
    ours = evaluate(run, qrels, "joker2024").overall
    for name, other in chosen.items():
        assert ours[name] == pytest.approx(theirs[other], abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_2025_agrees_with_trectools(seed):
    qrels, run = collection(seed)
    ours = evaluate(run, qrels, "joker2025").overall
    for name, value in trectools(run, qrels).items():
        assert ours[name] == pytest.approx(value, abs=1e-9), name


def test_2025_agrees_with_trec_eval_where_the_tools_agree():
    qrels, run = collection(7)
    ours = evaluate(run, qrels, "joker2025").overall
    theirs = trec_eval(run, qrels, ["map", "gm_map", "Rprec", "recip_rank", "P_1000", "ndcg_cut_5", "bpref", "num_ret"])
    for name, other in {
        "MAP": "map",
        "GMAP": "gm_map",
        "P@R": "Rprec",
        "NDCG@5": "ndcg_cut_5",
        "#ret": "num_ret",
    }.items():
        assert ours[name] == pytest.approx(theirs[other], abs=1e-9)


def test_any_measure_of_ir_measures_is_the_one_of_ir_measures():
    import ir_measures

    qrels, run = collection(3)
    names = ["AP@20", "nDCG@7", "Success@3", "Judged@10", "RR@5", "SetF", "infAP", "Compat(p=0.8)"]
    ours = evaluate(run, qrels, ",".join(names)).overall
    theirs = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(name) for name in names], qrels.judgments, run.scores
    )
    for name in names:
        assert ours[name] == pytest.approx(theirs[ir_measures.parse_measure(name)], abs=1e-12)


def test_what_is_written_is_ranked_alike_by_all_tools(tmp_path):
    qrels, _ = collection(11)
    rng = random.Random(11)
    tied = make_run(
        "tied", [(qid, rng.sample(sorted(docs), 30), [3.0] * 15 + [1.0] * 15) for qid, docs in qrels.judgments.items()]
    )
    back = read_run(write_run(tied, tmp_path / "run.json"), strict=True)
    ours = evaluate(back, qrels, "joker2025").overall
    for name, value in trectools(back, qrels).items():
        assert ours[name] == pytest.approx(value, abs=1e-9), name
    assert evaluate(back, qrels, "joker2024").overall["map"] == pytest.approx(ours["MAP"], abs=1e-12)


def test_difference_a_judged_query_missing_from_the_run():
    """TrecTools divides by the queries of the run, and its GMAP is NaN: the NaN of two rows of the 2025 tables."""
    qrels, run = collection(2)
    fewer = Run("fewer", {qid: docs for qid, docs in run.scores.items() if qid != "q0"})
    ours, tool = evaluate(fewer, qrels).overall, trectools(fewer, qrels)
    assert ours["MAP"] == pytest.approx(tool["MAP"] * 11 / 12)
    assert tool["GMAP"] != tool["GMAP"] and ours["GMAP"] == ours["GMAP"]
    import ir_measures

    theirs = ir_measures.calc_aggregate([ir_measures.AP], qrels.judgments, fewer.scores)
    assert ours["MAP"] == pytest.approx(theirs[ir_measures.AP])


def test_difference_a_query_that_is_not_in_the_qrels():
    """TrecTools counts it as a query with nothing found; trec_eval leaves it out, and so do we."""
    qrels, run = collection(2)
    more = Run("more", {**run.scores, "unjudged": {"1": 0.5}})
    ours = evaluate(more, qrels).overall
    assert ours["MAP"] == pytest.approx(trec_eval(more, qrels, ["map"])["map"])
    assert ours["MAP"] == pytest.approx(trectools(more, qrels, ["MAP"])["MAP"] * 13 / 12)
    with pytest.raises(KeyError):
        trectools(more, qrels, ["P@R"])


def test_difference_ties():
    """trec_eval and TrecTools put the greater identifier first; TrecTools' NDCG alone takes the order of the file."""
    qrels = Qrels({"q": {"1": 1, "2": 0}})
    tied = Run("tied", {"q": {"1": 0.5, "2": 0.5}}, ties=1, tied=frozenset({"q"}))
    tool = trectools(tied, qrels)
    for name in ("MAP", "MRR", "P@R"):
        assert evaluate(tied, qrels).overall[name] == pytest.approx(tool[name])
    assert evaluate(tied, qrels, "joker2024").overall["MRR"] == pytest.approx(
        trec_eval(tied, qrels, ["recip_rank"])["recip_rank"]
    )
    assert tool["NDCG@5"] == 1.0 and evaluate(tied, qrels).overall["NDCG@5"] == pytest.approx(0.6309, abs=1e-4)


def test_difference_trectools_ndcg_takes_the_order_of_the_file():
    """A file out of order has an NDCG@5 that contradicts its P@5, as a row of the 2025 tables does."""
    qrels = Qrels({"q": {"1": 1, "2": 1}})
    backwards = Run("r", {"q": {**{f"x{n}": n / 1000 for n in range(1, 9)}, "2": 0.8, "1": 0.9}})
    tool, ours = trectools(backwards, qrels), evaluate(backwards, qrels).overall
    assert tool["P@5"] == pytest.approx(0.4) == ours["P@5"]
    assert tool["NDCG@5"] == 0.0 and ours["NDCG@5"] == 1.0


def test_difference_scores_equal_in_float32():
    """trec_eval keeps scores in float32 and sees a tie; TrecTools keeps float64 and does not."""
    qrels = Qrels({"q": {"1": 1}})
    near = Run("near", {"q": {"1": 0.5, "2": 0.5 - 1e-12}}, ties=1, tied=frozenset({"q"}))
    assert trectools(near, qrels)["MRR"] == 1.0 == evaluate(near, qrels, "joker2025").overall["MRR"]
    assert (
        trec_eval(near, qrels, ["recip_rank"])["recip_rank"] == 0.5 == evaluate(near, qrels, "joker2024").overall["MRR"]
    )


def test_difference_the_floor_of_gmap():
    """trec_eval lifts every average precision below 0.00001; TrecTools, and we in 2025, only an exact 0."""
    qrels = Qrels({"q": {"1": 1} | {f"x{n}": 1 for n in range(199_999)}})
    run = Run("r", {"q": {"1": 0.5}})
    assert trectools(run, qrels)["GMAP"] == pytest.approx(5e-6) == evaluate(run, qrels).overall["GMAP"]
    assert trec_eval(run, qrels, ["gm_map"])["gm_map"] == pytest.approx(1e-5)


def test_difference_p_at_1000_of_a_short_list_divides_by_1000_everywhere():
    qrels, run = collection(4)
    ours = evaluate(run, qrels).overall["P@1000"]
    assert ours == pytest.approx(trec_eval(run, qrels, ["P_1000"])["P_1000"])
    assert ours == pytest.approx(trectools(run, qrels)["P@1000"])
    assert ours == pytest.approx(
        sum(len(qrels.relevant(q) & docs.keys()) for q, docs in run.scores.items()) / 1000 / 12
    )


def test_difference_bpref_without_judged_non_relevant_documents():
    """TrecTools divides 0 by 0 and gives every run 0; trec_eval, and we, give the share of relevant documents found."""
    qrels = Qrels({"q": {"1": 1, "2": 1}})
    run = Run("r", {"q": {"1": 0.9, "7": 0.5}})
    assert trectools(run, qrels)["bpref"] == 0.0
    assert evaluate(run, qrels).overall["bpref"] == 0.5 == trec_eval(run, qrels, ["bpref"])["bpref"]
