"""In which languages a search is answered.

A topic that only one language of the index knows is answered in that language. Asked for any language, or for hits in
another one, the topic is carried over into the other languages first.
"""

from __future__ import annotations

import numpy as np

from rimshot.corpus import Query
from rimshot.index import Index
from rimshot.index.pack import Array
from rimshot.rank.syntax import parse_query
from rimshot.rank.translate import language_of
from rimshot.serve.traits import CHOICES, traits

__all__ = ["ANY", "kept_to", "own_language"]

ANY = "any"
"""What is written in place of a language to have hits in all of them, here and on the command line."""


def own_language(text: str, index: Index) -> str | None:
    """Give the one language that knows a search's topic; None where several or none do, or the index has only one."""
    if len(index.languages) < 2:
        return None
    topic = parse_query(text).topic
    if not topic:
        return None
    # The wordnets take up to a millisecond to look a phrase up, and people turn pages.
    return index.memo(("serve:own language", topic), lambda: language_of(Query("1", topic), index))


def kept_to(docs: Array, own: str | None, index: Index) -> str | None:
    """Give the language that hits were kept to: the topic's own, unless it had no hits and others were let in."""
    if own is None or not len(docs):
        return None
    return own if bool(np.all(traits(index)["lang"].codes[docs] == CHOICES["lang"].index(own))) else None
