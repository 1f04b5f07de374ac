"""``rimshot retell``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.commands.retell_weights import add_weights, chosen_similarity
from rimshot.commands.terminal import add_json, console, print_json, progress
from rimshot.errors import InputError

if TYPE_CHECKING:
    from rimshot.corpus import Doc
    from rimshot.evaluate.table import Table
    from rimshot.index import Index
    from rimshot.retell.judged import Family, RankingFigures
    from rimshot.retell.paper import Experiment, PairResult

HELP = "Measure how well retellings of a joke are recognised, on a collection with judged families; fit the similarity on one."
EXAMPLES = """  rimshot retell evaluate --no-variants
  rimshot retell evaluate jokes.jsonl --families families.jsonl --figures plots
  rimshot retell evaluate jokes.jsonl --families families.jsonl --index jokes.rim --negatives pairs.jsonl
  rimshot retell fit --index jokes.rim --families families.jsonl --negatives pairs.jsonl --out weights.json"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Define the arguments."""
    parser.add_argument(
        "action",
        choices=["evaluate", "fit"],
        metavar="evaluate|fit",
        help="print the tables of Friedland and Allan 2008, or fit the weights of the learned similarity",
    )
    parser.add_argument(
        "collection", nargs="?", type=Path, metavar="JOKES", help="the texts (default: the embedded sample)"
    )
    parser.add_argument(
        "--families", type=Path, metavar="FILE", help="records with ids: the documents that are the same joke"
    )
    parser.add_argument(
        "--negatives", type=Path, metavar="FILE", help="records with a and b: pairs that look alike but are not"
    )
    parser.add_argument("--lang", default="en", metavar="en|pt", help="language of the texts (default: en)")
    parser.add_argument(
        "--lam", type=float, metavar="X", help="share of the document in smoothing, for ranking (default: 0.5)"
    )
    parser.add_argument("--figures", type=Path, metavar="DIR", help="write the plots of Figures 4 to 6 there, as SVG")
    parser.add_argument("--no-variants", action="store_true", help="leave out the row of 108 document models (minutes)")
    parser.add_argument(
        "--index", type=Path, metavar="DIR", help="an index of the texts: measures the learned similarity too"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="fit: where the weights go (default: weights.json)")
    add_weights(parser)
    parser.add_argument("--learned-only", action="store_true", help="leave out the tables of the paper")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and print, or fit."""
    if args.action == "fit":
        return _fit(args)
    if args.out is not None:
        raise InputError("--out belongs to rimshot retell fit; evaluate writes nothing but --figures")
    from rimshot.retell.paper import LAMBDA_RANKING, Experiment

    docs, families, negatives, index = _material(args)
    lam = LAMBDA_RANKING if args.lam is None else args.lam
    if not 0 < lam < 1:
        raise InputError(f"--lam {lam}: must lie between 0 and 1")
    tables: list[Table] = []
    if not args.learned_only:
        with progress("experiments", 9) as tell:
            experiment = Experiment([doc.id for doc in docs], [doc.text for doc in docs], families, args.lang, lam)
            tables, figures = _paper(experiment, not args.no_variants, tell)
            if args.figures is not None:
                _draw(figures, args.figures)
    if index is not None:
        from rimshot.commands.retell_learned import learned_tables

        tables += learned_tables(index, families, negatives, chosen_similarity(args))
    if args.json:
        print_json(
            {
                "documents": len(docs),
                "families": len(families),
                "tables": [
                    {
                        "title": t.title,
                        "rows": [{t.head: name, **dict(zip(t.columns, row, strict=True))} for name, row in t.rows],
                    }
                    for t in tables
                ],
            }
        )
        return 0
    from rimshot.commands.show_table import show_table

    out = console()
    out.print(f"{len(docs):,} texts, {len(families)} judged families\n", markup=False)
    for table in tables:
        show_table(table, out)
        out.print()
    if args.figures is not None and not args.learned_only:
        out.print(f"figures: {args.figures}", markup=False)
    return 0


def _fit(args: argparse.Namespace) -> int:
    from rimshot.commands.retell_fit import STEPS, fit
    from rimshot.commands.show_table import show_table
    from rimshot.evaluate.table import Table

    if args.index is None:
        raise InputError(
            "--index is missing: the similarity is fitted on the vectors of an index, e.g. --index jokes.rim"
        )
    if args.families is None or args.negatives is None:
        raise InputError("--families and --negatives are needed: what is the same joke, and what only looks like it")
    _, families, negatives, index = _material(args)
    if index is None:
        raise InputError("--index is missing")
    out = args.out or Path("weights.json")
    with progress("fitting", STEPS) as tell:
        figures = fit(index, families, negatives, out, tell)
    if args.json:
        print_json({"weights": str(out), **figures})
        return 0
    names = tuple(figures["in_sample"])
    rows = tuple((name, tuple(figures[kind][name] for kind in ("cross_validated", "in_sample"))) for name in names)
    show_table(Table("", ("cross-validated", "in sample"), rows, title=f"{len(families)} judged families"), console())
    console().print(f"weights: {out}", markup=False)
    return 0


def _material(args: argparse.Namespace) -> tuple[list[Doc], list[Family], list[tuple[str, str]], Index | None]:
    from rimshot.corpus import DocReader
    from rimshot.corpus.sample import sample_path
    from rimshot.index import open_index
    from rimshot.retell.judged import read_families, read_pairs

    index = open_index(args.index) if args.index is not None else None
    if args.collection is None and index is None:
        folder = sample_path(args.lang)
        docs = list(DocReader([folder / "corpus.json"], args.lang))
        families = read_families(args.families or folder / "families.jsonl")
    elif args.families is None:
        raise InputError("--families is missing: say which texts are the same joke, e.g. --families families.jsonl")
    else:
        docs = list(DocReader([args.collection], args.lang) if index is None else index)
        families = read_families(args.families)
    known = {doc.id for doc in docs}
    negatives = read_pairs(args.negatives) if args.negatives else []
    for doc in [*(doc for family in families for doc in family.ids), *(doc for pair in negatives for doc in pair)]:
        if doc not in known:
            raise InputError(f'"{doc}" is judged but is not among the texts; give the collection that was judged')
    return docs, families, negatives, index


def _paper(
    experiment: Experiment, with_variants: bool, tell: Callable[[int], None]
) -> tuple[list[Table], dict[str, str]]:
    import numpy as np

    from rimshot.evaluate.table import Table
    from rimshot.retell.paper import THREE, paired_p
    from rimshot.retell.plots import curve, scatter

    names = {"whole": "baseline", "whole:tags": "annotations", "punch": "punch line"}
    singles = {names[str(model)]: experiment.threshold(model) for model in THREE}
    tell(1)
    base = singles["baseline"]
    unique = _unique(list(singles.values()))
    combined = [("baseline, annotations, punch line", experiment.classifier("three", THREE))]
    combined.append(("above, plus ratio and average of lengths", experiment.classifier("five", THREE, lengths=True)))
    tell(2)
    if with_variants:
        combined.append(("all 108 document models", experiment.all_variants()))
    tell(3)
    rankings = {names[str(model)]: experiment.ranking(model) for model in THREE}
    tell(5)
    alone, mixed = experiment.reranked()
    tell(7)
    tables = [
        Table(
            "document model",
            ("accuracy", "p vs baseline"),
            tuple((name, (r.accuracy, paired_p(r.correct, base.correct))) for name, r in singles.items()),
            best=frozenset(["accuracy"]),
            title=f"Table 2. Pair classification, {len(experiment.pairs)} pairs",
        ),
        Table(
            "document model",
            ("only it is right", "on negatives", "on positives"),
            tuple((n, (u, r.on_negatives, r.on_positives)) for (n, r), u in zip(singles.items(), unique, strict=True)),
            digits={"only it is right": 0},
            title="Table 3. Where each model is right",
        ),
        Table(
            "features",
            ("number", "accuracy", "p vs baseline"),
            tuple((name, (r.features, r.accuracy, paired_p(r.correct, base.correct))) for name, r in combined),
            digits={"number": 0},
            best=frozenset(["accuracy"]),
            title="Table 4. Pair classification by logistic regression",
        ),
        ranking_table(f"Table 5. Ranking (lambda {experiment.lam})", rankings),
        ranking_table(
            "Table 6. The baseline's top 500 re-ranked",
            {"baseline": rankings["baseline"], "classifier": alone, "0.5 classifier + 0.5 baseline": mixed},
        ),
        ranking_table(
            "Table 7. Other explanations",
            {
                "baseline": rankings["baseline"],
                "baseline with feedback (2 documents, 0.4/0.6)": experiment.feedback(),
                "baseline with symmetric divergence": experiment.symmetric(),
            },
        ),
    ]
    tell(8)

    def points(x: Sequence[RankingFigures], y: Sequence[RankingFigures]) -> list[tuple[float, float]]:
        return [(a.average_precision, b.average_precision) for a, b in zip(x, y, strict=True)]

    start = rankings["baseline"]
    title = "Average precision of each family"
    figures = {
        "figure-4-annotations.svg": scatter(title, "baseline", "annotations", points(start, rankings["annotations"])),
        "figure-4-punch-line.svg": scatter(title, "baseline", "punch line", points(start, rankings["punch line"])),
        "figure-5-recall.svg": curve(
            "Recall of the baseline", "documents", "recall", np.minimum(experiment.recall_curve(), 1.0).tolist()
        ),
        "figure-6-classifier.svg": scatter(title, "baseline", "classifier", points(start, alone)),
        "figure-6-interpolated.svg": scatter(title, "baseline", "0.5 classifier + 0.5 baseline", points(start, mixed)),
    }
    tell(9)
    return tables, figures


def ranking_table(title: str, rankings: dict[str, list[RankingFigures]]) -> Table:
    """Give the table of rankings: figures per family, then averaged over families."""
    import numpy as np

    from rimshot.evaluate.table import Table

    def row(figures: list[RankingFigures]) -> tuple[float, ...]:
        names = ("average_precision", "r_precision", "recall_10", "recall_500")
        return tuple(float(np.mean([getattr(f, name) for f in figures])) for name in names)

    columns = ("MAP", "R-precision", "recall at 10", "recall at 500")
    rows = tuple((name, row(figures)) for name, figures in rankings.items())
    return Table("ranking", columns, rows, best=frozenset(columns[:3]), title=title)


def _unique(results: Sequence[PairResult]) -> list[int]:
    import numpy as np

    right = np.array([result.correct for result in results])
    return [int((right[at] & (right.sum(axis=0) == 1)).sum()) for at in range(len(results))]


def _draw(figures: dict[str, Any], folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in figures.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as fault:
        raise InputError(
            f"{folder}: the figures cannot be written there ({fault.strerror}); name another folder"
        ) from None
