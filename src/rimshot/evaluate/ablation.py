"""What each part of the ranking adds: python -m rimshot.evaluate.ablation [--data ../shared/data].

The default ranking is run whole, then with each of its parts taken away, on every collection; the differences are paired
over queries, with bootstrap intervals and the randomisation test (Holm's correction). The weights of what stays are not
fitted again, so a part that another can stand in for looks a little more needed than it is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rimshot.evaluate.answer import answer
from rimshot.evaluate.collections import Collection, find_collections
from rimshot.evaluate.compare import Comparison, compare
from rimshot.evaluate.measures import parse_measures
from rimshot.evaluate.reproduce import DEFAULT_DATA
from rimshot.evaluate.systems import measure_system
from rimshot.index import Index, open_index
from rimshot.rank import Stage, parse
from rimshot.rank.jokes import Jokes

__all__ = ["PARTS", "ablate", "main", "page"]

WHOLE = "the whole ranking"
PARTS: Mapping[str, Stage] = {
    WHOLE: Jokes(),
    "without the word itself": Jokes(word=0.0),
    "without what belongs to the topic (wordnet)": Jokes(kind=0.0),
    "without the senses of the pun word": Jokes(sense=0.0),
    "without the vector of the text": Jokes(meaning=0.0),
    "without the vectors of its words": Jokes(near=0.0),
    "without reading texts in English too": Jokes(english=False),
    "without both kinds of vectors": Jokes(meaning=0.0, near=0.0),
    "without P(humour)": Jokes(humour=0.0),
    "BM25 alone": parse("Bm25()"),
    "BM25 times P(humour)": parse("Bm25() >> Humour()"),
}
MEASURES = ("MAP", "NDCG@5")


def ablate(collection: Collection, index: Index, parts: Mapping[str, Stage] = PARTS) -> Comparison:
    """Measure every variant on a collection, against the first."""
    measures = parse_measures(MEASURES)
    systems = [
        measure_system(answer(stage, collection.queries, index, name), collection.qrels, measures, name=name)
        for name, stage in parts.items()
    ]
    return compare(systems, "MAP")


def page(found: Mapping[str, Comparison]) -> str:
    """Give docs/ablation.md."""
    written = "Written by `python -m rimshot.evaluate.ablation`."
    lines = ["# What each part adds", "", written, *(__doc__ or "").strip().splitlines()[2:], ""]
    for name, comparison in found.items():
        lines += [
            f"## {name}",
            "",
            "| | MAP | NDCG@5 | difference in MAP | 95% interval | p (Holm) | queries better, worse |",
        ]
        lines.append("|---|---|---|---|---|---|---|")
        pairs = {pair.system: pair for pair in comparison.pairs} | {pair.other: pair for pair in comparison.pairs}
        for system in comparison.systems:
            figures = " | ".join(f"{system.official.overall[measure]:.3f}" for measure in MEASURES)
            pair = pairs.get(system.name) if system.name != comparison.systems[0].name else None
            if pair is None:
                lines.append(f"| {system.name} | {figures} | | | | |")
                continue
            sign = 1 if pair.system == system.name else -1
            low, high = sorted((sign * pair.low, sign * pair.high))
            wins, losses = (pair.wins, pair.losses) if sign == 1 else (pair.losses, pair.wins)
            lines.append(
                f"| {system.name} | {figures} | {sign * pair.difference:+.3f} | {low:+.3f} to {high:+.3f} "
                f"| {pair.p_holm:.3f} | {wins}, {losses} |"
            )
        lines.append("")
    return "\n".join(lines)


def main(argv: Sequence[str] | None = None) -> int:
    """Run every variant on every collection at hand and write the page."""
    parser = argparse.ArgumentParser(prog="python -m rimshot.evaluate.ablation", description=__doc__)
    parser.add_argument("--data", type=Path, default=DEFAULT_DATA, help=f"folder of collections ({DEFAULT_DATA})")
    parser.add_argument("--out", type=Path, default=Path("docs/ablation.md"), help="the page to write")
    parser.add_argument(
        "--indexes", metavar="DIR", type=Path, help="what `reproduce --keep DIR` left, to build nothing anew"
    )
    args = parser.parse_args(argv)
    found = {}
    for collection in find_collections(*([args.data] if args.data.is_dir() else [])):
        if args.indexes is not None:
            found[collection.name] = ablate(collection, open_index(args.indexes / collection.name))
        else:
            with collection.index(annotated=True) as index:
                found[collection.name] = ablate(collection, index)
        sys.stdout.write(f"{collection.name} done\n")
        sys.stdout.flush()
    args.out.write_text(page(found), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
