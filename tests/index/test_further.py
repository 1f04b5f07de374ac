"""Further columns and vectors: filled once, taken up again, refused from another model, and searched."""

import numpy as np
import pytest
from tests.rank.conftest import HashEncoder

from rimshot.corpus import Doc
from rimshot.errors import IndexFault, InputError
from rimshot.index import build_index, open_index, write_index
from rimshot.index import further as further_module
from rimshot.index.further import add_humour, add_vectors, check_name
from rimshot.rank import parse, search
from rimshot.wordplay.detector import Scores


class Lengths:
    name, languages = "lengths", ("en", "pt")

    def __init__(self, digest="lengths-1"):
        self.digest, self.asked = digest, 0

    def score(self, texts, langs, progress=None):
        self.asked += len(texts)
        scores = Scores.blank(len(texts))
        scores.humour[:] = [min(len(text) / 100, 1.0) for text in texts]
        return scores


def test_a_column_is_filled_once_and_completed(tmp_path, docs):
    path = tmp_path / "i"
    build_index(docs, path)
    detector = Lengths()
    assert add_humour(path, "lengths", detector) == len(docs) == detector.asked
    assert add_humour(path, "lengths", detector) == 0
    with write_index(path) as writer:
        writer.add([Doc("z", "A new text about a bank.", "en")])
    with pytest.raises(IndexFault, match="--column lengths"):
        search(parse("Bm25() >> Humour(column='lengths')"), "bank", open_index(path))
    assert add_humour(path, "lengths", detector) == 1
    index = open_index(path)
    assert index.column("lengths")[-1] == pytest.approx(0.24)
    hits = search(parse("Bm25() >> Humour(column='lengths')"), "bank", index)
    assert hits.columns["lengths"].tolist() == pytest.approx(index.column("lengths")[hits.docs].tolist())
    with pytest.raises(IndexFault, match="another model"):
        add_humour(path, "lengths", Lengths("lengths-2"))
    assert not list(path.glob("partial*"))


def test_an_interrupted_column_goes_on(tmp_path, docs):
    class Stops(Lengths):
        def score(self, texts, langs, progress=None):
            raise KeyboardInterrupt

    path = tmp_path / "i"
    build_index(docs, path)
    with pytest.raises(KeyboardInterrupt):
        add_humour(path, "lengths", Stops())
    assert not open_index(path).has_column("lengths")
    assert add_humour(path, "lengths", Lengths()) == len(docs)


def test_vectors_are_read_by_their_own_encoder(tmp_path, docs, monkeypatch):
    monkeypatch.setattr(further_module, "choose_encoder", lambda model: HashEncoder())
    path = tmp_path / "i"
    build_index(docs, path)
    assert add_vectors(path, "hashed", "hash") == len(docs)
    assert add_vectors(path, "hashed", "hash") == 0
    index = open_index(path)
    found = search(parse("Nearest(vectors='hashed')"), docs[2].text, index)
    assert index.id(int(found.docs[0])) == docs[2].id and found.scores[0] == pytest.approx(1.0, abs=1e-2)
    assert len(search(parse("Nearest(vectors='hashed', above=0.99)"), docs[2].text, index)) == 1
    assert len(search(parse("Nearest(vectors='hashed')"), " ", index)) == 0
    other = HashEncoder()
    other.digest = "hash-2"
    monkeypatch.setattr(further_module, "choose_encoder", lambda model: other)
    with pytest.raises(IndexFault, match="another model"):
        search(parse("Nearest(vectors='hashed')"), "bank", open_index(path))
    with pytest.raises(IndexFault, match="rimshot annotate"):
        search(parse("Nearest(vectors='none')"), "bank", index)


@pytest.mark.parametrize("name", ["humour", "meaning", "Ab", "a-b", "", "../x", "a" * 41])
def test_names_that_cannot_be(name):
    with pytest.raises(InputError):
        check_name(name)


def test_columns_are_numbers_between_0_and_1(tmp_path, docs):
    path = tmp_path / "i"
    build_index(docs, path)
    add_humour(path, "lengths", Lengths())
    column = open_index(path).column("lengths")
    assert column.dtype == np.float32 and ((column >= 0) & (column <= 1)).all()
