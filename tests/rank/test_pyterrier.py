"""The adapter against PyTerrier's data model, and inside PyTerrier's own pipelines where the library is installed."""

import pytest

pandas = pytest.importorskip("pandas", reason="PyTerrier's frames are pandas frames: install the development tools")

from rimshot.errors import InputError  # noqa: E402
from rimshot.rank import parse, search  # noqa: E402
from rimshot.rank.pyterrier import results, transformer  # noqa: E402

QUERIES = pandas.DataFrame(
    [["q1", "bank", 7], ["q2", "bread dough", 8], ["q3", "zebra", 9]], columns=["qid", "query", "user"]
)
BM25 = parse("Bm25()")


def test_results_have_the_columns_of_the_data_model(puns):
    found = results(QUERIES, BM25, puns)
    assert list(found.columns) == ["qid", "query", "user", "docno", "score", "rank"]
    assert set(found.qid) == {"q1", "q2"} and set(found[found.qid == "q1"].user) == {7}
    for qid, group in found.groupby("qid"):
        assert group["rank"].tolist() == list(range(len(group)))
        assert group["score"].is_monotonic_decreasing
        ranking = search(BM25, QUERIES.set_index("qid").loc[qid, "query"], puns)
        assert group["docno"].tolist() == [puns.id(number) for number in ranking.docs.tolist()]


def test_results_are_ranked_anew_among_themselves(puns):
    first = results(QUERIES, BM25, puns).query("docno != 'a'")
    again = results(first, parse("Bm25() >> Humour()"), puns, texts=True)
    assert set(again.docno) == set(first.docno) and "text" in again.columns
    assert list(again.columns) == ["qid", "query", "user", "docno", "score", "rank", "text"]


def test_empty_frames_and_wrong_ones(puns):
    empty = results(QUERIES.iloc[:0], BM25, puns)
    assert len(empty) == 0 and list(empty.columns) == ["qid", "query", "user", "docno", "score", "rank"]
    with pytest.raises(InputError, match='no column "query"'):
        results(pandas.DataFrame({"qid": ["1"]}), BM25, puns)


def test_inside_pyterrier(puns):
    terrier = pytest.importorskip("pyterrier", reason="PyTerrier is not installed: pip install python-terrier")
    bm25, humour = transformer(puns, "Bm25()"), transformer(puns.path, parse("Bm25() >> Humour()"))
    assert isinstance(bm25, terrier.Transformer) and repr(bm25) == "Rimshot(Bm25())"
    queries = QUERIES[["qid", "query"]]
    found = (bm25 % 1)(queries)
    assert found.groupby("qid").size().tolist() == [1, 1]
    blended = (0.5 * bm25 + 0.5 * humour)(queries)
    assert set(blended.docno) == set(bm25(queries).docno)
    assert bm25.search("bank").docno.tolist() == bm25(queries).query("qid == 'q1'").docno.tolist()
    assert len((bm25 >> humour)(queries)) == len(bm25(queries))
