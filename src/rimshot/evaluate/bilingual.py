"""Does a query in one language find jokes in the other? Measured on the embedded sample's bilingual topics.

``python -m rimshot.evaluate.bilingual`` prints MAP by direction; a hit in another language than the one asked for
is left out of the ranking, since nobody judged it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

import numpy as np

from rimshot.corpus.query import Query
from rimshot.corpus.sample import sample_path
from rimshot.evaluate.qrels import read_qrels
from rimshot.index import Index
from rimshot.rank import Stage, parse, search

__all__ = ["PIPELINES", "bilingual_map", "main"]

PIPELINES = (
    "Bm25() % 1000",
    "Translate() >> Bm25() % 1000",
    "Translate() >> Bm25() >> Humour() % 1000",
    "Dense() % 1000",
    "Dense() >> Humour() % 1000",
    "Jokes() % 1000",
    "Translate() >> Jokes() % 1000",
)


def bilingual_map(pipeline: Stage, index: Index) -> dict[str, float]:
    """Give the mean average precision of English queries over Portuguese jokes, and of the reverse."""
    folder = sample_path("en").parent / "bilingual"
    qrels = read_qrels(folder / "qrels.json")
    langs = np.array([index.lang(number) for number in range(index.size)])
    precisions: dict[str, list[float]] = {}
    for record in json.loads((folder / "queries.json").read_text("utf-8")):
        relevant = qrels.relevant(record["qid"])
        found = search(pipeline, Query(record["qid"], record["query"], record["lang"]), index)
        ids = [index.id(number) for number in found.docs[langs[found.docs] == record["target"]].tolist()]
        ranks = [rank for rank, docid in enumerate(ids, 1) if docid in relevant]
        precision = sum(seen / rank for seen, rank in enumerate(ranks, 1)) / max(len(relevant), 1)
        precisions.setdefault(f"{record['lang']} to {record['target']}", []).append(precision)
    return {direction: round(float(np.mean(values)), 4) for direction, values in precisions.items()}


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the pipelines given, or those that make the point."""
    from rimshot.index import open_index
    from rimshot.index.sample import sample_index

    index = open_index(sample_index())
    for text in list(sys.argv[1:] if argv is None else argv) or PIPELINES:
        figures = "  ".join(f"{name} {value:.4f}" for name, value in bilingual_map(parse(text), index).items())
        sys.stdout.write(f"{figures}  {text}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
