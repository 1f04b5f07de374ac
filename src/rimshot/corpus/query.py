"""What somebody asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ABOUT", "Query"]

ABOUT = {"en": "This text is about {}.", "pt": "Este texto é sobre {}."}
"""A topic as a sentence, in each language."""


@dataclass(frozen=True, slots=True)
class Query:
    """A topic in words, with weighted index terms once a stage such as RM3 has worked them out.

    ``lang`` is the language of the text, or None to read it in every language of the index.
    """

    id: str
    text: str
    lang: str | None = None
    terms: Mapping[str, float] | None = None
