"""``rimshot explain``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from rimshot.commands.given import add_texts, given_texts
from rimshot.commands.terminal import add_json, console, print_json, progress
from rimshot.errors import InputError

if TYPE_CHECKING:
    from rimshot.wordplay.pun import Pun

HELP = "Say why a text is a pun: the word, its two senses or its sound-alike."
EXAMPLES = """  rimshot explain "Old bankers never die, they just lose interest."
  rimshot explain --json "She took a leave of absinthe."
  rimshot explain --file jokes.jsonl --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    add_texts(parser, "explain")
    parser.add_argument(
        "--threshold",
        type=float,
        metavar="P",
        help="probability below which nothing is explained; 0 explains anything (default: 0.5)",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Explain the texts."""
    from rimshot.wordplay.choose import choose_detector
    from rimshot.wordplay.explain import THRESHOLD, explain

    threshold = THRESHOLD if args.threshold is None else args.threshold
    if not 0 <= threshold <= 1:
        raise InputError(f"--threshold {threshold} is no probability; give a number from 0 to 1")
    given = given_texts(args, "explain")
    with progress("explaining", len(given.texts)) as tell:
        puns = explain(given.texts, given.langs, choose_detector(args.model), threshold, tell)
    if args.json:
        rows = [{"docid": name, **pun.record()} for name, pun in zip(given.ids, puns, strict=True)]
        print_json(rows if args.file is not None or len(rows) > 1 else rows[0])
    else:
        for pun in puns:
            show(pun)
    return 0


def show(pun: Pun) -> None:
    """Print one explanation for people."""
    from rich.text import Text

    from rimshot.lexicon.alike import pronounce
    from rimshot.lexicon.phones import to_ipa
    from rimshot.wordplay.reading import perhaps

    out = console()
    line = Text(pun.text.replace("\n", " "))
    if not pun:
        out.print(line, soft_wrap=True)
        out.print(f"  {pun.sentence} (P {pun.humour:.2f})", markup=False)
        told = perhaps(pun)
        if told is not None:
            out.print(f"  {told}", markup=False, style="dim", soft_wrap=True)
        return
    line.stylize("bold underline", pun.start, pun.end)
    out.print(line, soft_wrap=True)
    out.print(f"  {pun.sentence}", markup=False, soft_wrap=True)
    if pun.kind == "heterographic":
        for sound in pun.sounds[:3]:
            spoken = " ~ ".join(
                "/" + to_ipa(pronounce(word, pun.lang)[0]) + "/" for word in (sound.heard_from, sound.form)
            )
            out.print(f"    {sound.form}  {spoken}  distance {sound.distance:.2f}", markup=False, style="dim")
    else:
        for pair in pun.pairs[:1]:
            for sense, words in zip((pair.first, pair.second), pair.support, strict=True):
                tail = f"  <- {', '.join(words)}" if words else ""
                out.print(f"    {sense.key}  {sense.gloss}{tail}", markup=False, style="dim", soft_wrap=True)
    facts = f"P {pun.humour:.2f}, confidence {pun.confidence:.2f}, {pun.kind}, {', '.join(pun.patterns)}"
    out.print(f"  ({facts})", markup=False, style="dim")
