"""An encoder tuned so that a topic and the jokes about it lie close: ``rimshot train encoder``.

Three losses of the systems on record: multiple negatives ranking and an adaptive margin (igoranchik, JOKER 2025),
and the cosine loss of sentence-transformers (cryptix, JOKER 2025).
"""

from __future__ import annotations

import hashlib
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from rimshot.errors import InputError, did_you_mean
from rimshot.train.export import write_about

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from rimshot.train.bases import Base
    from rimshot.train.encoder import Encoder
    from rimshot.wordplay.topics import Asked

__all__ = [
    "LOSSES",
    "adaptive_margin",
    "cosine_loss",
    "multiple_negatives",
    "save_graph",
    "token_rows",
    "train_encoder",
]

_MAX_TOKENS = 64


def multiple_negatives(queries: Tensor, texts: Tensor, relevance: Tensor, scale: float = 20.0) -> Tensor:
    """Return the cross-entropy of each query's own text among all texts of the batch (Henderson et al. 2017).

    Rows whose relevance is 0 are texts to be told apart, and no query's own.
    """
    own = relevance > 0.5
    scores = scale * queries[own] @ texts.T
    places = torch.nonzero(own).squeeze(-1)
    return F.cross_entropy(scores, places)


def adaptive_margin(queries: Tensor, texts: Tensor, relevance: Tensor, margin: float = 0.4) -> Tensor:
    """Return the mean violation of a margin between own and other texts that shrinks as the two are alike.

    The less a text resembles the query's own, the further below it must score: margin * (1 - cosine of the two texts).
    """
    own = torch.nonzero(relevance > 0.5).squeeze(-1)
    scores = queries[own] @ texts.T
    right = scores.gather(1, own[:, None])
    with torch.no_grad():
        wanted = margin * (1 - texts[own] @ texts.T).clamp(min=0.0)
    short = (wanted - (right - scores)).clamp(min=0.0)
    others = torch.ones_like(short).scatter(1, own[:, None], 0.0)
    return (short * others).sum() / others.sum().clamp(min=1.0)


def cosine_loss(queries: Tensor, texts: Tensor, relevance: Tensor) -> Tensor:
    """Return the mean squared difference of cosine and relevance (CosineSimilarityLoss of sentence-transformers)."""
    return F.mse_loss((queries * texts).sum(-1), relevance)


LOSSES: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "mnrl": multiple_negatives,
    "margin": adaptive_margin,
    "cosine": cosine_loss,
}


class _Pooled(nn.Module):  # type: ignore[misc]
    """The mean of an encoder's states as a unit vector."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return unit vectors, [batch, dim]."""
        states = self.encoder(input_ids, attention_mask)
        mask = attention_mask.to(states.dtype)[:, :, None]
        mean = (states * mask).sum(1) / mask.sum(1).clamp(min=1.0)
        return mean / mean.pow(2).sum(-1, keepdim=True).clamp(min=1e-12).sqrt()


def token_rows(encodings: Sequence[Any], longest: int) -> tuple[Tensor, Tensor]:
    """Return padded token numbers and their mask."""
    kept = [encoding.ids[:longest] for encoding in encodings]
    width = max(map(len, kept))
    ids = torch.tensor([row + [0] * (width - len(row)) for row in kept])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row in kept])
    return ids, mask


def in_batches(pairs: Sequence[Asked], size: int, chance: random.Random) -> Iterator[list[Asked]]:
    """Yield batches in random order; no text is another query's own in the same batch twice."""
    order = list(pairs)
    chance.shuffle(order)
    for begin in range(0, len(order), size):
        batch = list({(pair.query, pair.text): pair for pair in order[begin : begin + size]}.values())
        if any(pair.relevance > 0.5 for pair in batch):
            yield batch


def train_encoder(
    pairs: Sequence[Asked],
    base: Base,
    out: Path,
    *,
    loss: str = "mnrl",
    epochs: int = 1,
    batch: int = 32,
    rate: float = 2e-5,
    seed: int = 0,
    tell: Callable[[str, float], None] = lambda _text, _share: None,
) -> dict[str, Any]:
    """Tune a base encoder on pairs, write an ONNX encoder to a folder and return what its model.json says."""
    if loss not in LOSSES:
        raise InputError(f'unknown loss "{loss}"; {did_you_mean(loss, LOSSES)}')
    torch.manual_seed(seed)
    chance = random.Random(seed)
    model = _Pooled(base.encoder).train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    history = []
    for epoch in range(epochs):
        total, steps, done = 0.0, 0, 0
        for some in in_batches(pairs, batch, chance):
            queries = model(*token_rows(base.tokenizer.encode_batch([p.query for p in some]), _MAX_TOKENS))
            texts = model(*token_rows(base.tokenizer.encode_batch([p.text for p in some]), _MAX_TOKENS))
            value = LOSSES[loss](queries, texts, torch.tensor([p.relevance for p in some]))
            optimiser.zero_grad()
            value.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            total, steps, done = total + float(value.detach()), steps + 1, done + len(some)
            tell(f"loss {total / steps:.4f}", (epoch + done / len(pairs)) / epochs)
        history.append(round(total / max(steps, 1), 5))
    about = {
        "name": f"{base.name}-{loss}",
        "kind": "encoder",
        "max_tokens": _MAX_TOKENS,
        "prefix": "",
        "loss": loss,
        "pairs": len(pairs),
        "epochs": epochs,
        "seed": seed,
        "history": history,
    }
    return save_graph(model, "vector", base.tokenizer, out, about)


def save_graph(model: nn.Module, output: str, tokenizer: Tokenizer, out: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Write a model with one output as model.onnx (eight bits), tokenizer.json and model.json."""
    import onnx

    from rimshot.train.quantise import quantise

    out.mkdir(parents=True, exist_ok=True)
    model = model.eval()
    ids = torch.ones(2, 7, dtype=torch.long)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        with warnings.catch_warnings():
            # The newer exporter needs one more package, and the version of torch is pinned.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                model,
                (ids, torch.ones_like(ids)),
                str(plain),
                input_names=["input_ids", "attention_mask"],
                output_names=[output],
                dynamic_axes={
                    "input_ids": {0: "batch", 1: "tokens"},
                    "attention_mask": {0: "batch", 1: "tokens"},
                    output: {0: "batch"},
                },
                opset_version=17,
                dynamo=False,
            )
        onnx.save(quantise(onnx.load(str(plain)), bits=8)[0], str(out / "model.onnx"))
    tokenizer.save(str(out / "tokenizer.json"), pretty=False)
    digest = hashlib.sha256((out / "model.onnx").read_bytes()).hexdigest()
    return write_about(out, about | {"sha256": digest})
