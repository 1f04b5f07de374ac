"""How trees of decisions are laid out in arrays, end to end, and how rows fall through them.

From node n a row goes to ``below[n]`` or, where its ``column[n]`` is greater than ``cut[n]``, to the node after that one; a leaf has 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Forks"]

Array = NDArray[Any]


@dataclass(frozen=True, eq=False, slots=True)
class Forks:
    """The nodes of many trees, with the first node of each."""

    roots: Array
    column: Array
    cut: Array
    below: Array

    def leaves(self, rows: Array) -> Array:
        """Give the node at which each row ends, a column a tree.

        >>> forks = Forks(*(np.array(part) for part in ([0], [0, 0, 0], [0.5, 0, 0], [1, 0, 0])))
        >>> forks.leaves(np.array([[0.2], [0.7]])).tolist()
        [[1], [2]]
        """
        every = np.arange(len(rows))[:, None]
        nodes = np.broadcast_to(self.roots, (len(rows), len(self.roots)))
        while True:
            below = self.below[nodes]
            inner = below > 0
            if not inner.any():
                return nodes
            nodes = np.where(inner, below + (rows[every, self.column[nodes]] > self.cut[nodes]), nodes)
