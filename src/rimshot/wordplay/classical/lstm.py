"""The LSTM of the classical field, run in plain numpy; ``rimshot.train.lstm`` trains it.

Word vectors, one layer in each direction, the greatest state of each unit, a linear judge (Hochreiter and Schmidhuber
1997; gates in torch's order: input, forget, cell, output).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import words
from rimshot.errors import MissingPart
from rimshot.wordplay.canonical import canonical_text
from rimshot.wordplay.classical.folder import FolderModel
from rimshot.wordplay.detector import Progress, Scores

__all__ = ["LONGEST", "UNKNOWN", "LstmDetector", "lstm_logits", "pieces"]

LONGEST = 96
UNKNOWN = 1
"""The number of a word that training did not see; 0 is padding."""
_BATCH = 256
_PIECE = re.compile(r"\w+|[^\w\s]")

Floats = NDArray[np.float32]


def pieces(text: str) -> list[str]:
    """Give the words and marks that the LSTM reads: the last ones of a long text, where the punch line is.

    >>> pieces("Hot dogs, said Tom!")
    ['hot', 'dogs', ',', 'said', 'tom', '.']
    """
    return _PIECE.findall(canonical_text(text))[-LONGEST:]


def lstm_logits(weights: Mapping[str, Floats], numbers: Sequence[Sequence[int]]) -> Floats:
    """Give the logits of texts given as word numbers, none of them empty."""
    width = max(map(len, numbers))
    ids = np.zeros((len(numbers), width), np.int64)
    for row, found in enumerate(numbers):
        ids[row, : len(found)] = found
    states = weights["embedding.weight"][ids]
    real = ids > 0
    ways = [_walk(weights, "", states, real, range(width))]
    ways.append(_walk(weights, "_reverse", states, real, range(width - 1, -1, -1)))
    greatest = np.concatenate(ways, axis=1)
    return np.asarray(greatest @ weights["judge.weight"][0] + weights["judge.bias"][0], dtype=np.float32)


def _walk(weights: Mapping[str, Floats], way: str, states: Floats, real: NDArray[np.bool_], steps: range) -> Floats:
    """Walk over the words in one direction and give each unit's greatest state; padding leaves the state as it is."""
    bias = weights[f"lstm.bias_ih_l0{way}"] + weights[f"lstm.bias_hh_l0{way}"]
    given = states @ weights[f"lstm.weight_ih_l0{way}"].T + bias
    again = weights[f"lstm.weight_hh_l0{way}"].T
    size = again.shape[0]
    hidden = np.zeros((len(states), size), np.float32)
    cell = np.zeros_like(hidden)
    greatest = np.full_like(hidden, -np.inf)
    for step in steps:
        gates = given[:, step] + hidden @ again
        enter, forget, out = (_squash(gates[:, k * size : (k + 1) * size]) for k in (0, 1, 3))
        fresh = forget * cell + enter * np.tanh(gates[:, 2 * size : 3 * size])
        here = real[:, step, None]
        cell = np.where(here, fresh, cell)
        hidden = np.where(here, out * np.tanh(fresh), hidden)
        greatest = np.where(here, np.maximum(greatest, hidden), greatest)
    return greatest


def _squash(values: Floats) -> Floats:
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * values)), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class LstmDetector(FolderModel):
    """A trained LSTM in a folder of model.json, words.txt and weights.npz; it names no pun word."""

    files = ("model.json", "words.txt", "weights.npz")

    @cached_property
    def _weights(self) -> dict[str, Floats]:
        path = self.folder / "weights.npz"
        if not path.exists():
            raise MissingPart(f"{path} is missing; train it with: rimshot train classical lstm")
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as kept:
            return {name: np.asarray(kept[name], dtype=np.float32) for name in kept.files}

    @cached_property
    def _words(self) -> dict[str, int]:
        listed = (self.folder / "words.txt").read_text("utf-8").split("\n")
        return {word: number for number, word in enumerate(listed, UNKNOWN + 1)}

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the scores of texts; any language is read as if it were the model's own."""
        scores = Scores.blank(len(texts))
        slope, shift = self.calibration
        spoken = [number for number, text in enumerate(texts) if words(text)]
        numbers = {n: [self._words.get(piece, UNKNOWN) for piece in pieces(texts[n])] for n in spoken}
        order = sorted(spoken, key=lambda number: len(numbers[number]))
        for begin in range(0, len(order), _BATCH):
            some = order[begin : begin + _BATCH]
            logits = lstm_logits(self._weights, [numbers[number] for number in some])
            scores.humour[some] = _squash(np.asarray(slope * logits + shift, dtype=np.float32))
            if progress is not None:
                progress(begin + len(some))
        if progress is not None:
            progress(len(texts))
        return scores
