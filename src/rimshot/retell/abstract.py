"""A joke with its changeable words made plain: every lawyer, nun and snake becomes "someone" or "an animal"."""

from __future__ import annotations

from rimshot.corpus.analyser import words
from rimshot.retell.categories import category

__all__ = ["abstracted", "tagged"]

_PLAIN = {
    "en": {"person": "person", "profession": "person", "nation": "person", "place": "place", "animal": "animal"},
    "pt": {"person": "pessoa", "profession": "pessoa", "nation": "pessoa", "place": "lugar", "animal": "animal"},
}


def tagged(text: str, lang: str = "en") -> list[tuple[str, str]]:
    """Give the words of a text, each with its category ('' for none).

    >>> tagged("Two nuns walk")
    [('Two', 'number'), ('nuns', 'profession'), ('walk', '')]
    """
    return [(word, category(word, lang)) for word, _, _ in words(text)]


def abstracted(text: str, lang: str = "en") -> str:
    """Give the text with people, animals, nations and places replaced by the plain word for their kind.

    >>> abstracted("A nun and a lawyer met a snake in Rome.")
    'A person and a person met a animal in place.'
    """
    plain = _PLAIN[lang]
    pieces, done = [], 0
    for word, start, end in words(text):
        kind = plain.get(category(word, lang))
        if kind is not None:
            pieces += [text[done:start], kind]
            done = end
    return "".join([*pieces, text[done:]])
