"""What a joke encoder learns from, and in what company: batches of told jokes with other texts near them.

Jokes of one origin stand in a batch by themselves: beside English ones those that were translated would be told apart by their manner.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from rimshot.corpus.analyser import Analyser
from rimshot.lexicon.sentences import sentences_in_english
from rimshot.train.examples import read_examples
from rimshot.train.own_texts import composed
from rimshot.train.tellings import ToldJoke, told_jokes

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Batch", "Source", "batches", "company_texts", "hinges_of", "labelled_source", "translated_source"]

Look = Callable[[Sequence[str]], "NDArray[np.float32]"]
_PLAIN, _JOKES, _SHORT = 6000, 3000, 40
_FEW, _MANY = 8, 60
"""How many words a joke of another collection has that is short enough to keep company."""
_KIN, _NEIGHBOURS, _TWICE = 4, 40, 0.8
"""How many jokes on one word stand together, among how many of the nearest a neighbour is sought, the cosine of one written twice."""
_NEAR, _KNOWN = 25, 0.7
"""Among how many of the nearest texts company is drawn, and the cosine from which such a text may be the joke itself."""


@dataclass(frozen=True)
class Source:
    """Told jokes of one origin, other texts of that origin, the words that a text hangs on, where they are known, and the language."""

    jokes: Sequence[ToldJoke]
    company: Sequence[str] = ()
    hinges: Mapping[str, frozenset[str]] | None = None
    lang: str = "en"

    def known(self, text: str) -> frozenset[str]:
        """Give the words that a text hangs on, none where nobody knows."""
        return (self.hinges or {}).get(text, frozenset())


@dataclass(frozen=True)
class Batch:
    """Some jokes of a source, and other texts to tell them from."""

    source: Source
    jokes: Sequence[ToldJoke]
    company: Sequence[str]
    kin: Sequence[str]
    """For each joke a name that others on the same word have too."""


def labelled_source(jokes: Sequence[ToldJoke], lang: str, data: Path | None, others: Sequence[str] = ()) -> Source:
    """Give told jokes beside the texts of a labelled file, if any, those that were composed with puns, and short ones of some others."""
    company = company_texts(lang, data)
    short = [text for text in others if _FEW <= len(text.split()) < _MANY]
    return Source(
        jokes,
        [*company, *random.Random(2).sample(short, min(_JOKES, len(short)))],
        hinges_of(jokes, lang) | company,
        lang,
    )


def translated_source(lang: str) -> Source:
    """Give the told jokes of another language in English, beside its composed puns and plain sentences.

    A translation keeps the situation and the turn and mostly loses the word, so nothing is known to hang on one.
    """
    jokes = told_jokes(lang)
    texts = [text for joke in jokes for text in (*joke.told, *joke.others)]
    beside = [example.text for example in composed(lang)]
    english = dict(zip([*texts, *beside], sentences_in_english([*texts, *beside], lang), strict=True))

    def read(some: Sequence[str]) -> tuple[str, ...]:
        return tuple(english[text] for text in some if english[text])

    told = [ToldJoke(read(joke.told), read(joke.others), group=joke.group) for joke in jokes]
    return Source([joke for joke in told if len(joke.told) > 1], read(beside))


def batches(
    sources: Sequence[Source], size: int, company: int, chance: random.Random, look: Look | None = None
) -> list[Batch]:
    """Give all jokes in batches of one source each, in a random order, with some texts of the source as company.

    Jokes on the same two meanings of a word stand in one batch, and so do up to four that hang on one word. ``look`` gives vectors of
    texts: then any other joke stands beside one that lies near it, and company is drawn from what is nearest to each joke.
    """
    found = []
    for source in sources:
        places = look([joke.told[0] for joke in source.jokes]) if look else None
        near: list[list[str]] = [[] for _ in source.jokes]
        if look and places is not None and source.company:
            near = _near(places, look(source.company), source.company)
        kin = [joke.group or min(source.known(joke.told[0]), default="") for joke in source.jokes]
        for numbers in _numbers(source.jokes, kin, size, chance, places):
            beside = list(dict.fromkeys(chance.choice(near[n]) for n in numbers if near[n]))
            beside += chance.sample(source.company, min(max(0, company - len(beside)), len(source.company)))
            found.append(Batch(source, [source.jokes[n] for n in numbers], beside, [kin[n] for n in numbers]))
    chance.shuffle(found)
    return found


def hinges_of(jokes: Sequence[ToldJoke], lang: str) -> dict[str, frozenset[str]]:
    """For each telling the words that its joke hangs on: what was written down, or those that all tellings have, or all but one."""
    found: dict[str, frozenset[str]] = {}
    for joke in jokes:
        bags = [frozenset(Analyser(lang, stop=True).terms(text)) for text in joke.told]
        if joke.words:
            forms = frozenset(stem for word in joke.words for stem in Analyser(lang, stop=True).terms(word))
            found |= {text: bag & forms for text, bag in zip(joke.told, bags, strict=True)}
            continue
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


def _numbers(
    jokes: Sequence[ToldJoke],
    kin: Sequence[str],
    size: int,
    chance: random.Random,
    places: NDArray[np.float32] | None = None,
) -> Iterator[list[int]]:
    """Batches of jokes by number in a random order, those of a group together, others with some of their kin.

    Where jokes have places, what may be the same joke written twice is kept apart, and a joke without kin brings its nearest
    neighbour that is still waiting.
    """
    order = list(range(len(jokes)))
    chance.shuffle(order)
    alike: dict[str, list[int]] = {}
    for at in order:
        if kin[at]:
            alike.setdefault(kin[at], []).append(at)
    packs: list[list[int]] = []
    waiting = set(order)
    for at in sorted(order, key=lambda at: len(alike.get(kin[at], ())) < 2):
        if at not in waiting:
            continue
        taken = alike[kin[at]] if jokes[at].group else [at]
        if not jokes[at].group:
            near = [] if places is None else np.argsort(-(places @ places[at]))[:_NEIGHBOURS].tolist()
            for other, room in [*((n, _KIN) for n in alike.get(kin[at], ())), *((n, 2) for n in near)]:
                if len(taken) >= room or other not in waiting or other in taken or jokes[other].group:
                    continue
                if places is None or float((places[taken] @ places[other]).max()) < _TWICE:
                    taken.append(other)
        waiting.difference_update(taken)
        packs.append(taken)
    chance.shuffle(packs)
    batch: list[int] = []
    for taken in packs:
        batch += taken
        if len(batch) >= size:
            yield batch
            batch = []


def company_texts(lang: str, data: Path | None) -> dict[str, frozenset[str]]:
    """Give other texts, jokes with the stems of their pun words.

    Plain ones that were composed beside puns, and short ones of a labelled file, plain (no word-swapped twins) and jokes.
    """
    own = [example for example in composed(lang) if not example.humorous]
    short = [example for example in read_examples(data) if len(example.text.split()) < _SHORT] if data else []
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
