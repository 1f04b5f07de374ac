"""Trees over features: trained on a made-up index, written, opened and used."""

import json

import numpy as np
import pytest

pytest.importorskip("lightgbm", reason="learning to rank needs LightGBM: install rimshot[classical]")

from rimshot.corpus import Doc, Query
from rimshot.errors import InputError
from rimshot.index import build_index, open_index
from rimshot.rank import learned, parse, search
from rimshot.rank.bm25 import Bm25
from rimshot.rank.learned import Learned, train_ranker
from rimshot.rank.stage import Top


@pytest.fixture
def judged(tmp_path, monkeypatch):
    """Texts with one or two question marks; those with two are relevant to everything they match."""
    rng = np.random.default_rng(1)
    words = ["bank", "river", "bread", "dough"]
    docs = []
    for number in range(120):
        text = " ".join(rng.choice(words, 5)) + ("? why? " if number % 3 == 0 else "? why. ")
        docs.append(Doc(f"d{number}", text, "en"))
    build_index(docs, tmp_path / "i")

    def features(query, numbers, index):
        found = search(Bm25(depth=1000), query, index)
        bm25 = np.zeros(index.size)
        bm25[found.docs] = found.scores
        marks = [index.text(int(number)).count("?") for number in numbers]
        return np.column_stack([bm25[numbers], marks]).astype(np.float32)

    monkeypatch.setattr(learned, "RANKING_FEATURES", ("bm25", "questions"))
    monkeypatch.setattr(learned, "ranking_features", features)
    relevant = {word: frozenset(d.id for d in docs if word in d.text and d.text.count("?") == 2) for word in words}
    return open_index(tmp_path / "i"), [Query(word, word) for word in words], relevant


def test_trees_learn_what_judges_meant(judged, tmp_path):
    index, queries, relevant = judged
    about = train_ranker(Bm25(), queries[:3], relevant, index, tmp_path / "model", rounds=20)
    assert about["queries"] == 3 and json.loads((tmp_path / "model" / "model.json").read_text("utf-8")) == about
    found = search(Bm25() >> Learned(model=str(tmp_path / "model")), queries[3], index)
    good = [index.id(number) in relevant["dough"] for number in found.docs.tolist()]
    assert all(good[: sum(good)]) and sum(good) == len(relevant["dough"])
    assert len(search(Bm25() >> Learned(model=str(tmp_path / "model")), "zebra", index)) == 0


def test_models_for_other_features_are_refused(judged, tmp_path):
    index, queries, relevant = judged
    train_ranker(Bm25(), queries, relevant, index, tmp_path / "model", rounds=2)
    path = tmp_path / "model" / "model.json"
    path.write_text(path.read_text("utf-8").replace("questions", "answers"), "utf-8")
    with pytest.raises(InputError, match="other features"):
        search(parse(f"Bm25() >> Learned(model={str(tmp_path / 'model')!r})"), "bank", index)


def test_nothing_to_learn_from(judged, tmp_path):
    index, queries, _ = judged
    with pytest.raises(InputError, match="nothing to learn"):
        train_ranker(Bm25(), queries, {}, index, tmp_path / "model")


def test_folds_never_rank_a_query_they_have_seen(judged, monkeypatch):
    from rimshot.evaluate import learned_folds

    index, queries, relevant = judged
    seen = []

    def train(pool, some, *rest):
        seen.append({query.id for query in some})
        assert rest[-1] == frozenset().union(*(relevant[q.id] for q in queries if q not in some))
        return {}

    monkeypatch.setattr(learned_folds, "Learned", lambda model: Top(1000))

    monkeypatch.setattr(learned_folds, "train_ranker", train)
    run = learned_folds.folded_run(Bm25(), queries, relevant, index, folds=2, rounds=5)
    assert seen == [{"river", "dough"}, {"bank", "bread"}]
    assert set(run.scores) == {"bank", "river", "bread", "dough"}
    with pytest.raises(InputError, match="folds"):
        learned_folds.folded_run(Bm25(), queries, relevant, index, folds=9)


def test_documents_can_be_left_out(judged, tmp_path):
    index, queries, relevant = judged
    every = frozenset().union(*relevant.values())
    with pytest.raises(InputError, match="nothing to learn"):
        train_ranker(Bm25(), queries, relevant, index, tmp_path / "model", 2, 0, every)
