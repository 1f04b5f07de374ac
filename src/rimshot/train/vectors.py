"""The way to the sentence vector: learn where the teacher puts each text.

Nothing is to be learnt where the base is the teacher itself. The Portuguese base is first laid onto the teacher's space
by a linear map, then its upper layers learn the rest from pairs of a text and the vector of its translation.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import torch

from rimshot.train.batches import cut
from rimshot.train.loop import schedule
from rimshot.train.precision import brief

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tokenizers import Tokenizer
    from torch import Tensor

    from rimshot.train.encoder import WordplayModel
    from rimshot.train.loop import Recipe
    from rimshot.train.teacher import Teacher

RATE = 3e-4
HELD_OUT = 500


def fit_vectors(
    model: WordplayModel,
    tokenizer: Tokenizer,
    teacher: Teacher,
    folder: Path,
    recipe: Recipe,
    tell: Callable[[str, float], None] = lambda _text, _share: None,
) -> float:
    """Train the encoder above the fork and the vector head; return the mean cosine on texts held out.

    After every epoch `vectors.pt` in the folder holds all state, and a later call goes on from there.
    """
    texts = sorted(teacher.places)
    random.Random(recipe.seed).shuffle(texts)
    held, texts = texts[:HELD_OUT], texts[HELD_OUT:]
    model.requires_grad_(False)
    parts = [*model.encoder.layers[model.shared :], model.vector]
    weights = [w for part in parts for w in part.requires_grad_(True).parameters()]
    optimum = torch.optim.AdamW(weights, RATE, weight_decay=0.01)
    path, first = folder / "vectors.pt", 0
    if path.exists():
        kept = torch.load(path, weights_only=False)
        model.encoder.load_state_dict(kept["encoder"])
        model.vector.load_state_dict(kept["vector"])
        optimum.load_state_dict(kept["optimiser"])
        first = kept["epoch"] + 1
    for epoch in range(first, recipe.vector_epochs):
        torch.manual_seed(recipe.seed * 1000 + epoch)
        groups = _groups(texts, recipe, epoch)
        for number, group in enumerate(groups):
            share = schedule(epoch * len(groups) + number, recipe.vector_epochs * len(groups), recipe.warm_up)
            optimum.param_groups[0]["lr"] = RATE * share
            distance = 1.0 - _cosines(model.train(), tokenizer, teacher, group, recipe)
            distance.mean().backward()
            torch.nn.utils.clip_grad_norm_(weights, 1.0)
            optimum.step()
            optimum.zero_grad(set_to_none=True)
            if number % 20 == 19:
                tell(f"vectors, epoch {epoch + 1}/{recipe.vector_epochs}", (number + 1) / len(groups))
        state = {"encoder": model.encoder.state_dict(), "vector": model.vector.state_dict()}
        torch.save(state | {"optimiser": optimum.state_dict(), "epoch": epoch}, path.with_suffix(".new"))
        path.with_suffix(".new").replace(path)
        tell(f"vectors, epoch {epoch + 1}: cosine {_measure(model, tokenizer, teacher, held, recipe):.4f}", 1.0)
    return _measure(model, tokenizer, teacher, held, recipe)


def _groups(texts: Sequence[str], recipe: Recipe, epoch: int) -> list[list[str]]:
    rng = random.Random(f"{recipe.seed} {epoch}")
    mixed = rng.sample(list(texts), len(texts))
    size, groups = recipe.batch, []
    for start in range(0, len(mixed), 8 * size):
        stretch = sorted(mixed[start : start + 8 * size], key=len)
        groups += [stretch[at : at + size] for at in range(0, len(stretch), size)]
    rng.shuffle(groups)
    return groups


def _cosines(
    model: WordplayModel, tokenizer: Tokenizer, teacher: Teacher, texts: Sequence[str], recipe: Recipe
) -> Tensor:
    kept = [cut(e.ids, recipe.max_tokens) for e in tokenizer.encode_batch(list(texts))]
    length = max(map(len, kept))
    ids = torch.tensor([k + [0] * (length - len(k)) for k in kept])
    mask = torch.tensor([[1] * len(k) + [0] * (length - len(k)) for k in kept])
    with brief(wanted=recipe.bfloat16):
        vector = model.place(ids, mask)
    wanted = torch.from_numpy(teacher.look_up(texts)[0])
    found: Tensor = (vector.float() * wanted).sum(-1)
    return found


def _measure(
    model: WordplayModel, tokenizer: Tokenizer, teacher: Teacher, texts: Sequence[str], recipe: Recipe
) -> float:
    model.eval()
    with torch.no_grad():
        found = [
            _cosines(model, tokenizer, teacher, texts[at : at + recipe.batch], recipe)
            for at in range(0, len(texts), recipe.batch)
        ]
    return float(torch.cat(found).mean()) if found else 0.0
