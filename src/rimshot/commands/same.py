"""``rimshot same``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from rimshot.commands.retell_weights import add_weights, chosen_similarity
from rimshot.commands.terminal import add_index, add_json, chosen_index, console, positive, print_json
from rimshot.errors import InputError

if TYPE_CHECKING:
    from rimshot.index import Index
    from rimshot.rank import Hit

HELP = "Tell whether a joke has been told: its versions in an index, each with the probability of being the same joke."
EXAMPLES = """  rimshot same "Night fell without breaking anything."
  rimshot same "A priest and a rabbi collide on a country road ..." --index jokes.rim -k 5
  rimshot same "O banco fechou, perdeu o interesse." --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("text", metavar="TEXT", help="the joke")
    add_index(parser)
    parser.add_argument("-k", metavar="N", type=positive, default=10, help="how many versions (default: 10)")
    parser.add_argument("--lang", choices=("en", "pt"), help="language of the joke (default: guessed)")
    add_weights(parser)
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Search and show; the exit code is 1 when nothing like it has been told."""
    from rimshot.corpus import Query
    from rimshot.rank import Ranking
    from rimshot.rank.same import DEPTH, Same

    if not args.text.strip():
        raise InputError(
            'the joke is empty; write it in quotation marks, e.g. rimshot same "Night fell without breaking anything."'
        )
    index = chosen_index(args)
    similarity, asked = chosen_similarity(args), Ranking(Query("1", args.text, args.lang))
    ranking = Same(depth=max(args.k, DEPTH), copies=True).by(similarity, asked, index)
    hits = list(ranking.take(slice(0, args.k)).hits(index))
    probability = similarity.told_probability(hits[0].parts["log_odds"]) if hits else 0.0
    told = probability >= 0.5
    if args.json:
        rows = [
            {
                "rank": hit.rank,
                "docid": int(hit.doc.id) if index.integer_ids else hit.doc.id,
                "text": hit.doc.text,
                "score": hit.score,
                "probability": round(hit.parts["probability"], 6),
                "why": why(args.text, args.lang, hit, index),
            }
            for hit in hits
        ]
        print_json({"query": args.text, "told": told, "probability": round(probability, 6), "hits": rows})
    else:
        _show(args.text, args.lang, hits, told, probability, index)
    return 0 if told else 1


def why(text: str, lang: str | None, hit: Hit, index: Index) -> dict[str, Any]:
    """Say why a hit is taken for the same joke: what stayed, what changed, its family, and the numbers behind it."""
    from rimshot.corpus.language import guess_language
    from rimshot.index.families import family_members
    from rimshot.retell.align import align

    alignment = align(text, hit.doc.text, lang or guess_language(text), hit.doc.lang)
    parts = {name: round(value, 4) for name, value in hit.parts.items() if name not in ("probability", "log_odds")}
    versions: list[Any] = []
    if index.has_column("family"):
        others = [index.id(int(n)) for n in family_members(index, hit.number) if int(n) != hit.number]
        versions = [int(doc) if index.integer_ids else doc for doc in others]
    return {"summary": alignment.sentence(), **alignment.as_dict(), "family": versions, **parts}


def _show(text: str, lang: str | None, hits: list[Hit], told: bool, probability: float, index: Index) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    verdict = "told before" if told else "not told here, as far as can be seen"
    out.print(f"{verdict} (probability {probability:.0%})", style="bold" if told else None, markup=False)
    likely = [hit for hit in hits if hit.parts["probability"] >= 0.5] or hits[:3]
    if not likely:
        return
    table = Table(box=None, pad_edge=False, header_style="bold", show_lines=False)
    for name, options in (("", {"justify": "right", "style": "dim"}), ("id", {"style": "dim"}), ("text", {"ratio": 3})):
        table.add_column(name, **options)
    table.add_column("p", justify="right", style="cyan")
    table.add_column("what stayed and what changed", ratio=2, style="dim")
    for hit in likely:
        row = why(text, lang, hit, index)
        shown = Text(hit.doc.text)
        for phrase in row["stayed"]:
            shown.highlight_words([phrase], style="bold yellow", case_sensitive=False)
        table.add_row(str(hit.rank), hit.doc.id, shown, f"{hit.parts['probability']:.2f}", row["summary"])
    out.print(table)
