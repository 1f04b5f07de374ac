"""Hidden units of a ranker: what they learn, that they survive being written, and that readings of sounds listen to them."""

import numpy as np
import pytest

from rimshot.wordplay import sound_pun
from rimshot.wordplay.explain_learn import fit_ranker
from rimshot.wordplay.explain_text import view
from rimshot.wordplay.explain_units import Units, fit_units
from rimshot.wordplay.sound_pun import read_sounds


@pytest.fixture(scope="module")
def crossed():
    """Groups of four candidates; right is that with one number great and the other small: no weighted sum can tell."""
    random = np.random.default_rng(1)
    groups = []
    for _ in range(150):
        rows = random.random((4, 2)).astype(np.float32)
        rows = np.where(rows > 0.5, 0.8 + 0.2 * rows, 0.2 * rows).astype(np.float32)
        flags = (rows[:, 0] > 0.5) != (rows[:, 1] > 0.5)
        groups.append((rows, flags, 1.0))
    return [group for group in groups if group[1].any()]


def right(groups, score):
    return np.mean([flags[int(score(rows).argmax())] for rows, flags, _ in groups])


def test_units_learn_what_no_weighted_sum_can(crossed):
    weights, units = fit_units(crossed)
    straight = fit_ranker(crossed)
    assert right(crossed, lambda rows: rows @ straight) < 0.9
    assert right(crossed, lambda rows: rows @ weights + units.scores(rows)) > 0.99


def test_fitting_again_gives_the_same_units(crossed):
    assert np.array_equal(fit_units(crossed)[1].out, fit_units(crossed)[1].out)


def test_written_and_read_units_say_the_same(crossed):
    units = fit_units(crossed, times=1)[1]
    again = Units.read(units.written())
    assert np.array_equal(again.scores(crossed[0][0]), units.scores(crossed[0][0]))


def test_readings_of_sounds_add_what_the_units_say(monkeypatch):
    text = "Que sopa canta fado? O caldo verdi."
    seen = view(text, "pt", text.index("verdi"), len(text) - 1)
    wide = len(sound_pun.FEATURES)
    monkeypatch.setattr(sound_pun, "units", lambda _name: None)
    straight = read_sounds(seen).scores
    units = Units(np.zeros((wide, 1), np.float32), np.ones(1, np.float32), np.full(1, 2.0, np.float32))
    monkeypatch.setattr(sound_pun, "units", lambda _name: units)
    assert read_sounds(seen).scores == pytest.approx(straight + 2 * np.tanh(1.0), abs=1e-4)
