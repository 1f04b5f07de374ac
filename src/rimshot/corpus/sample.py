"""The embedded sample: a small collection composed for this package, in JOKER's formats."""

from __future__ import annotations

from pathlib import Path

from rimshot.corpus.language import check_language

__all__ = ["SAMPLE_LANGUAGES", "sample_path"]

SAMPLE_LANGUAGES = ("en", "pt")


def sample_path(lang: str = "en") -> Path:
    """Give the folder of the sample in one language: corpus, queries, qrels, puns, families, twins."""
    return Path(__file__).parent / "sample" / check_language(lang)
