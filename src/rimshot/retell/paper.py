"""The experiments of Friedland and Allan, "Joke retrieval: recognizing the same joke told differently" (CIKM 2008).

Every table and figure of the paper for any collection with judged families: pair classification (Tables 2 to 4), ranking
(Table 5, Figures 4 and 5), re-ranking with a classifier (Table 6, Figure 6) and what else might explain its gain (Table 7).
As in the paper, folds are made of whole families, and negative pairs are drawn at the ranks at which positives are found; so
some "negatives" may be retellings that nobody has judged, which lowers every accuracy alike.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.errors import InputError
from rimshot.retell.document_model import ANNOTATIONS, BASELINE, PUNCH_LINE, DocumentModel, variants
from rimshot.retell.judged import Family, RankingFigures, judge_rankings
from rimshot.retell.logistic import fit_logistic
from rimshot.retell.unigram import UnigramModels

__all__ = ["LAMBDA_PAIRS", "LAMBDA_RANKING", "Experiment", "Pair", "PairResult"]

Array = npt.NDArray[Any]

LAMBDA_RANKING = 0.5
"""Share of the document model, by a sweep on the development families; the paper's sweep ended at 0.99."""
LAMBDA_PAIRS = 0.4
FOLDS = 10
MOST_PAIRS = 15
DEPTH = 500
THREE = (BASELINE, ANNOTATIONS, PUNCH_LINE)


@dataclass(frozen=True)
class Pair:
    """Two documents by number, whether they are the same joke, and the family (by position) that the pair belongs to."""

    a: int
    b: int
    same: bool
    family: int


@dataclass(frozen=True, eq=False)
class PairResult:
    """Predictions for all pairs, each made by a model that has not seen the pair's family."""

    name: str
    features: int
    correct: Array
    same: Array

    @property
    def accuracy(self) -> float:
        """Share of right predictions."""
        return float(self.correct.mean())

    @property
    def on_negatives(self) -> float:
        """Share of right predictions among different jokes."""
        return float(self.correct[~self.same].mean())

    @property
    def on_positives(self) -> float:
        """Share of right predictions among retellings."""
        return float(self.correct[self.same].mean())


@dataclass(eq=False)
class Experiment:
    """A collection with judged families; everything is worked out once, when it is first asked for."""

    ids: Sequence[str]
    texts: Sequence[str]
    families: Sequence[Family]
    lang: str = "en"
    lam: float = LAMBDA_RANKING
    lam_pairs: float = LAMBDA_PAIRS
    seed: int = 2008
    _models: dict[str, UnigramModels] = field(default_factory=dict)
    _memo: dict[Any, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.number = {doc: at for at, doc in enumerate(self.ids)}
        for family in self.families:
            for doc in family.ids:
                if doc not in self.number:
                    raise InputError(f'family "{family.name}" names "{doc}", which is not in the collection')
        if len(self.families) < FOLDS:
            raise InputError(
                f"{len(self.families)} judged families; {FOLDS}-fold cross-validation needs at least {FOLDS}"
            )
        order = list(range(len(self.families)))
        random.Random(self.seed).shuffle(order)
        self.fold = {family: at % FOLDS for at, family in enumerate(order)}

    def models(self, model: DocumentModel) -> UnigramModels:
        """Give the language models of the collection under a document model."""
        name = str(model)
        if name not in self._models:
            self._models[name] = UnigramModels([model.tokens(text, self.lang) for text in self.texts])
        return self._models[name]

    # Ranking (section 6)

    def scores(self, model: DocumentModel, query: int) -> Array:
        """Give -KL(query||document) for every document."""
        language = self.models(model)
        return -language.divergence(language.model(query), self.lam)

    def top(self, scores: Array, query: int, depth: int = DEPTH) -> Array:
        """Give the best documents without the query, best first, equal scores in document order."""
        scores = scores.copy()
        scores[query] = -np.inf
        depth = min(depth, len(scores) - 1)
        cut = np.partition(scores, len(scores) - depth)[len(scores) - depth]
        some = np.flatnonzero(scores >= cut)
        return some[np.argsort(-scores[some], kind="stable")][:depth]

    def baseline_top(self, query: int) -> Array:
        """Give the first 500 of the baseline ranking."""
        key = ("top", query)
        if key not in self._memo:
            self._memo[key] = self.top(self.scores(BASELINE, query), query)
        found: Array = self._memo[key]
        return found

    def judge(self, rank: Callable[[int], Array]) -> list[RankingFigures]:
        """Give the figures of every family under a ranking function over document numbers."""
        return judge_rankings(self.families, lambda doc: [self.ids[at] for at in rank(self.number[doc])])

    def ranking(self, model: DocumentModel) -> list[RankingFigures]:
        """Table 5: rank by one document model."""
        key = ("ranking", str(model))
        if key not in self._memo:
            self._memo[key] = self.judge(lambda query: self.top(self.scores(model, query), query))
        found: list[RankingFigures] = self._memo[key]
        return found

    def feedback(self, documents: int = 2, own: float = 0.4) -> list[RankingFigures]:
        """Table 7: the query model mixed with those of the top documents."""
        language = self.models(BASELINE)

        def rank(query: int) -> Array:
            mixed = language.feedback(language.model(query), self.baseline_top(query)[:documents].tolist(), own)
            return self.top(-language.cross_entropy(mixed, self.lam), query)

        return self.judge(rank)

    def symmetric(self) -> list[RankingFigures]:
        """Table 7: the baseline with the symmetric divergence."""
        language = self.models(BASELINE)
        return self.judge(lambda query: self.top(-language.symmetric(language.model(query), self.lam), query))

    def recall_curve(self, depth: int = 1000) -> Array:
        """Figure 5: recall of the baseline at ranks 1 to ``depth``, averaged over all jokes of all families."""
        curve, count = np.zeros(depth), 0
        for family in self.families:
            members = [self.number[doc] for doc in family.ids]
            for query in members:
                top = self.top(self.scores(BASELINE, query), query, depth)
                hit = np.isin(top, [m for m in members if m != query])
                curve[: len(top)] += np.cumsum(hit) / (len(members) - 1)
                curve[len(top) :] += hit.sum() / (len(members) - 1)
                count += 1
        return curve / max(count, 1)

    # Pairs (section 5)

    @cached_property
    def pairs(self) -> list[Pair]:
        """At most 15 positives and 15 negatives of each family; negatives at the ranks of positives."""
        rng = random.Random(self.seed)
        found: list[Pair] = []
        ranks: list[int] = []
        for family in self.families:
            members = [self.number[doc] for doc in family.ids]
            for query in members:
                place = {int(doc): at for at, doc in enumerate(self.baseline_top(query))}
                ranks += [place.get(other, DEPTH - 1) for other in members if other != query]
        for at, family in enumerate(self.families):
            members = [self.number[doc] for doc in family.ids]
            same = [(a, b) for i, a in enumerate(members) for b in members[i + 1 :]]
            rng.shuffle(same)
            same = same[:MOST_PAIRS]
            found += [Pair(a, b, True, at) for a, b in same]
            wanted = min(MOST_PAIRS, math.ceil(1.4 * len(same)))
            taken: set[tuple[int, int]] = set()
            while len(taken) < wanted:
                query, rank = rng.choice(members), rng.choice(ranks)
                top = [int(doc) for doc in self.baseline_top(query) if doc not in members]
                other = top[min(max(rank + rng.randint(-1, 1), 0), len(top) - 1)]
                taken.add((query, other))
            found += [Pair(a, b, False, at) for a, b in sorted(taken)]
        return found

    def pair_scores(self, models: Sequence[DocumentModel], pairs: Sequence[Pair] | None = None) -> Array:
        """Give the symmetric divergence of each pair under each model, one column a model."""
        rows = self.pairs if pairs is None else pairs
        columns = []
        for model in models:
            language = self.models(model)
            columns.append([language.pair(pair.a, pair.b, self.lam_pairs) for pair in rows])
            if str(model) not in {str(kept) for kept in THREE}:
                del self._models[str(model)]
        return np.array(columns, dtype=np.float64).T.reshape(len(rows), len(models))

    def _crossed(self, name: str, features: Array, decide: Callable[[Array, Array, Array], Array]) -> PairResult:
        same = np.array([pair.same for pair in self.pairs])
        folds = np.array([self.fold[pair.family] for pair in self.pairs])
        said = np.zeros(len(same), dtype=bool)
        for fold in range(FOLDS):
            seen, unseen = folds != fold, folds == fold
            said[unseen] = decide(features[seen], same[seen], features[unseen])
        return PairResult(name, features.shape[1], said == same, same)

    def threshold(self, model: DocumentModel) -> PairResult:
        """Table 2: one model's score against the cut that is most accurate on the other folds."""
        return self._crossed(str(model), self.pair_scores([model]), _by_threshold)

    def classifier(self, name: str, models: Sequence[DocumentModel], *, lengths: bool = False) -> PairResult:
        """Table 4: logistic regression on several scores, with the ratio and average of lengths if asked."""
        features = self.pair_scores(models)
        if lengths:
            size = self.models(BASELINE).lengths
            both = np.array([(size[pair.a], size[pair.b]) for pair in self.pairs])
            ratio = both.min(axis=1) / np.maximum(both.max(axis=1), 1)
            features = np.column_stack([features, ratio, both.mean(axis=1)])
        return self._crossed(name, features, _by_logistic)

    def all_variants(self) -> PairResult:
        """Table 4: logistic regression on the scores of all 108 document models."""
        return self.classifier("all document models", variants())

    # Re-ranking (section 6.3)

    def reranked(self) -> tuple[list[RankingFigures], list[RankingFigures]]:
        """Table 6: the top 500 by the classifier alone, and by half classifier, half baseline."""
        judges = self._rerankers()
        owner = {self.number[doc]: at for at, family in enumerate(self.families) for doc in family.ids}
        order: dict[int, tuple[Array, Array]] = {}
        for query, at in owner.items():
            top = self.baseline_top(query)
            features = self._three(query)[top]
            p = judges[self.fold[at]](features)
            base = self.scores(BASELINE, query)[top]
            spread = max(float(base.max() - base.min()), 1e-12)
            mixed = 0.5 * p + 0.5 * (base - base.min()) / spread
            order[query] = top[np.argsort(-p, kind="stable")], top[np.argsort(-mixed, kind="stable")]
        return self.judge(lambda query: order[query][0]), self.judge(lambda query: order[query][1])

    def _three(self, query: int) -> Array:
        key = ("three", query)
        if key not in self._memo:
            columns = []
            for model in THREE:
                language = self.models(model)
                columns.append(language.symmetric(language.model(query), self.lam_pairs))
            self._memo[key] = np.column_stack(columns).astype(np.float32)
        found: Array = self._memo[key]
        return found

    def _rerankers(self) -> Mapping[int, Callable[[Array], Array]]:
        """One classifier for each fold: all positives of the other folds, twice as many negatives from their top 500."""
        rng = random.Random(self.seed)
        rows: list[tuple[int, bool, Array]] = []
        for at, family in enumerate(self.families):
            members = [self.number[doc] for doc in family.ids]
            for query in members:
                three = self._three(query)
                rows += [(self.fold[at], True, three[other]) for other in members if other > query]
                others = [int(doc) for doc in self.baseline_top(query) if doc not in members]
                rows += [
                    (self.fold[at], False, three[doc]) for doc in rng.sample(others, min(len(others), len(members) - 1))
                ]
        folds = np.array([row[0] for row in rows])
        same = np.array([row[1] for row in rows])
        features = np.array([row[2] for row in rows])
        return {fold: fit_logistic(features[folds != fold], same[folds != fold]).probability for fold in range(FOLDS)}


def _by_threshold(features: Array, same: Array, unseen: Array) -> Array:
    """Same joke where the divergence is at most the cut with the best accuracy."""
    values = features[:, 0]
    order = np.argsort(values, kind="stable")
    right = np.concatenate([[0], np.cumsum(np.where(same[order], 1, -1))])
    best = int(np.argmax(right))
    ends = np.concatenate([[-np.inf], values[order], [np.inf]])
    cut = 0.5 * (ends[best] + ends[best + 1]) if 0 < best < len(values) else (-np.inf if best == 0 else np.inf)
    return unseen[:, 0] <= cut


def _by_logistic(features: Array, same: Array, unseen: Array) -> Array:
    return fit_logistic(features, same).probability(unseen) >= 0.5


def paired_p(first: Array, second: Array) -> float:
    """Give the two-sided p-value of a paired t-test on predictions, by the normal approximation (hundreds of pairs)."""
    difference = first.astype(float) - second.astype(float)
    spread = float(difference.std(ddof=1)) / math.sqrt(len(difference)) if len(difference) > 1 else 0.0
    return math.erfc(abs(float(difference.mean())) / spread / math.sqrt(2)) if spread else 1.0
