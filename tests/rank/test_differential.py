"""Our BM25 and RM3 beside other people's: bm25s' scores, Anserini's rankings (recorded once through pyserini)."""

import json
from pathlib import Path

import bm25s
import numpy as np
import pytest

from rimshot.corpus import Doc, DocReader
from rimshot.corpus.sample import sample_path
from rimshot.index import build_index, open_index
from rimshot.rank import parse, search

RECORD = json.loads((Path(__file__).parent.parent / "golden" / "anserini.json").read_text())
RECORDED = 3107
"""How many texts the embedded sample had when Anserini was asked."""


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "i"
    docs = [doc for doc in DocReader([sample_path("en") / "corpus.json"], "en") if int(doc.id[2:]) <= RECORDED]
    build_index(docs, folder)
    return open_index(folder)


@pytest.mark.parametrize(("k1", "b"), [(0.9, 0.4), (1.5, 0.75), (1.2, 0.0)])
def test_scores_are_those_of_bm25s(tmp_path, k1, b):
    rng = np.random.default_rng(5)
    words = [f"w{n}" for n in range(400)]
    chance = 1 / np.arange(1, 401)
    texts = [rng.choice(words, rng.integers(1, 30), p=chance / chance.sum()).tolist() for _ in range(500)]
    build_index([Doc(str(n), " ".join(text), "en") for n, text in enumerate(texts)], tmp_path / "i")
    index = open_index(tmp_path / "i")
    peer = bm25s.BM25(k1=k1, b=b, method="lucene")
    peer.index(texts, show_progress=False)
    for query in (["w0"], ["w3", "w40"], ["w1", "w7", "w250", "w399"]):
        ours = search(parse(f"Bm25(k1={k1}, b={b})"), " ".join(query), index)
        theirs = peer.get_scores(query)
        assert len(ours) == int((theirs > 0).sum())
        assert np.allclose(theirs[ours.docs], ours.scores, atol=1e-4)


def tied(hits, gap=5e-4):
    """Groups of documents whose scores are the same but for rounding, best first."""
    groups, last = [], None
    for docid, score in hits:
        if last is None or last - score > gap:
            groups.append(set())
        groups[-1].add(docid)
        last = score
    return groups


@pytest.mark.parametrize("qid", RECORD["runs"]["bm25"])
def test_bm25_ranks_like_anserini(sample, qid):
    known = RECORD["runs"]["bm25"][qid]
    found = search(parse("Bm25(k1=0.9, b=0.4)"), known["query"], sample)
    ours = {sample.id(int(number)): score for number, score in zip(found.docs, found.scores, strict=True)}
    # Lucene stores lengths of 40 and more in fewer bits: those documents may lie a little off.
    lengths = sample.field("text").lengths
    for docid, score in known["hits"]:
        exact = lengths[sample.number(docid)] < 40
        assert ours[docid] == pytest.approx(score, abs=2e-4 if exact else 0.1)
    short = [hit for hit in known["hits"] if lengths[sample.number(hit[0])] < 40]
    order = [docid for docid in ours if docid in {hit[0] for hit in short}]
    at = 0
    for group in tied(short)[:-1]:
        assert set(order[at : at + len(group)]) == group
        at += len(group)


def test_rm3_ranks_like_anserini(sample):
    """Feedback terms of equal weight are cut at ten in an order of each program's own, so single queries may differ."""
    shares = []
    for known in RECORD["runs"]["rm3"].values():
        theirs = {docid for docid, _ in known["hits"][:20]}
        found = search(parse("Bm25() >> Rm3() >> Bm25() % 20"), known["query"], sample)
        shares.append(len(theirs & {sample.id(int(number)) for number in found.docs}) / max(len(theirs), 1))
    assert np.mean(shares) > 0.8
    assert np.median(shares) > 0.85
