"""Reproduction runs anew, cannot be passed by stale files, and says so with its exit code."""

import json

import pytest

from rimshot.evaluate.reproduce import judge, main
from rimshot.index import open_index


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "data" / "en" / "tiny"
    folder.mkdir(parents=True)
    texts = {"1": "a bank joke about interest", "2": "the river bank", "3": "a cat joke", "4": "cats sleep"}
    (folder / "corpus.json").write_text(json.dumps([{"docid": d, "text": t} for d, t in texts.items()]))
    (folder / "queries.json").write_text(json.dumps([{"qid": "a", "query": "bank"}, {"qid": "b", "query": "cat"}]))
    (folder / "qrels.json").write_text(
        json.dumps([{"qid": "a", "docid": "1", "qrel": 1}, {"qid": "b", "docid": "3", "qrel": 1}])
    )
    return tmp_path


def reproduce(data, *more):
    paths = ["--data", data / "data", "--expected", data / "expected.json", "--out", data / "results.md"]
    return main([*map(str, paths), "--collection", "en-tiny", "--preset", "bm25", *more])


def test_verdicts():
    assert judge({"MAP": 0.3}, {"MAP": 0.3004}) == ("OK", "")
    assert judge({"MAP": 0.3, "MRR": 0.5}, {"MAP": 0.3, "MRR": 0.504})[0] == "close"
    assert judge({"MAP": 0.3}, {"MAP": 0.312}) == ("FAIL", "MAP 0.3000, expected 0.3120")
    assert judge({"MAP": 0.3}, None)[0] == "FAIL"
    assert judge({"MAP": 0.3}, {"MRR": 0.3})[0] == "FAIL"


def test_nothing_passes_before_it_was_recorded(data, capsys):
    assert reproduce(data) == 1
    assert "FAIL     en-tiny" in capsys.readouterr().out
    assert reproduce(data, "--record") == 0
    assert reproduce(data) == 0
    assert "OK       en-tiny" in capsys.readouterr().out


def test_another_figure_fails(data, capsys):
    reproduce(data, "--record")
    expected = json.loads((data / "expected.json").read_text())
    expected["en-tiny"]["bm25"]["MAP"] += 0.02
    (data / "expected.json").write_text(json.dumps(expected))
    assert reproduce(data) == 1
    assert "expected" in capsys.readouterr().out


def test_it_runs_anew_when_texts_change(data):
    reproduce(data, "--record")
    path = data / "data" / "en" / "tiny" / "corpus.json"
    path.write_text(path.read_text().replace("a bank joke", "a dull joke").replace("a cat joke", "a dog joke"))
    assert reproduce(data) == 1


def test_an_unknown_preset_or_collection_is_refused(data, capsys):
    assert main(["--preset", "bm52", "--data", str(data / "none")]) == 2
    assert 'did you mean "bm25"' in capsys.readouterr().err
    assert main(["--collection", "sample-e", "--data", str(data / "none")]) == 2


def test_the_page_keeps_collections_that_are_not_at_hand(data, capsys, monkeypatch):
    monkeypatch.setattr("rimshot.evaluate.reproduce.PRESETS", {"bm25": "Bm25() % 1000"})
    monkeypatch.setattr("rimshot.evaluate.collections.SAMPLE_LANGUAGES", ())
    known = {"elsewhere": {"bm25": {"MAP": 0.25}}}
    (data / "expected.json").write_text(json.dumps(known))
    paths = ["--data", data / "data", "--expected", data / "expected.json", "--out", data / "results.md"]
    code = main([*map(str, paths)])
    page = (data / "results.md").read_text()
    assert code == 1
    assert "## tiny" in page and "| bm25 | 0.2500 | 1.00 | not run |" in page
    assert "not run  elsewhere" in capsys.readouterr().out


def test_indexes_can_be_kept_and_are_built_anew_all_the_same(data):
    kept = data / "kept"
    reproduce(data, "--record", "--keep", str(kept))
    assert [path.name for path in kept.iterdir()] == ["en-tiny"]
    first = open_index(kept / "en-tiny").digest
    path = data / "data" / "en" / "tiny" / "corpus.json"
    path.write_text(path.read_text().replace("cats sleep", "cats eat"))
    reproduce(data, "--keep", str(kept))
    assert open_index(kept / "en-tiny").digest != first
