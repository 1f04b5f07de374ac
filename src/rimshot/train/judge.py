"""Scores of held-out texts under a model that is still in torch."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from rimshot.train.batches import cut
from rimshot.train.precision import brief
from rimshot.wordplay.measure import auc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from rimshot.train.encoder import WordplayModel
    from rimshot.train.examples import Example, Span

# How many plain texts of a collection one held-out plain text stands for.
EASY_WEIGHT = 6.0
EASY = ("wikipedia", "headline", "definition", "news", "sentence")
SIDE_SOURCES = ("cup", "punnypattern", "one-liner")


def run(
    model: WordplayModel, tokenizer: Tokenizer, texts: Sequence[str], max_tokens: int, size: int = 64
) -> tuple[NDArray[np.float64], list[Span]]:
    """Return humour logits and the span of each text's likeliest pun token."""
    model.eval()
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    humour = np.zeros(len(texts))
    best: list[Span] = [(0, 0)] * len(texts)
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        encodings = tokenizer.encode_batch([texts[i] for i in rows])
        kept = [cut(e.ids, max_tokens) for e in encodings]
        length = max(map(len, kept))
        ids = torch.tensor([k + [0] * (length - len(k)) for k in kept])
        mask = torch.tensor([[1] * len(k) + [0] * (length - len(k)) for k in kept])
        with torch.no_grad(), brief():
            logit, pun = model.judge(ids, mask)
        humour[rows] = logit.double().numpy()
        for row, encoding, scores in zip(rows, encodings, pun.float().numpy(), strict=True):
            best[row] = best_token(encoding.offsets[:length], scores)
    return humour, best


def best_token(offsets: Sequence[Span], scores: NDArray[np.float32]) -> Span:
    """Return the span of the highest-scored token that covers text."""
    real = [at for at, (start, end) in enumerate(offsets) if end > start]
    return offsets[max(real, key=lambda at: float(scores[at]))] if real else (0, 0)


def judge(model: WordplayModel, tokenizer: Tokenizer, held: Sequence[Example], max_tokens: int) -> dict[str, float]:
    """Return the figures on held-out examples; `score` is what early stopping looks at."""
    humour, best = run(model, tokenizer, [e.text for e in held], max_tokens)
    return figures_of(held, humour, best)


def figures_of(held: Sequence[Example], humour: NDArray[np.float64], best: list[Span]) -> dict[str, float]:
    """Return average precision, AUC against twins and pun-word accuracy on held-out examples."""
    main = [not (e.humorous and e.source in SIDE_SOURCES) for e in held]
    if not any(e.humorous and keep for e, keep in zip(held, main, strict=True)):
        main = [True] * len(held)
    labels = np.array([float(e.humorous) for e in held])
    weights = np.array([EASY_WEIGHT if e.source in EASY else 1.0 for e in held])
    keep = np.array(main)
    twins = np.array([e.source == "edit" for e in held])
    puns = (labels > 0) & keep
    figures = {"ap": _precision(labels[keep], humour[keep], weights[keep])}
    figures["auc"] = auc(humour[puns], humour[twins]) if twins.any() else figures["ap"]
    marked = [i for i, e in enumerate(held) if e.spans and keep[i] and e.humorous]
    figures["word"] = _found([best[i] for i in marked], [held[i].spans for i in marked])
    figures["score"] = figures["ap"] + figures["auc"] + 0.3 * figures["word"]
    return figures


def _precision(labels: NDArray[np.float64], scores: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    order = np.argsort(-scores, kind="stable")
    hits = (labels * weights)[order]
    precision = np.cumsum(hits) / np.cumsum(weights[order])
    return float((precision * hits).sum() / hits.sum())


def _found(best: Sequence[Span], gold: Sequence[Sequence[Span]]) -> float:
    hits = [any(s < b and e > a for a, b in spans) for (s, e), spans in zip(best, gold, strict=True)]
    return sum(hits) / max(1, len(hits))
