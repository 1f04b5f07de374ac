"""Concordance lines: the pun word in the middle and the text around it (keyword in context, Luhn 1960)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

__all__ = ["concordance", "kwic_line"]


def kwic_line(text: str, start: int, end: int, width: int = 40) -> tuple[str, str, str]:
    """Give what stands left of a span, the span, and what stands right of it, the sides cut at words to `width`.

    >>> kwic_line("Old bankers never die, they just lose interest.", 38, 46, 16)
    ('… they just lose', 'interest', '.')
    """
    left, word, right = (" ".join(part.split()) for part in (text[:start], text[start:end], text[end:]))
    if len(left) > width:
        cut = left[len(left) - width + 2 :]
        left = "… " + (cut.partition(" ")[2] if left[len(left) - width + 1] != " " else cut)
    if len(right) > width:
        cut = right[: width - 2]
        right = (cut.rpartition(" ")[0] if right[width - 2] != " " else cut) + " …"
    return left, word, right


def concordance(hits: Iterable[tuple[str, Mapping[str, Any]]], width: int = 40) -> list[tuple[str, str, str]]:
    """Give the lines of explained jokes, sorted by the pun word and then by what follows it."""
    lines = [
        kwic_line(text, int(record["start"]), int(record["end"]), width) for text, record in hits if record.get("word")
    ]
    return sorted(lines, key=lambda line: (line[1].lower(), line[2].lower(), line[0].lower()))
