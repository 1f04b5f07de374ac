"""The sounds of English and Portuguese, one letter each, and how far apart they are.

A pronunciation is a string of these letters, so that two words sound alike when their strings are near. The distance
between two sounds comes from articulation: place, manner and voice for consonants, height, backness, rounding and
nasality for vowels (after Kondrak 2000, ALINE). A pun is felt with a distance well below one sound changed outright.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

__all__ = ["ARPABET", "PHONES", "VOWELS", "costs", "phone_distance", "to_ipa"]

# Consonants: place from the lips (0) to the throat (10), manner from closed to open, voice.
_CONSONANTS = {
    "p": (0, 0, 0), "b": (0, 0, 1), "t": (3, 0, 0), "d": (3, 0, 1), "k": (7.5, 0, 0), "g": (7.5, 0, 1),
    "C": (4.5, 1, 0), "J": (4.5, 1, 1), "f": (1, 2, 0), "v": (1, 2, 1), "T": (2, 2, 0), "D": (2, 2, 1),
    "s": (3, 2, 0), "z": (3, 2, 1), "S": (4.5, 2, 0), "Z": (4.5, 2, 1), "h": (10, 2, 0), "R": (10, 2, 1),
    "m": (0, 4, 1), "n": (3, 4, 1), "N": (7.5, 4, 1), "G": (6, 4, 1), "l": (3, 5.5, 1), "L": (6, 5.5, 1),
    "r": (4.5, 5.5, 1), "x": (3, 5, 1), "w": (0, 7, 1), "j": (6, 7, 1),
}  # fmt: skip
# Vowels: height from close (0) to open (6), front (0) to back (4), rounding, nasality, and where a diphthong ends.
_VOWELS: dict[str, tuple[float, float, int, int, str]] = {
    "i": (0, 0, 0, 0, ""), "I": (1, 0.6, 0, 0, ""), "e": (2, 0, 0, 0, ""), "E": (4, 0.3, 0, 0, ""),
    "A": (5, 0.6, 0, 0, ""), "a": (6, 2, 0, 0, ""), "Q": (6, 3.6, 0, 0, ""), "V": (4.5, 3, 0, 0, ""),
    "@": (3.2, 2, 0, 0, ""), "c": (4.4, 4, 1, 0, ""), "o": (2, 4, 1, 0, ""), "U": (1, 3.4, 1, 0, ""),
    "u": (0, 4, 1, 0, ""), "y": (1, 2, 0, 0, ""), "3": (3.2, 2, 0, 0, "r"), "1": (2.4, 0.2, 0, 0, "i"),
    "2": (6, 2, 0, 0, "i"), "4": (6, 2, 0, 0, "u"), "5": (4.4, 4, 1, 0, "i"), "6": (2.4, 4, 1, 0, "u"),
    "7": (3.6, 2, 0, 1, ""), "8": (2, 0, 0, 1, ""), "9": (0, 0, 0, 1, ""), "0": (2, 4, 1, 1, ""), "Y": (0, 4, 1, 1, ""),
}  # fmt: skip

PHONES = "".join(_CONSONANTS) + "".join(_VOWELS)
"""All sounds; a sound's place in this string is its number."""
VOWELS = frozenset(_VOWELS)

_CMU = """
AA:Q AE:A AH:V AO:c AW:4 AY:2 B:b CH:C D:d DH:D EH:E ER:3 EY:1 F:f G:g HH:h IH:I IY:i JH:J K:k L:l M:m N:n NG:N
OW:6 OY:5 P:p R:r S:s SH:S T:t TH:T UH:U UW:u V:v W:w Y:j Z:z ZH:Z
"""
ARPABET = dict(pair.split(":") for pair in _CMU.split())
"""The sounds of the CMU dictionary in our letters; unstressed AH is the neutral vowel @."""

_LETTERS = """
p b t d k ɡ tʃ dʒ f v θ ð s z ʃ ʒ h ʁ m n ŋ ɲ l ʎ ɹ ɾ w j i ɪ e ɛ æ a ɑ ʌ ə ɔ o ʊ u ɨ ɝ eɪ aɪ aʊ ɔɪ oʊ ɐ̃ ẽ ĩ õ ũ
"""
_IPA = dict(zip(PHONES, _LETTERS.split(), strict=True))


def to_ipa(phones: str) -> str:
    """Write a pronunciation in the alphabet of the International Phonetic Association.

    >>> to_ipa("s1l")
    'seɪl'
    """
    return "".join(_IPA[phone] for phone in phones)


def _consonants_apart(one: str, other: str) -> float:
    place, manner, voice = _CONSONANTS[one]
    place2, manner2, voice2 = _CONSONANTS[other]
    apart = 0.09 * min(abs(place - place2), 5) + 0.15 * min(abs(manner - manner2), 4)
    return min(1.0, apart + (0.2 if voice != voice2 else 0.0))


def _vowels_apart(one: str, other: str) -> float:
    height, back, lips, nose, end = _VOWELS[one]
    height2, back2, lips2, nose2, end2 = _VOWELS[other]
    apart = (
        0.07 * abs(height - height2) + 0.07 * abs(back - back2) + 0.05 * abs(lips - lips2) + 0.15 * abs(nose - nose2)
    )
    if "@" in (one, other):
        apart *= 0.7  # the neutral vowel is what others become in fast speech
    return min(0.7, apart + (0.15 if end != end2 else 0.0))


# Vowels and the consonants they slide into.
_KIN = {
    ("u", "w"): 0.3,
    ("i", "j"): 0.3,
    ("U", "w"): 0.4,
    ("I", "j"): 0.4,
    ("3", "r"): 0.3,
    ("o", "l"): 0.6,
    ("u", "l"): 0.6,
}


def phone_distance(one: str, other: str) -> float:
    """Give the distance of two sounds, 0 for the same and 1 for a vowel against a consonant.

    >>> phone_distance("p", "b") < phone_distance("p", "g") < phone_distance("p", "a") == 1
    True
    """
    if one == other:
        return 0.0
    if (one in VOWELS) != (other in VOWELS):
        return _KIN.get((one, other), _KIN.get((other, one), 1.0))
    return _vowels_apart(one, other) if one in VOWELS else _consonants_apart(one, other)


_GAPS = {
    "h": 0.4,
    "w": 0.5,
    "j": 0.4,
    "@": 0.4,
    "y": 0.3,
    "r": 0.5,
    "x": 0.55,
    "R": 0.6,
    "t": 0.6,
    "d": 0.6,
    "I": 0.6,
    "V": 0.6,
}


@lru_cache(maxsize=1)
def costs() -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Give the table of substitution costs and the costs of a sound left out, by number; the last number pads."""
    size = len(PHONES) + 1
    swap = np.ones((size, size), np.float32)
    for i, one in enumerate(PHONES):
        for j, other in enumerate(PHONES):
            swap[i, j] = phone_distance(one, other)
    gap = np.array([_GAPS.get(phone, 0.7 if phone in VOWELS else 0.75) for phone in PHONES] + [0.0], np.float32)
    return swap, gap
