import numpy as np
import pytest

from rimshot.retell.quadratic import Quadratic, fit_quadratic


def crossed(count=200, seed=1):
    """Rows that are flagged when both features are high or both are low: no weighted sum of the two tells them."""
    rows = np.random.default_rng(seed).normal(size=(count, 2))
    return rows, rows[:, 0] * rows[:, 1] > 0


def test_products_tell_what_no_weighted_sum_can():
    rows, flags = crossed()
    model = fit_quadratic(rows, flags, 0.1)
    fresh, truth = crossed(seed=2)
    assert ((model.logit(fresh) > 0) == truth).mean() > 0.9
    assert np.abs(model.weights).max() < np.abs(model.products[1])


def test_a_plain_sum_is_learnt_too():
    rows, _ = crossed()
    model = fit_quadratic(rows, rows[:, 0] > 0, 1.0)
    assert ((model.logit(rows) > 0) == (rows[:, 0] > 0)).mean() > 0.95


def test_a_stronger_penalty_gives_smaller_weights():
    rows, flags = crossed()
    weak, strong = (fit_quadratic(rows, flags, ridge) for ridge in (0.1, 100.0))
    assert np.abs(strong.products).sum() < 0.5 * np.abs(weak.products).sum()


def test_a_feature_without_spread_counts_nothing():
    rows, flags = crossed()
    flat = np.column_stack([rows, np.full(len(rows), 7.0)])
    model = fit_quadratic(flat, flags, 1.0)
    other = flat.copy()
    other[:, 2] = -7.0
    assert model.logit(other) == pytest.approx(model.logit(flat), abs=1e-6)


def test_far_values_count_as_three_deviations():
    rows, flags = crossed()
    model = fit_quadratic(rows, flags, 1.0)
    far, further = (model.mean + times * model.spread for times in (3.0, 300.0))
    assert model.logit(far[None]) == pytest.approx(model.logit(further[None]))


def test_the_model_survives_writing():
    rows, flags = crossed()
    model = fit_quadratic(rows, flags, 1.0)
    assert Quadratic.read(model.written()).logit(rows) == pytest.approx(model.logit(rows), abs=1e-2)
    with pytest.raises(ValueError, match="do not fit together"):
        Quadratic.read({**model.written(), "products": [1.0]})


def test_without_weights_every_pair_is_as_likely_as_not():
    assert Quadratic.nothing(3).probability(np.ones((2, 3))).tolist() == [0.5, 0.5]
