"""The learners, by name: TF-IDF and counted signs of wordplay under what the papers ran.

Arampatzis (JOKER 2024, ten runs): tree, forest, XGBoost, LightGBM, SVM, naive Bayes, nearest neighbours, a neural
net, an LSTM. jokester, Petra and Regina, Tomislav and Rowan: logistic regression. The LSTM is trained by
``rimshot.train.lstm``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from rimshot.errors import InputError, did_you_mean
from rimshot.extra import library
from rimshot.wordplay.canonical import canonical_text
from rimshot.wordplay.features import features

__all__ = ["FIELD", "LSTM", "TextMatrix", "build_learner"]

LSTM = "lstm"
_DIMS = 200


def _logistic(seed: int) -> Any:
    return library("sklearn.linear_model").LogisticRegression(C=10.0, max_iter=400, random_state=seed)


def _svm(seed: int) -> Any:
    return library("sklearn.svm").LinearSVC(C=0.5, random_state=seed)


def _tree(seed: int) -> Any:
    return library("sklearn.tree").DecisionTreeClassifier(min_samples_leaf=5, random_state=seed)


def _forest(seed: int) -> Any:
    return library("sklearn.ensemble").RandomForestClassifier(200, min_samples_leaf=2, n_jobs=-1, random_state=seed)


def _xgboost(seed: int) -> Any:
    return library("xgboost").XGBClassifier(
        n_estimators=300, max_depth=6, learning_rate=0.2, tree_method="hist", random_state=seed
    )


def _lightgbm(seed: int) -> Any:
    return library("lightgbm").LGBMClassifier(
        n_estimators=300, num_leaves=31, learning_rate=0.1, random_state=seed, deterministic=True, verbosity=-1
    )


def _naive_bayes(seed: int) -> Any:
    return _dense(seed, library("sklearn.naive_bayes").GaussianNB())


def _neighbours(seed: int) -> Any:
    return library("sklearn.neighbors").KNeighborsClassifier(25, metric="cosine", weights="distance")


def _net(seed: int) -> Any:
    net = library("sklearn.neural_network").MLPClassifier((64,), early_stopping=True, random_state=seed)
    return _dense(seed, net)


def _dense(seed: int, learner: Any) -> Any:
    """Give a learner that reads the leading directions of the matrix, as those that cannot read sparse rows must."""
    reduce = library("sklearn.decomposition").TruncatedSVD(_DIMS, random_state=seed)
    return library("sklearn.pipeline").make_pipeline(reduce, library("sklearn.preprocessing").StandardScaler(), learner)


FIELD: dict[str, Callable[[int], Any]] = {
    "logistic": _logistic,
    "svm": _svm,
    "tree": _tree,
    "forest": _forest,
    "xgboost": _xgboost,
    "lightgbm": _lightgbm,
    "naive-bayes": _naive_bayes,
    "neighbours": _neighbours,
    "net": _net,
}


def build_learner(name: str, seed: int) -> Any:
    """Give an untrained learner by its name."""
    if name not in FIELD:
        raise InputError(f'no classical learner "{name}"; {did_you_mean(name, (*FIELD, LSTM))}')
    return FIELD[name](seed)


@dataclass
class TextMatrix:
    """Texts as sparse rows: TF-IDF of words and word pairs, beside the scaled signs of wordplay."""

    lang: str
    smallest: int = 2
    _parts: dict[str, Any] = field(default_factory=dict, repr=False)

    def fit(self, texts: Sequence[str]) -> Any:
        """Learn the vocabulary and scales from texts, and give their rows."""
        text = library("sklearn.feature_extraction.text")
        self._parts = {
            "words": text.TfidfVectorizer(
                ngram_range=(1, 2),
                sublinear_tf=True,
                min_df=self.smallest,
                token_pattern=r"(?u)\w+|[^\w\s]",
                preprocessor=canonical_text,
            ),
            "signs": library("sklearn.preprocessing").MaxAbsScaler(),
        }
        words = self._parts["words"].fit_transform(texts)
        return self._join(words, self._parts["signs"].fit_transform(features(texts, self.lang)))

    def rows(self, texts: Sequence[str]) -> Any:
        """Give the rows of texts."""
        words = self._parts["words"].transform(texts)
        return self._join(words, self._parts["signs"].transform(features(texts, self.lang)))

    @staticmethod
    def _join(words: Any, signs: Any) -> Any:
        sparse = library("scipy.sparse")
        # LightGBM does not know scipy's newer csr_array.
        return sparse.csr_matrix(sparse.hstack([words, sparse.csr_matrix(signs)], format="csr", dtype="float32"))
