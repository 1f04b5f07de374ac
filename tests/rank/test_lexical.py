import math

import numpy as np
import pytest

from rimshot.corpus import Doc, Query
from rimshot.index import build_index, open_index
from rimshot.rank import parse, search
from rimshot.rank.rm3 import interpolate, relevance_model


@pytest.fixture
def tiny(tmp_path):
    texts = ["x x y", "x z", "y y y z", "w"]
    build_index([Doc(str(n), text, "en") for n, text in enumerate(texts)], tmp_path / "i")
    return open_index(tmp_path / "i")


def scores(pipeline, query, index):
    ranking = search(parse(pipeline), query, index)
    return dict(zip(ranking.docs.tolist(), ranking.scores.tolist(), strict=True))


def test_bm25_by_hand(tiny):
    found = scores("Bm25(k1=1.2, b=0.75)", "x", tiny)
    idf = math.log(1 + (4 - 2 + 0.5) / (2 + 0.5))
    average = 10 / 4
    expected = {
        0: idf * 2 / (2 + 1.2 * (0.25 + 0.75 * 3 / average)),
        1: idf * 1 / (1 + 1.2 * (0.25 + 0.75 * 2 / average)),
    }
    assert found == pytest.approx(expected, rel=1e-6)


def test_dirichlet_by_hand(tiny):
    found = scores("QueryLikelihood(mu=10.0)", "x z", tiny)

    def likelihood(tfs, length):
        background = {"x": 3 / 10, "z": 2 / 10}
        return sum(math.log((tfs.get(t, 0) + 10 * p) / (length + 10)) - math.log(p) for t, p in background.items())

    assert found[1] == pytest.approx(likelihood({"x": 1, "z": 1}, 2), rel=1e-5)
    assert found[0] == pytest.approx(likelihood({"x": 2}, 3), rel=1e-5)


def test_jelinek_mercer_by_hand(tiny):
    found = scores("QueryLikelihood(lam=0.4)", "x", tiny)
    assert found[0] == pytest.approx(math.log(0.6 * 2 / 3 + 0.4 * 0.3) - math.log(0.4 * 0.3), rel=1e-5)
    assert found[1] == pytest.approx(math.log(0.6 * 1 / 2 + 0.4 * 0.3) - math.log(0.4 * 0.3), rel=1e-5)


def test_tfidf_is_highest_for_the_same_words(tiny):
    found = scores("Tfidf()", "x z", tiny)
    assert max(found, key=found.get) == 1


def test_tfidf_by_hand(tiny):
    idf = {t: 1 + math.log(5 / (1 + df)) for t, df in {"x": 2, "y": 2, "z": 2}.items()}
    norm = math.hypot((1 + math.log(2)) * idf["x"], idf["y"])
    assert scores("Tfidf()", "x", tiny)[0] == pytest.approx((1 + math.log(2)) * idf["x"] ** 2 / norm, rel=1e-5)


def test_relevance_model_by_hand():
    model = relevance_model([{"a": 1.0, "b": 1.0}, {"b": 2.0}], [3.0, 1.0], 2)
    assert model == pytest.approx({"b": (3 / 2 + 1) / 4, "a": (3 / 2) / 4})
    assert interpolate({"q": 2.0, "b": 2.0}, {"b": 1.0}, 0.5) == pytest.approx({"q": 0.25, "b": 0.75})


def test_rm3_adds_words_of_the_best_hits(tmp_path, docs):
    plain = [Doc(f"x{n}", f"nothing to see here {n}", "en") for n in range(40)]
    build_index([*docs, *plain], tmp_path / "i")
    index = open_index(tmp_path / "i")
    ranking = search(parse("Bm25() >> Rm3(docs=1, terms=3) >> Bm25()"), "curtains", index)
    assert ranking.query.terms["curtain"] >= 0.5
    assert len(ranking.query.terms) > 1
    assert index.id(ranking.docs[0]) == "d"


def test_rm3_without_hits_keeps_the_query(index):
    assert len(search(parse("Bm25() >> Rm3() >> Bm25()"), "zebra", index)) == 0


def test_repeated_query_words_weigh_more(tiny):
    once, twice = scores("Bm25()", "x", tiny), scores("Bm25()", "x x", tiny)
    assert twice[0] == pytest.approx(2 * once[0])


def test_why_columns_carry_the_parts(index):
    ranking = search(parse("Bm25() >> AtLeast(0.0, column='lang') % 3"), "bank", index)
    assert set(ranking.columns) == {"bm25", "lang"}
    assert np.array_equal(ranking.columns["bm25"], ranking.scores)


def test_weighted_terms_are_used(index):
    query = Query("q", "ignored", terms={"bread": 2.0, "bank": 0.1})
    assert index.id(search(parse("Bm25()"), query, index).docs[0]) in "cf"
