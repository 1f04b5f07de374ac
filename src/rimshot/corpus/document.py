"""A text to be found."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["LANGUAGES", "Doc"]

LANGUAGES = ("en", "pt")


@dataclass(frozen=True, slots=True)
class Doc:
    """One short text with its identifier and language (``en`` or ``pt``)."""

    id: str
    text: str
    lang: str = "en"
