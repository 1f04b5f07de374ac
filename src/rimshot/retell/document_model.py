"""Document models in a written form: which part of a joke is read, and what becomes of its annotated words.

    whole                       all words (the baseline of Friedland and Allan 2008)
    punch                       the last sentence
    body                        what comes before it
    marked                      all words, those of the punch line distinct from the same words before it
    punch:tags                  words of the ten categories replaced by their tag
    whole:tags(person,nation)   words of these categories only
    body:drop(people)           annotated words left out, like stop words
    whole:both                  the word and its tag
    whole:only                  nothing but annotated words
    whole:kinds                 a bag of two tokens: annotated and plain

A selection is ``all`` (the default), ``people`` (person, profession, nation), ``scene`` (the other seven), a category or a list
of categories. :func:`variants` gives the 108 of the paper's kind: four parts times (the words, or tags or drop under thirteen
selections).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rimshot.corpus.analyser import Analyser
from rimshot.errors import InputError, did_you_mean
from rimshot.retell.abstract import tagged
from rimshot.retell.categories import CATEGORIES
from rimshot.retell.parts import punch_line, sentences

__all__ = ["ANNOTATIONS", "BASELINE", "PUNCH_LINE", "DocumentModel", "variants"]

PARTS = ("whole", "punch", "body", "marked")
TREATMENTS = ("words", "tags", "drop", "both", "only", "kinds")
_PEOPLE = ("person", "profession", "nation")
SELECTIONS = {
    "all": frozenset(CATEGORIES),
    "people": frozenset(_PEOPLE),
    "scene": frozenset(CATEGORIES) - frozenset(_PEOPLE),
    **{name: frozenset([name]) for name in CATEGORIES},
}
_FORM = re.compile(r"\s*(?P<part>\w+)\s*(?::\s*(?P<treatment>\w+)\s*(?:\(\s*(?P<names>[\w\s,]+)\))?)?\s*")


@dataclass(frozen=True)
class DocumentModel:
    """How a joke becomes a bag of tokens; ``str`` is its written form and :meth:`parse` reads it back.

    >>> DocumentModel.parse("whole:tags(animal)").tokens("A dead snake in the road")
    ['dead', '#animal', 'road']
    """

    part: str = "whole"
    treatment: str = "words"
    names: tuple[str, ...] = ("all",)

    def __post_init__(self) -> None:
        for value, known in ((self.part, PARTS), (self.treatment, TREATMENTS), *((n, SELECTIONS) for n in self.names)):
            if value not in known:
                raise InputError(f'document model: unknown name "{value}"; {did_you_mean(value, known)}')

    @classmethod
    def parse(cls, text: str) -> DocumentModel:
        """Read the written form."""
        match = _FORM.fullmatch(text)
        if match is None:
            raise InputError(
                f'"{text}" is not a document model; write e.g. whole, punch:tags or body:drop(person,animal)'
            )
        names = tuple(name.strip() for name in (match["names"] or "all").split(",") if name.strip())
        return cls(match["part"], match["treatment"] or "words", names)

    def __str__(self) -> str:
        if self.treatment == "words":
            return self.part
        chosen = "" if self.names == ("all",) else f"({','.join(self.names)})"
        return f"{self.part}:{self.treatment}{chosen}"

    def tokens(self, text: str, lang: str = "en") -> list[str]:
        """Give the tokens of a joke: stems without stop words, and tags such as ``#animal``."""
        chosen = frozenset().union(*(SELECTIONS[name] for name in self.names))
        before, after = _annotated(text, lang)
        if self.part == "marked":
            return [*self._treat(before, chosen), *(f"{token}!" for token in self._treat(after, chosen))]
        return list(self._treat({"whole": before + after, "punch": after, "body": before}[self.part], chosen))

    def _treat(self, annotated: tuple[tuple[str, str], ...], chosen: frozenset[str]) -> Iterator[str]:
        for stem, name in annotated:
            if self.treatment == "kinds":
                yield "#annotated" if name in chosen else "#plain"
            elif name not in chosen or self.treatment == "words":
                if self.treatment != "only":
                    yield stem
            elif self.treatment == "tags":
                yield f"#{name}"
            elif self.treatment == "both":
                yield from (stem, f"#{name}")
            elif self.treatment == "only":
                yield stem


@lru_cache(maxsize=2)
def _analyser(lang: str) -> Analyser:
    return Analyser(lang, stop=True)


@lru_cache(maxsize=1 << 15)
def _annotated(text: str, lang: str) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """Stems with their category, of what comes before the punch line and of the punch line."""
    analyser = _analyser(lang)
    punch = punch_line(text)
    parts = sentences(text)
    first = " ".join(parts[: len(parts) - len(sentences(punch))])
    before, after = (
        tuple((stem, name) for word, name in tagged(piece, lang) if (stem := analyser.term(word)))
        for piece in (first, punch)
    )
    return before, after


BASELINE = DocumentModel()
PUNCH_LINE = DocumentModel("punch")
ANNOTATIONS = DocumentModel("whole", "tags")


def variants() -> list[DocumentModel]:
    """Give the 108 document models whose scores the paper's largest classifier reads.

    >>> len(variants()), str(variants()[1]), str(variants()[-1])
    (108, 'whole:tags', 'marked:drop(time)')
    """
    return [
        model
        for part in PARTS
        for model in (
            DocumentModel(part),
            *(DocumentModel(part, treatment, (name,)) for treatment in ("tags", "drop") for name in SELECTIONS),
        )
    ]
