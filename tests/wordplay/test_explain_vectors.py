"""The short vectors of words and senses can be made again."""

import numpy as np

from rimshot.lexicon.vectors import WordVectors, word_vectors, write_vectors
from rimshot.wordplay.explain_vectors import (
    ASSOCIATIONS,
    GLOSS_DIRECTIONS,
    WORD_DIRECTIONS,
    make_associations,
    make_examples,
    make_glosses,
    make_words,
)


class Letters:
    """An encoder that counts letters, so that equal spellings are near."""

    name = digest = "letters"
    dim = 128

    def encode(self, texts, langs):
        rows = np.zeros((len(texts), self.dim), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for at, letter in enumerate(text):
                row[(7 * ord(letter) + at % 5) % self.dim] += 1
        return rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-6)


def test_glosses_have_a_row_for_each_sense(tmp_path):
    make_glosses(tmp_path / "g.npz", Letters(), most=300)
    with np.load(tmp_path / "g.npz") as made:
        assert made["rows"].shape == (300, GLOSS_DIRECTIONS)
        assert made["basis"].shape == (128, GLOSS_DIRECTIONS)
        assert made["text_mean"].shape == (128,)
        assert (np.diff(made["synsets"]) > 0).all()


def test_examples_lie_in_the_directions_of_the_glosses(tmp_path):
    make_glosses(tmp_path / "g.npz", Letters(), most=300)
    make_examples(tmp_path / "e.npz", Letters(), most=300, told_by=tmp_path / "g.npz")
    with np.load(tmp_path / "g.npz") as glosses, np.load(tmp_path / "e.npz") as made:
        assert made["rows"].shape == (len(made["synsets"]), GLOSS_DIRECTIONS)
        assert set(made["synsets"].tolist()) <= set(glosses["synsets"].tolist())
        assert (np.diff(made["synsets"]) >= 0).all()


def test_words_come_with_the_usual_ones_first(tmp_path):
    make_words(tmp_path / "w.npz", Letters(), most=300)
    made = WordVectors(tmp_path / "w.npz", lang="en")
    assert made.dim == WORD_DIRECTIONS
    assert "the" in made and "kumquat" not in made
    assert abs(float(np.linalg.norm(made.get("the"))) - 1) < 1e-4


def test_words_with_the_same_clues_lie_near_each_other(tmp_path):
    make_associations(tmp_path / "a.npz", "pt", most=2000)
    make_associations(tmp_path / "b.npz", "pt", most=2000)
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    made = WordVectors(tmp_path / "a.npz", lang="pt")
    assert made.dim == ASSOCIATIONS
    assert made.get("xyzzy") is None and not made.rows(["xyzzy"]).any()


def test_shipped_associations_put_a_saddle_by_the_horse_and_not_by_the_bank():
    for lang, (horse, saddle, bank) in {"pt": ("cavalo", "selas", "banco"), "en": ("horse", "saddles", "bank")}.items():
        near, far = word_vectors(lang).rows([saddle, bank]) @ word_vectors(lang).get(horse)
        assert near > far + 0.2


def test_words_of_two_files_have_both_parts(tmp_path):
    rows = np.eye(3, dtype=np.float32)
    write_vectors(tmp_path / "one.npz", ["cat", "dog", "bank"], rows)
    write_vectors(tmp_path / "two.npz", ["cat", "loan", "bank"], rows)
    made = WordVectors(tmp_path / "one.npz", tmp_path / "two.npz", lang="en")
    assert np.allclose(made.rows(["cats"]), [[2**-0.5, 0, 0, 2**-0.5, 0, 0]], atol=1e-3)
    assert np.allclose(made.rows(["dog", "loan"]) @ made.rows(["dog"]).T, [[1], [0]], atol=1e-3)
