"""``rimshot run``."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from rimshot.commands.terminal import (
    add_index,
    add_json,
    add_pipeline,
    chosen_index,
    chosen_pipeline,
    console,
    positive,
    print_json,
    progress,
)
from rimshot.errors import InputError

HELP = "Answer a file of queries and write a run, with a file beside it that says how the run was made."
EXAMPLES = """  rimshot run queries.json --index jokes.rim --out run.json
  rimshot run queries.json --index jokes.rim --preset rm3 --team UBO --out run.zip --format codabench
  rimshot run queries.json --index jokes.rim --pipeline "Bm25(k1=1.2) % 100" --out run.trec --format trec"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument("queries", metavar="QUERIES", type=Path, help="a file of queries with the fields qid and query")
    add_index(parser)
    add_pipeline(parser)
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help="the run to write")
    parser.add_argument(
        "--team", metavar="ID", default="rimshot", help="team in the name of the run (default: rimshot)"
    )
    parser.add_argument("--run-id", metavar="NAME", help="name of the run (default: TEAM_task_1_PRESET)")
    parser.add_argument(
        "--format",
        choices=("joker", "trec", "codabench"),
        help="of the run (default: by the suffix of FILE, else joker)",
    )
    parser.add_argument(
        "--lang", choices=("en", "pt", "any"), help="language of the queries; any: find jokes in the other language too"
    )
    parser.add_argument("-k", metavar="N", type=positive, default=1000, help="documents a query, at most 1000")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Answer the queries and write the run."""
    from rimshot import __version__
    from rimshot.corpus.queries import read_queries
    from rimshot.evaluate.answer import answer, run_name
    from rimshot.evaluate.runs import write_provenance, write_run
    from rimshot.rank import DEFAULT

    if args.k > 1000:
        raise InputError(f"-k {args.k} is above 1000, the most that a run may have for a query")
    pipeline = chosen_pipeline(args)
    if args.lang == "any":
        from rimshot.rank.translate import across

        pipeline = across(pipeline)
    queries = read_queries(args.queries, None if args.lang == "any" else args.lang)
    index = chosen_index(args)
    method = repr(pipeline) if args.pipeline is not None else args.preset or DEFAULT
    name = args.run_id or run_name(args.team, method)
    with progress("answering queries", len(queries)) as tell:
        made = answer(pipeline, queries, index, name, args.k, tell)
    if not made.scores:
        console(errors=True).print("nothing was found for any query; no run was written", markup=False)
        return 1
    made = replace(made, integer_qids=_integer_qids(args.queries))
    chosen = args.format or {".trec": "trec", ".zip": "codabench"}.get(args.out.suffix.lower(), "joker")
    write_run(made, args.out, chosen)
    facts: dict[str, object] = {
        "run_id": name,
        "pipeline": repr(pipeline),
        "index": {
            "path": str(args.index) if args.index else "embedded sample",
            "digest": index.digest,
            "documents": len(index),
        },
        "queries": {"path": str(args.queries), "count": len(queries), "without_hits": len(queries) - len(made.scores)},
        "depth": args.k,
        "format": chosen,
        "rimshot": __version__,
    }
    beside = write_provenance(args.out, facts)
    if args.json:
        print_json({**facts, "out": str(args.out), "provenance": str(beside), "documents": len(made)})
    else:
        answered = f"{len(made):,} documents for {len(made.scores)} of {len(queries)} queries"
        text = f"{args.out}: {answered} ({name}); made as in {beside}"
        console().print(text, markup=False, soft_wrap=True)
    return 0


def _integer_qids(path: Path) -> bool:
    from rimshot.corpus.queries import ID_FIELDS
    from rimshot.corpus.readers import identifier
    from rimshot.corpus.records import read_records

    return all(identifier(record, ID_FIELDS, where)[1] for where, record in read_records(path))
