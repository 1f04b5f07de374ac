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
    """List the sound-alikes of the word and the jokes on them."""
    from rimshot.corpus.language import check_language
    from rimshot.index.explanations import puns_of
    from rimshot.lexicon.alike import pronounce, sounds_like
    from rimshot.lexicon.phones import to_ipa
    from rimshot.rank.syntax import Asked, Filter, matches

    check_language(args.lang)
    index = chosen_index(args)
    near = sounds_like(args.word, args.lang, 12)
    asked = Asked("", (Filter("sound", args.word.lower()), Filter("lang", args.lang)))
    found = [(number, record) for number, record in puns_of(index).items() if matches(asked, record)]
    found.sort(key=lambda pair: (-pair[1]["humour"] * pair[1]["confidence"], pair[0]))
    spoken = [to_ipa(phones) for phones in pronounce(args.word, args.lang)]
    if args.json:
        rows = [{"docid": index.id(n), "text": index.text(n), **record} for n, record in found[: args.k]]
        alike = [{"word": word, "distance": round(gap, 4)} for word, gap in near]
        print_json({"word": args.word, "pronunciation": spoken, "alike": alike, "jokes": rows})
    else:
        out = console()
        out.print(f"{args.word} /{'/, /'.join(spoken)}/: {', '.join(word for word, _ in near)}", markup=False)
        for number, record in found[: args.k]:
            heard = f" ~ {record['alternatives'][0]}" if record["alternatives"] else ""
            out.print(f"  [{record['word']}{heard}]  {index.text(number)}", markup=False, soft_wrap=True)
        if not found:
            out.print("  no joke of this index plays on that sound", markup=False)
    return 0 if found else 1
