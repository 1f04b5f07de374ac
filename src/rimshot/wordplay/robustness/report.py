"""How does a detector bear texts that it was not made for? ``python -m rimshot.wordplay.robustness.report``.

Every kind is scored with the language's model; an alarm is a text of the kind with P(humour) of at least one half.
Beside the written texts there are blank ones and texts of ten thousand words, made here.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.resources import files

import numpy as np

from rimshot.corpus.document import LANGUAGES
from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.detector import Detector

__all__ = ["Kind", "report", "unusual_texts"]

ALARM = 0.5
_LONG = 10_000


@dataclass(frozen=True)
class Kind:
    """What a detector made of one kind of text."""

    lang: str
    kind: str
    texts: int
    alarms: int
    highest: float
    mean: float


def unusual_texts(lang: str) -> dict[str, list[str]]:
    """Give the texts of each kind, written ones first; a slash between lines of verse becomes a line break."""
    found: dict[str, list[str]] = {}
    kind = ""
    for line in (files("rimshot.wordplay.robustness") / f"{lang}.txt").read_text("utf-8").splitlines():
        if line.startswith("## "):
            kind = line.removeprefix("## ")
            found[kind] = []
        elif line and not line.startswith("# "):
            found[kind].append(line.replace(" / ", "\n"))
    written = [text for kind, texts in found.items() if kind not in ("other languages", "emoji only") for text in texts]
    words = " ".join(written).split()
    found["empty text"] = ["", " ", "\n\n", "\t", "...", "?!", "\u00a0", "\u200b", "—", "\x00"]
    found["10,000 words"] = [
        " ".join((words[start:] * (_LONG // len(words) + 2))[:_LONG]) for start in range(0, len(words), len(words) // 3)
    ]
    found["10,000 words"].append(" ".join([words[0]] * _LONG))
    found["10,000 words"].append("a" * 60_000)
    return found


def report(detector: Detector, lang: str) -> list[Kind]:
    """Give what a detector makes of each kind."""
    rows = []
    for kind, texts in unusual_texts(lang).items():
        humour = detector.score(texts, lang).humour
        alarms = int(np.sum(humour >= ALARM))
        rows.append(Kind(lang, kind, len(texts), alarms, float(humour.max()), float(humour.mean())))
    return rows


def table(rows: Sequence[Kind]) -> str:
    """Give the report as a Markdown table."""
    lines = ["| lang | kind | texts | false alarms | highest P | mean P |", "|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| {row.lang} | {row.kind} | {row.texts} | {row.alarms} | {row.highest:.2f} | {row.mean:.3f} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the report for a detector."""
    parser = argparse.ArgumentParser(prog="python -m rimshot.wordplay.robustness.report", description=main.__doc__)
    parser.add_argument("--lang", action="append", choices=LANGUAGES, help="a language (default: all)")
    parser.add_argument("--model", default="default", metavar="NAME|DIR", help="a detector (default: the shipped one)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    chosen = options.lang or LANGUAGES
    rows = [row for lang in chosen for row in report(choose_detector(options.model, (lang,)), lang)]
    sys.stdout.write(json.dumps([asdict(row) for row in rows], indent=2) + "\n" if options.json else table(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
