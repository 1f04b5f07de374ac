"""How much a word tells: -ln of its probability in jokes and plain texts, from a table that ships with the package.

The table is fixed, not counted from the collection at hand, so that how alike two texts are depends on the two texts alone:
the same pair gets the same probability in any index, before and after texts are appended. Words stand in it as hashes.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files

import numpy as np

__all__ = ["MOST", "rarity", "stem_code"]

MOST = 12.5
"""Given to words that the table does not hold."""


def stem_code(stem: str) -> int:
    """Give the eight bytes that stand for a stem."""
    return int.from_bytes(blake2b(stem.encode(), digest_size=8).digest(), "little")


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[int, float]]:
    with (
        files("rimshot.retell").joinpath("rarity.npz").open("rb") as source,
        np.load(source, allow_pickle=False) as data,
    ):
        return {
            lang: dict(
                zip(data[f"{lang}_codes"].tolist(), data[f"{lang}_surprise"].astype(np.float64).tolist(), strict=True)
            )
            for lang in ("en", "pt")
        }


@lru_cache(maxsize=1 << 17)
def rarity(stem: str, lang: str = "en") -> float:
    """Give the surprise of a stem in nats.

    >>> rarity("the") < rarity("bartend") < rarity("trampolin") < rarity("xqzt") == MOST
    True
    """
    return _table()[lang].get(stem_code(stem), MOST)
