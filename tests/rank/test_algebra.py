import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.corpus import Doc
from rimshot.errors import PipelineError
from rimshot.index import build_index, open_index
from rimshot.rank import PRESETS, STAGES, parse, preset, search
from rimshot.rank.blend import NORMS, Blend, Rrf
from rimshot.rank.bm25 import Bm25
from rimshot.rank.likelihood import QueryLikelihood
from rimshot.rank.ranking import best
from rimshot.rank.rm3 import Rm3
from rimshot.rank.stage import Top
from rimshot.rank.tfidf import Tfidf

number = st.floats(0.01, 9, allow_nan=False)
retrievers = st.one_of(
    st.builds(Bm25, k1=number, b=st.floats(0, 1)),
    st.just(Tfidf()),
    st.builds(QueryLikelihood, mu=number, lam=st.none() | st.floats(0.01, 0.99)),
)
weighted = retrievers | st.builds(lambda w, s: w * s, number | st.integers(1, 9), retrievers)
pipelines = st.recursive(
    retrievers,
    lambda inner: st.one_of(
        st.builds(lambda a, k: a % k, inner, st.integers(1, 2000)),
        st.builds(lambda a, r, b: a >> r >> b, inner, st.builds(Rm3, docs=st.integers(1, 20)), retrievers),
        st.builds(lambda a, b: a + b, inner | weighted, inner | weighted),
        st.builds(lambda a, b, n: Blend(a, b, norm=n), inner, weighted, st.sampled_from(sorted(NORMS))),
        st.builds(lambda a, b, k: Rrf(a, b, k=k), inner, inner, st.integers(1, 99)),
    ),
    max_leaves=5,
)


@settings(max_examples=200)
@given(pipelines)
def test_repr_and_parse_are_inverses(pipeline):
    assert parse(repr(pipeline)) == pipeline
    assert repr(parse(repr(pipeline))) == repr(pipeline)


@given(retrievers, st.integers(1, 9), st.integers(1, 9))
def test_then_associates(retriever, j, k):
    a, b, c = retriever, Top(j), Top(k)
    assert (a >> b) >> c == a >> (b >> c)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many") / "i"
    words = "bank river bread drew the a past night curtain dough".split()
    rng = np.random.default_rng(3)
    docs = [Doc(f"d{n}", " ".join(rng.choice(words, rng.integers(1, 9))), "en") for n in range(60)]
    build_index(docs, folder)
    return open_index(folder)


@settings(max_examples=60, deadline=None)
@given(
    pipeline=pipelines,
    query=st.sampled_from(["bank", "the river", "bread dough night", "zebra", ""]),
    k=st.integers(1, 70),
)
def test_best_k_is_a_prefix(many, pipeline, query, k):
    whole, part = search(pipeline, query, many), search(pipeline % k, query, many)
    assert part.docs.tolist() == whole.docs[:k].tolist()
    assert part.scores.tolist() == whole.scores[:k].tolist()


@settings(max_examples=60, deadline=None)
@given(pipeline=pipelines, query=st.sampled_from(["bank", "the river", "bread dough night", "zebra", ""]))
def test_every_pipeline_keeps_the_contract(many, pipeline, query):
    first, second = search(pipeline, query, many), search(pipeline, query, many)
    assert first.docs.tolist() == second.docs.tolist() and first.scores.tolist() == second.scores.tolist()
    assert (np.diff(first.scores) <= 0).all()
    assert len(set(first.docs.tolist())) == len(first)
    assert all(len(column) == len(first) for column in first.columns.values())
    assert np.isfinite(first.scores).all()
    ties = np.diff(first.scores) == 0
    assert (np.diff(first.docs)[ties] > 0).all()


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 3)), unique_by=lambda p: p[0]),
    st.integers(1, 40),
    st.randoms(),
)
def test_best_does_not_depend_on_input_order(pairs, k, rng):
    shuffled = pairs[:]
    rng.shuffle(shuffled)

    def chosen(rows):
        docs, scores = (
            (np.array(column) for column in zip(*rows, strict=True)) if rows else (np.empty(0, int), np.empty(0))
        )
        return best(docs, scores.astype(float), k)[1].tolist()

    assert chosen(pairs) == chosen(shuffled) == [d for d, _ in sorted(pairs, key=lambda p: (-p[1], p[0]))[:k]]


def test_blend_by_hand(many):
    blend = search(0.3 * Bm25() + 0.7 * Tfidf(), "bank", many)
    parts = [search(stage, "bank", many) for stage in (Bm25(), Tfidf())]

    def normal(ranking):
        low, high = ranking.scores.min(), ranking.scores.max()
        return {d: (s - low) / (high - low) for d, s in zip(ranking.docs.tolist(), ranking.scores, strict=True)}

    bm25, tfidf = map(normal, parts)
    expected = {d: 0.3 * bm25[d] + 0.7 * tfidf[d] for d in bm25}
    assert dict(zip(blend.docs.tolist(), blend.scores.tolist(), strict=True)) == pytest.approx(expected)
    assert {"bm25", "tfidf"} <= set(blend.columns)


def test_rrf_by_hand(many):
    fused = search(Rrf(Bm25(), Tfidf(), k=60), "bank river", many)
    ranks = [
        {d: r for r, d in enumerate(search(stage, "bank river", many).docs.tolist(), 1)} for stage in (Bm25(), Tfidf())
    ]
    expected = {d: sum(1 / (60 + rank[d]) for rank in ranks if d in rank) for d in set().union(*ranks)}
    assert dict(zip(fused.docs.tolist(), fused.scores.tolist(), strict=True)) == pytest.approx(expected)


REFUSED = {
    "Bm25() >> Bm25()": "would throw away the ranked documents",
    "Bm25() >> Rm3() >> Top(3)": r"needs ranked documents but Rm3\(\) gives only a query; put a retriever",
    "Bm25() >> Rm3() >> Humour()": r"Humour\(\) needs ranked documents but Rm3\(\) gives only a query; put a retriever",
    "Bm25() + Rm3()": "blended|side by side|needs",
    "Bm52()": 'unknown stage "Bm52"; did you mean "Bm25"',
    "Bm25(dept=1)": 'Bm25 has no parameter "dept"; did you mean "depth"',
    "Bm25(k1=-1)": "k1 must be at least 0",
    "Bm25(b=2)": "b must lie between 0 and 1",
    "Bm25() % 0": "keep at least one hit",
    "Bm25() % 1.5": "must be a whole number",
    "Bm25() % True": "must be a whole number",
    "Bm25": r"write it with parentheses, Bm25\(\)",
    "Bm25() - Bm25()": "means nothing in a pipeline",
    "__import__('os')": 'unknown stage "__import__"',
    "Bm25(k1=(lambda: 1)())": "means nothing in a pipeline",
    "[1, 2]": "means nothing in a pipeline",
    "3": "is not a pipeline",
    "Bm25(": "is not a pipeline",
    "": "is not a pipeline",
    "Bm25(1, 2, 3, 4, 5, 6)": "its parameters are k1, b, field, depth",
    "Blend(Bm25())": "at least two parts",
    "Blend(Bm25(), Tfidf(), norm='mean')": "unknown normalisation",
    "Rrf(Bm25(), Tfidf(), k=0)": "at least 1",
    "Rm3(weight=3)": "between 0 and 1",
    "QueryLikelihood(lam=1)": "between 0 and 1",
    "2 * Rm3()": "only ranked documents have scores",
    "(" * 500 + "Bm25()" + ")" * 500: "is not a pipeline",
    "Bm25() + " * 800 + "Bm25()": "at most 4000",
}


@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:30])
def test_what_cannot_work_is_refused_when_built(text):
    with pytest.raises(PipelineError, match=REFUSED[text]) as caught:
        parse(text)
    assert "\n" not in str(caught.value)


def test_a_pipeline_must_begin_and_end_well(many):
    with pytest.raises(PipelineError, match="begin with a retriever"):
        search(Top(3), "bank", many)
    with pytest.raises(PipelineError, match="end with a retriever"):
        search(Bm25() >> Rm3(), "bank", many)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_are_pipelines(name):
    assert parse(repr(preset(name))) == preset(name)


def test_unknown_preset():
    with pytest.raises(PipelineError, match='unknown preset "bm52"; did you mean "bm25"'):
        preset("bm52")


def test_every_stage_is_in_the_table_under_its_own_name():
    assert all(stage.__name__ == name for name, stage in STAGES.items())
