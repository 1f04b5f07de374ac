"""A joke is read by two networks, whose vectors lie side by side."""

from __future__ import annotations

import numpy as np
import pytest

from rimshot.retell.joke_encoder import ENGLISH, HINGES, Jokes, TwoReadings, hinge_map, scenes


class Reader:
    """Knows the vector of some texts, and what they hang on."""

    def __init__(self, name, vectors, hinges=()):
        self.name, self.digest, self.vectors, self.hinges, self.asked = name, f"{name}-1", vectors, dict(hinges), []
        self.dim = len(next(iter(vectors.values())))

    def read(self, texts, langs, english=None):
        self.asked.append((list(texts), list(langs) if not isinstance(langs, str) else langs))
        found = Jokes.blank(len(texts), self.dim)
        for number, text in enumerate(texts):
            found.vectors[number] = self.vectors.get(text, np.zeros(self.dim))
            found.hang(number, self.hinges.get(text, {}))
        return found


A, B = np.array([1.0, 0.0]), np.array([0.6, 0.8])


def halves(scene, word):
    return np.concatenate([scene, word]) * 0.5**0.5


LARGE = Reader(
    "large",
    {"joke": halves(A, A), "again": halves(B, A), "translated": halves(A, A)},
    {"joke": {1: 0.9, 2: 0.1}},
)
SMALL = Reader(
    "small",
    {"joke": halves(A, B), "again": halves(A, A), "piada": halves(B, A), "outra": halves(A, B)},
    {"joke": {1: 0.2, 3: 0.8}, "piada": {4: 1.0}},
)


@pytest.fixture(autouse=True)
def counts(monkeypatch):
    """What the readings count here, whatever they count elsewhere."""
    monkeypatch.setitem(ENGLISH, "en", (0.75, 0.5))
    monkeypatch.setitem(ENGLISH, "pt", (0.36, 0.25))


def test_a_cosine_is_the_mean_of_scene_and_word_and_each_the_weighted_mean_of_two_readings():
    found = TwoReadings(LARGE, SMALL).read(["joke", "again"], "en").vectors
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, atol=1e-6)
    scene, word = 0.75 * 0.6 + 0.25 * 1.0, 0.5 * 1.0 + 0.5 * 0.6
    assert float(found[0] @ found[1]) == pytest.approx((scene + word) / 2)
    assert float(scenes(found[0]) @ scenes(found[1])) == pytest.approx(scene)
    assert found.shape[1] == TwoReadings(LARGE, SMALL).dim == 8


def test_another_language_is_read_as_it_stands_and_in_translation():
    found = TwoReadings(LARGE, SMALL).read(["piada", "joke", "outra"], ["pt", "en", "pt"], {0: "translated"}).vectors
    np.testing.assert_allclose(scenes(found[0]), [0.6, 0, 0.8 * 0.6, 0.8 * 0.8], atol=1e-6)
    # Without a translation only its own reading is known.
    np.testing.assert_allclose(found[2], [*halves([0, 0, 1, 0], [0, 0, 0.6, 0.8])], atol=1e-6)
    scene = (0.36 * 0.75) ** 0.5 + (0.64 * 0.25) ** 0.5 * 0.6
    assert float(scenes(found[0]) @ scenes(found[1])) == pytest.approx(scene)
    assert LARGE.asked[-1] == (["joke", "translated"], "en")


def test_what_an_english_joke_hangs_on_is_the_mean_of_both_and_of_another_its_own():
    found = TwoReadings(LARGE, SMALL).read(["joke", "piada"], ["en", "pt"], {1: "translated"})
    known = hinge_map(found.hinges[0], found.shares[0])
    assert known == pytest.approx({1: 0.55, 3: 0.4, 2: 0.05})
    assert list(known) == [1, 3, 2]
    assert hinge_map(found.hinges[1], found.shares[1]) == {4: 1.0}


def test_only_the_likeliest_words_are_kept():
    found = Jokes.blank(1, 2)
    found.hang(0, {code: code / 10 for code in range(1, 7)})
    found.hang(0, {code: code / 10 for code in range(1, 7)})
    assert found.hinges[0].tolist() == [6, 5, 4, 3] and HINGES == 4
    found.hang(0, {9: 1.0})
    assert hinge_map(found.hinges[0], found.shares[0]) == {9: 1.0}


def test_nothing_is_near_to_a_blank_text_and_no_text_gives_no_row():
    reader = TwoReadings(LARGE, SMALL)
    assert not reader.read([" "], "en").vectors.any()
    assert reader.read([], "en").vectors.shape == (0, 8)


def test_another_network_or_another_share_changes_the_digest(monkeypatch):
    before = TwoReadings(LARGE, SMALL).digest
    assert TwoReadings(SMALL, LARGE).digest != before
    monkeypatch.setitem(ENGLISH, "pt", (0.36, 0.5))
    assert TwoReadings(LARGE, SMALL).digest != before
