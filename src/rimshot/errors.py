"""Everything that can go wrong through no fault of the program.

    RimshotError
    ├── InputError        a file, field or argument that cannot be used
    ├── IndexFault        an index that is missing, damaged, foreign, newer, or being written
    ├── PipelineError     a pipeline that cannot be read or cannot work
    └── MissingPart       a model, lexicon or optional library that is not installed

A message is one line: what is wrong, where (file, place, field), and what to do about it. The command line prints it and
exits with 2; the service maps the class to a status. Any other exception is a bug and keeps its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

__all__ = ["IndexFault", "InputError", "MissingPart", "PipelineError", "RimshotError", "did_you_mean"]


class RimshotError(Exception):
    """Root of all errors that a person can act on."""


class InputError(RimshotError):
    """A file, field or argument that cannot be used."""


class IndexFault(RimshotError):
    """An index that is missing, damaged, foreign, newer than this program, or being written."""


class PipelineError(RimshotError):
    """A pipeline that cannot be read or cannot work."""


class MissingPart(RimshotError):
    """A model, lexicon or optional library that is not installed."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Give the tail of a message about an unknown name: the closest known one, or all of them.

    >>> did_you_mean("bm52", ["bm25", "rm3"])
    'did you mean "bm25"?'
    >>> did_you_mean("zzz", ["bm25", "rm3"])
    'known: bm25, rm3'
    """
    names = sorted(known)
    folded = {known_name.casefold(): known_name for known_name in names}
    near = get_close_matches(name.casefold(), list(folded), n=1, cutoff=0.6)
    return f'did you mean "{folded[near[0]]}"?' if near else f"known: {', '.join(names)}"
