import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rimshot.retell.unigram import UnigramModels

DOCS = [["a", "a", "b"], ["a", "c"], ["d"], []]


def by_hand(query, document, lam, background):
    total = 0.0
    for word in set(query):
        p = query.count(word) / len(query)
        share = document.count(word) / len(document) if document else 0.0
        total += p * math.log(p / (lam * share + (1 - lam) * background[word]))
    return total


def background(docs):
    every = [word for doc in docs for word in doc]
    return {word: every.count(word) / len(every) for word in every}


def test_divergence_by_hand():
    models = UnigramModels(DOCS)
    found = models.divergence(models.model(0), 0.4)
    expected = [by_hand(DOCS[0], doc, 0.4, background(DOCS)) for doc in DOCS]
    assert found.tolist() == pytest.approx(expected)


words = st.lists(st.sampled_from("abcde"), min_size=1, max_size=8)


@given(st.lists(words, min_size=2, max_size=5), st.floats(0.05, 0.95))
def test_vectorised_equals_the_definition(docs, lam):
    models = UnigramModels(docs)
    behind = background(docs)
    symmetric = models.symmetric(models.model(0), lam)
    for at, doc in enumerate(docs):
        both = 0.5 * (by_hand(docs[0], doc, lam, behind) + by_hand(doc, docs[0], lam, behind))
        assert symmetric[at] == pytest.approx(both, abs=1e-9)
        assert models.pair(0, at, lam) == pytest.approx(both, abs=1e-9)
    entropy = models.cross_entropy(models.model(0), lam)
    assert np.allclose(np.diff(entropy), np.diff(models.divergence(models.model(0), lam)))


def test_feedback_mixes_models():
    models = UnigramModels(DOCS)
    mixed = models.feedback(models.model(2), [1], own=0.4)
    names = {name: mixed.get(number, 0.0) for name, number in models.vocabulary.items()}
    assert names == pytest.approx({"a": 0.3, "b": 0.0, "c": 0.3, "d": 0.4})
    assert models.feedback(models.model(2), []) == models.model(2)


def test_unknown_tokens_are_left_out_of_a_query():
    models = UnigramModels(DOCS)
    assert models.model_of(["a", "zzz"]) == models.model_of(["a"])
