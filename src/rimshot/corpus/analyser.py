"""From text to index terms: one value with one written form, the same for documents and for queries.

Words are runs of letters and digits. Apostrophes bind ("don't" is one word, its possessive is dropped by the stemmer);
hyphens split, so that Portuguese clitics are kept as words of their own ("disse-lhe" is *disse*, *lhe*), and one-letter
words ("é", "o", "a") stay. The Snowball stemmers are Porter's (English: Porter 2).
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import InputError, did_you_mean

__all__ = ["Analyser", "fold_accents", "words"]

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SNOWBALL = {"en": "english", "pt": "portuguese"}
_STOP = {
    "en": frozenset(
        "a an the of and or but if in on at to for with by from as is are was were be been being am do does did have has had"
        " he she it they we you i me him her us them his hers its their our your my this that these those not no so than then"
        " there here what which who whom when where why how all any some will would can could should".split()
    ),
    "pt": frozenset(
        "a o as os um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas com e ou mas se que quem qual"
        " ao aos à às para é são era foi ser está estava ter tem há não me te lhe nos vos seu sua meu minha teu tua este esta"
        " isto esse essa isso aquele aquela aquilo ele ela eles elas eu tu você como quando onde porque já mais muito".split()
    ),
}


def fold_accents(text: str) -> str:
    """Drop accents and cedillas: what a keyboard without them would type.

    >>> fold_accents("ação é")
    'acao e'
    """
    if text.isascii():
        return text
    decomposed = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(c for c in decomposed if not unicodedata.combining(c)))


def words(text: str) -> list[tuple[str, int, int]]:
    """Give the words of a text as they stand, with their character spans.

    >>> words("Don't stop")
    [("Don't", 0, 5), ('stop', 6, 10)]
    """
    return [(m.group(), m.start(), m.end()) for m in _WORD.finditer(text.replace("’", "'"))]


@dataclass(frozen=True)
class Analyser:
    """How text becomes terms; ``repr`` is its written form, ``parse`` reads it back.

    >>> Analyser().terms("The BANKERS' interests")
    ['the', 'banker', 'interest']
    >>> Analyser("pt").terms("Disse-lhe: é a canção")
    ['diss', 'lhe', 'e', 'a', 'canca']
    """

    lang: str = "en"
    fold: bool = True
    stem: bool = True
    stop: bool = False

    def __post_init__(self) -> None:
        if self.lang not in LANGUAGES:
            raise InputError(f'unknown language "{self.lang}"; {did_you_mean(self.lang, LANGUAGES)}')

    @classmethod
    def parse(cls, text: str) -> Analyser:
        """Read the written form, e.g. ``Analyser(lang='pt', fold=True, stem=True, stop=False)``."""
        try:
            call = ast.parse(text, mode="eval").body
            if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "Analyser"):
                raise ValueError
            known = [field.name for field in fields(cls)]
            given = {known[i]: ast.literal_eval(value) for i, value in enumerate(call.args)}
            given |= {str(keyword.arg): ast.literal_eval(keyword.value) for keyword in call.keywords}
            return cls(**given)
        except (SyntaxError, ValueError, TypeError, IndexError):
            raise InputError(f"not an analyser: {text!r}; write it as {cls()!r}") from None

    @cached_property
    def _stem(self) -> Callable[[str], str]:
        import Stemmer

        stem: Callable[[str], str] = Stemmer.Stemmer(_SNOWBALL[self.lang], 0).stemWord
        return stem

    def term(self, word: str) -> str:
        """Give the term of one word ('' for a stop word that is left out)."""
        lowered = unicodedata.normalize("NFKC", word).casefold() if not word.isascii() else word.lower()
        if self.stop and lowered in _STOP[self.lang]:
            return ""
        if self.stem:
            lowered = self._stem(lowered)
        return fold_accents(lowered) if self.fold else lowered

    def terms(self, text: str) -> list[str]:
        """Give the terms of a text, in order."""
        return [term for word in self.split(text) if (term := self.term(word))]

    @staticmethod
    def split(text: str) -> list[str]:
        """Give the raw words of a text, which :meth:`term` turns into terms (one by one, so that a caller may cache)."""
        if not text.isascii():
            text = unicodedata.normalize("NFKC", text.replace("’", "'"))
        return _WORD.findall(text)
