"""What a joke encoder is taught by: how far the tellings of a batch do not find each other, and texts not their words.

Each telling of a joke must find every other one among all texts of the batch (Henderson et al. 2017, Khosla et al. 2020), and once more
among the jokes on the same two meanings of its word alone, where nothing but the situation tells them apart. And of the words of a
text the one that it hangs on must be found, where that is known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

__all__ = ["Embedded", "mislaid", "missed", "missed_among_kin"]

NOWHERE = -1e4


@dataclass(frozen=True)
class Embedded:
    """Vectors of texts [T, D], and for every token that may be a hinge the number of its text, its stem and its logit."""

    vectors: Tensor
    owner: Tensor
    stems: list[str]
    logits: Tensor


def missed(alike: Tensor, owner: Tensor) -> Tensor:
    """Give how far tellings miss each other: `alike` [tellings, texts] are their likenesses, the first texts being the tellings.

    `owner` has the number of each telling's joke. A telling looks for every other one of its joke among all texts that are not it.
    """
    own = _same(owner, alike.shape[1])
    return _unfound(alike, own.clone().fill_diagonal_(False), ~own)


def missed_among_kin(alike: Tensor, owner: Tensor, groups: Sequence[str]) -> Tensor:
    """Give how far they miss each other among the tellings of their group alone; `groups` has its name for each, '' for none."""
    own = _same(owner, alike.shape[1])
    numbers = {name: at for at, name in enumerate(dict.fromkeys(groups))}
    group = torch.tensor([numbers[name] for name in groups])
    kin = _same(group, alike.shape[1]) & ~own
    inside = torch.tensor([bool(name) for name in groups]) & kin.any(1)
    if not inside.any():
        return alike.sum() * 0.0
    wanted = own.clone().fill_diagonal_(False)
    return _unfound(alike[inside], wanted[inside], kin[inside])


def _same(numbers: Tensor, texts: int) -> Tensor:
    """For each telling which of the texts have its number; those that are no tellings have none."""
    return F.pad(numbers[:, None] == numbers[None, :], (0, texts - len(numbers)))


def _unfound(alike: Tensor, wanted: Tensor, others: Tensor) -> Tensor:
    """The mean cross-entropy of finding each wanted text among some others."""
    apart = alike.masked_fill(~others, -torch.inf).logsumexp(1, keepdim=True)
    unfound = torch.logaddexp(alike, apart) - alike
    return ((unfound * wanted).sum(1) / wanted.sum(1).clamp(min=1)).mean()


def mislaid(read: Embedded, known: Sequence[frozenset[str]]) -> Tensor:
    """Give the mean cross-entropy of finding one of the words that each text is known to hang on, where any are."""
    right = torch.tensor([stem in known[owner] for owner, stem in zip(read.owner.tolist(), read.stems, strict=True)])
    count = len(known)
    every = torch.full((count,), NOWHERE).scatter_reduce(0, read.owner, read.logits.detach(), "amax")
    heat = (read.logits - every[read.owner]).exp()
    total = torch.zeros(count).index_add(0, read.owner, heat)
    found = torch.zeros(count).index_add(0, read.owner, heat * right)
    there = found.detach() > 0
    return -((found[there] / total[there]).log().mean() if there.any() else found.sum())
