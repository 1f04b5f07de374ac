"""``rimshot detect``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.commands.terminal import add_json, console, print_json, progress
from rimshot.errors import InputError

if TYPE_CHECKING:
    from rimshot.wordplay.detector import Scores

HELP = "Tell how probably a text is wordplay, and which word does it."
EXAMPLES = """  rimshot detect "I used to be a banker, but I lost interest."
  rimshot detect --file jokes.jsonl --json
  rimshot detect --lang pt --model tiny "O que diz um zero a um oito? Belo cinto!" """


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("texts", metavar="TEXT", nargs="*", help="a text to judge")
    parser.add_argument("--file", metavar="F", type=Path, help="a file (JSON, JSON lines, CSV ...) of docid and text")
    parser.add_argument(
        "--lang", default="auto", metavar="en|pt|auto", help="language of the texts (default: auto, each by itself)"
    )
    parser.add_argument(
        "--model",
        default="default",
        metavar="tiny|DIR",
        help="the small model without onnxruntime, or a folder of your own (default: the shipped networks)",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Judge the texts and show the verdicts."""
    from rimshot.corpus.language import check_language, guess_language
    from rimshot.wordplay.annotate import annotate
    from rimshot.wordplay.choose import choose_detector

    check_language(args.lang, auto=True)
    if bool(args.texts) == (args.file is not None):
        raise InputError("give either texts or --file; e.g. rimshot detect 'I lost interest in banking.'")
    ids, texts = _from_file(args.file) if args.file is not None else (list(range(1, len(args.texts) + 1)), args.texts)
    langs = [guess_language(text) for text in texts] if args.lang == "auto" else [args.lang] * len(texts)
    detector = choose_detector(args.model, vectors=False)
    with progress("judging texts", len(texts)) as tell:
        scores = annotate(texts, langs, detector, tell)
    rows = [_row(name, texts[number], number, scores) for number, name in enumerate(ids)]
    if args.json:
        print_json({"detector": detector.name, "results": rows})
    else:
        _show(rows, texts)
    return 0


def _from_file(path: Path) -> tuple[list[Any], list[str]]:
    """Give identifiers, as the file writes them, and texts; here an empty text is welcome."""
    from rimshot.corpus.readers import ID_FIELDS, TEXT_FIELDS, identifier
    from rimshot.corpus.records import read_records

    ids: list[Any] = []
    texts: list[str] = []
    for where, record in read_records(path):
        name, integer = identifier(record, ID_FIELDS, where)
        field = next((field for field in TEXT_FIELDS if field in record), None)
        text = record[field] if field is not None else None
        if not isinstance(text, str):
            raise InputError(f'{where}: field "text" is not a text; give every record one')
        ids.append(int(name) if integer else name)
        texts.append(text)
    return ids, texts


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
