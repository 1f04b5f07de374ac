"""A ranker of candidates with hidden units, for what no weighted sum can say.

A far sound is forgiven in a name that the text calls up, and not in any other word; a usual word wins where nothing else speaks. The
score of a row is its weighted sum, and that of some tens of units, each a bent weighted sum of the row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.explain_learn import Candidates, Flags, Rows, adam

__all__ = ["Units", "fit_units"]

_HIDDEN = 32
_STEPS = 100
_RATE = 0.02
_PULL = 3e-4
"""How strongly what goes into a unit is drawn towards 0."""


@dataclass(frozen=True, eq=False, slots=True)
class Units:
    """`into`, with `shift`, is what each unit sees of the columns of a row, and `out` what each says."""

    into: Rows
    shift: Rows
    out: Rows

    def scores(self, rows: Rows) -> Rows:
        """Give what is to be added to the weighted sum of each row."""
        found: Rows = np.tanh(rows @ self.into + self.shift) @ self.out
        return found

    def written(self) -> dict[str, NDArray[Any]]:
        """Give the units as arrays, for a file."""
        return {"into": self.into, "shift": self.shift, "out": self.out}

    @staticmethod
    def read(parts: Mapping[str, NDArray[Any]]) -> Units:
        """Give the units that were written."""
        return Units(parts["into"], parts["shift"], parts["out"])


def fit_units(groups: Sequence[tuple[Rows, Flags, float]], ridge: float = 1e-3, times: int = 4) -> tuple[Rows, Units]:
    """Give the weights and the units that put most probability on the flagged rows of each group, a mean over some starts.

    >>> rows = np.array([[-1], [0], [1]], np.float32)
    >>> weights, units = fit_units([(rows, np.array([False, True, False]), 1.0)])
    >>> int((rows @ weights + units.scores(rows)).argmax())
    1
    """
    of = Candidates.of(groups)
    found = [_fitted(of, ridge, start) for start in range(times)]
    units = Units(
        np.concatenate([units.into for _, units in found], axis=1),
        np.concatenate([units.shift for _, units in found]),
        (np.concatenate([units.out for _, units in found]) / times).astype(np.float32),
    )
    return np.mean([weights for weights, _ in found], axis=0), units


def _fitted(of: Candidates, ridge: float, start: int) -> tuple[Rows, Units]:
    wide = of.table.shape[1]
    table = np.column_stack([of.table, np.ones(len(of.table), np.float32)])
    ends = np.cumsum([wide, (wide + 1) * _HIDDEN])

    def parts(weights: Rows) -> tuple[Rows, Rows, Rows]:
        line, into, out = np.split(weights, ends)
        return line, into.reshape(-1, _HIDDEN), out

    def slope(weights: Rows) -> Rows:
        line, into, out = parts(weights)
        bent = np.tanh(table @ into)
        pull = of.pull((of.table @ line + bent @ out).astype(np.float32))
        inner = table.T @ (pull[:, None] * (1 - bent * bent) * out) + _PULL * into
        return np.concatenate([of.table.T @ pull + ridge * line, inner.ravel(), bent.T @ pull + ridge * out])

    drawn = np.random.default_rng(start).normal(0, (wide + 1) ** -0.5, (wide + 1) * _HIDDEN)
    begin = np.concatenate([np.zeros(wide), drawn, np.zeros(_HIDDEN)]).astype(np.float32)
    line, into, out = parts(adam(slope, begin, _STEPS, _RATE, fall=True))
    seen = into[:-1] / of.scale[:, None]
    return line / of.scale, Units(seen, into[-1] - of.mean @ seen, out)
