"""The rows of a run file, and the rules they must keep whatever the format."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import InputError

__all__ = ["DEEPEST", "Rows", "Tally"]

DEEPEST = 1000
"""Documents a run may give for a query (CLEF JOKER 2025 overview, section 2.4)."""


@dataclass(frozen=True)
class Tally:
    """What the rules found that is allowed but worth saying."""

    ties: int
    tied: frozenset[str]


@dataclass
class Rows:
    """A run as parallel columns, with the means to name the place of any row.

    ``ranks`` is None where the format leaves order to the scores. ``bounded`` says that scores lie in [0, 1].
    """

    path: Path
    unit: str
    qids: list[str]
    docids: list[str]
    scores: NDArray[np.float64]
    ranks: NDArray[np.int64] | None = None
    bounded: bool = True
    places: Callable[[int], int] = field(default=lambda row: row + 1)

    def refuse(self, row: int, message: str) -> InputError:
        """Give the error for a row, with its place."""
        return InputError(f"{self.path}, {self.unit} {self.places(int(row))}: {message}")

    def grouped(self) -> dict[str, dict[str, float]]:
        """Give the scores by query and document; a document twice for a query is refused."""
        found: dict[str, dict[str, float]] = {}
        for qid, docid, score in zip(self.qids, self.docids, self.scores.tolist(), strict=True):
            if qid in found:
                found[qid][docid] = score
            else:
                found[qid] = {docid: score}
        if sum(map(len, found.values())) != len(self.qids):
            self._refuse_twins()
        if "" in found or any("" in docs for docs in found.values()):
            for name, column in (("qid", self.qids), ("docid", self.docids)):
                if "" in column:
                    raise self.refuse(column.index(""), f'field "{name}": the identifier is empty; give one')
        return found

    def _refuse_twins(self) -> None:
        first: dict[tuple[str, str], int] = {}
        for row, pair in enumerate(zip(self.qids, self.docids, strict=True)):
            if pair in first:
                before = f"{self.unit} {self.places(first[pair])}"
                raise self.refuse(
                    row,
                    f'document "{pair[1]}" stands already at {before} for query "{pair[0]}"; give each document once',
                )
            first[pair] = row

    def check(self, groups: Iterable[tuple[str, int]], strict: bool) -> Tally:
        """Refuse what breaks the rules, naming the first place; count the ties in float32 that remain."""
        groups = list(groups)
        self._check_values()
        self._check_depth(groups)
        codes = {qid: code for code, (qid, _) in enumerate(groups)}
        group = np.fromiter(map(codes.__getitem__, self.qids), np.int64, len(self.qids))
        key = -self.scores if self.ranks is None else self.ranks
        order = np.lexsort((key, group))
        same = group[order][1:] == group[order][:-1]
        if self.ranks is not None:
            self._check_ranks(order, group, same)
        low = self.scores[order].astype(np.float32)
        equal = same & (low[1:] == low[:-1])
        if strict and equal.any():
            at = int(np.flatnonzero(equal)[0])
            rows = order[at], order[at + 1]
            raise self.refuse(
                rows[1],
                f'the score {self.scores[rows[1]]!s} equals that of "{self.docids[rows[0]]}" in float32 '
                f'(query "{self.qids[rows[1]]}"); make scores fall strictly',
            )
        tied = frozenset(groups[code][0] for code in np.unique(group[order][1:][equal]))
        return Tally(int(equal.sum()), tied)

    def _check_values(self) -> None:
        bad = ~np.isfinite(self.scores)
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise self.refuse(row, f'field "score": {self.scores[row]!s} is not a finite number; write one')
        if self.bounded:
            bad = (self.scores < 0) | (self.scores > 1)
            if bad.any():
                row = int(np.flatnonzero(bad)[0])
                raise self.refuse(row, f'field "score": {self.scores[row]!s} is outside [0, 1]; normalise the scores')

    def _check_depth(self, groups: list[tuple[str, int]]) -> None:
        for qid, size in groups:
            if size > DEEPEST:
                rows = [row for row, name in enumerate(self.qids) if name == qid]
                raise self.refuse(
                    rows[DEEPEST],
                    f'query "{qid}" has {size} documents; the limit is {DEEPEST}, so cut the ranking there',
                )

    def _check_ranks(self, order: NDArray[np.int64], group: NDArray[np.int64], same: NDArray[np.bool_]) -> None:
        assert self.ranks is not None
        ranks, scores = self.ranks[order], self.scores[order]
        starts = np.flatnonzero(np.concatenate(([True], ~same)))
        sizes = np.diff(np.append(starts, len(order)))
        wanted = np.arange(len(order)) - np.repeat(starts, sizes) + 1
        wrong = ranks != wanted
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            row = int(order[at])
            raise self.refuse(
                row,
                f'field "rank": {ranks[at]} where query "{self.qids[row]}" should have {wanted[at]}; '
                "number the documents of a query 1, 2, 3 and so on",
            )
        rising = same & (scores[1:] > scores[:-1])
        if rising.any():
            at = int(np.flatnonzero(rising)[0]) + 1
            row = int(order[at])
            raise self.refuse(
                row,
                f"the score {scores[at]!s} at rank {ranks[at]} is above {scores[at - 1]!s} at rank {ranks[at - 1]} "
                f'(query "{self.qids[row]}"); ranks and scores must agree',
            )
