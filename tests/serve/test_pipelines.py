import time
from dataclasses import dataclass

import pytest

from rimshot.errors import PipelineError
from rimshot.rank import DEFAULT, STAGES, parse, search
from rimshot.rank.stage import Shape, Stage
from rimshot.serve.limits import Limits
from rimshot.serve.pipelines import CLOSED, OPEN, admit, cost, open_presets, timed
from rimshot.serve.problems import Busy

LIMITS = Limits()


def test_somebody_decided_about_every_stage():
    """A new stage is closed to strangers until it is listed: OPEN if it touches only the index, else CLOSED."""
    assert set(STAGES) <= OPEN | CLOSED and not OPEN & CLOSED
    assert not any(getattr(STAGES[name], "reads_files", False) for name in OPEN & set(STAGES))
    assert DEFAULT in open_presets() and "bm25" in open_presets()


@pytest.mark.parametrize(
    "text", ["Bm25() % 10", "Bm25() >> Rm3() >> Bm25() % 1000", "0.5 * Bm25() + Tfidf()", "Rrf(Bm25(), Tfidf())"]
)
def test_ordinary_pipelines_are_let_in(index, text):
    assert admit(text, LIMITS, index) == parse(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (" >> Rm3() >> ".join(["Bm25()"] * 9), "stages; this service runs at most 12"),
        ("Bm25() >> Rm3(terms=500) >> Bm25()", "costs as much as"),
        ("Bm25() >> Rm3(docs=10000) >> Bm25()", "costs as much as"),
        ("Bm25(depth=1000000)", "numbers up to"),
        ("Bm25(k1=1e300)", "numbers up to"),
        ("Bm25(field='../../etc/passwd')", "no field or column"),
        ("Bm25() >> Humour(column='/etc/passwd')", "no field or column"),
        ("Bm25()" + " " * 2000, "characters; this service reads at most"),
        ("__import__('os').system('id')", "means nothing in a pipeline"),
    ],
)
def test_dear_and_strange_pipelines_are_refused(index, text, words):
    with pytest.raises(PipelineError, match=words.replace("(", r"\(")):
        admit(text, LIMITS, index)


def test_feedback_is_dearer_than_a_plain_search():
    assert (
        cost(parse("Bm25()"))
        < cost(parse("Bm25() >> Rm3() >> Bm25()"))
        < cost(parse("Bm25() >> Rm3(terms=50) >> Bm25()"))
    )


@dataclass(frozen=True, repr=False)
class Slow(Stage):
    needs = Shape.HITS

    def apply(self, ranking, index):
        time.sleep(0.06)
        return ranking


def test_time_runs_out_between_two_stages(index):
    pipeline = parse("Bm25()")
    for _ in range(50):
        pipeline = pipeline >> Slow()
    began = time.monotonic()
    with pytest.raises(Busy, match=r"more than 0\.1 seconds"):
        search(timed(pipeline, 0.1), "bread", index)
    assert time.monotonic() - began < 2


@pytest.mark.parametrize(
    "text",
    ["Bm25() % 3", "Bm25() >> Rm3() >> Bm25()", "0.3 * Bm25() + 0.7 * (Tfidf() % 2)", "Rrf(Bm25(), Tfidf(), k=3)"],
)
def test_a_timed_pipeline_finds_the_same(index, text):
    plain, watched = search(parse(text), "bread bank", index), search(timed(parse(text), 60), "bread bank", index)
    assert plain.docs.tolist() == watched.docs.tolist() and plain.scores.tolist() == watched.scores.tolist()
