import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.corpus import Analyser, Doc, Query
from rimshot.errors import IndexFault, InputError
from rimshot.index import build_index, open_index, write_index
from rimshot.rank import preset, search

WORDS = "bank river bread drew the a é past".split()


def answers(index, names=("bm25", "tfidf", "likelihood", "rm3"), queries=("bank", "bread river", "drew the")):
    found = []
    for name in names:
        for query in queries:
            ranking = search(preset(name), query, index)
            found.append([(index.id(d), round(s, 9)) for d, s in zip(ranking.docs, ranking.scores, strict=True)])
    return found


def test_what_goes_in_comes_out(index, docs):
    assert len(index) == len(docs)
    assert list(index) == docs
    assert [index.number(doc.id) for doc in docs] == list(range(len(docs)))
    assert index.number("nobody") == -1


def test_postings_by_hand(index):
    field = index.field("text")
    found, tfs = field.postings("bank")
    assert found.tolist() == [0, 1, 3]
    assert tfs.tolist() == [1, 1, 1]
    bread, tfs = field.postings("bread")
    assert bread.tolist() == [2, 5] and tfs.tolist() == [1, 2]
    assert field.df("bread") == 2 and field.cf("bread") == 3
    assert field.df("zebra") == 0 and len(field.postings("zebra")[0]) == 0
    assert field.lengths.tolist() == [8, 12, 8, 11, 5, 6]


def test_grown_in_steps_ranks_like_built_at_once(tmp_path, docs):
    build_index(docs, tmp_path / "whole")
    build_index(docs[:1], tmp_path / "grown")
    for doc in docs[1:]:
        with write_index(tmp_path / "grown") as writer:
            writer.add([doc])
    whole, grown = open_index(tmp_path / "whole"), open_index(tmp_path / "grown")
    assert len(grown.segments) > 1
    assert answers(grown) == answers(whole)
    assert grown.digest == whole.digest


@settings(max_examples=25, deadline=None)
@given(
    words=st.lists(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6),
        min_size=2,
        max_size=24,
    ),
    cuts=st.lists(st.integers(1, 23), max_size=11),
    doomed=st.sets(st.integers(0, 23), max_size=8),
)
def test_any_growth_and_deletion_ranks_like_one_build(tmp_path_factory, words, cuts, doomed):
    folder = tmp_path_factory.mktemp("growth")
    docs = [Doc(f"d{n}", " ".join(text), "en") for n, text in enumerate(words)]
    doomed = {n for n in doomed if n < len(docs)}
    kept = [doc for n, doc in enumerate(docs) if n not in doomed]
    bounds = sorted({0, len(docs), *(cut for cut in cuts if cut < len(docs))})
    for step, (start, stop) in enumerate(pairwise(bounds)):
        with write_index(folder / "grown", create={"en": Analyser()} if not step else None) as writer:
            writer.add(docs[start:stop])
    if doomed:
        with write_index(folder / "grown") as writer:
            writer.delete(f"d{n}" for n in doomed)
    with write_index(folder / "whole", create={"en": Analyser()}) as writer:
        writer.add(kept)
    grown, whole = open_index(folder / "grown"), open_index(folder / "whole")
    assert len(grown) == len(kept)
    assert answers(grown) == answers(whole)
    assert grown.digest == whole.digest
    assert list(grown) == kept
    grown.verify()


def test_many_small_appends_are_joined(tmp_path, docs):
    build_index(docs[:1], tmp_path / "i")
    for n in range(40):
        with write_index(tmp_path / "i") as writer:
            writer.add([Doc(f"x{n}", f"text number {n} of the bank", "en")])
    index = open_index(tmp_path / "i")
    assert len(index.segments) <= 9
    assert [doc.id for doc in index] == ["a", *(f"x{n}" for n in range(40))]
    assert len(list((tmp_path / "i").glob("*.pack"))) == sum(len(s.packs) for s in index.segments)


def test_deleted_documents_are_gone(tmp_path, docs):
    build_index(docs, tmp_path / "i")
    with write_index(tmp_path / "i") as writer:
        assert writer.delete(["a", "d"]) == 2
    index = open_index(tmp_path / "i")
    assert index.number("a") == -1
    assert [index.id(n) for n in search(preset("bm25"), "bank", index).docs] == ["b"]
    with pytest.raises(InputError, match='no document has the id "a"'), write_index(tmp_path / "i") as writer:
        writer.delete(["b", "a"])
    assert len(open_index(tmp_path / "i")) == 4
    with write_index(tmp_path / "i") as writer:
        writer.add([Doc("a", "back at the bank", "en")])
    assert open_index(tmp_path / "i").number("a") >= 0


def test_repeated_ids_are_refused(tmp_path, docs):
    with pytest.raises(InputError, match='the id "a" is in the index already'):
        build_index([*docs, docs[0]], tmp_path / "i")
    assert not (tmp_path / "i").exists()
    build_index(docs, tmp_path / "i")
    with pytest.raises(InputError, match='the id "c" is in the index already'), write_index(tmp_path / "i") as writer:
        writer.add([docs[2]])
    assert list(open_index(tmp_path / "i")) == docs


def test_columns_vectors_records_and_fields(tmp_path, docs):
    build_index(docs[:4], tmp_path / "i")
    with write_index(tmp_path / "i") as writer:
        writer.add(docs[4:])
    numbers = np.arange(6, dtype=np.float32) / 10
    vectors = np.arange(12, dtype=np.float16).reshape(6, 2)
    records = [{"word": doc.id} if doc.id != "e" else None for doc in docs]
    with write_index(tmp_path / "i") as writer:
        writer.set_column("humour", numbers)
        writer.set_vectors("meaning", vectors)
        writer.set_records("pun", records)
        writer.set_field("sense", ["money"] * 5 + ["night money"])
        writer.note("humour", "by hand")
    index = open_index(tmp_path / "i")
    assert np.array_equal(index.column("humour"), numbers)
    assert np.array_equal(index.vectors("meaning"), vectors)
    assert [index.record("pun", n) for n in range(6)] == records
    assert index.field("sense").df("money") == 6
    assert index.field("sense").postings("night")[0].tolist() == [5]
    assert index.manifest["notes"] == {"humour": "by hand"}
    with pytest.raises(IndexFault, match=r'no column "humor" .*did you mean "humour"'):
        index.column("humor")
    with pytest.raises(InputError, match="5 rows for 6 documents"), write_index(tmp_path / "i") as writer:
        writer.set_column("humour", numbers[:5])
    for n in range(12):
        with write_index(tmp_path / "i") as writer:
            writer.add([Doc(f"x{n}", "x", "en")])
            size = sum(segment.size for segment in writer.segments)
            writer.set_column("humour", np.arange(size, dtype=np.float32))
    assert open_index(tmp_path / "i").column("humour").tolist() == list(range(18))


def test_nothing_is_written_when_a_block_fails(tmp_path, docs):
    build_index(docs, tmp_path / "i")
    before = sorted(path.name for path in (tmp_path / "i").iterdir())
    with pytest.raises(RuntimeError), write_index(tmp_path / "i") as writer:
        writer.add([Doc("z", "zebra", "en")])
        raise RuntimeError
    assert sorted(path.name for path in (tmp_path / "i").iterdir()) == before
    assert open_index(tmp_path / "i").number("z") == -1


def test_two_writers_are_refused(tmp_path, docs):
    build_index(docs, tmp_path / "i")
    with (
        write_index(tmp_path / "i"),
        pytest.raises(IndexFault, match="another program is writing"),
        write_index(tmp_path / "i"),
    ):
        pass


def test_a_reader_keeps_its_version(tmp_path, docs):
    build_index(docs, tmp_path / "i")
    old = open_index(tmp_path / "i")
    before = answers(old)
    with write_index(tmp_path / "i") as writer:
        writer.delete(["a"])
        writer.add([Doc("z", "the bank the bank", "en")])
    for n in range(12):
        with write_index(tmp_path / "i") as writer:
            writer.add([Doc(f"x{n}", "the bank", "en")])
    assert answers(old) == before
    assert list(old) == docs


def test_damage_is_told_in_words(tmp_path, docs):
    folder = tmp_path / "i"
    build_index(docs, folder)
    pack = next(folder.glob("*.pack"))
    data = pack.read_bytes()
    pack.write_bytes(data[:-10])
    with pytest.raises(IndexFault, match="truncated or damaged"):
        open_index(folder)
    pack.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(IndexFault, match="digest differs"):
        open_index(folder).verify()
    pack.unlink()
    with pytest.raises(IndexFault, match="missing; the index is damaged"):
        open_index(folder)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "broken"),
        ("[]", "not the manifest"),
        ('{"format": "other"}', "not the manifest"),
        ('{"format": "rimshot-index", "version": 99}', "index format 99, this program reads up to 1"),
        ('{"format": "rimshot-index", "version": 1}', "incomplete"),
    ],
)
def test_foreign_and_newer_manifests(tmp_path, text, message):
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(IndexFault, match=message):
        open_index(tmp_path)


def test_places_without_an_index(tmp_path):
    with pytest.raises(IndexFault, match="there is no index"):
        open_index(tmp_path / "nowhere")
    with pytest.raises(IndexFault, match="no index here"):
        open_index(tmp_path)
    (tmp_path / "f.json").write_text("[]")
    with pytest.raises(IndexFault, match="is a file"):
        open_index(tmp_path / "f.json")
    with pytest.raises(IndexFault, match=r"is not empty \(f\.json\)"):
        build_index([Doc("1", "x", "en")], tmp_path)


def test_an_existing_index_is_not_overwritten(tmp_path, docs):
    build_index(docs, tmp_path / "i")
    with pytest.raises(IndexFault, match="holds an index already"):
        build_index(docs, tmp_path / "i")


def open_full():
    return Path("/dev/full").open("wb")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_full_disk(tmp_path, docs, monkeypatch):
    build_index(docs, tmp_path / "i")
    before = answers(open_index(tmp_path / "i"))
    import rimshot.index.pack as pack

    real = pack.PackWriter.__init__

    def full(self, path):
        real(self, path)
        self.file.close()
        self.file = open_full()

    monkeypatch.setattr(pack.PackWriter, "__init__", full)
    with pytest.raises(IndexFault, match="the disk is full"), write_index(tmp_path / "i") as writer:
        writer.add([Doc("z", "zebra", "en")])
    monkeypatch.undo()
    assert answers(open_index(tmp_path / "i")) == before


def test_mixed_languages_are_asked_in_both(tmp_path):
    docs = [Doc("1", "O gato comeu bolos", "pt"), Doc("2", "Cats ate the cakes", "en")]
    build_index(docs, tmp_path / "i")
    index = open_index(tmp_path / "i")
    assert set(index.languages) == {"en", "pt"}
    assert [index.id(n) for n in search(preset("bm25"), "bolo", index).docs] == ["1"]
    assert [index.id(n) for n in search(preset("bm25"), "cakes", index).docs] == ["2"]
    assert index.query_terms(Query("q", "bolos", "pt")) == {"bol": 1.0}


def test_an_empty_index_answers_with_nothing(tmp_path):
    build_index([], tmp_path / "i")
    index = open_index(tmp_path / "i")
    assert len(index) == 0
    assert len(search(preset("rm3"), "bank", index)) == 0


def test_the_manifest_says_what_it_should(tmp_path, docs):
    build_index(docs, tmp_path / "i")
    manifest = json.loads((tmp_path / "i" / "manifest.json").read_text())
    assert manifest["format"] == "rimshot-index" and manifest["version"] == 1
    assert manifest["analysers"]["pt"] == repr(Analyser("pt"))
    assert all(pack["digest"] for segment in manifest["segments"] for pack in segment["packs"])


def test_what_an_index_remembers_is_bounded(tmp_path):
    build_index([Doc("1", "one text", "en")], tmp_path / "i")
    index = open_index(tmp_path / "i")
    made = []

    def remember(key):
        return index.memo(key, lambda: made.append(key) or key)

    assert remember("own") == "own"
    for number in range(1000):
        remember(("formula", number))
    remember("own")
    remember(("formula", 999))
    assert made.count("own") == 1 and made.count(("formula", 999)) == 1
    remember(("formula", 0))
    assert made.count(("formula", 0)) == 2


@pytest.mark.parametrize(
    ("name", "command"), [("flagged", "augment"), ("humour", "annotate"), ("logistic", "annotate")]
)
def test_a_missing_column_names_its_cure(tmp_path, name, command):
    build_index([Doc("1", "one text", "en")], tmp_path / "i")
    with pytest.raises(IndexFault, match=f"complete the index: rimshot {command} "):
        open_index(tmp_path / "i").column(name)
