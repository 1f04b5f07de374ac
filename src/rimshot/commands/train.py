"""``rimshot train``."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rimshot.commands.terminal import add_json, console, positive, print_json, progress
from rimshot.commands.train_ranking import USES, add_rankings, run_ranker
from rimshot.errors import InputError, MissingPart

HELP = "Train a wordplay model from labelled texts, to be used with --model DIR, or a part of a ranking."
EXAMPLES = """  rimshot train detector --lang en --data ../shared/data --out my-model
  rimshot train mentor --lang en --data ../shared/data --base all-mpnet-base-v2 --out mentor.jsonl
  rimshot train closer --lang en --data ../shared/data --base all-mpnet-base-v2 --out my-model
  rimshot train joke --lang en --data ../shared/data --base all-mpnet-base-v2 --out joke.onnx.gz
  rimshot train tiny --lang pt --data ../shared/data --out my-tiny.npz
  rimshot train classical forest --lang en --data texts.jsonl --out my-forest
  rimshot train encoder --lang en --data ../shared/data --loss mnrl --out my-encoder
  rimshot train reranker --lang en --data ../shared/data
  rimshot train ranker --collection ../shared/data/en/dev --index jokes.rim --folds 5"""


_ALONE = "learn from --data alone, without the texts that come with rimshot"


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments of each kind of model."""
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    detector = kinds.add_parser("detector", help="fine-tune an encoder: probability, pun word and vector")
    _common(detector)
    detector.add_argument("--base", metavar="DIR", type=Path, help="encoder to start from (default: the package's)")
    detector.add_argument("--teacher", metavar="DIR", type=Path, help="encoder whose vectors are learnt")
    detector.add_argument("--wordnet", metavar="ZIP", type=Path, help="wordnet.zip (default: the package ffast's)")
    detector.add_argument("--omw", metavar="ZIP", type=Path, help="omw-1.4.zip (default: the package ffast's)")
    detector.add_argument("--jokes", metavar="FILE", type=Path, help="JSONL of unlabelled jokes (text)")
    detector.add_argument("--mentor", metavar="FILE", type=Path, help="what rimshot train mentor wrote")
    detector.add_argument("--dev", metavar="DIR", type=Path, help="labelled collection to measure at the very end")
    detector.add_argument("--alone", action="store_true", help=_ALONE)
    detector.add_argument("--work", metavar="DIR", type=Path, help="folder for checkpoints (default: OUT/work)")
    detector.add_argument("--epochs", metavar="N", type=positive, help="instead of the recipe's")
    detector.add_argument("--threads", metavar="N", type=positive, help="cores to use (default: the recipe's)")
    detector.set_defaults(train=_detector)
    _larger(kinds.add_parser("mentor", help="a larger model whose opinions the detector learns from"), _mentor)
    closer = kinds.add_parser("closer", help="the larger model itself, made small, beside a detector in its folder")
    _larger(closer, _closer)
    joke = kinds.add_parser("joke", help="vectors by which tellings of one joke are near")
    _common(joke)
    joke.add_argument(
        "--base", metavar="DIR", type=Path, help="the larger encoder that English starts from, BERT or MPNet"
    )
    joke.add_argument(
        "--company",
        metavar="FILE",
        type=Path,
        help="a collection of other English jokes to tell them from (default: none)",
    )
    joke.add_argument(
        "--begin", metavar="FILE", type=Path, help="a joke encoder of the same language and base to go on from"
    )
    joke.add_argument("--epochs", metavar="N", type=positive, help="instead of the recipe's")
    joke.set_defaults(train=_joke)
    tiny = kinds.add_parser("tiny", help="the small linear model that needs no onnxruntime")
    _common(tiny)
    tiny.add_argument("--dev", metavar="DIR", type=Path, help="collection that everyday sentences are kept apart from")
    tiny.add_argument("--alone", action="store_true", help=_ALONE)
    tiny.set_defaults(train=_tiny)
    classical = kinds.add_parser("classical", help="a learner of the papers, by name")
    classical.add_argument("name", metavar="NAME", help="logistic, svm, tree, forest, xgboost ... or lstm")
    _common(classical)
    classical.set_defaults(train=_classical)
    add_rankings(kinds, _common)


def _larger(parser: argparse.ArgumentParser, train: Callable[..., dict[str, Any]]) -> None:
    _common(parser)
    parser.add_argument("--base", metavar="DIR", type=Path, help="the larger encoder, BERT or MPNet")
    parser.add_argument("--jokes", metavar="FILE", type=Path, help="JSONL of unlabelled jokes (text)")
    parser.add_argument(
        "--dev", metavar="DIR", type=Path, help="collection that jokes and everyday sentences are kept apart from"
    )
    parser.add_argument("--company", metavar="FILE", type=Path, help="labelled texts of another language to read along")
    parser.add_argument("--whole", action="store_true", help="hold no fold out; no figures, and the last epoch is kept")
    parser.add_argument("--alone", action="store_true", help=_ALONE)
    parser.add_argument("--work", metavar="DIR", type=Path, help="folder for checkpoints (default: beside --out)")
    parser.add_argument("--threads", metavar="N", type=positive, help="cores to use (default: the recipe's)")
    parser.set_defaults(train=train)


def _common(parser: argparse.ArgumentParser, place: Path | None = None) -> None:
    parser.add_argument("--lang", choices=("en", "pt"), required=True, help="language of the texts")
    parser.add_argument(
        "--data", metavar="PATH", type=Path, required=True, help="JSONL of labelled texts, or a folder with LANG/train"
    )
    where = (
        "where the model goes" if place is None else "where the model goes (default: where the ranking looks for it)"
    )
    parser.add_argument("--out", metavar="PATH", type=Path, required=place is None, default=place, help=where)
    parser.add_argument("--seed", metavar="N", type=int, help="for another draw of chance")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Train, and tell what came out."""
    if "data" not in args:
        return run_ranker(args)
    train: Callable[[argparse.Namespace, Path], dict[str, Any]] = args.train
    about = train(args, _training_file(args.data, args.lang))
    if args.json:
        print_json(about)
    else:
        use = USES.get(args.kind, "--model {out}").format(out=args.out)
        console().print(f"{args.out}: use it with {use}", markup=False, soft_wrap=True)
    return 0


def _training_file(data: Path, lang: str) -> Path:
    path = data / lang / "train" / "texts.jsonl" if data.is_dir() else data
    if not path.exists():
        raise InputError(f"{path}: no such file; --data is a JSONL file, or a folder with {lang}/train/texts.jsonl")
    return path


def _missing(missing: ImportError) -> MissingPart:
    return MissingPart(f"{missing.name} is not installed; install it with: pip install 'rimshot[train]'")


def _mentor(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    try:
        from rimshot.train.mentor import train_mentor
    except ImportError as missing:
        raise _missing(missing) from None
    return _large(args, path, train_mentor)


def _closer(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    try:
        from rimshot.train.closer import train_closer
    except ImportError as missing:
        raise _missing(missing) from None
    return _large(args, path, train_closer)


def _joke(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    from dataclasses import replace

    from rimshot.corpus.readers import read_docs
    from rimshot.wordplay.labelled import read_labelled

    read_labelled(path)  # complains in words before an hour is spent
    company = [doc.text for doc in read_docs(args.company, "en")] if args.company else []
    beside = args.data / "en" / "train" / "texts.jsonl"
    try:
        from rimshot.train.joke_encoder import recipe_for, train_joke_encoder
    except ImportError as missing:
        raise _missing(missing) from None
    from rimshot.retell.joke_encoder import joke_network

    if args.out.name.split(".")[1:] != ["onnx", "gz"]:
        raise InputError(
            f"{args.out}: a joke encoder is a graph with its weights beside it; let its name end in .onnx.gz"
        )
    given = {name: getattr(args, name) for name in ("seed", "epochs") if getattr(args, name) is not None}
    recipe = replace(recipe_for(args.lang), **given)
    if args.begin and not args.begin.is_file():
        raise InputError(f"{args.begin}: no such file; --begin is a graph that rimshot train joke wrote")
    with progress("training", 100) as tell:
        return train_joke_encoder(
            args.lang,
            path,
            args.out,
            beside=beside if beside.is_file() else None,
            recipe=recipe,
            folder=args.base,
            company=company,
            look=lambda texts: joke_network(args.lang).encode(texts, args.lang),
            tell=lambda _text, share: tell(int(100 * share)),
            begin=args.begin,
        )


def _large(args: argparse.Namespace, path: Path, train: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """Train what starts from a larger encoder."""
    from rimshot.train.mentor import Ground

    if args.company and not args.company.is_file():
        raise InputError(f"{args.company}: no such file; --company is a JSONL file of labelled texts")
    names = ("jokes", "dev", "work", "seed", "threads", "company", "whole", "alone")
    ground = Ground(args.lang, path, args.base, **{name: getattr(args, name) for name in names})
    with progress("training", 100) as tell:
        return train(ground, args.out, tell=lambda _text, share: tell(int(100 * share)))


def _detector(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    from rimshot.wordplay.labelled import read_labelled

    read_labelled(path)  # complains in words before hours are spent
    try:
        from rimshot.train.detector import train_detector
    except ImportError as missing:
        raise _missing(missing) from None
    with progress("training", 100) as tell:

        def step(text: str, share: float) -> None:
            tell(int(100 * share))

        try:
            return train_detector(
                args.lang,
                path,
                args.out,
                base=args.base,
                teacher=args.teacher,
                wordnet=args.wordnet,
                omw=args.omw,
                epochs=args.epochs,
                seed=args.seed,
                threads=args.threads,
                jokes=args.jokes,
                mentor=args.mentor,
                work=args.work,
                dev=args.dev,
                alone=args.alone,
                tell=step,
            )
        except FileNotFoundError as missing:
            raise MissingPart(f"{missing}; see docs/detector.md for what training needs") from None


def _tiny(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    from dataclasses import asdict

    from rimshot.wordplay.labelled import read_labelled
    from rimshot.wordplay.tiny_train import own_texts, train_tiny

    if args.out.suffix != ".npz":
        raise InputError(f"{args.out}: a tiny model is one file; let its name end in .npz")
    texts = read_labelled(path)
    if not args.alone:
        texts += own_texts(args.lang, args.dev)
    report = train_tiny(texts, args.lang, args.out, seed=args.seed or 0)
    return {**asdict(report), "path": str(report.path)}


def _classical(args: argparse.Namespace, path: Path) -> dict[str, Any]:
    from rimshot.wordplay.classical.field import LSTM, build_learner
    from rimshot.wordplay.labelled import read_labelled

    seed = args.seed or 0
    if args.name == LSTM:
        try:
            from rimshot.train.lstm import train_lstm
        except ImportError as missing:
            raise _missing(missing) from None
        with progress("training", 100) as tell:
            return train_lstm(
                read_labelled(path), args.lang, args.out, seed=seed, step=lambda text, share: tell(int(100 * share))
            )
    from rimshot.wordplay.classical.train import train_classical

    build_learner(args.name, seed)  # complains about an unknown name before the texts are read
    return train_classical(args.name, read_labelled(path), args.lang, args.out, seed=seed)
