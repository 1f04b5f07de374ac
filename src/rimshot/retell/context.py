"""Two texts among all others of a collection: what their neighbours say of whether they are the same joke.

Two retellings that share little often share a third telling that is like both, and a text that merely looks like a member of a
family is outdone by its other members. Neither can be seen from two texts alone, so this is asked only inside an index.

    pair      log-odds of the two texts alone
    bridge    the least of the two log-odds by way of the third text that joins them best
    bridges   how many such third texts there are, each counted by its odds (logarithm)
    nearer    by how much the best other neighbour of either text is more like it than the other one
    nearest   the same for the text of the two for which it is less
    before    how many texts are more like one of the two, for the text with more of them (logarithm)
"""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, log1p

__all__ = ["CONTEXT", "context_features"]

CONTEXT = ("pair", "bridge", "bridges", "nearer", "nearest", "before")
_FAR = 6.0
_SURE = 3.0


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
    )


def _bounded(value: float) -> float:
    return min(max(value, -_FAR), _FAR)
