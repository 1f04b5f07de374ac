"""Telling English from Portuguese in short texts.

Two languages, short texts, no model: function words and letters decide. Each word list below is closed-class (articles,
prepositions, pronouns, auxiliaries), which every sentence of more than a few words contains.
"""

from __future__ import annotations

import re

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import InputError, did_you_mean

__all__ = ["check_language", "guess_language"]

_ENGLISH = frozenset(
    "the of and to in is was that it for on with as his her he she they we you my your their our its this these those are be"
    " been were has have had not but or by at from an who which what when why how where there if so than then into about out"
    " up will would can could should did does do don't didn't isn't i'm it's because said never always all one two after".split()
)
_PORTUGUESE = frozenset(
    "o os um uma uns umas de do da dos das em no na nos nas por pelo pela pelos pelas com sem sob e ou que quem qual quais onde"
    " quando porque por quê é são era foi foram ser está estão estava ter tem têm tinha há não mas se já mais muito ao aos à às"
    " para pra ele ela eles elas eu tu você nós me te lhe seu sua seus suas meu minha teu tua isto isso este esta esse essa"
    " aquele aquela também só até entre depois antes como disse todos todo toda nem".split()
)
_WORDS = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_PORTUGUESE_LETTERS = re.compile(r"[ãõçâêôáéíóúà]|nh|lh|ção")
_ENGLISH_LETTERS = re.compile(r"th|wh|sh|ck|[wky]|oo|ee|ing\b")


def guess_language(text: str) -> str:
    """Give ``en`` or ``pt``, whichever the words and letters of a text speak for; ``en`` when nothing does.

    >>> guess_language("O gato que comeu o rato"), guess_language("The cat that ate the rat")
    ('pt', 'en')
    """
    lowered = text.lower().replace("’", "'")
    words = _WORDS.findall(lowered)
    english = sum(word in _ENGLISH for word in words)
    portuguese = sum(word in _PORTUGUESE for word in words)
    score = 2.0 * (portuguese - english)
    score += len(_PORTUGUESE_LETTERS.findall(lowered)) - 0.5 * len(_ENGLISH_LETTERS.findall(lowered))
    return "pt" if score > 0 else "en"


def check_language(lang: str, *, auto: bool = False) -> str:
    """Give back a known language name, or say which ones there are."""
    known = (*LANGUAGES, "auto") if auto else LANGUAGES
    if lang not in known:
        raise InputError(f'unknown language "{lang}"; {did_you_mean(lang, known)}')
    return lang
