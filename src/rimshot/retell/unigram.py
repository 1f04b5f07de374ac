"""Unigram language models of a collection under one document model, and the divergences between them.

With maximum-likelihood query model P(w|q) and a document model smoothed by linear interpolation with the collection,

    P(w|d) = lam * tf(w,d) / |d| + (1 - lam) * P(w|C)                    (Friedland and Allan 2008, section 4)

the Kullback-Leibler divergence KL(q||d) = sum_w P(w|q) ln (P(w|q) / P(w|d)) splits into a part that only the words shared by q
and d contribute to and parts that depend on q or d alone. So one pass over the postings of the query's words gives the
divergence to every document, in either direction; nothing is ever summed over the vocabulary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["UnigramModels"]

Array = npt.NDArray[Any]


class UnigramModels:
    """The unigram models of documents given as token lists, by document number."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self.vocabulary: dict[str, int] = {}
        bags = [Counter(self.vocabulary.setdefault(token, len(self.vocabulary)) for token in doc) for doc in documents]
        sizes = np.array([len(bag) for bag in bags], dtype=np.int64)
        terms = np.fromiter((term for bag in bags for term in bag), dtype=np.int64, count=int(sizes.sum()))
        counts = np.fromiter((n for bag in bags for n in bag.values()), dtype=np.float64, count=len(terms))
        docs = np.repeat(np.arange(len(bags)), sizes)
        self.size = len(bags)
        self.lengths = np.bincount(docs, weights=counts, minlength=self.size)
        self.pointers = np.concatenate([[0], np.cumsum(sizes)])
        self.terms, self.shares = terms, counts / np.maximum(self.lengths[docs], 1)
        collection = np.bincount(terms, weights=counts, minlength=len(self.vocabulary))
        self.background = collection / max(collection.sum(), 1.0)
        self._floor: list[float] = self.background.tolist()
        order = np.argsort(terms, kind="stable")
        self._docs, self._posted = docs[order], self.shares[order]
        self._starts = np.concatenate([[0], np.cumsum(np.bincount(terms, minlength=len(self.vocabulary)))]).astype(
            np.int64
        )
        self._entropy = np.bincount(docs, weights=self.shares * np.log(self.shares), minlength=self.size)
        self._surprise = np.bincount(docs, weights=self.shares * np.log(self.background[terms]), minlength=self.size)

    def model(self, number: int) -> dict[int, float]:
        """Give the unsmoothed model of a document: token number to probability."""
        span = slice(self.pointers[number], self.pointers[number + 1])
        return dict(zip(self.terms[span].tolist(), self.shares[span].tolist(), strict=True))

    def model_of(self, tokens: Sequence[str]) -> dict[int, float]:
        """Give the unsmoothed model of a text that need not be in the collection; unknown tokens are left out."""
        known = Counter(self.vocabulary[token] for token in tokens if token in self.vocabulary)
        total = max(sum(known.values()), 1)
        return {term: count / total for term, count in known.items()}

    def cross_entropy(self, query: Mapping[int, float], lam: float) -> Array:
        """Give H(q, d) for every document: rank-equivalent to KL(q||d) for one query."""
        return self._shared(query, lam)[0]

    def divergence(self, query: Mapping[int, float], lam: float) -> Array:
        """Give KL(q||d) for every document; the lower, the more alike."""
        return self.cross_entropy(query, lam) - _entropy(query)

    def symmetric(self, query: Mapping[int, float], lam: float) -> Array:
        """Give (KL(q||d) + KL(d||q)) / 2 for every document, each time smoothing the second model."""
        forward, back = self._shared(query, lam)
        empty = self.lengths == 0
        reverse = np.where(empty, 0.0, self._entropy - self._surprise - np.log1p(-lam) - back)
        return 0.5 * (forward - _entropy(query)) + 0.5 * reverse

    def _shared(self, query: Mapping[int, float], lam: float) -> tuple[Array, Array]:
        """Cross entropy of the query under every document, and what the query takes off that of every document."""
        forward = np.full(self.size, -sum(p * np.log((1 - lam) * self.background[t]) for t, p in query.items()))
        back = np.zeros(self.size)
        for term, p in query.items():
            span = slice(self._starts[term], self._starts[term + 1])
            docs, shares, floor = self._docs[span], self._posted[span], (1 - lam) * self.background[term]
            forward[docs] -= p * np.log1p(lam * shares / floor)
            back[docs] += shares * np.log1p(lam * p / floor)
        return forward, back

    def pair(self, a: int, b: int, lam: float) -> float:
        """Give the symmetric divergence of two documents of the collection."""
        first, second = self.model(a), self.model(b)
        return 0.5 * (self._one_way(first, second, lam) + self._one_way(second, first, lam))

    def _one_way(self, query: Mapping[int, float], document: Mapping[int, float], lam: float) -> float:
        floor, known = self._floor, document.get
        return sum(p * log(p / (lam * known(term, 0.0) + (1 - lam) * floor[term])) for term, p in query.items())

    def feedback(self, query: Mapping[int, float], documents: Sequence[int], own: float = 0.4) -> dict[int, float]:
        """Give the query model mixed with the models of top documents (Zhai and Lafferty 2001), ``own`` its own share."""
        mixed = {term: own * p for term, p in query.items()}
        for number in documents:
            for term, p in self.model(number).items():
                mixed[term] = mixed.get(term, 0.0) + (1 - own) * p / len(documents)
        return mixed if documents else dict(query)


def _entropy(model: Mapping[int, float]) -> float:
    return -sum(p * log(p) for p in model.values())
