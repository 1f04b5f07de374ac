"""What Portuguese words mean, in Portuguese: glosses written for this project, since OpenWordnet-PT has none of its own here.

``glosses_pt.txt`` has the concepts that common Portuguese words with two meanings and more stand for, each by its WordNet 3.0 number, and a
short definition. A language model wrote them after the English ones. Concepts that are not there are told in English.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

__all__ = ["gloss_language", "portuguese_gloss"]


def portuguese_gloss(concept: str) -> str | None:
    """Give the Portuguese definition of a concept by its number ("08420278-n"), if there is one."""
    return _glosses().get(concept)


def gloss_language(gloss: str) -> str:
    """Give the language that a definition of either wordnet is in.

    >>> gloss_language("sloping land")
    'en'
    """
    return "pt" if gloss in _known() else "en"


@lru_cache(maxsize=1)
def _glosses() -> dict[str, str]:
    lines = Path(__file__).with_name("glosses_pt.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


@lru_cache(maxsize=1)
def _known() -> frozenset[str]:
    return frozenset(_glosses().values())
