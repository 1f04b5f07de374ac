"""A cross-encoder trained from a small encoder: ``rimshot train reranker``.

Query and text go in as one row of tokens; the state of the first is judged (Nogueira and Cho 2019). It learns
topic and humour at once: the texts to be told apart are the pun's twin and plain texts.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from rimshot.train.contrastive import save_graph, token_rows

if TYPE_CHECKING:
    from rimshot.train.bases import Base
    from rimshot.train.encoder import Encoder
    from rimshot.wordplay.topics import Asked

__all__ = ["train_reranker"]

_MAX_TOKENS = 80


class _Judge(nn.Module):  # type: ignore[misc]
    """An encoder and a linear judge of its first state."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.inner = nn.Linear(encoder.shape.dim, encoder.shape.dim)
        self.judge = nn.Linear(encoder.shape.dim, 1)

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return logits, [batch]."""
        first = self.encoder(input_ids, attention_mask)[:, 0]
        found: Tensor = self.judge(torch.tanh(self.inner(first))).squeeze(-1)
        return found


def train_reranker(
    pairs: Sequence[Asked],
    base: Base,
    out: Path,
    *,
    epochs: int = 1,
    batch: int = 32,
    rate: float = 3e-5,
    seed: int = 0,
    tell: Callable[[str, float], None] = lambda _text, _share: None,
) -> dict[str, Any]:
    """Train on pairs, write an ONNX cross-encoder to a folder and return what its model.json says.

    To the pairs given, each batch adds its own queries with another pair's joke, so that topic is learnt beside
    humour.
    """
    torch.manual_seed(seed)
    chance = random.Random(seed)
    model = _Judge(base.encoder).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    history, order = [], list(pairs)
    for epoch in range(epochs):
        chance.shuffle(order)
        total, steps = 0.0, 0
        for begin in range(0, len(order), batch):
            rows = _rows(order[begin : begin + batch])
            logits = model(*token_rows(base.tokenizer.encode_batch([(q, t) for q, t, _ in rows]), _MAX_TOKENS))
            value = F.binary_cross_entropy_with_logits(logits, torch.tensor([label for _, _, label in rows]))
            optimiser.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            total, steps = total + float(value.detach()), steps + 1
            tell(f"loss {total / steps:.4f}", (epoch + (begin + batch) / len(order)) / epochs)
        history.append(round(total / max(steps, 1), 5))
    about = {
        "name": f"{base.name}-reranker",
        "kind": "reranker",
        "max_tokens": _MAX_TOKENS,
        "prefix": "",
        "pairs": len(pairs),
        "epochs": epochs,
        "seed": seed,
        "history": history,
    }
    return save_graph(model, "logit", base.tokenizer, out, about)


def _rows(pairs: Sequence[Asked]) -> list[tuple[str, str, float]]:
    rows = [(pair.query, pair.text, float(pair.relevance)) for pair in pairs]
    jokes = [pair for pair in pairs if pair.relevance > 0.5]
    for one, other in zip(jokes, [*jokes[1:], *jokes[:1]], strict=True):
        if one.group != other.group:
            rows.append((one.query, other.text, 0.0))
    return rows
