"""Topic queries made from labelled puns: what a pun can be asked for by.

A dozen judged queries are too few to train on; rasion and cryptix (JOKER 2025) lost half of their figures from the
training queries to the test. igoranchik let a language model write queries; here the wordnet does: the pun word
itself, and words that one of its senses stands for. The pun's twin, whose word was swapped, is what must not be found.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rimshot.errors import InputError
from rimshot.lexicon import expansion
from rimshot.wordplay.labelled import Labelled

__all__ = ["Asked", "asked_puns"]


@dataclass(frozen=True)
class Asked:
    """A query and a text, with 1 for a joke about it and 0 for what is not; ``group`` as of the text."""

    query: str
    text: str
    relevance: float
    group: str


def asked_puns(texts: Sequence[Labelled], lang: str, queries: int = 3, seed: int = 0) -> list[Asked]:
    """Give up to ``queries`` queries for each pun whose word is known, and the same for its twins and a plain text.

    >>> from rimshot.wordplay.labelled import Labelled
    >>> pun = Labelled("The baker needs the dough.", True, "pun", "p", ("dough",))
    >>> found = asked_puns([pun, Labelled("Rain fell.", False, "plain", "q")], "en", 2)
    >>> [(one.query, one.relevance) for one in found if one.query == "dough"]
    [('dough', 1.0), ('dough', 0.0)]
    """
    chance = random.Random(seed)
    twins: dict[str, list[str]] = {}
    plain = [item.text for item in texts if not item.humorous]
    for item in texts:
        if not item.humorous:
            twins.setdefault(item.group, []).append(item.text)
    found = []
    for item in texts:
        if not item.humorous or not item.signs:
            continue
        for query in _queries(item.signs[0], lang, queries, chance):
            found.append(Asked(query, item.text, 1.0, item.group))
            others: Iterable[str] = twins.get(item.group, ())
            found += [Asked(query, twin, 0.0, item.group) for twin in others]
            if plain:
                found.append(Asked(query, chance.choice(plain), 0.0, item.group))
    if not found:
        raise InputError('no pun has its word marked; training pairs need the field "word" or "signs"')
    return found


def _queries(word: str, lang: str, count: int, chance: random.Random) -> list[str]:
    near = expansion(word.lower(), lang, 12)
    drawn: list[str] = []
    while near and len(drawn) < count - 1:
        name = chance.choices([name for name, _ in near], [weight for _, weight in near])[0]
        near = [pair for pair in near if pair[0] != name]
        drawn.append(name)
    return [word.lower(), *drawn][:count]
