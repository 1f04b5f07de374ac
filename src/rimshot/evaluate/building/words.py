"""Which dictionary words a text contains, so that a query and its expansions find their inflected forms."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from rimshot.evaluate.building.items import Item

__all__ = ["TextWords", "dictionary_forms", "tokens"]

_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")
Forms = Callable[[str, str], Sequence[str]]


def tokens(text: str) -> list[str]:
    """Give the words of a text, in lower case.

    >>> tokens("The well-known banker's lost interest.")
    ['the', 'well-known', "banker's", 'lost', 'interest']
    """
    return [word.casefold().replace("’", "'") for word in _WORD.findall(text)]


@lru_cache(maxsize=1 << 16)
def dictionary_forms(word: str, lang: str) -> tuple[str, ...]:
    """Give a word itself and the dictionary forms it may belong to."""
    from rimshot.lexicon import lemmas

    bare = word.removesuffix("'s").removesuffix("'")
    return tuple(dict.fromkeys((word, bare, *lemmas(bare, lang))))


class TextWords:
    """The texts of a collection by the dictionary words they contain."""

    def __init__(self, items: Iterable[Item], lang: str, forms: Forms = dictionary_forms) -> None:
        self.lang, self.forms = lang, forms
        self._places: dict[str, list[str]] = {}
        self._by_word: dict[str, set[str]] = defaultdict(set)
        for item in items:
            words = tokens(item.text)
            self._places[item.docid] = words
            for word in set(words):
                for part in {word, *re.split(r"[-']", word)}:
                    for form in forms(part, lang):
                        self._by_word[form].add(item.docid)

    def having(self, term: str) -> set[str]:
        """Give the texts that contain a word, or a phrase word by word, in any of their forms."""
        parts = tokens(term.replace("_", " "))
        if not parts:
            return set()
        found: set[str] | None = None
        for part in parts:
            docs = set().union(*(self._by_word.get(form, set()) for form in self.forms(part, self.lang)))
            found = docs if found is None else found & docs
        assert found is not None
        return found if len(parts) == 1 else {docid for docid in found if self._phrase(docid, parts)}

    def _phrase(self, docid: str, parts: Sequence[str]) -> bool:
        words = self._places[docid]
        wanted = [set(self.forms(part, self.lang)) for part in parts]
        return any(
            all(wanted[step] & set(self.forms(words[start + step], self.lang)) for step in range(len(parts)))
            for start in range(len(words) - len(parts) + 1)
        )
