"""Which pair of senses to name first: the one that is most probably right, exactly or at least coarsely.

`sense_pair` scores all pairs of senses of a word. To what it counts, the order adds how the two stand among the senses of
the word, and how near the text the sentences are with which WordNet shows them. The scores become chances, and the pair
with the greatest expected worth goes first (minimum Bayes risk; Kumar and Byrne 2004): half of the worth is to be right
exactly, half to be right but for a fine difference.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.arrays import read_arrays

__all__ = ["ORDER_FEATURES", "expected_worth", "near_examples", "order_columns"]

ORDER_FEATURES = (
    "standing_least", "standing_most", "example", "example_least", "example_most", "shown", "shown_least", "shown_most",
)  # fmt: skip
PATH = Path(__file__).with_name("explain_examples.npz")
_FLAT = 1.5
"""How much the chances are flattened: scores fitted on a few hundred puns are too sure of themselves."""
_EXACT = 0.5
"""The worth of a pair that is right exactly beyond that of one that is right coarsely."""

Row = NDArray[np.float32]


def near_examples(numbers: NDArray[np.int_], meaning: Row | None) -> tuple[Row, Row]:
    """Give how near a text the nearest example of each synset is, 0 without one, and whether it has any."""
    found = read_arrays(PATH)
    near, shown = np.zeros(len(numbers), np.float32), np.zeros(len(numbers), np.float32)
    if found is None or meaning is None:
        return near, shown
    first = np.searchsorted(found["synsets"], numbers, "left").tolist()
    last = np.searchsorted(found["synsets"], numbers, "right").tolist()
    for at, (start, end) in enumerate(zip(first, last, strict=True)):
        if start < end:
            rows = found["rows"][start:end].astype(np.float32)
            length = np.sqrt((rows * rows).sum(axis=1))
            near[at], shown[at] = (rows @ meaning / np.maximum(length, 1e-6)).max(), 1.0
    return near, shown


def order_columns(gloss: Row, near: Row, shown: Row, first: NDArray[np.intp], second: NDArray[np.intp]) -> Row:
    """Give a row of :data:`ORDER_FEATURES` for each pair by number; `gloss` is how near the text each definition is."""
    standing = (gloss - gloss.mean()) / (gloss.std() + np.float32(1e-3))
    columns = [np.minimum(standing[first], standing[second]), np.maximum(standing[first], standing[second])]
    for told in (near, shown):
        one, other = told[first], told[second]
        columns += [one + other, np.minimum(one, other), np.maximum(one, other)]
    return np.stack(columns, axis=1).astype(np.float32)


def expected_worth(scores: Row, kin: Row, first: NDArray[np.intp], second: NDArray[np.intp]) -> Row:
    """Give how much each pair is worth on average; `kin` says which senses differ only finely.

    Two pairs that differ finely gain from each other, a third that stands alone does not:

    >>> kin = np.eye(4, dtype=np.float32)
    >>> kin[1, 2] = kin[2, 1] = 1
    >>> pairs = np.array([0, 0, 0]), np.array([1, 2, 3])
    >>> np.argmax(expected_worth(np.array([1.0, 0.9, 1.2], np.float32), kin, *pairs)).item()
    0
    """
    raised = np.exp((scores - scores.max()) / _FLAT)
    chance = raised / raised.sum()
    size = len(kin)
    table = np.zeros((size, size), np.float32)
    table[first, second] = chance
    table += table.T
    together = (kin @ table @ kin)[first, second]
    # A pair both of whose senses are kin to each other meets every pair of its kind twice.
    twice = kin[first, second] > 0
    worth: Row = (_EXACT * chance + (1 - _EXACT) * np.where(twice, together / 2, together)).astype(np.float32)
    return worth
