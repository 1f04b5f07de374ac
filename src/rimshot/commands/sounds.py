"""``rimshot sounds``."""

from __future__ import annotations

import argparse

from rimshot.commands.terminal import add_index, add_json, chosen_index, console, positive, print_json

HELP = "Find jokes that play on a word sounding like one."
EXAMPLES = """  rimshot sounds sail
  rimshot sounds sessão --lang pt --index piadas.rim"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("word", metavar="WORD", help="a word or name")
    add_index(parser)
    parser.add_argument("--lang", default="en", metavar="en|pt", help="language of the word (default: en)")
    parser.add_argument("-k", metavar="N", type=positive, default=20, help="how many jokes (default: 20)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """List the sound-alikes of the word and the jokes on them, the nearest in sound first."""
    from rimshot.corpus.language import check_language
    from rimshot.index.explanations import puns_of
    from rimshot.lexicon.alike import pronounce, sounds_like
    from rimshot.lexicon.phones import to_ipa
    from rimshot.rank.syntax import sound_gap

    check_language(args.lang)
    index = chosen_index(args)
    near = sounds_like(args.word, args.lang, 12)
    found = [
        (*heard, number, record)
        for number, record in puns_of(index).items()
        if record["lang"] == args.lang and (heard := sound_gap(args.word.lower(), record)) is not None
    ]
    found.sort(key=lambda row: (round(row[0], 2), -row[3]["humour"] * row[3]["confidence"], row[2]))
    spoken = [to_ipa(phones) for phones in pronounce(args.word, args.lang)]
    if args.json:
        rows = [
            {"docid": index.id(n), "text": index.text(n), "heard": name, "distance": round(gap, 4), **record}
            for gap, name, n, record in found[: args.k]
        ]
        alike = [{"word": word, "distance": round(gap, 4)} for word, gap in near]
        print_json({"word": args.word, "pronunciation": spoken, "alike": alike, "jokes": rows})
    else:
        out = console()
        out.print(f"{args.word} /{'/, /'.join(spoken)}/: {', '.join(word for word, _ in near)}", markup=False)
        for gap, name, number, record in found[: args.k]:
            other = "" if name == record["word"] else f" ~ {name}"
            out.print(f"  {gap:.2f}  [{record['word']}{other}]  {index.text(number)}", markup=False, soft_wrap=True)
        if not found:
            out.print("  no joke of this index plays on that sound", markup=False)
    return 0 if found else 1
