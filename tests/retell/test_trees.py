import numpy as np
import pytest

from rimshot import extra
from rimshot.errors import MissingPart
from rimshot.retell.trees import Trees, fit_ranking_trees, fit_trees


def crossed(count=2000, seed=1):
    """Rows that are flagged when both features are high or both are low: no weighted sum of the two tells them."""
    rows = np.random.default_rng(seed).normal(size=(count, 2))
    return rows, rows[:, 0] * rows[:, 1] > 0


def fitted(rows, flags, rising=(False, False), weight=None):
    return fit_trees(rows, flags, np.ones(len(rows)) if weight is None else weight, rising, trees=60)


def test_trees_tell_what_no_weighted_sum_can():
    model = fitted(*crossed())
    rows, flags = crossed(seed=2)
    assert ((model.logit(rows) > 0) == flags).mean() > 0.9


def test_they_say_what_the_library_says():
    import lightgbm

    rows, flags = crossed()
    settings = {
        "objective": "binary", "num_leaves": 8, "learning_rate": 0.06, "min_data_in_leaf": 40, "lambda_l2": 5.0,
        "deterministic": True, "force_row_wise": True, "num_threads": 2, "seed": 0, "verbosity": -1,
    }  # fmt: skip
    own = lightgbm.train(settings, lightgbm.Dataset(rows, flags.astype(float), weight=np.ones(len(rows))), 60)
    assert fitted(rows, flags).logit(rows) == pytest.approx(own.predict(rows, raw_score=True), abs=1e-6)


def test_a_rising_column_never_speaks_against_a_row():
    rows, flags = crossed()
    model = fitted(rows, flags, (True, False))
    steps = np.column_stack([np.linspace(-3, 3, 50), np.full(50, -1.0)])
    assert (np.diff(model.logit(steps)) >= -1e-9).all()


def test_what_weighs_nothing_is_not_learnt_from():
    rows, flags = crossed()
    twice, wrong = np.concatenate([rows, rows]), np.concatenate([flags, ~flags])
    model = fitted(twice, wrong, weight=np.repeat([1.0, 1e-9], len(rows)))
    assert ((model.logit(rows) > 0) == flags).mean() > 0.9


def test_the_trees_survive_writing():
    rows, flags = crossed()
    model = fitted(rows, flags)
    assert Trees.read(model.written()).logit(rows) == pytest.approx(model.logit(rows), abs=0.05)
    with pytest.raises(ValueError, match="do not fit together"):
        Trees.read({**model.written(), "value": "1 2 3"})


def test_no_rows_are_given_no_log_odds():
    assert Trees.nothing().logit(np.empty((0, 5))).tolist() == []
    assert Trees.nothing().logit(np.ones((2, 5))).tolist() == [0.0, 0.0]


def test_without_the_library_one_is_told_what_to_install(monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(extra, "import_module", missing)
    with pytest.raises(MissingPart, match=r"rimshot\[classical\]"):
        fitted(*crossed())


def test_raised_trees_give_every_row_as_much_more():
    features, labels = crossed()
    trees = fitted(features, labels)
    single = fit_trees(features, labels, np.ones(len(features)), (False, False), trees=1)
    for some in (trees, single):
        np.testing.assert_allclose(some.raised(1.5).logit(features), some.logit(features) + 1.5)
    assert trees.raised(0.0).written() == trees.written()


def test_trees_that_rank_put_flagged_rows_first_in_their_group_however_groups_differ():
    rng = np.random.default_rng(3)
    groups, size = 200, 10
    level = np.repeat(rng.normal(scale=5, size=groups), size)
    good = rng.normal(size=groups * size)
    flags = np.zeros(groups * size, bool)
    for at in range(0, groups * size, size):
        flags[at + np.argmax(good[at : at + size])] = True
    rows = np.column_stack([good + level, level])
    ones = np.ones(len(rows))
    model = fit_ranking_trees(rows, flags, [size] * groups, ones, (False, False))
    scores = model.logit(rows)
    first = scores.reshape(groups, size).argmax(axis=1)
    assert (flags.reshape(groups, size)[np.arange(groups), first]).mean() > 0.8
    assert scores[flags].mean() > scores[~flags].mean()


def test_trees_on_the_scale_of_others_keep_their_order():
    features, labels = crossed()
    one, other = fitted(features, labels), fitted(features, features[:, 0] * features[:, 1] > -0.5).raised(3.0)
    found = one.on_scale_of(other, features).logit(features)
    assert found.mean() == pytest.approx(other.logit(features).mean(), abs=1e-6)
    np.testing.assert_array_equal(np.argsort(found, kind="stable"), np.argsort(one.logit(features), kind="stable"))
    flat = Trees.nothing().on_scale_of(other, features).logit(features)
    assert flat == pytest.approx(other.logit(features).mean())
