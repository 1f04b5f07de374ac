"""``rimshot collection``."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from rimshot.commands.terminal import add_json, console, positive, print_json
from rimshot.errors import InputError

if TYPE_CHECKING:
    from rimshot.evaluate.building import Built

HELP = "Build a JOKER-style test collection from annotated texts, and have people check its judgments."
EXAMPLES = """  rimshot collection build corpus.json puns.jsonl --lang en --out jokes
  rimshot collection build corpus.json labels.jsonl --topics-only --queries queries.json --train 0 --lang en --out jokes
  rimshot collection sheet jokes --run bm25.json --run mine.json --depth 20 --out sheet.csv
  rimshot collection judge jokes --sheet ana.csv --sheet bob.csv
  rimshot collection stats jokes"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    steps = parser.add_subparsers(dest="step", metavar="STEP", required=True)
    build = steps.add_parser("build", help="make queries and judgments from annotated texts")
    build.add_argument(
        "files", nargs="+", metavar="FILE", help="texts, puns, labels; joined by docid where files share it"
    )
    build.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder of the collection")
    build.add_argument("--lang", choices=("en", "pt"), required=True, help="language of the texts")
    build.add_argument("--name", help="name of the collection (default: that of the folder)")
    build.add_argument("--licence", default="", metavar="TEXT", help="licence for the data card")
    which = build.add_mutually_exclusive_group()
    which.add_argument("--words-only", action="store_true", help="queries from pun words only")
    which.add_argument("--topics-only", action="store_true", help="queries from the topics of texts only")
    build.add_argument("--queries", type=Path, metavar="QUERIES", help="the topic queries to judge, with their ids")
    build.add_argument("--expansions", type=Path, metavar="FILE", help="expansions.json, mended by people")
    build.add_argument(
        "--least", type=positive, default=2, metavar="N", help="relevant texts that a query needs (default: 2)"
    )
    build.add_argument("--most", type=positive, metavar="N", help="queries at most: those with the most relevant texts")
    build.add_argument(
        "--train", default="0.2", metavar="N", help="training queries: a number, or a share such as 0.2 (default)"
    )
    build.add_argument("--seed", type=int, default=0, help="of the split (default: 0)")
    add_json(build)
    sheet = steps.add_parser("sheet", help="write pooled texts for assessors to judge")
    sheet.add_argument("collection", type=Path, metavar="DIR")
    sheet.add_argument(
        "--run", dest="runs", action="append", default=[], metavar="RUN", help="a run to pool; may be repeated"
    )
    sheet.add_argument(
        "--depth", type=positive, default=20, metavar="N", help="texts of each run and query (default: 20)"
    )
    sheet.add_argument("--out", type=Path, required=True, metavar="CSV", help="the sheet")
    sheet.add_argument("--seed", type=int, default=0, help="of the order of texts (default: 0)")
    add_json(sheet)
    judge = steps.add_parser("judge", help="take the judgments of filled sheets")
    judge.add_argument("collection", type=Path, metavar="DIR")
    judge.add_argument(
        "--sheet", action="append", required=True, metavar="CSV", help="a filled sheet; one for each assessor"
    )
    add_json(judge)
    stats = steps.add_parser("stats", help="tell what a collection consists of")
    stats.add_argument("collection", type=Path, metavar="DIR")
    add_json(stats)


def run(args: argparse.Namespace) -> int:
    """Do one step."""
    return {"build": _build, "sheet": _sheet, "judge": _judge, "stats": _stats}[args.step](args)


def _share(text: str) -> int | float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if value < 0 or (value >= 1 and value != int(value)):
        raise InputError(f"--train {text} is neither a number of queries nor a share below 1")
    return int(value) if value >= 1 or value == 0 else value


def _build(args: argparse.Namespace) -> int:
    from rimshot.corpus.queries import read_queries
    from rimshot.evaluate.building import build_collection, read_items, write_collection
    from rimshot.evaluate.building.card import crossing, data_card, facts
    from rimshot.evaluate.building.expansions import read_expansions

    given = [(query.id, query.text) for query in read_queries(args.queries)] if args.queries else None
    built = build_collection(
        read_items(args.files),
        args.lang,
        words=not args.topics_only,
        topics=not args.words_only,
        given=given,
        expansions=read_expansions(args.expansions) if args.expansions else None,
        least=args.least,
        most=args.most,
        train=_share(args.train),
        seed=args.seed,
    )
    name = args.name or args.out.resolve().name
    known = facts(built, name, args.licence)
    write_collection(built, args.out, data_card(built, name, args.licence), known)
    if args.json:
        print_json({"out": str(args.out), **known, "near_duplicates_across_splits": [vars(p) for p in crossing(built)]})
    else:
        _show(built, args.out)
    return 0


def _show(built: Built, out: Path) -> None:
    from rimshot.commands.show_table import show_table
    from rimshot.evaluate.building.card import crossing
    from rimshot.evaluate.building.statistics import per_query_table, source_table

    screen = console()
    show_table(source_table(built.items), screen)
    screen.print()
    sets = {"official": built.qrels, "topical": built.topical}
    if built.split:
        sets |= {"train": built.split.train_qrels, "test": built.split.test_qrels}
    show_table(per_query_table(sets), screen)
    screen.print()
    if built.split:
        across = crossing(built)
        screen.print(
            f"{len(built.split.train)} training and {len(built.split.test)} test queries; {built.split.dropped} "
            f"training judgments dropped; {len(built.near)} near-duplicates, {len(across)} across the split",
            soft_wrap=True,
        )
    screen.print(
        f"{out}: {len(built.queries)} queries; read {out / 'CARD.md'} and mend {out / 'expansions.json'}",
        soft_wrap=True,
    )


def _sheet(args: argparse.Namespace) -> int:
    from rimshot.corpus.readers import DocReader
    from rimshot.evaluate.building.sheet import pool, write_sheet
    from rimshot.evaluate.collections import open_collection
    from rimshot.evaluate.runs import read_run

    collection = open_collection(args.collection)
    pooled = pool([read_run(path) for path in args.runs], collection.qrels, args.depth)
    queries = {query.id: query.text for query in collection.queries}
    lacking = [qid for qid in pooled if qid not in queries]
    if lacking:
        raise InputError(f'{args.collection}: query "{lacking[0]}" is judged, but not in queries.json; add it there')
    texts = {doc.id: doc.text for doc in DocReader([collection.path / "corpus.json"], collection.lang or "auto")}
    rows = write_sheet(pooled, queries, texts, args.out, args.seed)
    if args.json:
        print_json({"out": str(args.out), "rows": rows, "queries": len(pooled)})
    else:
        text = f"{args.out}: {rows:,} texts for {len(pooled)} queries; fill on_topic and humorous with 1 or 0"
        console().print(text, markup=False, soft_wrap=True)
    return 0


def _judge(args: argparse.Namespace) -> int:
    from rimshot.evaluate.building.sheet import apply_judgments, read_sheet
    from rimshot.evaluate.collections import open_collection
    from rimshot.evaluate.qrels import write_qrels

    collection = open_collection(args.collection)
    topical = collection.topical or collection.qrels
    judged = apply_judgments(collection.qrels, topical, [read_sheet(Path(path)) for path in args.sheet])
    write_qrels(judged.qrels, collection.path / "qrels.json")
    write_qrels(judged.topical, collection.path / "topical.json")
    for side in ("train", "test"):
        path = collection.path / f"queries_{side}.json"
        if path.is_file():
            _rejudge_side(collection.path, side, judged.qrels)
    if args.json:
        print_json(
            {
                "judged": judged.pairs,
                "changed": judged.changed,
                "open": [list(pair) for pair in judged.open],
                "agreement": judged.agreement,
                "kappa": judged.kappa,
            }
        )
        return 0
    out = console()
    out.print(
        f"{judged.pairs:,} pairs judged, {judged.changed:,} changed the official judgments, {len(judged.open)} are open"
    )
    if judged.agreement is not None:
        kappa = f", Cohen's kappa {judged.kappa:.2f}" if judged.kappa is not None else ""
        out.print(f"assessors agree on {judged.agreement:.0%} of what several judged{kappa}")
    return 0


def _rejudge_side(folder: Path, side: str, fresh: object) -> None:
    """Bring the judgments of one side up to date, without letting a dropped training text back in."""
    from rimshot.evaluate.qrels import Qrels, read_qrels, write_qrels

    assert isinstance(fresh, Qrels)
    before = read_qrels(folder / f"qrels_{side}.json")
    kept = {}
    for qid, docs in before.judgments.items():
        new = fresh.judgments.get(qid, {})
        kept[qid] = {docid: new.get(docid, grade) for docid, grade in docs.items()} if side == "train" else dict(new)
    write_qrels(Qrels(kept), folder / f"qrels_{side}.json")


def _stats(args: argparse.Namespace) -> int:
    from rimshot.commands.show_table import show_table
    from rimshot.corpus.readers import DocReader
    from rimshot.evaluate.building.statistics import describe, per_query_table
    from rimshot.evaluate.collections import open_collection

    collection = open_collection(args.collection)
    sets = {"official": collection.qrels}
    if collection.topical:
        sets["topical"] = collection.topical
    documents = sum(1 for _ in DocReader([collection.path / "corpus.json"], collection.lang or "auto"))
    if args.json:
        found = {name: describe(qrels) for name, qrels in sets.items()}
        print_json(
            {"name": collection.name, "documents": documents, "queries": len(collection.queries), "relevant": found}
        )
        return 0
    out = console()
    out.print(f"{collection.name}: {documents:,} documents, {len(collection.queries)} queries", markup=False)
    show_table(per_query_table(sets), out)
    return 0
