"""The consonants of a pronunciation by class: what stays of a word when it is misheard."""

from __future__ import annotations

from rimshot.lexicon.phones import PHONES

__all__ = ["keys", "numbers", "skeleton"]

_CLASSES = {
    phone: letter
    for letter, group in {
        "P": "pb", "T": "tdTD", "K": "kg", "F": "fv", "S": "szSZCJ", "M": "mnNG", "L": "lL", "R": "rx", "H": "R",
    }.items()
    for phone in group
}  # fmt: skip


def skeleton(phones: str) -> str:
    """Give the consonant classes of a pronunciation, repeated ones once.

    >>> skeleton("pr6p1n"), skeleton("br6b1n")
    ('PRPM', 'PRPM')
    """
    found = ""
    for phone in phones:
        letter = _CLASSES.get(phone, "R" if phone == "3" else "")
        if letter and not found.endswith(letter):
            found += letter
    return found


def keys(phones: str) -> set[str]:
    """Give the skeleton of a pronunciation and its neighbours with one class left out."""
    whole = skeleton(phones)
    return {whole, *(whole[:i] + whole[i + 1 :] for i in range(len(whole)))} if len(whole) > 1 else {whole}


def numbers(phones: str) -> list[int]:
    """Give a pronunciation as numbers of sounds."""
    return [PHONES.index(phone) for phone in phones]
