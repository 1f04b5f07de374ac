"""The best reading of a text, told even where it is too weak to be called an explanation."""

from __future__ import annotations

from rimshot.wordplay.explain_sentence import heterographic_sentence, homographic_sentence
from rimshot.wordplay.pun import HETEROGRAPHIC, Pun

__all__ = ["UNSURE", "perhaps"]

UNSURE = 0.02
"""The probability of wordplay below which a text is not even perhaps a pun."""
_IF = {"en": "If it is a pun after all: ", "pt": "Se afinal for um trocadilho: "}


def perhaps(pun: Pun) -> str | None:
    """Give what a refused text would be a pun on; None for a plain one, and for one that is explained anyway."""
    if pun.explained or pun.word is None or pun.humour < UNSURE:
        return None
    if pun.kind == HETEROGRAPHIC and pun.sounds:
        told = heterographic_sentence(pun.word, pun.sounds[0], pun.idiom, pun.lang)
    elif pun.pairs:
        told = homographic_sentence(pun.word, pun.pairs[0], pun.lang)
    else:
        return None
    return _IF[pun.lang] + told
