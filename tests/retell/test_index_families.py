import argparse
import json

import numpy as np
import pytest

from rimshot.commands import families as families_command
from rimshot.commands import same as same_command
from rimshot.corpus import Doc, Query
from rimshot.errors import IndexFault, InputError
from rimshot.index import build_index, open_index, write_index
from rimshot.index.families import add_families, family_members, material, merge_families, representatives, split_family
from rimshot.rank import search
from rimshot.rank.group import group
from rimshot.rank.ranking import Ranking
from rimshot.rank.same import Same, asked_document, read_joke, retellings
from rimshot.retell.joke_encoder import Jokes, scenes
from rimshot.retell.similarity import shipped_similarity

TEXTS = {
    "nun": "A nun walks into a bakery and asks for a halo. The baker says they only sell them plain or holy.",
    "cowboy": "A cowboy walks into a bakery and asks for a bagel. The baker says they only sell them plain or holy.",
    "copy": "a NUN walks into a bakery and asks for a halo! The baker says they only sell them plain or holy...",
    "choir": "My dentist has started a choir. So far it is all molar and no bass.",
    "plot": "The gardener wrote a thriller. The plot thickens in spring.",
    "bulb": "Why did the lamp blush? It saw the naked bulb.",
    "padeiro": "Uma freira entra numa padaria e pede uma auréola. O padeiro diz que só há lisas ou com furo.",
}


class Letters:
    """An encoder whose vectors count letters."""

    name, digest, dim = "letters", "letters-1", 26

    def encode(self, texts, langs):
        rows = np.array([[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts], dtype=np.float32)
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)


@pytest.fixture
def path(tmp_path):
    build_index([Doc(i, t, "pt" if i == "padeiro" else "en") for i, t in TEXTS.items()], tmp_path / "index")
    return tmp_path / "index"


def family_sets(path):
    index = open_index(path)
    column = index.column("family")
    return {
        frozenset(index.id(int(n)) for n in np.flatnonzero(column == label)) for label in np.unique(column[column >= 0])
    }


def test_families_by_words_alone(path):
    assert add_families(path) == 1
    assert frozenset({"nun", "cowboy", "copy"}) in family_sets(path)
    index = open_index(path)
    assert [index.id(int(n)) for n in family_members(index, 1)] == ["nun", "cowboy", "copy"]
    assert len(representatives(index)) == 5


def test_families_with_vectors_keep_the_vectors_of_punch_lines(path):
    with write_index(path) as writer:
        writer.set_vectors("meaning", Letters().encode(list(TEXTS.values()), "en").astype(np.float16))
    add_families(path, Letters())
    index = open_index(path)
    assert index.column("punch").shape == (7, 26)
    assert index.column("family")[0] == index.column("family")[2]


class Turned(Letters):
    """A reader of jokes with a digest and a space of its own, by which texts hang on their length and on a word that all have."""

    name, digest, dim = "turned", "turned-1", 52

    def read(self, texts, langs, english=None):
        found = Jokes.blank(len(texts), self.dim)
        letters = self.encode(texts, langs)
        # The scene is what stands first: its letters in the order of the alphabet; the word has them backwards.
        found.vectors[:] = np.hstack([-letters, letters[:, ::-1]]) * 0.5**0.5
        found.hinges[:, 0], found.shares[:, 0] = [len(text) for text in texts], 0.75
        found.hinges[:, 1], found.shares[:, 1] = 1, 0.25
        return found


class Other(Turned):
    digest = "other-1"


def with_vectors(path, humour):
    with write_index(path) as writer:
        writer.set_vectors("meaning", Letters().encode(list(TEXTS.values()), "en").astype(np.float16))
        writer.set_column("humour", np.array(humour, dtype=np.float32))


def test_texts_that_may_be_jokes_have_vectors_as_jokes_and_others_none(path):
    with_vectors(path, [0.9, 0.9, 0.9, 0.9, 0.9, 0.0001, 0.9])
    add_families(path, Letters(), jokes=Turned())
    index = open_index(path)
    bulb = index.number("bulb")
    known = index.column("joke").any(axis=1)
    assert known.tolist() == [n != bulb for n in range(7)]
    meaning = index.column("meaning")[known].astype(np.float32)
    np.testing.assert_allclose(scenes(index.column("joke")[known].astype(np.float32)), -meaning, atol=1e-3)
    asked = asked_document(index, 0)
    assert asked.cosines(asked)[0] == pytest.approx([1, 1, 1, 1], abs=1e-3)
    assert asked.cosines(asked_document(index, bulb))[0, 2:].tolist() == [0, 0]
    assert asked.cosines(asked_document(index, 1))[0, 2] > 0.9
    assert asked.telling.hinges == {len(TEXTS["nun"]): 0.75, 1: 0.25} == material(index).telling(0).hinges
    assert not asked_document(index, bulb).telling.hinges
    assert asked.telling.funny == 2.0 > -7.0 == asked_document(index, bulb).telling.funny


def test_vectors_of_meaning_stand_in_where_there_are_none_of_jokes(path):
    with_vectors(path, [0.9] * 7)
    add_families(path, Letters())
    index = open_index(path)
    assert not index.has_column("joke")
    found = asked_document(index, 0).cosines(asked_document(index, 1))[0]
    assert found[2] == found[3] == found[0]
    assert material(index).cosines(np.array([0]), np.array([1]))[0, 2:] == pytest.approx([found[0]] * 2, abs=1e-3)


def test_the_scene_is_compared_beside_the_whole_joke(path):
    class Apart(Turned):
        def read(self, texts, langs, english=None):
            found = super().read(texts, langs)
            turned = np.where([["cowboy" in text.lower()] for text in texts], -1, 1)
            found.vectors[:, :26] *= turned
            return found

    with_vectors(path, [0.9] * 7)
    add_families(path, Letters(), jokes=Apart())
    index = open_index(path)
    nun, cowboy = index.number("nun"), index.number("cowboy")
    one, other = asked_document(index, nun), asked_document(index, cowboy)
    likeness = float(one.meaning @ other.meaning)
    assert one.cosines(other)[0, 2:] == pytest.approx([0, -likeness], abs=2e-3)
    assert material(index).cosines(np.array([nun]), np.array([cowboy]))[0] == pytest.approx(
        one.cosines(other)[0], abs=2e-3
    )
    docs, found = retellings(one, index, shipped_similarity())
    row = docs.tolist().index(cowboy)
    assert found.parts(row)["scene"] == pytest.approx(-likeness, abs=2e-3)


def test_jokes_of_two_encoders_are_not_mixed(path):
    with_vectors(path, [0.9] * 7)
    add_families(path, Letters(), jokes=Turned())
    with pytest.raises(IndexFault, match="encoded by another model"):
        add_families(path, Letters(), jokes=Other())


def test_a_text_is_not_compared_with_jokes_of_another_encoder(path):
    with_vectors(path, [0.9] * 7)
    add_families(path, Letters(), jokes=Turned())
    with pytest.raises(IndexFault, match=r"turned-1\); build the index again"):
        read_joke("A nun walks into a bakery.", "en", open_index(path))


def test_appending_is_stable(path):
    add_families(path)
    before = open_index(path).column("family").tolist()
    with write_index(path) as writer:
        writer.add(
            [
                Doc("new", "A tailor sued the sea. The case had no seams.", "en"),
                Doc("again", TEXTS["bulb"] + " :)", "en"),
            ]
        )
    add_families(path)
    after = open_index(path).column("family").tolist()
    assert after[:7] == before
    assert after[7:] == [7, 5]


def test_deleted_documents_have_no_family(path):
    with write_index(path) as writer:
        writer.delete(["nun"])
    add_families(path)
    index = open_index(path)
    assert index.column("family").tolist()[:3] == [-1, 1, 1]
    assert representatives(index)[1] in (1, 2)


def test_what_people_change_is_remembered(path):
    add_families(path)
    merge_families(path, ["plot", "bulb"])
    split_family(path, ["cowboy"])
    changed = family_sets(path)
    assert {frozenset({"plot", "bulb"}), frozenset({"nun", "copy"}), frozenset({"cowboy"})} <= changed
    add_families(path)
    assert family_sets(path) == changed


@pytest.mark.parametrize(
    ("change", "ids"),
    [(merge_families, ["nun"]), (merge_families, ["nun", "zzz"]), (split_family, ["zzz"]), (split_family, ["plot"])],
)
def test_changes_that_mean_nothing_are_refused(path, change, ids):
    add_families(path)
    with pytest.raises(InputError):
        change(path, ids)


def test_same_finds_versions_and_leaves_out_the_query(path):
    index = open_index(path)
    found = search(Same(), Query("1", TEXTS["nun"]), index)
    ids = [index.id(n) for n in found.docs.tolist()]
    assert ids[:2] == ["copy", "cowboy"]
    assert "nun" not in ids
    assert found.columns["probability"][0] > 0.99
    with_copies = search(Same(copies=True), Query("1", TEXTS["nun"]), index)
    assert {index.id(n) for n in with_copies.docs[:2].tolist()} == {"nun", "copy"}


def test_same_of_nothing_is_nothing(path):
    assert len(search(Same(), Query("1", "  "), open_index(path))) == 0
    assert len(search(Same(), Query("1", "qqq zzz"), open_index(path))) == 0


def test_same_is_deterministic_and_changes_nothing(path):
    index, query = open_index(path), Query("1", TEXTS["choir"])
    start = Ranking(query)
    once, twice = Same().apply(start, index), Same().apply(start, index)
    assert once.docs.tolist() == twice.docs.tolist()
    assert once.scores.tolist() == twice.scores.tolist()
    assert len(start) == 0
    assert repr(Same(depth=5)) == "Same(depth=5)"


def test_grouping_keeps_every_hit_once(path):
    add_families(path)
    index = open_index(path)
    found = search(Same(copies=True), Query("1", TEXTS["nun"]), index)
    groups = group(found, index.column("family"))
    assert sorted(row for one in groups for row in one.rows) == list(range(len(found)))
    assert groups[0].size == 3
    assert [one.first for one in groups] == sorted(one.first for one in groups)
    assert len(group(found, index.column("family"), 1)) == 1


def arguments(command, *words):
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return parser.parse_args(list(words))


def test_the_command_same(path, capsys):
    add_families(path)
    code = same_command.run(arguments(same_command, TEXTS["nun"].upper(), "--index", str(path), "--json", "-k", "2"))
    answer = json.loads(capsys.readouterr().out)
    assert code == 0
    assert answer["told"] is True
    assert set(answer) == {"query", "told", "probability", "hits"}
    assert set(answer["hits"][0]) == {"rank", "docid", "text", "score", "probability", "why"}
    assert [hit["rank"] for hit in answer["hits"]] == [1, 2]
    code = same_command.run(arguments(same_command, "Volcanoes erupt rarely.", "--index", str(path), "--json"))
    assert code == 1
    assert json.loads(capsys.readouterr().out)["told"] is False
    assert same_command.run(arguments(same_command, TEXTS["nun"], "--index", str(path))) == 0
    assert "told before" in capsys.readouterr().out


def test_the_command_families(path, capsys):
    add_families(path)
    assert families_command.run(arguments(families_command, "--index", str(path), "--json")) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["documents"] == 7
    assert [row["size"] for row in answer["families"]] == [3]
    assert set(answer["families"][0]["ids"]) == {"nun", "cowboy", "copy"}
    assert answer["families"][0]["representative"] == answer["families"][0]["ids"][0]
    families_command.run(arguments(families_command, "--index", str(path), "--split", "cowboy", "--json"))
    assert [row["size"] for row in json.loads(capsys.readouterr().out)["families"]] == [2]
    families_command.run(arguments(families_command, "--index", str(path), "--of", "plot"))
    assert "1 families with 1 of 7 texts" in capsys.readouterr().out


def test_what_was_translated_is_kept_and_read_as_a_joke_too(tmp_path):
    from rimshot.index.english import ENGLISH

    class Told(Turned):
        def __init__(self):
            self.seen = {}

        def read(self, texts, langs, english=None):
            self.seen |= {texts[number]: text for number, text in (english or {}).items()}
            return super().read(texts, langs)

    folder, told = tmp_path / "two", Told()
    texts = {"a": ("A dog.", "en"), "b": ("Um cão.", "pt"), "c": ("Um gato.", "pt")}
    build_index([Doc(name, text, lang) for name, (text, lang) in texts.items()], folder)
    with write_index(folder) as writer:
        writer.set_vectors("meaning", Letters().encode([t for t, _ in texts.values()], "en").astype(np.float16))
        writer.set_records(ENGLISH.removeprefix("record:"), [None, {"text": "A hound."}, None])
    add_families(folder, Letters(), jokes=told)
    assert told.seen == {"Um cão.": "A hound."}
    assert open_index(folder).record("english", 1) == {"text": "A hound."}
