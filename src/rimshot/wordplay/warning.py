"""Content warnings by word list: profanity, slurs, adult matter.

A list sees words, not intentions: it misses what is only meant and flags a cockerel. It is there to filter by, off in
research and on where jokes are shown to anybody (`rimshot serve`).
"""

from __future__ import annotations

from rimshot.lexicon.offensive import stems

__all__ = ["WARNINGS", "warnings_of"]

WARNINGS = ("profanity", "slur", "adult")


def warnings_of(text: str, lang: str) -> tuple[str, ...]:
    """Give the warnings that a text calls for, in the order of `WARNINGS`.

    >>> warnings_of("What a lovely day", "en"), warnings_of("Oh shit", "en")
    ((), ('profanity',))
    """
    patterns = stems(lang)
    return tuple(name for name in WARNINGS if name in patterns and patterns[name].search(text))
