"""``rimshot search``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

import numpy as np

from rimshot.commands.terminal import (
    add_index,
    add_json,
    add_pipeline,
    chosen_index,
    chosen_pipeline,
    console,
    positive,
    print_json,
)
from rimshot.errors import InputError
from rimshot.rank.why import why

if TYPE_CHECKING:
    from rimshot.corpus import Query
    from rimshot.index import Index
    from rimshot.rank import Hit, Ranking

HELP = "Find jokes about a topic."
EXAMPLES = """  rimshot search math
  rimshot search "domestic animal" --index jokes.rim -k 20
  rimshot search "money kind:homographic" --group
  rimshot search cheese --lang any
  rimshot search bank --pipeline "Bm25(k1=1.2) % 100" --json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("query", metavar="QUERY", help="a topic, e.g. math")
    add_index(parser)
    add_pipeline(parser)
    parser.add_argument("-k", metavar="N", type=positive, default=10, help="how many hits (default: 10)")
    parser.add_argument(
        "--lang",
        choices=("en", "pt", "any"),
        help="language of query and hits; any: hits in every language (default: as the wordnets know the query)",
    )
    parser.add_argument("--group", action="store_true", help="one hit for each family of retellings")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Search and show."""
    from rimshot.rank.filtered import filtered_search
    from rimshot.rank.translate import across

    if not args.query.strip():
        raise InputError("the query is empty; ask for a topic, e.g. rimshot search math")
    pipeline = chosen_pipeline(args)
    index = chosen_index(args)
    if args.lang == "any":
        pipeline = across(pipeline)
    everywhere = args.lang == "any"
    lang = None if everywhere else args.lang
    ranking = filtered_search(pipeline, args.query, index, lang=lang, any_language=everywhere)
    ranking, versions = _grouped(ranking, index, args.k) if args.group else (ranking.take(slice(0, args.k)), {})
    hits = list(ranking.hits(index))
    if args.json:
        rows = [
            {
                "rank": hit.rank,
                "docid": int(hit.doc.id) if index.integer_ids else hit.doc.id,
                "text": hit.doc.text,
                "score": hit.score,
                "why": why(hit, ranking.query, index),
                **({"versions": versions[hit.number]} if args.group else {}),
            }
            for hit in hits
        ]
        print_json({"query": args.query, "pipeline": repr(pipeline), "hits": rows})
    else:
        _show(args.query, hits, ranking.query, index)
    return 0 if hits else 1


def _grouped(ranking: Ranking, index: Index, k: int) -> tuple[Ranking, dict[int, list[str]]]:
    """Give the first of each family, and the identifiers of its other versions."""
    from rimshot.index.families import family_members
    from rimshot.rank.group import group

    rows = [found.first for found in group(ranking, index.column("family"), k)]
    kept = ranking.take(np.array(rows, dtype=np.int64))
    versions = {}
    for number in kept.docs.tolist():
        versions[number] = [index.id(int(other)) for other in family_members(index, number) if int(other) != number]
    return kept, versions


def _show(asked: str, hits: list[Hit], query: Query, index: Index) -> None:
    from rich.table import Table
    from rich.text import Text

    out = console()
    if not hits:
        out.print(f"nothing about {asked!r} was found; try a more general word, or another index", markup=False)
        return
    table = Table(box=None, pad_edge=False, header_style="bold", show_lines=False)
    table.add_column("", justify="right", style="dim")
    table.add_column("text", ratio=1)
    table.add_column("score", justify="right", style="cyan")
    table.add_column("why", style="dim", max_width=42)
    for hit in hits:
        reasons = why(hit, query, index)
        text = Text(hit.doc.text)
        for word in reasons["matched"]:
            text.highlight_words([word], style="bold yellow")
        words = reasons["because"] or [f'says "{word}"' for word in reasons["matched"][:3]]
        table.add_row(str(hit.rank), text, f"{hit.score:.3f}", "; ".join(words))
    out.print(table)
