"""The parts of a joke: its sentences, its punch line, and windows short enough for a sentence encoder.

Jokes collected from the web have lost line breaks (``left?"The boy says``), so a sentence also ends where a closing mark is
followed at once by a capital letter.
"""

from __future__ import annotations

import re

__all__ = ["body", "punch_line", "sentences", "split_joke", "windows"]

_END = re.compile(r"""(?:[.!?…]+["'”’)\]]*)(?=\s|$|["“‘(\[]?[A-ZÀ-Ý])|\n+""")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“])(?:mr|mrs|ms|dr|st|prof|sr|sra|jr|vs|sgt|lt|gen|rev|d|[a-z])\.$", re.IGNORECASE
)
_LETTER = re.compile(r"[^\W_]")
_FEWEST = 3


def sentences(text: str) -> list[str]:
    """Give the sentences of a text, none of them without a letter or digit.

    >>> sentences('Dr. Who? "The boy left."Then it rained... Hard!')
    ['Dr. Who?', '"The boy left."', 'Then it rained...', 'Hard!']
    """
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.end()]
        if _ABBREVIATION.search(piece.strip()) and match.group().strip() == ".":
            continue
        if _LETTER.search(piece):
            found.append(piece.strip())
        elif found:
            found[-1] += piece.strip()
        else:
            continue
        start = match.end()
    rest = text[start:].strip()
    if rest and (_LETTER.search(rest) or not found):
        found.append(rest)
    elif rest:
        found[-1] += rest
    return found


def split_joke(text: str) -> tuple[str, str]:
    """Give what comes before the punch line, and the punch line.

    >>> split_joke("Why did he leave? He had a train to catch. Choo choo!")
    ('Why did he leave?', 'He had a train to catch. Choo choo!')
    """
    parts = sentences(text)
    last = len(parts) - 1
    while last > 0 and len(" ".join(parts[last:]).split()) < _FEWEST:
        last -= 1
    return " ".join(parts[: max(last, 0)]), " ".join(parts[max(last, 0) :])


def punch_line(text: str) -> str:
    """Give the last sentence (Friedland and Allan 2008), with the one before when it is a mere word or two.

    >>> punch_line("Why did he leave? He had a train to catch. Choo choo!")
    'He had a train to catch. Choo choo!'
    """
    return split_joke(text)[1]


def body(text: str) -> str:
    """Give what comes before the punch line; empty for a joke of one sentence."""
    return split_joke(text)[0]


def windows(text: str, most: int = 44, count: int = 8) -> list[str]:
    """Cut a text into runs of whole sentences of at most ``most`` words; only a longer sentence is cut inside.

    At most ``count`` windows are given, spread evenly over the text, its first and its last always among them.

    >>> windows("One two three. Four five. Six.", most=5)
    ['One two three. Four five.', 'Six.']
    """
    runs: list[list[str]] = []
    for sentence in sentences(text):
        words = sentence.split()
        while len(words) > most:
            runs.append(words[:most])
            words = words[most:]
        if runs and len(runs[-1]) + len(words) <= most:
            runs[-1] = runs[-1] + words
        elif words:
            runs.append(words)
    if len(runs) > count:
        runs = [runs[round(at * (len(runs) - 1) / (count - 1))] for at in range(count)]
    return [" ".join(run) for run in runs]
