"""The LSTM of the classical field: trained here with torch, run by ``rimshot.wordplay.classical.lstm`` without it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from rimshot.wordplay.classical.lstm import UNKNOWN, lstm_logits, pieces
from rimshot.wordplay.labelled import Labelled
from rimshot.wordplay.measure import average_precision
from rimshot.wordplay.prior import calibrate, collection_weights, folds

__all__ = ["train_lstm"]


class _Reader(nn.Module):  # type: ignore[misc]
    """Word vectors, an LSTM in both directions, the greatest state of each unit, a linear judge."""

    def __init__(self, vocabulary: int, dim: int, units: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocabulary, dim, padding_idx=0)
        self.lstm = nn.LSTM(dim, units, batch_first=True, bidirectional=True)
        self.judge = nn.Linear(2 * units, 1)
        self.dropout = nn.Dropout(0.4)

    def forward(self, ids: Tensor, lengths: Tensor) -> Tensor:
        """Return the logits of padded rows of word numbers."""
        states = self.dropout(self.embedding(ids))
        packed = nn.utils.rnn.pack_padded_sequence(states, lengths, batch_first=True, enforce_sorted=False)
        read, _ = nn.utils.rnn.pad_packed_sequence(self.lstm(packed)[0], batch_first=True, total_length=ids.shape[1])
        read = read.masked_fill((ids == 0)[:, :, None], -2.0)
        return torch.as_tensor(self.judge(self.dropout(read.max(dim=1).values)).squeeze(-1))


def train_lstm(
    texts: Sequence[Labelled],
    lang: str,
    folder: Path,
    *,
    seed: int = 0,
    epochs: int = 8,
    dim: int = 64,
    units: int = 64,
    step: Callable[[str, float], None] | None = None,
) -> dict[str, Any]:
    """Train the LSTM, write it to a folder, and give what its model.json says.

    A tenth of the texts (a pun and its twin on one side) decides when to stop and sets the probabilities.
    """
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    read = [pieces(item.text) for item in texts]
    truth = np.array([item.humorous for item in texts])
    spoken = np.array([bool(found) for found in read])
    held = (folds([item.group for item in texts], 10, seed) == 0) & spoken
    inside = np.flatnonzero(~held & spoken)
    counts = Counter(piece for number in inside for piece in read[number])
    listed = sorted(piece for piece, count in counts.items() if count > 1)
    numbers = {piece: number for number, piece in enumerate(listed, UNKNOWN + 1)}
    coded = [[numbers.get(piece, UNKNOWN) for piece in found] for found in read]
    model = _Reader(len(listed) + UNKNOWN + 1, dim, units)
    optimiser = torch.optim.Adam(model.parameters(), 2e-3)
    loss = nn.BCEWithLogitsLoss()
    best: dict[str, Any] = {"ap": -1.0}
    out = np.flatnonzero(held)
    for epoch in range(epochs):
        model.train()
        batches = _batches(inside, coded, rng)
        for done, rows in enumerate(batches):
            ids, lengths = _padded([coded[number] for number in rows])
            optimiser.zero_grad()
            loss(model(ids, lengths), torch.tensor(truth[rows], dtype=torch.float32)).backward()
            optimiser.step()
            if step is not None:
                step(f"epoch {epoch + 1}", (epoch + (done + 1) / len(batches)) / epochs)
        weights = {name: value.detach().numpy().copy() for name, value in model.state_dict().items()}
        logits = np.concatenate([lstm_logits(weights, [coded[n]]) for n in out]) if len(out) else np.zeros(0)
        precision = average_precision(truth[out], logits)
        if precision > best["ap"]:
            best = {"ap": precision, "weights": weights, "logits": logits, "epoch": epoch + 1}
    twin = np.array([item.source == "edit" for item in texts])
    shares = collection_weights(truth[out], twin[out])
    slope, shift = calibrate(np.asarray(best["logits"], dtype=np.float64), truth[out], shares)
    about = {
        "kind": "lstm",
        "name": "lstm",
        "lang": lang,
        "seed": seed,
        "texts": len(texts),
        "best_epoch": best["epoch"],
        "calibration": {"a": slope, "b": shift},
    }
    folder.mkdir(parents=True, exist_ok=True)
    np.savez(folder / "weights.npz", **best["weights"])
    (folder / "words.txt").write_text("\n".join(listed), "utf-8")
    (folder / "model.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    return about


def _batches(inside: Any, coded: Sequence[Sequence[int]], rng: np.random.Generator, size: int = 64) -> list[Any]:
    """Return batches of like length, shuffled."""
    shuffled = rng.permutation(inside)
    ordered = shuffled[np.argsort([len(coded[number]) for number in shuffled], kind="stable")]
    batches = [ordered[begin : begin + size] for begin in range(0, len(ordered), size)]
    return [batches[number] for number in rng.permutation(len(batches))]


def _padded(rows: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    lengths = [len(row) for row in rows]
    ids = np.zeros((len(rows), max(lengths)), np.int64)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = row
    return torch.from_numpy(ids), torch.tensor(lengths)
