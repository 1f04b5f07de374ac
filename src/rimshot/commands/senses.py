"""``rimshot senses``."""

from __future__ import annotations

import argparse
from collections import defaultdict

from rimshot.commands.terminal import add_index, add_json, chosen_index, console, print_json

HELP = "Group the jokes on a word by the sense of it they use."
EXAMPLES = """  rimshot senses bank
  rimshot senses banco --lang pt --index piadas.rim --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("word", metavar="WORD", help="a word")
    add_index(parser)
    parser.add_argument("--lang", default="en", metavar="en|pt", help="language of the word (default: en)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """List the senses of the word, those that jokes use with the jokes."""
    from rimshot.corpus.language import check_language
    from rimshot.index.explanations import puns_of
    from rimshot.lexicon.wordnet import wordnet
    from rimshot.rank.syntax import Asked, Filter, matches

    check_language(args.lang)
    index = chosen_index(args)
    asked = Asked("", (Filter("pun", args.word.lower()), Filter("lang", args.lang)))
    jokes: dict[str, list[int]] = defaultdict(list)
    for number, record in puns_of(index).items():
        if matches(asked, record):
            for key in {key for pair in record["senses"][:1] for key in pair}:
                jokes[key].append(number)
    senses = {sense.key: sense for sense in wordnet(args.lang).senses_of(args.word)}
    for key in jokes:
        senses.setdefault(key, wordnet(args.lang).sense(key))
    used = [sense for sense in senses.values() if sense.key in jokes]
    if args.json:
        rows = [
            {
                "key": sense.key,
                "gloss": sense.gloss,
                "file": sense.lexname,
                "jokes": [{"docid": index.id(number), "text": index.text(number)} for number in jokes[sense.key]],
            }
            for sense in used
        ]
        print_json({"word": args.word, "known": len(senses), "senses": rows})
    else:
        out = console()
        for sense in used:
            out.print(f"{sense.key}  {sense.gloss}", markup=False, style="bold", soft_wrap=True)
            for number in jokes[sense.key]:
                out.print(f"  {index.text(number)}", markup=False, soft_wrap=True)
        if not used:
            out.print(f"no joke of this index plays on {args.word!r}; it has {len(senses)} senses", markup=False)
    return 0 if used else 1
