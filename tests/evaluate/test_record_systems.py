"""The page of the systems on record: every one of them is on it, with figures where there are some."""

import json
from pathlib import Path

from rimshot.evaluate.record_systems import PUBLISHED, main, page, with_systems
from rimshot.rank.record_presets import RECORD


def test_every_system_is_on_the_page():
    text = page({"en-dev": {"bm25": {"MAP": 0.0646, "NDCG@5": 0.0535}}})
    for name, known in RECORD.items():
        assert f"| `{name}` |" in text and known.pipeline in text
    assert "6.5 / 5.3" in text
    assert set(PUBLISHED) <= set(RECORD)


def test_the_results_end_with_every_system_and_have_them_once():
    root = Path(__file__).parents[2] / "docs"
    figures = json.loads((root / "systems.json").read_text("utf-8"))
    results = (root / "results.md").read_text("utf-8")
    assert with_systems(results, figures) == results
    assert results.count("| `iroh-ce` |") == 1 and "63.5" in results


def test_figures_are_kept_and_measured(tmp_path, docs):
    from rimshot.index import build_index

    folder, index, out = tmp_path / "c", tmp_path / "i", tmp_path / "docs"
    folder.mkdir()
    build_index(docs, index)
    corpus = [{"docid": doc.id, "text": doc.text} for doc in docs]
    for name, what in (
        ("corpus", corpus),
        ("queries", [{"qid": "1", "query": "bank"}]),
        ("qrels", [{"qid": "1", "docid": "a", "qrel": 1}]),
    ):
        (folder / f"{name}.json").write_text(json.dumps(what), "utf-8")
    words = ["--collection", str(folder), "--index", str(index), "--out", str(out)]
    assert main([*words, "--preset", "bm25", "--preset", "tfidf-svm"]) == 0
    kept = json.loads((out / "systems.json").read_text("utf-8"))
    assert set(kept["c"]) == {"bm25"} and 0 < kept["c"]["bm25"]["MAP"] <= 1
    assert main([*words, "--preset", "tfidf"]) == 0
    assert set(json.loads((out / "systems.json").read_text("utf-8"))["c"]) == {"bm25", "tfidf"}
    assert main([*words, "--preset", "bm52"]) == 2
