"""``rimshot detect``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rimshot.commands.given import add_texts, given_texts
from rimshot.commands.terminal import add_json, console, print_json, progress

if TYPE_CHECKING:
    from rimshot.wordplay.detector import Scores

HELP = "Tell how probably a text is wordplay, and which word does it."
EXAMPLES = """  rimshot detect "I used to be a banker, but I lost interest."
  rimshot detect --file jokes.jsonl --json
  rimshot detect --share 0.5 "A boiled egg is hard to beat."
  rimshot detect --lang pt --model tiny "O que diz um zero a um oito? Belo cinto!" """


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_texts(parser, "judge")
    parser.add_argument(
        "--share", metavar="S", type=_share, help="the share of wordplay to expect among the texts (default: 0.03)"
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Judge the texts and show the verdicts."""
    from rimshot.wordplay.annotate import annotate
    from rimshot.wordplay.choose import choose_detector
    from rimshot.wordplay.prior import at_share

    given = given_texts(args, "detect")
    detector = choose_detector(args.model, vectors=False)
    with progress("judging texts", len(given.texts)) as tell:
        scores = annotate(given.texts, given.langs, detector, tell)
    if args.share is not None:
        scores = replace(scores, humour=at_share(scores.humour, args.share))
    rows = [_row(name, given.texts[number], number, scores) for number, name in enumerate(given.ids)]
    if args.json:
        print_json({"detector": detector.name, "results": rows})
    else:
        _show(rows, given.texts)
    return 0


def _share(text: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0.0 < share < 1.0:
        raise argparse.ArgumentTypeError(f'"{text}" is no share; give a number between 0 and 1, such as 0.5')
    return share


def _row(name: Any, text: str, number: int, scores: Scores) -> dict[str, Any]:
    start, end = int(scores.start[number]), int(scores.end[number])
    word = scores.word(number, text)
    return {
        "id": name,
        "humour": round(float(scores.humour[number]), 6),
        "word": word,
        "start": start if word is not None else None,
        "end": end if word is not None else None,
        "confidence": round(float(scores.confidence[number]), 6),
    }


def _show(rows: list[dict[str, Any]], texts: list[str]) -> None:
    from rich.text import Text

    out = console()
    for row, text in zip(rows, texts, strict=True):
        line = Text(f"{row['humour']:.2f}  ")
        shown = Text(text.replace("\n", " "))
        if row["word"] is not None and row["humour"] >= 0.5:
            shown.stylize("bold underline", row["start"], row["end"])
        line.append_text(shown)
        if row["word"] is not None and row["humour"] >= 0.5:
            line.append(f"  [{row['word']}]", "dim")
        out.print(line, soft_wrap=True)
