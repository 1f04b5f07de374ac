"""The stages of the systems on record, worked out by hand, and all of them as pipelines that can be read."""

import numpy as np
import pytest

from rimshot.errors import MissingPart, PipelineError, RimshotError
from rimshot.rank import PRESETS, STAGES, parse, preset, search
from rimshot.rank.bm25 import Bm25
from rimshot.rank.drop import Drop, funniest
from rimshot.rank.expand import Expand
from rimshot.rank.iterative import Iterative
from rimshot.rank.learned import Learned
from rimshot.rank.mix import Mix
from rimshot.rank.record_presets import RECORD
from rimshot.rank.reranker import Reranker
from rimshot.rank.rm3 import Rm3
from rimshot.rank.stage import Shape
from rimshot.rank.tfidf import Tfidf
from rimshot.rank.translate import Translate, language_of


def ids(ranking, index):
    return [index.id(number) for number in ranking.docs.tolist()]


@pytest.mark.parametrize("name", sorted(RECORD))
def test_every_system_on_record_can_be_read(name):
    known = RECORD[name]
    stage = preset(name)
    assert stage == parse(known.pipeline) and parse(repr(stage)) == stage
    assert stage.needs is Shape.QUERY and stage.gives is Shape.HITS
    assert known.system and known.differs
    assert (name in PRESETS) == (not known.needs)


def test_every_row_of_the_record_has_a_preset():
    told = " ".join(known.system for known in RECORD.values())
    rows = "BM25 RM3 CE100 CE1K drop60 jokester Petra&Regina Tomislav&Rowan AB&DPV Arampatzis LIS Frane Dajana&Kathy rasion cryptix"
    for row in (*rows.split(), "PICT", "igoranchik", "DUTH", "pjmathematician", "IROH"):
        assert row in told


def test_mix_by_hand(puns):
    plain, mixed = search(Bm25(), "bank", puns), search(Bm25() >> Mix(), "bank", puns)
    low, high = plain.scores.min(), plain.scores.max()
    topic = dict(zip(ids(plain, puns), (plain.scores - low) / (high - low), strict=True))
    humour = {"a": 0.9, "b": 0.1, "d": 0.6}
    expected = {doc: 0.3 * topic[doc] + 0.7 * humour[doc] for doc in topic}
    assert dict(zip(ids(mixed, puns), mixed.scores.tolist(), strict=True)) == pytest.approx(expected)
    raw = search(Bm25() >> Mix(topic=1, humour=2, norm="none"), "bank", puns)
    wanted = {d: s + 2 * humour[d] for d, s in zip(ids(plain, puns), plain.scores, strict=True)}
    assert dict(zip(ids(raw, puns), raw.scores.tolist(), strict=True)) == pytest.approx(wanted)


def test_drop_keeps_a_share_and_the_order(puns):
    plain = search(Bm25(), "bank", puns)
    kept = search(Bm25() >> Drop(share=0.34), "bank", puns)
    assert set(ids(plain, puns)) - set(ids(kept, puns)) == {"b"}
    assert ids(kept, puns) == [doc for doc in ids(plain, puns) if doc != "b"]
    assert ids(search(Bm25() >> Drop(share=0.0), "bank", puns), puns) == ids(plain, puns)
    assert len(search(Bm25() >> Drop(share=1.0), "bank", puns)) == 0
    assert len(funniest(np.linspace(0, 1, 1000), 0.6)) == 400
    assert len(search(Bm25() >> Drop(), "zebra", puns)) == 0


def test_expand_adds_what_the_wordnet_knows(puns):
    terms = search(Expand() >> Bm25(), "loaf", puns).query.terms
    assert terms["loaf"] == 1.0 and 0 < terms["bread"] <= 0.5
    assert "f" in ids(search(Expand() >> Bm25(), "loaf", puns), puns)
    assert not len(search(Bm25(), "loaf", puns))
    spelled = Expand(spelled=2).apply(search(Bm25(), "bank", puns), puns).query.text
    assert spelled.startswith("bank, ") and spelled.count(",") == 2
    assert len(search(Expand() >> Bm25(), "", puns)) == 0


def test_a_query_stage_before_feedback_is_refused():
    with pytest.raises(PipelineError, match="needs ranked documents"):
        Expand() >> Rm3()
    assert (Expand() >> Bm25() >> Rm3() >> Expand() >> Bm25()).gives is Shape.HITS


def test_iterative_begins_as_tfidf_and_moves(puns):
    plain = search(Tfidf(), "bread", puns)
    still = search(Iterative(rounds=0), "bread", puns)
    assert ids(still, puns) == ids(plain, puns) and still.scores == pytest.approx(plain.scores)
    moved = search(Iterative(rounds=2), "dough", puns)
    assert ids(moved, puns)[0] == "c" and "f" in ids(moved, puns)  # through "bread" of the first hit
    assert "f" not in ids(search(Tfidf(), "dough", puns), puns)
    assert len(search(Iterative(), "zebra", puns)) == 0
    assert moved.query.terms is None


def test_translate_carries_a_query_over(puns):
    terms = search(Translate() >> Bm25(), "bread", puns).query.terms
    assert terms["bread"] == 1.0 and terms[puns.analysers["pt"].terms("pão")[0]] > 0
    assert "g" in ids(search(Translate() >> Bm25(), "bread", puns), puns)
    assert "g" not in ids(search(Bm25(), "bread", puns), puns)
    assert "f" in ids(search(Translate() >> Bm25(), "pão", puns), puns)


def test_language_of_a_query(puns):
    from rimshot.corpus import Query

    assert language_of(Query("1", "bread"), puns) == "en"
    assert language_of(Query("1", "pão"), puns) == "pt"
    assert language_of(Query("1", "animal"), puns) is None
    assert language_of(Query("1", "animal", "pt"), puns) == "pt"


def test_what_is_missing_is_said_with_the_cure(puns, tmp_path):
    with pytest.raises(MissingPart, match="rimshot train reranker"):
        search(Bm25() >> Reranker(model=str(tmp_path / "none")), "bank", puns)
    with pytest.raises(MissingPart, match="rimshot train ranker"):
        search(Bm25() >> Learned(model=str(tmp_path / "none")), "bank", puns)
    with pytest.raises(RimshotError, match="--encoder MODEL --column tuned_mnrl"):
        search(preset("igoranchik"), "bank", puns)
    with pytest.raises(RimshotError, match="rimshot augment"):
        search(preset("explained"), "bank", puns)
    with pytest.raises(RimshotError, match="--column svm"):
        search(preset("tfidf-svm"), "bank", puns)


def test_stages_that_open_files_say_so():
    assert {name for name, stage in STAGES.items() if getattr(stage, "reads_files", False)} == {"Reranker", "Learned"}


@pytest.mark.parametrize(
    "text",
    ["Mix(topic=-1)", "Mix(norm='x')", "Drop(share=2)", "Expand(limit=0)", "Expand(weight=2)", "Iterative(docs=0)",
     "MaxSim(depth=0)", "Nearest(prompt='x')", "Translate(limit=0)"],
)  # fmt: skip
def test_parameters_that_cannot_work_are_refused(text):
    with pytest.raises(PipelineError):
        parse(text)
