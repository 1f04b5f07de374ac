"""The commands from the words on the command line to the exit code."""

import json

import pytest

from rimshot.cli import main

QRELS = [("a", "1", 1), ("a", "2", 0), ("b", "3", 1)]
TOPICAL = [("a", "1", 1), ("a", "2", 1), ("b", "3", 1)]
TEXTS = {"1": "a bank joke about interest", "2": "the river bank", "3": "a cat joke", "4": "cats sleep"}


def write(path, rows):
    path.write_text(json.dumps(rows))
    return str(path)


def judgments(path, rows):
    return write(path, [{"qid": q, "docid": d, "qrel": r} for q, d, r in rows])


def hits(name, docs, extra=()):
    rows = [
        {"run_id": name, "manual": 0, "qid": qid, "docid": docid, "rank": rank, "score": 1 - rank / 10}
        for qid, docids in docs.items()
        for rank, docid in enumerate(docids, 1)
    ]
    return [*rows, *extra]


@pytest.fixture
def here(tmp_path):
    judgments(tmp_path / "qrels.json", QRELS)
    judgments(tmp_path / "topical.json", TOPICAL)
    write(tmp_path / "queries.json", [{"qid": "a", "query": "bank"}, {"qid": "b", "query": "cat"}])
    write(tmp_path / "corpus.json", [{"docid": d, "text": t} for d, t in TEXTS.items()])
    write(tmp_path / "good.json", hits("T_task_1_good", {"a": ["1", "2"], "b": ["3"]}))
    write(tmp_path / "poor.json", hits("T_task_1_poor", {"a": ["2", "1"], "z": ["3"]}))
    return tmp_path


def ok(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert code == 0, err
    return out


def refused(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    assert code == 2 and out == "" and err.count("\n") == 1, (code, out, err)
    return err


def test_evaluate_prints_one_document(here, capsys):
    found = json.loads(
        ok(capsys, "evaluate", here / "good.json", here / "poor.json", "--qrels", here / "qrels.json", "--json")
    )
    good, poor = found["runs"]
    assert good["scores"]["MAP"] == 1.0 and good["scores"]["#ret"] == 3 and good["missing"] == []
    assert poor["scores"]["MAP"] == 0.25 and poor["missing"] == ["b"] and poor["unjudged"] == ["z"]


def test_evaluate_for_people_names_what_is_missing(here, capsys):
    text = ok(capsys, "evaluate", here / "poor.json", "--qrels", here / "qrels.json")
    assert (
        "1 query (b) missing from the run: counted as 0" in text and "1 query (z) in the run without judgments" in text
    )


def test_evaluate_under_both_judgments_shows_the_gap(here, capsys):
    words = ["evaluate", here / "good.json", "--qrels", here / "qrels.json", "--topical", here / "topical.json"]
    found = json.loads(ok(capsys, *words, "--measures", "joker2024", "--json"))["runs"][0]
    assert found["gap"]["P@5"] == pytest.approx(found["topical"]["P@5"] - found["scores"]["P@5"])
    assert "less official" in ok(capsys, *words)


def test_evaluate_leaves_queries_out(here, capsys):
    words = ["evaluate", here / "poor.json", "--qrels", here / "qrels.json", "--exclude", "b", "--json", "--per-query"]
    found = json.loads(ok(capsys, *words))["runs"][0]
    assert found["scores"]["MAP"] == 0.5 and found["excluded"] == ["b"] and found["per_query"]["a"]["MRR"] == 0.5


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evaluate", "none.json", "--qrels", "qrels.json"], "no such file"),
        (["evaluate", "good.json", "--qrels", "corpus.json"], 'there is no field "qid"'),
        (["evaluate", "good.json", "--qrels", "qrels.json", "--measures", "mapp"], 'did you mean "map"'),
        (["evaluate", "good.json", "--qrels", "qrels.json", "--exclude", "zz"], "names no judged query"),
        (["compare", "bm52"], 'did you mean "bm25"'),
        (["compare", "good.json", "bm25", "--qrels", "qrels.json"], "--collection"),
        (["compare", "good.json", "--qrels", "qrels.json", "--by", "GMAP"], "is no mean over queries"),
        (["leaderboard", "good.json"], "--qrels"),
        (["leaderboard", "--year", "2026", "--lang", "pt"], "no table for 2026 pt"),
        (["collection", "stats", "nowhere"], "not a folder"),
        (["collection", "build", "corpus.json", "--lang", "en", "--out", "new"], "no text is humorous"),
        (["run", "queries.json", "--out", "r.json", "-k", "2000", "--preset", "bm25"], "above 1000"),
    ],
)
def test_mistakes_get_one_line_and_leave_nothing_behind(here, capsys, monkeypatch, words, message):
    monkeypatch.chdir(here)
    before = sorted(here.iterdir())
    assert message in refused(capsys, *words)
    assert sorted(here.iterdir()) == before


def test_a_broken_run_is_refused_with_its_place(here, capsys):
    write(
        here / "bad.json",
        hits("x", {"a": ["1"]}, [{"run_id": "x", "manual": 0, "qid": "a", "docid": "1", "rank": 2, "score": 0.1}]),
    )
    assert "bad.json, item 2" in refused(capsys, "evaluate", here / "bad.json", "--qrels", here / "qrels.json")


def test_run_writes_a_run_and_how_it_was_made(here, capsys):
    ok(capsys, "index", here / "corpus.json", "--out", here / "ix", "--lang", "en", "--plain")
    words = ["run", here / "queries.json", "--index", here / "ix", "--preset", "bm25", "--team", "UBO"]
    found = json.loads(ok(capsys, *words, "--out", here / "run.json", "--json"))
    rows = json.loads((here / "run.json").read_text())
    assert found["run_id"] == "UBO_task_1_bm25" == rows[0]["run_id"] and {row["qid"] for row in rows} == {"a", "b"}
    made = json.loads((here / "run.provenance.json").read_text())
    assert made["pipeline"] == "Bm25() % 1000" and made["index"]["digest"] and made["date"]
    ok(capsys, *words, "--out", here / "run.zip")
    ok(capsys, *words, "--out", here / "run.trec")
    scores = [
        json.loads(ok(capsys, "evaluate", here / name, "--qrels", here / "qrels.json", "--json"))["runs"][0]["scores"]
        for name in ("run.json", "run.zip", "run.trec")
    ]
    assert scores[0] == scores[1] == scores[2]


def test_compare_takes_runs_presets_and_pipelines(here, capsys):
    words = ["compare", here / "good.json", "bm25", "Bm25(k1=2.0) % 10", "--collection", here]
    found = json.loads(ok(capsys, *words, "--json"))
    assert [system["name"] for system in found["systems"]] == ["T_task_1_good", "bm25", "Bm25(k1=2.0) % 10"]
    assert len(found["pairs"]) == 2 and found["systems"][0]["topical"]
    for format, mark in (("markdown", "|---|"), ("latex", r"\begin{tabular}"), ("csv", "system,#ret")):
        assert mark in ok(capsys, *words, "--format", format)
    text = ok(capsys, *words, "--report", here / "report")
    assert "p Holm" in text and (here / "report" / "index.html").is_file()


def test_compare_shows_train_against_test(here, capsys):
    words = ["compare", here / "good.json", here / "poor.json", "--qrels", here / "qrels.json", "--train", "a"]
    assert "Training against test queries" in ok(capsys, *words)
    assert json.loads(ok(capsys, *words, "--json"))["overfitting"][1]["train"] == 0.5


def test_leaderboard_puts_a_run_in_its_place(here, capsys):
    words = [
        "leaderboard",
        here / "good.json",
        "--qrels",
        here / "qrels.json",
        "--bm25",
        here / "poor.json",
        "--top",
        "3",
    ]
    text = ok(capsys, *words)
    assert " 1  > T_task_1_good †" in text and "another collection" in text and "4.00" in text
    found = json.loads(ok(capsys, *words, "--json"))
    assert found["rows"][0]["own"] and found["rows"][0]["place"] == 1


def test_a_collection_is_built_checked_and_judged(here, capsys):
    (here / "puns.jsonl").write_text(
        json.dumps({"docid": "1", "word": "interest"}) + "\n" + json.dumps({"docid": "3", "word": "cat"}) + "\n"
    )
    words = ["collection", "build", here / "corpus.json", here / "puns.jsonl", "--lang", "en", "--out", here / "new"]
    found = json.loads(ok(capsys, *words, "--least", "1", "--train", "0", "--json"))
    assert found["queries"]["word"] == 2 and found["documents"] == 4
    assert "2 queries" in ok(capsys, "collection", "stats", here / "new")
    ok(capsys, "collection", "sheet", here / "new", "--out", here / "sheet.csv")
    lines = (here / "sheet.csv").read_text(encoding="utf-8-sig").splitlines()
    filled = [lines[0], *(line.removesuffix(",,,") + ",1,0,\n".strip() for line in lines[1:])]
    (here / "sheet.csv").write_text("\n".join(filled) + "\n")
    judged = json.loads(ok(capsys, "collection", "judge", here / "new", "--sheet", here / "sheet.csv", "--json"))
    assert judged["judged"] == len(lines) - 1 == judged["changed"]
    assert all(entry["qrel"] == 0 for entry in json.loads((here / "new" / "qrels.json").read_text()))
