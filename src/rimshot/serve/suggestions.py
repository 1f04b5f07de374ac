"""Words to go on with while somebody types: those that many texts of the index contain."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from difflib import get_close_matches

from rimshot.corpus.analyser import fold_accents, words
from rimshot.index import Index
from rimshot.lexicon.related import topic_lemmas
from rimshot.serve.traits import CHOICES

__all__ = ["mended", "prepare", "suggest"]

_READ = 20_000
_FEWEST = 2
_SHORTEST = 3
_COMMON = 0.04
_ALLOWED = 100
_ALIKE = 0.75
_LONGER = 2
_CONDITIONS = {name: CHOICES[name] for name in ("kind", "pattern", "lang", "level")}


def _table(index: Index) -> list[tuple[str, str, int]]:
    """Give (folded word, word, count) in the order of the folded words."""
    seen: Counter[str] = Counter()
    numbers = index.numbers()
    step = max(1, len(numbers) // _READ)
    read = numbers[::step].tolist()
    for number in read:
        seen.update(
            {word.lower() for word, _, _ in words(index.text(number)) if len(word) >= _SHORTEST and not word.isdigit()}
        )
    most = max(_COMMON * len(read), _ALLOWED)
    kept: dict[str, tuple[str, int]] = {}
    for word, count in seen.items():
        if _FEWEST <= count <= most and "'" not in word:
            folded = fold_accents(word)
            if folded not in kept or kept[folded][1] < count:
                kept[folded] = (word, count)
    return sorted((folded, word, count) for folded, (word, count) in kept.items())


def prepare(index: Index) -> None:
    """Work the table out, which takes a second for 20,000 texts."""
    index.memo("serve:suggestions", lambda: _table(index))


def suggest(typed: str, index: Index, most: int = 8) -> list[str]:
    """Give the commonest words that complete the last word typed, with what was typed before it.

    After the name of a condition (``kind:``) they are its values. Function words are left out, being in too many texts to be a topic.
    """
    before, _, last = typed.rpartition(" ")
    head = f"{before} " if before else ""
    start = fold_accents(last.lower())
    name, colon, value = last.partition(":")
    if colon and name in _CONDITIONS:
        return [f"{head}{name}:{one}" for one in _CONDITIONS[name] if one.lower().startswith(value.lower())][:most]
    if not start or colon:
        return []
    table = index.memo("serve:suggestions", lambda: _table(index))
    found = []
    for at in range(bisect_left(table, (start,)), len(table)):
        folded, word, count = table[at]
        if not folded.startswith(start):
            break
        found.append((-count, word))
    return [head + word for _, word in sorted(found)[:most]]


def mended(typed: str, index: Index) -> list[str]:
    """Give the words of a query that a text or a wordnet has; in place of another a similar word, if there is one.

    Only words with the same first letter and about as long are similar enough to be looked at.
    """
    table = index.memo("serve:suggestions", lambda: _table(index))
    found: list[str] = []
    for word in typed.split():
        found += [word] if _known(word, index) else _similar(word, table)
    return list(dict.fromkeys(found))


def _known(word: str, index: Index) -> bool:
    field = index.field("text")
    return any(
        any(map(field.df, analyser.terms(word))) or bool(topic_lemmas(word, lang))
        for lang, analyser in index.analysers.items()
    )


def _similar(word: str, table: list[tuple[str, str, int]]) -> list[str]:
    folded = fold_accents(word.lower())
    if len(folded) < _SHORTEST:
        return []
    begin, end = bisect_left(table, (folded[0],)), bisect_left(table, (folded[0] + "\uffff",))
    near = {key: shown for key, shown, _ in table[begin:end] if abs(len(key) - len(folded)) <= _LONGER}
    return [near[key] for key in get_close_matches(folded, near, 1, _ALIKE)]
