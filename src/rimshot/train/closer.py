"""The closer reader: the larger model itself, made small enough to ship, for texts that do not look plain.

What separates a pun from its word-swapped twin is knowledge of words, and a small encoder cannot be taught it (see the
English card). So the mentor's own layers go along. In English the twelve of mpnet are too many to ship: seven are kept,
those whose loss the judgment felt most, and learn to say again what all twelve said (its judgment, and the vector that
the judgment is read from; Hinton et al. 2015, Romero et al. 2015) of some 29,000 texts. In Portuguese all twelve layers of
the e5 stay, and begin with the word vectors of the first network.
"""

from __future__ import annotations

import copy
import json
import random
import unicodedata
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional as F

from rimshot.errors import InputError
from rimshot.train.batches import Unit, collate, in_batches
from rimshot.train.detector import default_recipe
from rimshot.train.encoder import WordplayModel
from rimshot.train.export import export_closer, feeds_of, padded, write_about
from rimshot.train.judge import judge
from rimshot.train.loop import Recipe, plan, pun_loss, schedule, take_step
from rimshot.train.mentor import Ground, Mentor, fit_mentor
from rimshot.train.precision import brief
from rimshot.wordplay.network import file_digest, megabytes
from rimshot.wordplay.neural import CLOSER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from rimshot.train.detector import Tell, Texts

KEPT = {"en": (0, 1, 2, 3, 4, 6, 10), "pt": tuple(range(12))}
# Steps for a weight. Of eight, more than a bit of the four packs away.
LEVELS = {"en": 8, "pt": 16}
SAMPLE = 400
SLAB = 1024


@dataclass(frozen=True)
class Following:
    """How the shortened model learns from the whole one."""

    batch: int = 64
    rate: float = 8e-5
    head_rate: float = 2.4e-4
    layer_decay: float = 0.93
    warm_up: float = 0.05
    average: float = 0.99
    logit_weight: float = 0.3
    gap_weight: float = 0.3
    vector_gap_weight: float = 0.5
    label_weight: float = 0.2
    pun_weight: float = 0.2


@dataclass(frozen=True)
class Opinions:
    """What the whole model says of texts: the logit of each, its row of `vectors`, and the vectors that they are read from."""

    logits: dict[str, float]
    places: dict[str, int]
    vectors: NDArray[np.float32]


def train_closer(
    ground: Ground,
    model: Path,
    *,
    recipe: Recipe | None = None,
    planned: Sequence[tuple[Recipe, int]] | None = None,
    following: Following | None = None,
    kept: Sequence[int] | None = None,
    tell: Tell = lambda _text, _share: None,
) -> dict[str, Any]:
    """Train a closer reader and put it beside the detector in the folder `model`; return what model.json says of it."""
    about_path = model / "model.json"
    if not about_path.exists():
        raise InputError(f"{about_path} is missing; train the detector first: rimshot train detector --out {model}")
    about = json.loads(about_path.read_text("utf-8"))
    mentor = fit_mentor(replace(ground, below=model), ground.work or model / "closer.work", recipe, tell)
    reader = shorten(mentor.model, kept or KEPT[ground.lang])
    if len(reader.tower) < len(mentor.model.tower):
        units = [
            unit for plans, epoch in planned or _planned(ground.lang) for unit in _texts(mentor.texts, plans, epoch)
        ]
        follow(reader, mentor, units, following or Following(), tell)
    held = mentor.texts.held
    figures = {"held out": judge(reader, mentor.base.tokenizer, held, about["max_tokens"])} if held else {}
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    if not mentor.shares:
        spell_like(reader, mentor.base.tokenizer, tokenizer)
    texts = _sample(mentor.texts)
    feeds = feeds_of(tokenizer, texts, about["max_tokens"], reader.encoder if mentor.shares else None)
    export_closer(
        reader, model / CLOSER, about["max_tokens"], feeds, from_first=mentor.shares, levels=LEVELS[ground.lang]
    )
    about["closer"] = {
        "base": mentor.base.name, "layers": reader.encoder.shape.layers, "megabytes": megabytes(model / CLOSER),
        "sha256": file_digest(model / CLOSER), "figures": figures,
    }  # fmt: skip
    write_about(model, about)
    closer: dict[str, Any] = about["closer"]
    return closer


def _planned(lang: str) -> list[tuple[Recipe, int]]:
    """The texts that the shipped reader learnt from: a wide epoch with many jokes, and one of the detector's own."""
    own = default_recipe(lang)
    wide = replace(own, seed=33, mix=replace(own.mix, plain=3500, everyday=2000, jokes=4000, weak_puns=0.8))
    return [(wide, 0), (own, 0)]


def _texts(texts: Texts, recipe: Recipe, epoch: int) -> list[Unit]:
    return plan(texts.train, texts.maker, recipe, epoch)


def shorten(model: WordplayModel, kept: Sequence[int]) -> WordplayModel:
    """Return a model of some of the layers on the way to the judgment, with all heads."""
    layers = [*model.encoder.layers[: model.shared], *model.tower]
    shape = replace(model.encoder.shape, layers=len(kept))
    short = WordplayModel(shape, min(model.shared, len(kept) - 1))
    state = {
        name: value for name, value in model.state_dict().items() if ".layers." not in name and "tower." not in name
    }
    short.load_state_dict(state, strict=False)
    for number, source in enumerate(kept):
        short.encoder.layers[number].load_state_dict(layers[source].state_dict())
        if number >= short.shared:
            short.tower[number - short.shared].load_state_dict(layers[source].state_dict())
    short.eval()
    return short


def ask(mentor: Mentor, texts: Sequence[str], max_tokens: int, tell: Tell) -> Opinions:
    """Return what the whole model says of texts."""
    logits = np.zeros(len(texts), np.float32)
    vectors = np.zeros((len(texts), mentor.model.encoder.shape.dim), np.float32)
    seen: list[Tensor] = []
    hook = mentor.model.inner.register_forward_hook(lambda _module, _given, out: seen.append(out.float()))
    mentor.model.eval()
    order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    for start in range(0, len(order), 64):
        rows = order[start : start + 64]
        ids, mask = padded(mentor.base.tokenizer, [texts[at] for at in rows], max_tokens)
        with torch.no_grad(), brief():
            said, _ = mentor.model.judge(torch.from_numpy(ids), torch.from_numpy(mask))
        logits[rows], vectors[rows] = said.float().numpy(), seen.pop().numpy()
        if start % SLAB == 0:
            tell("asking the mentor", start / len(order))
    hook.remove()
    places = {text: at for at, text in enumerate(texts)}
    return Opinions(dict(zip(texts, logits.tolist(), strict=True)), places, vectors)


def follow(reader: WordplayModel, mentor: Mentor, units: list[Unit], how: Following, tell: Tell) -> None:
    """Teach the shortened model what the whole one says; its averaged weights are left in it."""
    opinions = ask(mentor, sorted({item.text for unit in units for item in unit}), mentor.recipe.max_tokens, tell)
    adam = _optimiser(reader, how)
    rates = [group["lr"] for group in adam.param_groups]
    mean = copy.deepcopy(reader).eval()
    groups = list(in_batches(units, how.batch, random.Random("follow")))
    reader.train()
    for step, group in enumerate(groups):
        for rate, part in zip(rates, adam.param_groups, strict=True):
            part["lr"] = rate * schedule(step, len(groups), how.warm_up)
        loss = torch.stack(_losses(reader, mentor, group, opinions, how)).sum()
        take_step(loss, reader, mean, adam, min(how.average, (step + 1) / (step + 10)))
        tell("following the mentor", (step + 1) / len(groups))
    reader.load_state_dict(mean.state_dict())
    reader.eval()


def _optimiser(reader: WordplayModel, how: Following) -> torch.optim.AdamW:
    reader.requires_grad_(False)
    layers = [*reader.encoder.layers[: reader.shared], *reader.tower]
    groups = []
    for number, layer in enumerate(layers):
        rate = how.rate * how.layer_decay ** (len(layers) - 1 - number)
        groups.append({"params": list(layer.requires_grad_(True).parameters()), "lr": rate})
    for head in (reader.pun, reader.inner, reader.humour):
        groups.append({"params": list(head.requires_grad_(True).parameters()), "lr": how.head_rate})
    return torch.optim.AdamW(groups, weight_decay=0.01)


def _losses(
    reader: WordplayModel, mentor: Mentor, group: list[Unit], opinions: Opinions, how: Following
) -> list[Tensor]:
    batch = collate(group, mentor.base.tokenizer, opinions.logits, mentor.recipe.max_tokens)
    rows = [opinions.places[item.text] for unit in group for item in unit]
    wanted = torch.from_numpy(opinions.vectors[rows])
    spread = float(opinions.vectors.std()) ** 2
    seen: list[Tensor] = []
    hook = reader.inner.register_forward_hook(lambda _module, _given, out: seen.append(out.float()))
    with brief():
        humour, pun = reader.judge(batch.ids, batch.mask)
    hook.remove()
    humour, pun, vector = humour.float(), pun.float(), seen[0]
    found = [F.mse_loss(vector, wanted) / spread, how.logit_weight * F.smooth_l1_loss(humour, batch.mentor)]
    if len(batch.pairs):
        high, low = batch.pairs.unbind(1)
        gaps = batch.mentor[high] - batch.mentor[low]
        found.append(how.gap_weight * F.smooth_l1_loss(humour[high] - humour[low], gaps))
        away = F.mse_loss(vector[high] - vector[low], wanted[high] - wanted[low]) / spread
        found.append(how.vector_gap_weight * away)
    if batch.weights.sum() > 0:
        each = F.binary_cross_entropy_with_logits(humour, batch.labels, reduction="none") * batch.weights
        found.append(how.label_weight * each.sum() / batch.weights.sum())
    word = pun_loss(pun, batch)
    if word is not None:
        found.append(how.pun_weight * word)
    return found


class Spelled(torch.nn.Module):  # type: ignore[misc]
    """Word vectors looked up by another tokenizer's numbers; many of those may share one vector."""

    def __init__(self, words: Tensor, rows: Tensor) -> None:
        super().__init__()
        used, places = rows.unique(return_inverse=True)
        self.words = torch.nn.Embedding.from_pretrained(words[used].clone())
        self.register_buffer("places", places.int())

    def forward(self, ids: Tensor) -> Tensor:
        """Return the vectors of tokens."""
        found: Tensor = self.words(self.places[ids])
        return found


def spell_like(reader: WordplayModel, own: Tokenizer, other: Tokenizer) -> None:
    """Let the reader take the numbers of another tokenizer with the same pieces.

    The opening and the closing token have other names there. Unknown are what only the other knows, pieces that stand
    for nothing, and those in other scripts, whose vectors would take room.
    """
    known = own.get_vocab()
    unknown = known.get("[UNK]", known.get("<unk>", 0))
    rows = torch.full((other.get_vocab_size(),), unknown)
    for piece, place in other.get_vocab().items():
        if not piece.startswith("[unused") and all(_latin(letter) for letter in piece):
            rows[place] = known.get(piece, unknown)
    ours, theirs = own.encode("a").ids, other.encode("a").ids
    rows[theirs[0]], rows[theirs[-1]] = ours[0], ours[-1]
    reader.encoder.words = Spelled(reader.encoder.words.weight.data, rows)


def _latin(letter: str) -> bool:
    return not letter.isalpha() or unicodedata.name(letter, "").startswith("LATIN")


def _sample(texts: Texts) -> list[str]:
    chosen = random.Random(3).sample(texts.train, min(SAMPLE, len(texts.train)))
    return [example.text for example in chosen]
