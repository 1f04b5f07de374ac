"""Rimshot: humour-aware search for short texts.

>>> from rimshot import Doc, build_index, open_index, parse, search
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rimshot.corpus import Analyser as Analyser
    from rimshot.corpus import Doc as Doc
    from rimshot.corpus import Query as Query
    from rimshot.errors import RimshotError as RimshotError
    from rimshot.index import Index as Index
    from rimshot.index import build_index as build_index
    from rimshot.index import open_index as open_index
    from rimshot.index import write_index as write_index
    from rimshot.rank import Ranking as Ranking
    from rimshot.rank import parse as parse
    from rimshot.rank import preset as preset
    from rimshot.rank import search as search

__version__ = "0.1.0"

_HOMES = {
    "Analyser": "corpus",
    "Doc": "corpus",
    "Query": "corpus",
    "RimshotError": "errors",
    "Index": "index",
    "build_index": "index",
    "open_index": "index",
    "write_index": "index",
    "Ranking": "rank",
    "parse": "rank",
    "preset": "rank",
    "search": "rank",
}
__all__ = [*sorted(_HOMES), "__version__"]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"rimshot.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'rimshot' has no attribute {name!r}")
