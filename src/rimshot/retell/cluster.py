"""From pairs to families: average linkage inside the connected parts of the graph of likely pairs.

Single linkage would chain unlike jokes together (a is told like b, b like c, but a is not c); here two groups join only if
their members are, on average, the same joke. The result is a partition that depends on the pairs alone: nodes are ordered by
a key that the caller derives from the texts, never by their numbers, so neither the order of input nor the addition of texts
that are like none of these changes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["components", "families", "representative"]

Array = npt.NDArray[Any]
_LARGEST = 150
"""A connected part with more nodes is cut at a higher threshold first."""
_STEP = 1.0
_FAR = 6.0
"""Log-odds further than this from the cut count as this far."""


def components(size: int, pairs: Array) -> list[list[int]]:
    """Give the connected parts, of two nodes at least, of a graph with ``pairs`` as edges; nodes rising.

    >>> components(5, np.array([[0, 3], [3, 4]]))
    [[0, 3, 4]]
    """
    parent = list(range(size))

    def find(node: int) -> int:
        while parent[node] != node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    for a, b in np.asarray(pairs).reshape(-1, 2).tolist():
        x, y = find(a), find(b)
        if x != y:
            parent[max(x, y)] = min(x, y)
    groups: dict[int, list[int]] = {}
    for node in sorted({int(n) for n in np.asarray(pairs).ravel()}):
        groups.setdefault(find(node), []).append(node)
    return list(groups.values())


def families(
    size: int,
    pairs: Array,
    logits: Array,
    cut: float,
    compare: Callable[[int, Sequence[int]], Array],
    keys: Sequence[Any],
) -> list[list[int]]:
    """Give the families of two nodes at least, each with rising numbers.

    ``pairs`` and their ``logits`` come from candidates; inside a connected part, pairs that nobody proposed are asked of
    ``compare(node, others)``. Two groups join while the mean logit between them is at least ``cut``. ``keys`` order the nodes
    for ties.
    """
    known = {(int(a), int(b)): float(v) for (a, b), v in zip(np.sort(pairs, axis=1), logits, strict=True)}
    found: list[list[int]] = []
    edges = np.array([pair for pair, value in known.items() if value >= cut], dtype=np.int64).reshape(-1, 2)
    waiting = [(part, cut) for part in components(size, edges)]
    while waiting:
        part, level = waiting.pop()
        if len(part) > _LARGEST:
            inside = set(part)
            level += _STEP
            strong = [
                pair for pair, value in known.items() if value >= level and pair[0] in inside and pair[1] in inside
            ]
            waiting += [(piece, level) for piece in components(size, np.array(strong, dtype=np.int64).reshape(-1, 2))]
            continue
        found += _link(sorted(part, key=lambda node: keys[node]), known, cut, compare)
    return sorted(sorted(group) for group in found)


def _link(
    nodes: list[int], known: Mapping[tuple[int, int], float], cut: float, compare: Callable[[int, Sequence[int]], Array]
) -> list[list[int]]:
    """Average linkage over a few nodes."""
    count = len(nodes)
    alike = np.zeros((count, count))
    for i, node in enumerate(nodes):
        unknown = [j for j in range(i + 1, count) if _pair(node, nodes[j]) not in known]
        if unknown:
            alike[i, unknown] = compare(node, [nodes[j] for j in unknown])
        for j in range(i + 1, count):
            if (value := known.get(_pair(node, nodes[j]))) is not None:
                alike[i, j] = value
    alike += alike.T
    # Far apart is far apart: one pair of long texts without a shared word must not outweigh five good ones.
    alike = np.clip(alike, cut - _FAR, cut + _FAR)
    np.fill_diagonal(alike, -np.inf)
    groups = [[at] for at in range(count)]
    sums, alive = alike.copy(), [True] * count
    while True:
        best, pair = cut, None
        for i in range(count):
            if alive[i]:
                for j in range(i + 1, count):
                    if alive[j]:
                        mean = sums[i, j] / (len(groups[i]) * len(groups[j]))
                        if mean > best or (mean == best and pair is None):
                            best, pair = mean, (i, j)
        if pair is None:
            return [[nodes[at] for at in groups[i]] for i in range(count) if alive[i] and len(groups[i]) > 1]
        i, j = pair
        groups[i] += groups[j]
        sums[i] += sums[j]
        sums[:, i] += sums[:, j]
        sums[i, i] = -np.inf
        alive[j] = False


def _pair(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


def representative(group: Sequence[int], logits: Callable[[int, Sequence[int]], Array], keys: Sequence[Any]) -> int:
    """Give the member most like all others; of two, and of equals, the one with the smallest key."""
    ordered = sorted(group, key=lambda node: keys[node])
    if len(ordered) < 3:
        return ordered[0]
    means = [float(np.clip(logits(node, [o for o in ordered if o != node]), -10, 10).mean()) for node in ordered]
    return ordered[int(np.argmax(np.round(means, 6)))]
