"""Jokes of other languages are read in English too."""

import numpy as np
import pytest
from tests.rank.conftest import HashEncoder

from rimshot.corpus import Doc
from rimshot.index import build_index, open_index, write_index
from rimshot.index.annotate import annotate_index
from rimshot.index.english import read_in_english
from rimshot.index.sample import sample_index
from rimshot.index.words import read_words
from rimshot.rank.candidates import candidates
from rimshot.wordplay.detector import Scores
from rimshot.wordplay.explain import explain

TEXTS = ["O gato dorme.", "The cat sleeps.", "A neve cai.", "..."]
LANGS = ["pt", "en", "pt", "pt"]


class Judge(HashEncoder):
    """Finds all but the third text funny."""

    languages = ("en", "pt")

    def score(self, texts, langs, progress=None):
        humour = np.array([0.0 if "neve" in text else 0.5 for text in texts], np.float32)
        nothing = np.full(len(texts), -1, np.int32)
        return Scores(humour, nothing, nothing, np.zeros(len(texts), np.float32), self.encode(texts, langs))


@pytest.fixture
def index(tmp_path):
    build_index((Doc(str(n), text, LANGS[n]) for n, text in enumerate(TEXTS)), tmp_path / "i")
    told = []
    annotate_index(tmp_path / "i", Judge(), Judge(), translating=told.append)
    assert told == [4]
    return open_index(tmp_path / "i")


def test_only_chosen_texts_of_other_languages_are_read():
    found = read_in_english(TEXTS, LANGS, np.array([True, True, False, True]))
    assert list(found) == [0] and "cat" in found[0].lower()


def test_vectors_of_both_readings_are_joined_at_length_one(index):
    found = candidates(index)
    before, encoder = index.column("meaning")[found.docs].astype(np.float32), HashEncoder()
    (english,) = encoder.encode([read_in_english(TEXTS, LANGS, np.array([True] + [False] * 3))[0]], "en")
    mean = before[0] + english
    assert np.allclose(found.vectors[0], mean / np.linalg.norm(mean), atol=2e-3)
    assert np.array_equal(found.vectors[1:], before[1:])


def test_a_ranking_may_do_without_them(index):
    plain, both = candidates(index, english=False), candidates(index)
    assert np.array_equal(plain.vectors, index.column("meaning")[plain.docs].astype(np.float32))
    assert np.array_equal(plain.docs, both.docs) and len(plain.words.members) == len(both.words.members) - 3
    mine = plain.words.members[: plain.words.starts[1]]
    total = plain.words.weights[mine] @ plain.words.vectors[mine]
    assert plain.words.norms[0] == pytest.approx(np.linalg.norm(total), abs=1e-3)


def test_the_readings_survive_appending_joining_and_deleting(index, tmp_path):
    before = candidates(index).vectors
    with write_index(tmp_path / "i") as writer:
        writer.add([Doc("x", "O gato dorme.", "pt"), Doc("y", "Go.", "en")])
        writer.delete(["1"])
    annotate_index(tmp_path / "i", Judge(), Judge())
    with write_index(tmp_path / "i") as writer:
        writer.set_records("pun", [None] * 6)
        writer._merge(0, len(writer.segments))
    grown = open_index(tmp_path / "i")
    found = candidates(grown)
    assert len(grown.segments) == 1 and [grown.id(int(n)) for n in found.docs] == ["0", "3", "x", "y"]
    assert np.array_equal(found.vectors[0], before[0]) and np.array_equal(found.vectors[2], before[0])


def test_an_index_holds_the_words_of_translations_beside_the_text_s_own(index):
    table = read_words(index.segments[0])
    words = {
        int(doc): {table.words[m] for m in table.members[table.pointers[at] : table.pointers[at + 1]]}
        for at, doc in enumerate(table.docs)
    }
    assert {"pt gato", "en cat"} <= words[0] and words[1] == {"en the", "en cat", "en sleeps"}
    assert 2 not in words


def test_a_joke_of_an_index_is_explained_as_it_is_alone():
    index = open_index(sample_index())
    told = [number for number in range(index.size) if index.lang(number) == "pt" and index.record("pun", number)][:12]
    alone = explain([index.text(number) for number in told], "pt")
    for number, pun in zip(told, alone, strict=True):
        record = pun.record()
        kept = index.record("pun", number)
        assert {name: kept[name] for name in ("word", "kind", "alternatives", "senses")} == {
            name: record[name] for name in ("word", "kind", "alternatives", "senses")
        }
        assert abs(kept["humour"] - record["humour"]) < 0.01
