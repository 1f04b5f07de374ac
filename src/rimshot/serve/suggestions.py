"""Words to go on with while somebody types: those that many texts of the index contain."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter

from rimshot.corpus.analyser import fold_accents, words
from rimshot.index import Index

__all__ = ["prepare", "suggest"]

_READ = 20_000
_FEWEST = 2
_SHORTEST = 3
_COMMON = 0.04
_ALLOWED = 100


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

    Function words are left out, being in too many texts to be a topic.
    """
    before, _, last = typed.rpartition(" ")
    start = fold_accents(last.lower())
    if not start or ":" in last:
        return []
    table = index.memo("serve:suggestions", lambda: _table(index))
    found = []
    for at in range(bisect_left(table, (start,)), len(table)):
        folded, word, count = table[at]
        if not folded.startswith(start):
            break
        found.append((-count, word))
    head = f"{before} " if before else ""
    return [head + word for _, word in sorted(found)[:most]]
