"""Trees that vote: what they learn, that they survive being written, and that the strength and the kind listen to them."""

import numpy as np
import pytest

from rimshot.wordplay import explain_belief, kind
from rimshot.wordplay.explain_belief import FEATURES, VOTES, log_odds, strength
from rimshot.wordplay.explain_forest import Forest, grow


@pytest.fixture(scope="module")
def crossed():
    """Rows flagged where one of two numbers is great and the other small: no weighted sum can tell."""
    rows = np.random.default_rng(1).random((400, 2)).astype(np.float32)
    return rows, (rows[:, 0] > 0.5) != (rows[:, 1] > 0.5)


def test_trees_learn_what_no_weighted_sum_can(crossed):
    forest = grow(*crossed, leaf=5)
    assert min(forest.chances([0.9, 0.1]), forest.chances([0.1, 0.9])) > 0.7
    assert max(forest.chances([0.9, 0.9]), forest.chances([0.1, 0.1])) < 0.3


def test_growing_again_gives_the_same_trees(crossed):
    assert np.array_equal(grow(*crossed).forks.cut, grow(*crossed).forks.cut)
    assert not np.array_equal(grow(*crossed).forks.cut, grow(*crossed, seed=1).forks.cut)


def test_written_and_read_trees_vote_alike(crossed):
    forest = grow(*crossed)
    again = Forest.read(forest.written())
    for row in crossed[0][:50]:
        assert again.chances(row) == pytest.approx(forest.chances(row), abs=1e-3)


def test_larger_leaves_make_smaller_trees(crossed):
    small, large = grow(*crossed, trees=3, leaf=5), grow(*crossed, trees=3, leaf=100)
    assert len(large.forks.cut) < len(small.forks.cut)
    assert len(large.forks.roots) == 3


def test_one_kind_alone_needs_no_fork():
    forest = grow(np.zeros((50, 3), np.float32), np.ones(50, bool), trees=2)
    assert len(forest.forks.cut) == 2
    assert forest.chances([0.0, 0.0, 0.0]) == 1.0


def test_the_strength_adds_the_votes_where_there_are_trees(monkeypatch):
    row = [1.0] + [0.0] * (len(FEATURES) - 1)
    rows = np.zeros((10, len(FEATURES)), np.float32)
    trees = grow(rows, np.arange(10) < 8, trees=1)
    monkeypatch.setattr(explain_belief, "forest", lambda name: None)
    alone = strength(row, "pt")
    monkeypatch.setattr(explain_belief, "forest", lambda name: trees if name == "belief-pt" else None)
    assert strength(row, "pt") == pytest.approx(alone + VOTES * log_odds(0.8), abs=1e-4)
    assert strength(row, "en") != strength(row, "pt")


def test_the_kind_is_the_mean_of_weights_and_trees_where_there_are_trees(monkeypatch):
    row = [1.0] + [0.0] * (len(kind.FEATURES) - 1)
    trees = grow(np.zeros((10, len(kind.FEATURES)), np.float32), np.arange(10) < 2, trees=1)
    monkeypatch.setattr(kind, "forest", lambda name: None)
    alone = kind.heterographic(row, "pt")
    monkeypatch.setattr(kind, "forest", lambda name: trees if name == "kind-pt" else None)
    assert kind.heterographic(row, "pt") == pytest.approx((alone + 0.2) / 2, abs=1e-4)
    assert kind.heterographic(row, "en") != pytest.approx((alone + 0.2) / 2, abs=1e-4)
