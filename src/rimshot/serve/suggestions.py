"""Words to go on with while somebody types: what the jokes of the index are about, and what may have been meant."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from difflib import get_close_matches
from functools import lru_cache

import numpy as np

from rimshot.corpus.analyser import fold_accents, words
from rimshot.index import Index
from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.offensive import offensive
from rimshot.lexicon.related import sense_weights, topic_lemmas
from rimshot.lexicon.wordnet import main_lemma, wordnet
from rimshot.serve.balance import humour_of
from rimshot.serve.traits import CHOICES

__all__ = ["mended", "prepare", "suggest"]

_READ = 20_000
_FEWEST = 2
_SHORTEST = 3
_COMMON = 0.04
_ALLOWED = 100
_LOOKED_AT = 80
_EVERYWHERE = 6.2
_NOUN = 0.4
_ALIKE = 0.75
_LONGER = 2
_CONDITIONS = {name: CHOICES[name] for name in ("kind", "pattern", "lang", "level")}
Row = tuple[str, str, str, float]


def _table(index: Index) -> list[Row]:
    """Give (folded word, word, language, weight) in the order of the folded words.

    The weight of a word is that of its texts: how likely they are jokes, relative to others in their language.
    """
    numbers = index.numbers()
    read = numbers[:: max(1, len(numbers) // _READ)]
    seen: Counter[tuple[str, str]] = Counter()
    weights: dict[tuple[str, str], float] = defaultdict(float)
    for number, weight in zip(read.tolist(), _weights(read, index), strict=True):
        lang = index.lang(number)
        for word in {word.lower() for word, _, _ in words(index.text(number)) if len(word) >= _SHORTEST}:
            seen[word, lang] += 1
            weights[word, lang] += weight
    most = max(_COMMON * len(read), _ALLOWED)
    kept: dict[str, Row] = {}
    for (word, lang), count in seen.items():
        if _FEWEST <= count <= most and word.isalpha():
            row = (fold_accents(word), word, lang, weights[word, lang])
            if row[0] not in kept or kept[row[0]][3] < row[3]:
                kept[row[0]] = row
    return sorted(kept.values())


def _weights(read: np.ndarray, index: Index) -> list[float]:
    humour = humour_of(read, index)
    if humour is None:
        return [1.0] * len(read)
    langs = np.array([index.lang(number) for number in read.tolist()])
    for lang in index.languages:
        own = langs == lang
        if own.any():
            humour[own] /= max(float(humour[own].mean()), 1e-6)
    return [float(value) for value in humour]


@lru_cache(maxsize=1 << 14)
def _topical(word: str, lang: str) -> bool:
    """Tell whether a word can be a topic that one may be offered: a noun, not one of the commonest words, not rude."""
    if zipf(word, lang) >= _EVERYWHERE or offensive(word, lang):
        return False
    senses = wordnet(lang).senses_of(word)
    shares = zip(sense_weights(senses), senses, strict=True)
    return sum(share for share, sense in shares if sense.pos == "n") >= _NOUN


def prepare(index: Index) -> None:
    """Work the table out, which takes a second for 20,000 texts."""
    index.memo("serve:suggestions", lambda: _table(index))


def suggest(typed: str, index: Index, first: str | None = None, most: int = 8) -> list[str]:
    """Give the weightiest topics that complete the last word typed, with what was typed before it.

    Those in the language that is to come ``first`` do. After the name of a condition (``kind:``) they are its values.
    """
    before, _, last = typed.rpartition(" ")
    head = f"{before} " if before else ""
    name, colon, value = last.partition(":")
    if colon and name in _CONDITIONS:
        return [f"{head}{name}:{one}" for one in _CONDITIONS[name] if one.lower().startswith(value.lower())][:most]
    start = fold_accents(last.lower())
    if not start or colon:
        return []
    found: dict[str, str] = {}
    rows = sorted(_beginning(start, index), key=lambda row: (first not in (None, row[2]), -row[3], row[1]))
    for _, word, lang, _ in rows[:_LOOKED_AT]:
        if _topical(word, lang):
            found.setdefault(main_lemma(word, lang), head + word)
        if len(found) == most:
            break
    return list(found.values())


def _beginning(start: str, index: Index) -> list[Row]:
    table = index.memo("serve:suggestions", lambda: _table(index))
    return table[bisect_left(table, (start,)) : bisect_left(table, (start + "\uffff",))]


def mended(typed: str, index: Index) -> list[str]:
    """Give the words of a query that a text or a wordnet has; in place of another a similar word, if there is one.

    Only words with the same first letter and about as long are similar enough to be looked at.
    """
    found: list[str] = []
    for word in typed.split():
        found += [word] if _known(word, index) else _similar(word, index)
    return list(dict.fromkeys(found))


def _known(word: str, index: Index) -> bool:
    field = index.field("text")
    return any(
        any(map(field.df, analyser.terms(word))) or bool(topic_lemmas(word, lang))
        for lang, analyser in index.analysers.items()
    )


def _similar(word: str, index: Index) -> list[str]:
    folded = fold_accents(word.lower())
    if len(folded) < _SHORTEST:
        return []
    rows = _beginning(folded[0], index)
    near = {key: shown for key, shown, _, _ in rows if abs(len(key) - len(folded)) <= _LONGER}
    return [near[key] for key in get_close_matches(folded, near, 1, _ALIKE)]
