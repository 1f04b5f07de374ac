"""Two texts among all others of a collection: what their neighbours say of whether they are the same joke.

Two retellings that share little often share a third telling that is like both, and a text that merely looks like a member of a
family is outdone by its other members. Neither can be seen from two texts alone, so this is asked only inside an index.

    pair      log-odds of the two texts alone
    bridge    the least of the two log-odds by way of the third text that joins them best
    bridges   how many such third texts there are, each counted by its odds (logarithm)
    nearer    by how much the best other neighbour of either text is more like it than the other one
    nearest   the same for the text of the two for which it is less
    before    how many texts are more like one of the two, for the text with more of them (logarithm)
    kin       how like one text is to the other's few nearest, on average, for the text for which it is more
    stranger  the same for the text for which it is less
    kinned    how many of the two have near texts at all besides the other
    shared    share of the neighbours of both, each counted by its probability, that the two have in common
    crowd     how many neighbours are not far off, for the text with more of them (logarithm)
    alone     the same for the text with fewer
"""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest
from math import exp, log1p

__all__ = ["CONTEXT", "context_features"]

CONTEXT = (
    "pair", "bridge", "bridges", "nearer", "nearest", "before", "kin", "stranger", "kinned", "shared", "crowd", "alone",
)  # fmt: skip
_FAR = 6.0
_SURE = 3.0
_KIN, _LIKE, _NOT_FAR = 4, -1.0, -2.0
"""How many of the nearest are kin, the least log-odds of one, and of a neighbour that is not far off."""
_NONE = 0.3
"""Added to the neighbours of both, so that two lonely texts have nothing in common."""


def context_features(
    logit: float, a: int, near_a: Mapping[int, float], b: int, near_b: Mapping[int, float]
) -> tuple[float, ...]:
    """Give the features of texts a and b, each with the log-odds of its neighbours (which may include the other)."""
    through = [min(value, near_b[c]) for c, value in near_a.items() if c in near_b and c not in (a, b)]
    bridges = log1p(sum(exp(min(max(value, -_FAR), _SURE)) for value in through))
    margins = sorted(
        max((value for c, value in near.items() if c not in (a, b)), default=-_FAR) - logit for near in (near_a, near_b)
    )
    before = max(sum(value > logit for c, value in near.items() if c not in (a, b)) for near in (near_a, near_b))
    return (
        _bounded(logit),
        _bounded(max(through, default=-_FAR)),
        bridges,
        _bounded(margins[1]),
        _bounded(margins[0]),
        log1p(before),
        *_kin(logit, a, near_a, b, near_b),
        _shared(a, near_a, b, near_b),
        *sorted((_crowd(near_a), _crowd(near_b)), reverse=True),
    )


def _kin(
    logit: float, a: int, near_a: Mapping[int, float], b: int, near_b: Mapping[int, float]
) -> tuple[float, float, float]:
    means = []
    for near, other in ((near_a, near_b), (near_b, near_a)):
        close = nlargest(_KIN, ((value, c) for c, value in other.items() if c not in (a, b) and value > _LIKE))
        if close:
            means.append(sum(_bounded(near.get(c, -_FAR)) for _, c in close) / len(close))
    return max(means, default=_bounded(logit)), min(means, default=_bounded(logit)), float(len(means))


def _shared(a: int, near_a: Mapping[int, float], b: int, near_b: Mapping[int, float]) -> float:
    one, other = (
        {c: 1.0 / (1.0 + exp(-max(value, -50.0))) for c, value in near.items() if c not in (a, b)}
        for near in (near_a, near_b)
    )
    both = sum(min(value, other[c]) for c, value in one.items() if c in other)
    return both / (sum(one.values()) + sum(other.values()) - both + _NONE)


def _crowd(near: Mapping[int, float]) -> float:
    return log1p(sum(value > _NOT_FAR for value in near.values()))


def _bounded(value: float) -> float:
    return min(max(value, -_FAR), _FAR)
