"""The training loop: fixed seed, resumable after any epoch, early stopping on a held-out fold."""

from __future__ import annotations

import copy
import json
import math
import random
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional as F

from rimshot.errors import InputError
from rimshot.train.batches import ROUGH, Batch, Mix, Unit, collate, epoch_units, in_batches, leave_out
from rimshot.train.encoder import SHARED
from rimshot.train.judge import judge
from rimshot.train.precision import brief

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from tokenizers import Tokenizer

    from rimshot.train.encoder import WordplayModel
    from rimshot.train.examples import Example
    from rimshot.train.twins import TwinMaker


COMPANY: dict[str, Any] = {"plain": 500, "swapped_plain": 0.0, "fresh_twins": 0, "jokes": 0, "weak_puns": 0.5}
"""What is read of texts beside the training texts: their own twins only, and few plain ones."""


@dataclass(frozen=True)
class Recipe:
    """Everything that decides how a model comes out, beside the data."""

    seed: int = 20
    epochs: int = 6
    planned: int = 3
    rounds: int = 1
    patience: int = 4
    batch: int = 48
    max_tokens: int = 64
    rate: float = 1.2e-4
    head_rate: float = 6e-4
    layer_decay: float = 0.85
    shared_layers: int = SHARED
    decay: float = 0.01
    warm_up: float = 0.08
    average: float = 0.995
    margin_weight: float = 0.7
    pun_weight: float = 0.3
    mentor_weight: float = 1.0
    mentor_gap_weight: float = 0.1
    vector_epochs: int = 0
    bfloat16: bool = True
    threads: int = 1
    mix: Mix = field(default_factory=Mix)
    # The share of another language's puns that is read along in each of the first epochs.
    company: tuple[float, ...] = ()
    # The share of this project's own puns that is read along in each epoch, in place of all of them among the training texts.
    own: tuple[float, ...] = ()


@dataclass
class Workbench:
    """What the loop needs beside the recipe."""

    model: WordplayModel
    tokenizer: Tokenizer
    maker: TwinMaker
    train: Sequence[Example]
    held: Sequence[Example]
    folder: Path
    mentor: Mapping[str, float] = field(default_factory=dict)
    company: Sequence[Example] = ()
    own: Sequence[Example] = ()
    tell: Callable[[str, float], None] = lambda _text, _share: None


def losses(model: WordplayModel, batch: Batch, recipe: Recipe) -> dict[str, Tensor]:
    """Return the weighted losses of one batch."""
    with brief(wanted=recipe.bfloat16):
        humour, pun = model.judge(batch.ids, batch.mask)
    humour, pun = humour.float(), pun.float()
    found: dict[str, Tensor] = {}
    if batch.weights.sum() > 0:
        each = F.binary_cross_entropy_with_logits(humour, batch.labels, reduction="none")
        found["humour"] = (each * batch.weights).sum() / batch.weights.sum()
    if len(batch.pairs):
        gaps = humour[batch.pairs[:, 0]] - humour[batch.pairs[:, 1]]
        margin = (F.softplus(-gaps) * batch.pair_weights).sum() / batch.pair_weights.sum()
        found["margin"] = recipe.margin_weight * margin
    word = pun_loss(pun, batch)
    if word is not None:
        found["pun"] = recipe.pun_weight * word
    return found | _mentor_losses(humour, batch, recipe)


def pun_loss(pun: Tensor, batch: Batch) -> Tensor | None:
    """Minus the log chance that the tokens' logits give the marked word, over the texts that have one."""
    marked = batch.pun.sum(1) > 0
    if not marked.any():
        return None
    masked = pun[marked] + (batch.mask[marked].float() - 1.0) * 1e4
    chance = (masked.log_softmax(-1).exp() * batch.pun[marked]).sum(-1).clamp(min=1e-6)
    return -chance.log().mean()


def take_step(
    loss: Tensor, model: WordplayModel, average: WordplayModel, optimum: torch.optim.AdamW, pace: float
) -> None:
    """Learn from one loss, and let the averaged weights follow at their pace."""
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimum.step()
    optimum.zero_grad(set_to_none=True)
    with torch.no_grad():
        for kept, new in zip(average.parameters(), model.parameters(), strict=True):
            if new.requires_grad:
                kept.lerp_(new, 1.0 - pace)


def _mentor_losses(humour: Tensor, batch: Batch, recipe: Recipe) -> dict[str, Tensor]:
    """What a larger model says of the same texts: its chances, and its gaps between pun and twin."""
    known = ~torch.isnan(batch.mentor)
    found: dict[str, Tensor] = {}
    if known.any() and recipe.mentor_weight:
        chances = batch.mentor[known].sigmoid()
        found["mentor"] = recipe.mentor_weight * F.binary_cross_entropy_with_logits(humour[known], chances)
    if len(batch.pairs) and recipe.mentor_gap_weight:
        high, low = batch.pairs.unbind(1)
        wanted = batch.mentor[high] - batch.mentor[low]
        sure = ~torch.isnan(wanted)
        if sure.any():
            gaps = (humour[high] - humour[low])[sure]
            found["mentor gap"] = recipe.mentor_gap_weight * F.smooth_l1_loss(gaps, wanted[sure])
    return found


def optimiser(model: WordplayModel, recipe: Recipe) -> torch.optim.AdamW:
    """Return AdamW over the tower and its heads, with smaller steps for lower layers; all else stays as it is."""
    model.requires_grad_(False)
    depth = len(model.tower)
    parts: list[tuple[torch.nn.Module, float]] = [
        (layer, recipe.rate * recipe.layer_decay ** (depth - 1 - number)) for number, layer in enumerate(model.tower)
    ]
    parts += [(head, recipe.head_rate) for head in (model.pun, model.inner, model.humour)]
    groups = []
    for part, rate in parts:
        part.requires_grad_(True)
        for thick in (True, False):
            weights = [w for w in part.parameters() if (w.dim() > 1) is thick]
            groups.append({"params": weights, "lr": rate, "weight_decay": recipe.decay if thick else 0.0})
    return torch.optim.AdamW(groups)


def schedule(step: int, steps: int, warm_up: float) -> float:
    """Return the share of the full learning rate at a step of a round: up in a line, down in a cosine."""
    start = max(1, int(steps * warm_up))
    if step < start:
        return (step + 1) / start
    return 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (step - start) / max(1, steps - start)))


def round_length(recipe: Recipe) -> int:
    """Return how many epochs one warm-up and fall of the learning rate takes."""
    return max(1, -(-recipe.epochs // recipe.rounds))


def fit(bench: Workbench, recipe: Recipe) -> dict[str, Any]:
    """Train, leaving the best averaged weights in `bench.model`, the last where no fold is held out; return the curves.

    After every epoch `checkpoint.pt` in the folder holds all state, and a later call with the
    same recipe goes on from there to the same weights as an unbroken run.
    """
    torch.set_num_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    model, path = bench.model, bench.folder / "checkpoint.pt"
    optimum = optimiser(model, recipe)
    base_rates = [float(group["lr"]) for group in optimum.param_groups]
    average = copy.deepcopy(model).eval()
    curves: list[dict[str, float]] = []
    best: dict[str, Any] = {"score": -1.0, "epoch": -1, "weights": None}
    first = 0
    key = json.dumps(asdict(recipe), sort_keys=True)
    if path.exists():
        kept = torch.load(path, weights_only=False)
        if kept["recipe"] != key:
            raise InputError(f"{path} was made by another recipe; choose another folder or delete it")
        model.load_state_dict(kept["model"])
        average.load_state_dict(kept["average"])
        optimum.load_state_dict(kept["optimiser"])
        curves, best, first = kept["curves"], kept["best"], kept["epoch"] + 1
    for epoch in range(first, recipe.epochs):
        if epoch - best["epoch"] > recipe.patience and best["epoch"] >= 0:
            break
        if epoch and epoch % round_length(recipe) == 0:
            # A new round of the schedule sets out from the best average so far (Loshchilov and Hutter 2017).
            model.load_state_dict(best["weights"])
            average.load_state_dict(best["weights"])
        curves.append(_epoch(bench, recipe, epoch, average, optimum, base_rates))
        figures = judge(average, bench.tokenizer, bench.held, recipe.max_tokens) if bench.held else {"score": 0.0}
        curves[-1] |= figures
        bench.tell(json.dumps({k: round(v, 4) for k, v in curves[-1].items()}), 1.0)
        if not bench.held or figures["score"] > best["score"]:
            weights = {k: v.clone() for k, v in average.state_dict().items()}
            best = {"score": figures["score"], "epoch": epoch, "weights": weights}
        state = {
            "recipe": key, "epoch": epoch, "model": model.state_dict(), "average": average.state_dict(),
            "optimiser": optimum.state_dict(), "curves": curves, "best": best,
        }  # fmt: skip
        torch.save(state, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)
    if best["weights"] is not None:
        model.load_state_dict(best["weights"])
    model.eval()
    return {"curves": curves, "best_epoch": best["epoch"], "score": best["score"]}


def plan(
    train: Sequence[Example],
    maker: TwinMaker,
    recipe: Recipe,
    epoch: int,
    company: Sequence[Example] = (),
    own: Sequence[Example] = (),
) -> list[Unit]:
    """Return the texts of an epoch, the same for the same recipe, so that a mentor can read them beforehand.

    After the last planned epoch they begin again. `company` are texts of another language, `own` those of this project.
    """
    rng = random.Random(f"{recipe.seed} {epoch % recipe.planned}")
    units = epoch_units(train, maker, recipe.mix, rng)
    for beside, shares in ((company, recipe.company), (own, recipe.own)):
        if beside and epoch < len(shares):
            others = epoch_units(beside, maker, replace(recipe.mix, **COMPANY), rng)
            units += rng.sample(others, int(shares[epoch] * len(others)))
    for unit in units:
        marks = rng.choice(ROUGH) if rng.random() < 0.15 else ""
        for item in unit if marks else ():
            leave_out(item, marks)
    return units


def _epoch(
    bench: Workbench,
    recipe: Recipe,
    epoch: int,
    average: WordplayModel,
    optimum: torch.optim.AdamW,
    base_rates: list[float],
) -> dict[str, float]:
    rng = random.Random(f"order {recipe.seed} {epoch}")
    torch.manual_seed(recipe.seed * 1000 + epoch)
    model = bench.model.train()
    units = plan(bench.train, bench.maker, recipe, epoch, bench.company, bench.own)
    batches = list(in_batches(units, recipe.batch, rng))
    sums: dict[str, float] = {"epoch": float(epoch)}
    length = round_length(recipe)
    for number, group in enumerate(batches):
        step = epoch % length * len(batches) + number
        share = schedule(step, length * len(batches), recipe.warm_up)
        for rate, settings in zip(base_rates, optimum.param_groups, strict=True):
            settings["lr"] = rate * share
        parts = losses(model, collate(group, bench.tokenizer, bench.mentor, recipe.max_tokens), recipe)
        loss = torch.stack(list(parts.values())).sum()
        take_step(loss, model, average, optimum, min(recipe.average, (step + 1) / (step + 10)))
        for name, value in parts.items():
            sums[name] = sums.get(name, 0.0) + float(value.detach()) / len(batches)
        if number % 10 == 9:
            bench.tell(f"epoch {epoch + 1}/{recipe.epochs}", (number + 1) / len(batches))
    return sums
