"""An epoch of training: which texts, in which pairs, in which batches."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from rimshot.train.examples import EVERYDAY, JOKE, Example

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tokenizers import Tokenizer

    from rimshot.train.examples import Span
    from rimshot.train.twins import TwinMaker


@dataclass(frozen=True)
class Mix:
    """How many texts of each kind an epoch holds."""

    weak_puns: float = 0.35
    plain: int = 3000
    everyday: int = 1000
    swapped_plain: float = 0.3
    fresh_twins: int = 1
    written_twins: int = 1
    jokes: int = 1500
    joke_weight: float = 0.5
    weak_sources: tuple[str, ...] = ("cup",)
    easy_sources: tuple[str, ...] = ("wikipedia", "headline", "definition", "news", "sentence")
    weak_weight: float = 0.5
    # A collection holds dozens of plain texts for each pun and hardly a twin; the weights of the
    # cross-entropy lean that way, while the margin between pun and twin keeps its full weight.
    twin_weight: float = 0.5
    plain_weight: float = 2.5


@dataclass
class Item:
    """A text of a batch; `partner` is the place in its unit of the pun it is a twin of.

    `weight` is its share in the cross-entropy, `pair_weight` that of its margin to the partner.
    """

    text: str
    label: float
    weight: float = 1.0
    pair_weight: float = 1.0
    spans: tuple[Span, ...] = ()
    partner: int = -1


Unit = list[Item]
ROUGH = (",", "'\"", "?!", ",;:.", "?!,.'\"")


@dataclass
class Batch:
    """Tensors of one step."""

    ids: Tensor
    mask: Tensor
    labels: Tensor
    weights: Tensor
    pun: Tensor
    pairs: Tensor
    pair_weights: Tensor
    mentor: Tensor


def epoch_units(examples: Sequence[Example], maker: TwinMaker, mix: Mix, rng: random.Random) -> list[Unit]:
    """Return one epoch: puns with their twins, hard plain texts, a sample of the easy and of the everyday ones.

    Unlabelled jokes take part in the margin alone: whether or not a joke is wordplay, its punch
    line with another word should score lower.
    """
    edits = {e.pair: e for e in examples if e.pair and not e.humorous}
    paired = {e.pair for e in examples if e.pair and e.humorous}
    units: list[Unit] = []
    easy: list[Example] = []
    everyday: list[Example] = []
    jokes: list[Example] = []
    for example in examples:
        if example.source == JOKE:
            jokes.append(example)
        elif example.source == EVERYDAY:
            everyday.append(example)
        elif example.humorous:
            weak = example.source in mix.weak_sources
            if weak and rng.random() > mix.weak_puns:
                continue
            weight = mix.weak_weight if weak else 1.0
            low = weight * mix.twin_weight
            unit = [Item(example.text, 1.0, weight, spans=example.spans)]
            edit = edits.get(example.pair) if example.pair else None
            if edit:
                unit.append(Item(edit.text, 0.0, low, weight, partner=0))
            made = [maker.twin(example, rng) for _ in range(mix.fresh_twins)]
            made += rng.sample(example.twins, min(mix.written_twins, len(example.twins)))
            unit += [Item(text, 0.0, low, weight, partner=0) for text in made if text]
            units.append(unit)
        elif example.source in mix.easy_sources:
            easy.append(example)
        elif example.pair not in paired or not example.pair:
            units.append([Item(example.text, 0.0)])
    plain = rng.sample(easy, min(mix.plain, len(easy))) + rng.sample(everyday, min(mix.everyday, len(everyday)))
    for example in plain:
        swapped = maker.swap(example.text, rng) if rng.random() < mix.swapped_plain else None
        units.append([Item(swapped or example.text, 0.0, mix.plain_weight)])
    for example in rng.sample(jokes, min(mix.jokes, len(jokes))):
        text = maker.twin(example, rng)
        if text:
            units.append([Item(example.text, 1.0, 0.0), Item(text, 0.0, 0.0, mix.joke_weight, partner=0)])
    return units


def leave_out(item: Item, marks: str) -> None:
    """Drop some punctuation, as a careless writer does: the verdict must not hang on it.

    >>> item = Item("Well, a pun", 1.0, spans=((8, 11),))
    >>> leave_out(item, ",")
    >>> item.text[slice(*item.spans[0])]
    'pun'
    """
    text = item.text

    def shifted(at: int) -> int:
        return at - sum(text[:at].count(mark) for mark in marks)

    item.spans = tuple((shifted(a), shifted(b)) for a, b in item.spans)
    item.text = "".join(letter for letter in text if letter not in marks)


def in_batches(units: list[Unit], size: int, rng: random.Random) -> Iterator[list[Unit]]:
    """Yield groups of about `size` texts of like length, in random order."""
    rng.shuffle(units)
    groups: list[list[Unit]] = []
    for start in range(0, len(units), size * 4):
        stretch = sorted(units[start : start + size * 4], key=lambda u: len(u[0].text))
        group: list[Unit] = []
        for unit in stretch:
            group.append(unit)
            if sum(map(len, group)) >= size:
                groups.append(group)
                group = []
        if group:
            groups.append(group)
    rng.shuffle(groups)
    yield from groups


def collate(group: list[Unit], tokenizer: Tokenizer, mentor: Mapping[str, float], max_tokens: int) -> Batch:
    """Return the tensors of a group of units; the mentor's logit is not a number where it has none."""
    items: list[Item] = []
    pairs: list[tuple[int, int]] = []
    pair_weights: list[float] = []
    for unit in group:
        first = len(items)
        for item in unit:
            if item.partner >= 0:
                pairs.append((first + item.partner, len(items)))
                pair_weights.append(item.pair_weight)
            items.append(item)
    encodings = tokenizer.encode_batch([item.text for item in items])
    length = min(max_tokens, max(len(e.ids) for e in encodings))
    ids = np.zeros((len(items), length), np.int64)
    mask = np.zeros((len(items), length), np.int64)
    pun = np.zeros((len(items), length), np.float32)
    for row, (item, encoding) in enumerate(zip(items, encodings, strict=True)):
        kept = cut(encoding.ids, max_tokens)
        ids[row, : len(kept)] = kept
        mask[row, : len(kept)] = 1
        for at, (start, end) in enumerate(encoding.offsets[:length]):
            if end > start and any(start < b and end > a for a, b in item.spans):
                pun[row, at] = 1.0
    return Batch(
        ids=torch.from_numpy(ids),
        mask=torch.from_numpy(mask),
        labels=torch.tensor([item.label for item in items]),
        weights=torch.tensor([item.weight for item in items]),
        pun=torch.from_numpy(pun),
        pairs=torch.tensor(pairs, dtype=torch.long).view(-1, 2),
        pair_weights=torch.tensor(pair_weights),
        mentor=torch.tensor([mentor.get(item.text, math.nan) for item in items]),
    )


def cut(ids: list[int], max_tokens: int) -> list[int]:
    """Return at most `max_tokens` ids, the closing token kept."""
    return ids if len(ids) <= max_tokens else [*ids[: max_tokens - 1], ids[-1]]
