"""Which pair of senses and which second sign an explanation names first."""

import numpy as np
import pytest

from rimshot.lexicon.arrays import read_arrays
from rimshot.lexicon.wordnet import wordnet
from rimshot.wordplay import explain_senses
from rimshot.wordplay.explain_learn import fit_ranker
from rimshot.wordplay.explain_senses import ORDER_FEATURES, expected_worth, near_examples, order_columns
from rimshot.wordplay.explain_signs import SIGN_FEATURES, own_signs, second_signs, sign_features
from rimshot.wordplay.explain_text import view
from rimshot.wordplay.sense_pair import _kin, alike_coarsely, read_senses
from rimshot.wordplay.sound_pun import SoundPun

FIRST, SECOND = np.array([0, 0, 0]), np.array([1, 2, 3])


def seen(text, word, lang="en"):
    start = text.index(word)
    return view(text, lang, start, start + len(word))


def test_a_pair_gains_from_those_that_differ_from_it_finely():
    scores = np.array([1.0, 0.9, 1.2], np.float32)
    alone = np.eye(4, dtype=np.float32)
    kin = alone.copy()
    kin[1, 2] = kin[2, 1] = 1
    assert expected_worth(scores, alone, FIRST, SECOND).argmax() == 2
    assert expected_worth(scores, kin, FIRST, SECOND).argmax() == 0


def test_what_is_right_in_either_order_counts_once():
    kin = np.ones((4, 4), np.float32)
    worth = expected_worth(np.array([9.0, 0.0, 0.0], np.float32), kin, FIRST, SECOND)
    assert worth.max() <= 1 + 1e-6
    assert worth.min() == pytest.approx(0.5, abs=0.01)


def test_the_order_of_columns_is_that_of_their_names():
    gloss = np.array([0.0, 1.0, 2.0, 3.0], np.float32)
    near, shown = np.array([0.5, 0.1, 0.0, 0.2], np.float32), np.array([1, 1, 0, 1], np.float32)
    named = dict(zip(ORDER_FEATURES, order_columns(gloss, near, shown, FIRST, SECOND)[1].tolist(), strict=True))
    assert named["standing_least"] < 0 < named["standing_most"]
    assert (named["example"], named["example_least"], named["example_most"]) == (0.5, 0.0, 0.5)
    assert (named["shown"], named["shown_least"], named["shown_most"]) == (1.0, 0.0, 1.0)


def test_the_nearest_example_of_a_sense_counts(monkeypatch):
    rows = np.array([[127, 0], [0, 127], [-127, 0]], np.int8)
    monkeypatch.setattr(explain_senses, "read_arrays", lambda path: {"rows": rows, "synsets": np.array([3, 3, 8])})
    near, shown = near_examples(np.array([8, 5, 3]), np.array([0.6, 0.8], np.float32))
    assert near.tolist() == pytest.approx([-0.6, 0.0, 0.8])
    assert shown.tolist() == [1.0, 0.0, 1.0]
    assert near_examples(np.array([8]), None)[1].tolist() == [0.0]


def test_the_shipped_examples_are_in_order_of_their_synsets():
    found = read_arrays(explain_senses.PATH)
    assert found is not None
    assert (np.diff(found["synsets"]) >= 0).all()


def test_kin_are_those_alike_coarsely():
    senses = wordnet("en").senses("bank")
    kin = _kin(senses)
    for i, one in enumerate(senses):
        for j, other in enumerate(senses):
            assert bool(kin[i, j]) == alike_coarsely(one, other)


def test_pairs_come_best_first_and_differ():
    here = seen("I used to be a banker but I lost interest.", "interest")
    pairs = read_senses(here).pairs(here)
    assert len({(pair.first.key, pair.second.key) for pair in pairs}) == 3
    assert all(pair.first.synset != pair.second.synset for pair in pairs)


def test_signs_are_the_runs_around_the_word_and_stop_at_a_mark():
    names, rows = sign_features(seen("Por que o alfaiate saiu? Porque perdeu a linha, coitado.", "linha", "pt"))
    assert {"linha", "a linha", "perdeu a linha"} <= set(names)
    assert not any("coitado" in name or "saiu" in name for name in names)
    assert rows.shape == (len(names), len(SIGN_FEATURES))
    assert rows[names.index("linha")][0] == 1.0


def test_the_chances_of_signs_add_up():
    signs = own_signs(seen("Ele perdeu a linha.", "linha", "pt"))
    assert sum(chance for _, chance in signs) == pytest.approx(1.0)


def test_signs_and_sounds_take_their_places_by_kind():
    here = seen("Ele perdeu a linha.", "linha", "pt")
    heard = [SoundPun("tinha", "ter", 0.1, 0.9, None, "linha")]
    assert second_signs(here, heard, 0.99)[0] == "tinha"
    assert second_signs(here, heard, 0.05)[0] != "tinha"
    assert "linha" in second_signs(here, heard, 0.99)[:5]


def test_a_ranker_learns_which_column_tells():
    rows = np.array([[0, 1], [1, 0], [0, 0]], np.float32)
    weights = fit_ranker([(rows, np.array([False, True, False]), 1.0)] * 4)
    assert weights[0] > weights[1]
