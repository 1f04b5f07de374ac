"""What Portuguese puns play on beside words: names that everyone knows, and phrases that everyone says.

Both lists were written for this project by a language model from general knowledge. ``names_pt.txt`` has a name on each line
(people, bands, films, brands, places, characters, foreign words) and, where Portuguese spelling would not give its sound, how
people say it, in Portuguese spelling: ``hyundai | riundai ; iundai``. ``said_pt.txt`` has short phrases: ``tem gente``.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

__all__ = ["names", "said"]

_FOLDER = Path(__file__).parent
_LONG = 5
"""Letters from which a word of a name calls up the whole."""


@lru_cache(maxsize=1)
def names() -> dict[str, tuple[str, ...]]:
    """Give the names, lower case, and the longer words in them, each with its respellings.

    >>> names()["hyundai"][0], names()["bergerac"]
    ('riundai', ('berjerrác',))
    """
    found: dict[str, tuple[str, ...]] = {}
    for line in (_FOLDER / "names_pt.txt").read_text(encoding="utf-8").splitlines():
        name, _, spelled = line.partition(" | ")
        found[name] = tuple(spelled.split(" ; ")) if spelled else ()
    for name, readings in list(found.items()):
        said_so = [reading.split() for reading in readings]
        for at, word in enumerate(name.split()):
            if " " in name and len(word) >= _LONG:
                found.setdefault(word, tuple(parts[at] for parts in said_so if len(parts) == len(name.split())))
    return found


@lru_cache(maxsize=1)
def said() -> frozenset[str]:
    """Give the phrases, lower case, without marks.

    >>> "tem gente" in said()
    True
    """
    return frozenset((_FOLDER / "said_pt.txt").read_text(encoding="utf-8").splitlines())
