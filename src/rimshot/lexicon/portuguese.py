"""Portuguese pronunciation by rule, European and Brazilian.

Portuguese spelling tells the sounds but for the openness of stressed e and o and for x, so rules do without a
dictionary. The European variety weakens unstressed vowels and hushes final s; the Brazilian turns t and d before i into
affricates and final l into a glide (Mateus and d'Andrade 2000).
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["pronounce"]

_ACUTE = {"á": "a", "é": "E", "í": "i", "ó": "c", "ú": "u", "â": "a", "ê": "e", "ô": "o", "à": "a"}
_NASAL = dict(zip("aeiouâêíôúáéó", "7890Y7890Y780", strict=True))
_BASE = {"a": "a", "e": "e", "i": "i", "o": "o", "u": "u", "y": "i"}
_VOWEL = "aeiouáéíóúâêôàãõy"
_SHARED = str.maketrans("CJEc@", "tdeoa")
# Words with x neither hushed nor predictable.
_X_KS = re.compile("tax|fix|sex|t[óo]x|anex|complex|flex|[ôó]nix|látex|maxi|oxi|nex|paradox|ortodox|clímax|pirex|durex")
_X_S = re.compile("máxim|próxim|aproxim|trouxe|auxíli|auxili|sintax")


def _stressed(syllables: list[str], word: str) -> int:
    """Number of the stressed vowel group: the accent if written, else next to last, else last for some endings."""
    for number, group in enumerate(syllables):
        if any(c in "áéíóúâêô" for c in group):
            return number
    for number, group in enumerate(syllables):
        if "ã" in group or "õ" in group:
            return number
    last = len(syllables) - 1
    if re.search(r"[aeo](s|m|ns)?$|[e]m$|am$", word) or last == 0:
        return max(0, last - 1) if last else 0
    return last


@lru_cache(maxsize=1 << 15)
def pronounce(word: str, variety: str = "pt-BR") -> tuple[str, ...]:
    """Give the pronunciation of a word or phrase in a variety, "pt-PT", "pt-BR", or "pt" for what they share.

    >>> pronounce("tia"), pronounce("tia", "pt-PT")
    (('Ci@',), ('ti@',))
    """
    parts = re.split(r"[\s\-]+", word.lower().strip())
    sounds = [_word(part, variety) for part in parts]
    whole = "".join(sounds)
    return (whole,) if whole else ()


def _word(word: str, variety: str) -> str:
    word = re.sub(r"[^a-zçáéíóúâêôàãõüñ]", "", word.replace("ü", "u").replace("ñ", "nh"))
    if not word:
        return ""
    groups = [match.span() for match in re.finditer(f"[{_VOWEL}]+", word)]
    # Hiatus is not parsed; a vowel group counts as one syllable, which is enough to find the stress.
    stressed = groups[_stressed([word[a:b] for a, b in groups], word)] if groups else (0, 0)
    european = variety == "pt-PT"
    phones: list[str] = []
    place = 0
    while place < len(word):
        used, sound = _letter(word, place, stressed[0] <= place < stressed[1], european)
        phones.append(sound)
        place += used
    whole = re.sub(r"(.)\1+", r"\1", "".join(phones))
    return whole.translate(_SHARED) if variety == "pt" else whole


def _letter(word: str, at: int, stress: bool, european: bool) -> tuple[int, str]:
    """Give how many letters are read here and their sound."""
    c = word[at]
    nxt = word[at + 1] if at + 1 < len(word) else ""
    after = word[at + 2] if at + 2 < len(word) else ""
    prev = word[at - 1] if at else ""
    if c in _VOWEL:
        return _vowel(word, at, c, nxt, after, prev, stress, european)
    pair = c + nxt
    if pair in _PAIRS:
        return 2, _PAIRS[pair]
    if pair in ("qu", "gu") and after and after in "eiéêí":
        return 2, "k" if c == "q" else "g"
    if pair in ("sc", "xc") and after and after in "eiéêí":
        return 2, "S" if european and c == "x" else "s"
    if c == "c":
        return 1, "s" if nxt and nxt in "eiéêí" else "k"
    if c == "g":
        return 1, "Z" if nxt and nxt in "eiéêí" else "g"
    if c == "s":
        if prev and prev in _VOWEL and nxt and nxt in _VOWEL:
            return 1, "z"
        return 1, "S" if european and (not nxt or nxt not in _VOWEL) and prev else "s"
    if c == "z":
        return 1, ("S" if european else "s") if not nxt else "z"
    if c == "x":
        return 1, _x(word, at, nxt)
    if c == "r":
        strong = not prev or prev in "nls"
        return 1, "R" if strong else "x"
    if c == "l" and not european and (not nxt or nxt not in _VOWEL):
        return 1, "w"
    if c in "td" and not european and nxt and nxt in "ií":
        return 1, "C" if c == "t" else "J"
    if c in "td" and not european and nxt == "e" and at + 2 >= len(word.rstrip("s")):
        return 1, "C" if c == "t" else "J"
    if c in "mn" and (not nxt or nxt not in _VOWEL) and prev and prev in _VOWEL:
        return 1, ""  # it has made the vowel before it nasal
    return 1, _PLAIN.get(c, "")


_PAIRS = {"lh": "L", "nh": "G", "ch": "S", "rr": "R", "ss": "s", "ph": "f", "sh": "S", "ck": "k", "th": "t", "sç": "s"}
_PLAIN = dict(
    zip(
        "bdfjklmnpqtvwyçh", ["b", "d", "f", "Z", "k", "l", "m", "n", "p", "k", "t", "v", "w", "i", "s", ""], strict=True
    )
)


def _x(word: str, at: int, nxt: str) -> str:
    if _X_KS.search(word):
        return "ks"
    if _X_S.search(word):
        return "s"
    if word.startswith("ex") and at == 1 and nxt and nxt in _VOWEL:
        return "z"
    if nxt and nxt not in _VOWEL:
        return "s"
    return "S" if nxt else "ks"


def _vowel(
    word: str, at: int, c: str, nxt: str, after: str, prev: str, stress: bool, european: bool
) -> tuple[int, str]:
    if c in "ãõ":
        if nxt in ("o", "e"):
            return 2, ("7" if c == "ã" else "0") + ("w" if nxt == "o" else "j")
        return 1, "7" if c == "ã" else "0"
    ends = at + 1 >= len(word)
    if nxt and nxt in "mn" and (not after or after not in _VOWEL + "h") and c in _NASAL:
        if at + 2 >= len(word) and c in "aeé" and nxt == "m":
            return 2, "7w" if c == "a" else "8j"
        return 1, _NASAL[c]
    if c in _ACUTE:
        return 1, _ACUTE[c]
    if c in "iu" and prev and prev in "aeoáéóâêô" and not (nxt and nxt in "nm"):
        return 1, "j" if c == "i" else "w"
    if not stress or ends:
        weak_end = ends or word[at + 1 :] == "s"
        if c == "o" and (european or weak_end):
            return 1, "u"
        if c == "e" and weak_end and len(word) > 2:
            return 1, "y" if european else "i"
        if c == "e" and european:
            return 1, "y"
        if c == "a" and (european or weak_end) and len(word) > 2:
            return 1, "@"
    return 1, _BASE[c]
