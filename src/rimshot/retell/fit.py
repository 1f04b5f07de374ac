"""Fitting the weights of the similarity on judged families, with figures by cross-validation over families.

Negatives are pairs that people judged to be different jokes, and pairs of texts from two judged families, near ones and random
ones. A text that is merely not judged is no negative: it may well be a retelling that nobody has looked at. Only for the order are all
other candidates taken as different, and in a collection that is known whole, the jokes that come with rimshot; on it rest the small
sets of weights that need such negatives: jokes whose pun word has been taken out, jokes told in two languages.

Folds are of whole families, joined with the families that judged pairs connect them to, so no text is on both sides.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rimshot.retell.context import CONTEXT, context_features
from rimshot.retell.families import Material
from rimshot.retell.halves import HALVES, half_features
from rimshot.retell.likeness import VECTORS, lexical_likeness
from rimshot.retell.logistic import Logistic, fit_logistic
from rimshot.retell.quadratic import Quadratic, fit_quadratic
from rimshot.retell.similarity import FREE, MODELS, NAMES, ORDER, PAIR, Likeness, Similarity, columns
from rimshot.retell.trees import Trees, fit_ranking_trees, fit_trees

__all__ = ["FOLDS", "Judged", "Near", "Rows", "Whole", "fit_similarity", "fold_of_texts", "judged_rows", "weights_dict"]

Array = npt.NDArray[Any]
FOLDS = 5
_NEAR, _RANDOM = 6, 6
_ORDER_NEGATIVES, _ACROSS_NEGATIVES = 3.0, 30.0
"""What all other texts weigh together, against all versions, among free retellings and for being told in another language."""
_FREE, _FREE_KIN = 2.0, 0.5
"""What free retellings weigh in the trees that know them, and those of jokes on one word, against those of the judged collection."""
_LONE = 30.0
"""What the candidates of jokes told once weigh together there, where the versions of the judged collection weigh 1."""
_RAISED = 1.5
"""By how much they make all log-odds too low: with it about as many families are found in the judged collection as before."""
_FREE_ORDER, _KIN_ORDER = 4.0, 1.0
"""What the texts of free retellings weigh together in the order, and those of jokes on one word; those of the judged collection weigh 1."""
_SURVEYED = 10_000
"""How many candidates are asked for the scale of the order."""
_RISING = [name in (*VECTORS, "hinge") for name in NAMES]
"""The features that never speak against a pair by being greater."""
_PAIR_RIDGE = 10.0
FAMILY, TOLD = 1.0, 2.5


@dataclass(frozen=True, eq=False)
class Near:
    """The candidates of one text: their numbers, features, which are near copies of it and which have all its letters."""

    docs: Array
    features: Array
    copies: Array
    equal: Array

    def judged(self, similarity: Similarity) -> Likeness:
        """Give what a similarity says of them; all are of one language."""
        return similarity.judge(self.features, np.ones(len(self.docs), dtype=bool), self.copies, self.equal)


@dataclass(frozen=True, eq=False)
class Judged:
    """A collection with judged families (numbers of texts), pairs that are different jokes, and candidates of all judged texts."""

    material: Material
    families: Sequence[Sequence[int]]
    negatives: Sequence[tuple[int, int]]
    near: Mapping[int, Near]


@dataclass(frozen=True, eq=False)
class Whole:
    """A collection in which all families are known, with their languages: pairs of versions, of a joke and its edited twin, candidates.

    ``across`` has, for jokes told in two languages, the features of candidates in the other language and which of them are the same
    joke, in an order in which two tellings of one joke stand side by side; ``scales`` what cosines are usual (see Similarity); ``lone``
    the candidates of jokes that have been told once. ``kin`` has a number for each family, the same for jokes on one word, which share a
    fold; without, each family has its own.
    """

    families: Sequence[Sequence[int]]
    langs: Sequence[str]
    versions: Array
    twins: Array
    near: Mapping[int, Near]
    across: Sequence[tuple[Array, Array]]
    scales: Mapping[str, Array]
    lone: Sequence[Near] = ()
    kin: Sequence[int] = ()

    def has_kin(self, family: int) -> bool:
        """Tell whether other families of this one's word are known, by its number."""
        return bool(self.kin) and self.kin.count(self.kin[family]) > 1

    def fold(self, family: int) -> int:
        """Give the fold of a family by its number."""
        return (self.kin[family] if self.kin else family) % FOLDS


@dataclass(frozen=True, eq=False)
class Rows:
    """Pairs with their features, whether they are the same joke, whether they were judged, and the folds of the two texts.

    ``halves`` has what compares their set-ups and endings, for judged pairs (0 elsewhere).
    """

    pairs: Array
    features: Array
    halves: Array
    same: Array
    judged: Array
    folds: Array

    def outside(self, fold: int) -> Array:
        """Tell which rows have no text in a fold; -1 is no fold."""
        return np.asarray((self.folds != fold).all(axis=1))


def fold_of_texts(
    families: Sequence[Sequence[int]], negatives: Sequence[tuple[int, int]], seed: int = 7
) -> dict[int, int]:
    """Give the fold of every judged text; a judged pair lies in one fold, and so does a family."""
    parent: dict[int, int] = {}

    def find(text: int) -> int:
        parent.setdefault(text, text)
        while parent[text] != text:
            parent[text] = parent[parent[text]]
            text = parent[text]
        return text

    for a, b in [*((family[0], other) for family in families for other in family[1:]), *negatives]:
        parent[find(a)] = find(b)
    roots = sorted({find(text) for text in parent})
    random.Random(seed).shuffle(roots)
    fold = {root: at % FOLDS for at, root in enumerate(roots)}
    return {text: fold[find(text)] for text in parent}


def judged_rows(judged: Judged, seed: int = 7) -> Rows:
    """Give the pairs to learn from."""
    material, owner = judged.material, {n: at for at, family in enumerate(judged.families) for n in family}
    if material.meaning is None:
        raise ValueError("the weights are fitted on texts with vectors")
    chosen: dict[tuple[int, int], tuple[bool, bool]] = {}
    for family in judged.families:
        chosen |= {_pair(a, b): (True, True) for at, a in enumerate(family) for b in family[at + 1 :]}
    chosen |= {_pair(a, b): (False, True) for a, b in judged.negatives}
    tellings = {n: material.telling(n) for n in {n for pair in chosen for n in pair}}
    members = np.array(sorted(owner))
    meaning, rng = material.meaning[members].astype(np.float32), random.Random(seed)
    for row, member in enumerate(members.tolist()):
        rare = tellings[member].weight
        shared = [sum(rare[stem] for stem in rare.keys() & tellings[n].bag.keys()) for n in members.tolist()]
        others: list[int] = []
        # By one signal alone, that signal would look useless: all negatives would have it.
        for signal in (meaning @ meaning[row], np.array(shared)):
            others = [n for n in members[np.argsort(-signal, kind="stable")].tolist() if owner[n] != owner[member]]
            for other in others[:_NEAR]:
                chosen.setdefault(_pair(member, other), (False, False))
        for other in rng.sample(others, min(_RANDOM, len(others))):
            chosen.setdefault(_pair(member, other), (False, False))
    pairs, fold = np.array(list(chosen)), fold_of_texts(judged.families, judged.negatives)
    cosine = material.cosines(pairs[:, 0], pairs[:, 1])
    if cosine is None:
        raise ValueError("the weights are fitted on texts with vectors")
    lexical = np.array([lexical_likeness(tellings[a], tellings[b]) for a, b in pairs.tolist()])
    kinds = np.array(list(chosen.values()))
    folds = np.array([[fold[a], fold[b]] for a, b in pairs.tolist()])
    halves = np.zeros((len(pairs), len(HALVES)))
    for at in np.flatnonzero(kinds[:, 1]).tolist():
        halves[at] = half_features(*(tellings[n] for n in pairs[at].tolist()))
    return Rows(pairs, np.column_stack([lexical, cosine]), halves, kinds[:, 0], kinds[:, 1], folds)


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def fit_similarity(rows: Rows, judged: Judged, whole: Whole, fold: int = -1) -> Similarity:
    """Fit all sets of weights without the texts of a fold (of the judged collection, and of the whole one)."""
    chosen = rows.outside(fold)
    others = ~rows.judged & ~rows.same
    weight = np.where(others, rows.same.sum() / max(others.sum(), 1), 1.0)
    models: dict[str, Logistic] = {}
    for name in ("full", "words", "vectors"):
        models[name] = fit_logistic(rows.features[chosen][:, columns(name)], rows.same[chosen], 1.0, weight[chosen])
    models["edited"], models["across"] = _fit_edited(rows, whole, chosen, fold), _fit_across(whole, fold)
    free = _fit_free(judged, whole, fold)
    ranks = _fit_order(judged, whole, free, fold)
    similarity = Similarity(models, FAMILY, TOLD, free, ranks, Quadratic.nothing(len(MODELS[PAIR])), whole.scales)
    known = chosen & rows.judged
    pair = fit_quadratic(pair_features(rows, judged, similarity)[known], rows.same[known], _PAIR_RIDGE)
    return replace(similarity, pair=pair)


def pair_features(rows: Rows, judged: Judged, similarity: Similarity) -> Array:
    """Give what the set ``pair`` reads, for judged pairs (0 elsewhere)."""
    near = {
        n: dict(zip(found.docs.tolist(), near_logits(found, similarity).tolist(), strict=True))
        for n, found in judged.near.items()
    }
    alone = similarity.models["full"].logit(rows.features[:, columns("full")])
    around = np.zeros((len(rows.pairs), len(CONTEXT)))
    for at in np.flatnonzero(rows.judged).tolist():
        a, b = rows.pairs[at].tolist()
        around[at] = context_features(float(alone[at]), a, near[a], b, near[b])
    return np.column_stack([around, rows.halves, rows.features[:, columns(PAIR)]])


def near_logits(found: Near, similarity: Similarity) -> Array:
    """Give the log-odds of a text's candidates."""
    return found.judged(similarity).logits


def _whole_folds(whole: Whole) -> dict[int, int]:
    return {n: whole.fold(at) for at, family in enumerate(whole.families) for n in family}


def _fit_edited(rows: Rows, whole: Whole, chosen: Array, fold: int) -> Logistic:
    """Edited twins against retellings of both collections; the twins lie in folds by their number."""
    twins = whole.twins[np.arange(len(whole.twins)) % FOLDS != fold]
    same = np.concatenate([rows.features[chosen & rows.same], whole.versions])
    features = np.concatenate([twins, same])[:, columns("edited")]
    return fit_logistic(features, np.arange(len(features)) < len(twins), 0.1)


def _candidates(judged: Judged, whole: Whole, fold: int) -> list[list[tuple[Array, Array]]]:
    """For each version outside a fold its candidates' features, and which are other versions.

    In three lists: in the judged collection, in the whole one, and there of jokes of which others are on the same word.

    An unjudged candidate may be a retelling, which would be a wrong negative: few are, and without them the trees would never see the
    candidates of long jokes that they are to put in order.
    """
    own = fold_of_texts(judged.families, judged.negatives)
    kin = {at for at in range(len(whole.families)) if whole.has_kin(at)}
    found = []
    for families, near, place in (
        (judged.families, judged.near, own),
        ([family for at, family in enumerate(whole.families) if at not in kin], whole.near, _whole_folds(whole)),
        ([whole.families[at] for at in sorted(kin)], whole.near, _whole_folds(whole)),
    ):
        family = {n: frozenset(members) for members in families for n in members}
        found.append([
            (near[n].features, np.array([int(m) in family[n] for m in near[n].docs], dtype=bool))
            for n in family if place[n] != fold
        ])  # fmt: skip
    return found


def _fit_free(judged: Judged, whole: Whole, fold: int) -> Trees:
    """Versions against all other candidates, in the judged collection and in the one that is known whole."""
    features, same, weight = [], [], []
    for rows, share in zip(_candidates(judged, whole, fold), (1.0, _FREE, _FREE_KIN), strict=True):
        if not rows:
            continue
        flags = np.concatenate([flags for _, flags in rows])
        features += [part for part, _ in rows]
        same.append(flags)
        weight.append(
            share * np.where(flags, 1.0, _ORDER_NEGATIVES * flags.sum() / max((~flags).sum(), 1)) / max(flags.sum(), 1)
        )
    if whole.lone:
        # Most jokes of a collection have been told once, and what is nearest to one of those is another joke.
        alone = [part.features for at, part in enumerate(whole.lone) if at % FOLDS != fold]
        count = sum(map(len, alone))
        features, same = [*features, *alone], [*same, np.zeros(count, dtype=bool)]
        weight.append(np.full(count, _LONE / max(count, 1)))
    weights = np.concatenate(weight)
    trees = fit_trees(np.concatenate(features), np.concatenate(same), weights * len(weights) / weights.sum(), _RISING)
    return trees.raised(_RAISED) if whole.lone else trees


def _fit_order(judged: Judged, whole: Whole, free: Trees, fold: int) -> Trees:
    """Versions before all other candidates of the same text; a text none of whose versions is a candidate teaches nothing."""
    features, same, weight, sizes = [], [], [], []
    for rows, share in zip(_candidates(judged, whole, fold), (1.0, _FREE_ORDER, _KIN_ORDER), strict=True):
        kept = [(part, flags) for part, flags in rows if flags.any()]
        for part, flags in kept:
            features.append(part)
            same.append(flags)
            weight.append(np.full(len(flags), share / len(kept)))
            sizes.append(len(flags))
    weights = np.concatenate(weight)
    weights *= len(weights) / weights.sum()
    every = np.concatenate(features)
    # Texts in another language are ranked beside these by their log-odds.
    some = every[:: max(1, len(every) // _SURVEYED)]
    return fit_ranking_trees(every, np.concatenate(same), sizes, weights, _RISING).on_scale_of(free, some)


def _fit_across(whole: Whole, fold: int) -> Logistic:
    parts = [part for at, part in enumerate(whole.across) if at // 2 % FOLDS != fold]
    features, same = (np.concatenate([part[side] for part in parts]) for side in (0, 1))
    weight = np.where(same, 1.0, _ACROSS_NEGATIVES * same.sum() / max((~same).sum(), 1))
    return fit_logistic(features[:, columns("across")], same, 1.0, weight)


def weights_dict(similarity: Similarity, **notes: Any) -> dict[str, Any]:
    """Give the content of a file of weights."""
    models: dict[str, dict[str, Any]] = {
        name: {
            "bias": round(similarity.models[name].bias, 4),
            "weights": {
                feature: round(float(w), 4) for feature, w in zip(names, similarity.models[name].weights, strict=True)
            },
        }
        for name, names in MODELS.items()
        if name not in (FREE, ORDER, PAIR)
    }
    for name, found in ((FREE, similarity.free), (ORDER, similarity.ranks), (PAIR, similarity.pair)):
        models[name] = {"features": list(MODELS[name]), **found.written()}
    return {
        "version": 6,
        "models": models,
        "cosines": {name: np.round(rows, 4).tolist() for name, rows in similarity.scales.items()},
        "family_logit": similarity.family,
        "told_logit": similarity.told,
        **notes,
    }
