"""Texts that a person gives to a command: as arguments, or in a file."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rimshot.errors import InputError

__all__ = ["Given", "add_texts", "given_texts"]


@dataclass(frozen=True)
class Given:
    """Texts with their identifiers, numbers from 1 where there were none, and their languages."""

    ids: list[Any]
    texts: list[str]
    langs: list[str]


def add_texts(parser: argparse.ArgumentParser, to_do: str) -> None:
    """Define texts, --file, --lang and --model."""
    parser.add_argument("texts", metavar="TEXT", nargs="*", help=f"a text to {to_do}")
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


def given_texts(args: argparse.Namespace, command: str) -> Given:
    """Read the texts; a file's may be empty."""
    from rimshot.corpus.language import check_language, guess_language

    check_language(args.lang, auto=True)
    if bool(args.texts) == (args.file is not None):
        raise InputError(f"give either texts or --file; e.g. rimshot {command} 'I lost interest in banking.'")
    ids, texts = _from_file(args.file) if args.file is not None else (list(range(1, len(args.texts) + 1)), args.texts)
    langs = [guess_language(text) for text in texts] if args.lang == "auto" else [args.lang] * len(texts)
    return Given(ids, texts, langs)


def _from_file(path: Path) -> tuple[list[Any], list[str]]:
    """Give identifiers, as the file writes them, and texts."""
    from rimshot.corpus.readers import ID_FIELDS, TEXT_FIELDS, identifier
    from rimshot.corpus.records import read_records

    ids: list[Any] = []
    texts: list[str] = []
    for where, record in read_records(path):
        name, integer = identifier(record, ID_FIELDS, where)
        text = next((record[field] for field in TEXT_FIELDS if field in record), None)
        if not isinstance(text, str):
            raise InputError(f'{where}: field "text" is not a text; give every record one')
        ids.append(int(name) if integer else name)
        texts.append(text)
    return ids, texts
