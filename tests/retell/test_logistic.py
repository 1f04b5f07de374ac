import numpy as np
import pytest

from rimshot.retell.logistic import fit_logistic

RNG = np.random.default_rng(7)
X = RNG.normal(size=(300, 3)) * [1.0, 20.0, 0.1] + [0.0, 5.0, 1.0]
Y = RNG.random(300) < 1 / (1 + np.exp(-(X[:, 0] * 2 + (X[:, 1] - 5) * 0.05 - 0.5)))


def test_against_scikit_learn():
    linear = pytest.importorskip("sklearn.linear_model", reason="scikit-learn is not installed")
    spread = X.std(axis=0)
    theirs = linear.LogisticRegression(C=1 / 2.0, tol=1e-10, max_iter=1000).fit((X - X.mean(axis=0)) / spread, Y)
    ours = fit_logistic(X, Y, ridge=2.0)
    assert ours.weights * spread == pytest.approx(theirs.coef_[0], abs=1e-5)
    assert ours.probability(X) == pytest.approx(theirs.predict_proba((X - X.mean(axis=0)) / spread)[:, 1], abs=1e-5)


def test_separable_and_flat_features():
    x = np.array([[0.0, 3.0], [1.0, 3.0], [2.0, 3.0], [3.0, 3.0]])
    model = fit_logistic(x, np.array([0, 0, 1, 1]))
    assert model.weights[1] == 0
    assert (model.probability(x) > 0.5).tolist() == [False, False, True, True]


def test_weights_repeat_rows():
    doubled = fit_logistic(np.vstack([X, X[:50]]), np.concatenate([Y, Y[:50]]))
    weighed = fit_logistic(X, Y, sample_weight=np.where(np.arange(300) < 50, 2.0, 1.0))
    assert np.sign(doubled.weights).tolist() == np.sign(weighed.weights).tolist()
    assert weighed.logit(X) == pytest.approx(doubled.logit(X), abs=0.05)
