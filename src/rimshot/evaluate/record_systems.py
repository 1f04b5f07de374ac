"""The systems on record, measured: docs/systems.md.

``python -m rimshot.evaluate.record_systems --collection DIR --index DIR`` runs every preset of the record on an
index of the collection, those that need a trained part or a further column where it is there, keeps the figures in
docs/systems.json, and writes the page, and the last part of docs/results.md, from all figures kept so far.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from rimshot.errors import IndexFault, MissingPart, RimshotError, did_you_mean
from rimshot.evaluate.answer import answer
from rimshot.evaluate.collections import Collection, open_collection
from rimshot.evaluate.learned_folds import folded_run
from rimshot.evaluate.measures import evaluate, parse_measures
from rimshot.evaluate.runs import Run
from rimshot.index import Index, open_index
from rimshot.rank import parse, preset
from rimshot.rank.record_presets import RECORD

__all__ = ["PUBLISHED", "main", "page", "with_systems"]

PUBLISHED: dict[str, tuple[str, str]] = {
    "bm25": ("8 (2024), 11.9 (2025)", "7.9"),
    "rm3": ("8 (2024), 10.8-15.0 (2025)", "6.5"),
    "ce100": ("4 (2024)", ""),
    "ce1k": ("4.9 (2025)", "3.8"),
    "bm25-filter": ("9 (2024)", ""),
    "rm3-filter": ("12 (2024)", ""),
    "rm3-drop60": ("16.7", ""),
    "tfidf": ("9", ""),
    "tfidf-logistic": ("8 (P@1 44, best of 2024)", ""),
    "tfidf-tree": ("train only: 40", ""),
    "tfidf-svm": ("train only: 36", ""),
    "tfidf-neighbours": ("train only: 36", ""),
    "tfidf-naive-bayes": ("train only: 35", ""),
    "tfidf-net": ("train only: 17", ""),
    "tfidf-lstm": ("train only: 17", ""),
    "wordnet-filter": ("2", ""),
    "rasion": ("16.2 (train 59.3)", "40.5"),
    "cryptix": ("15.1 (train 39.2)", ""),
    "maxsim": ("6.2-9.9", ""),
    "pict-ensemble": ("14.2", ""),
    "pict-learned": ("6.2", ""),
    "igoranchik": ("5.0", "7.4"),
    "dense": ("0.04", "6.7"),
    "explained": ("35.0", ""),
    "flagged": ("23.9", "42.2"),
    "iroh": ("63.5 (28.4 without the judges)", ""),
}
"""Published MAP in per cent, English and Portuguese test sets, of the system that a preset stands for."""
MEASURES = ("MAP", "NDCG@5", "P@10", "MRR")
_LAST = "## Every system on record"
Figures = dict[str, dict[str, dict[str, float]]]


def page(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Give docs/systems.md for figures by collection and preset."""
    lines = [
        "# Every system on record, by name",
        "",
        "CLEF JOKER Task 1, 2024 to 2026. `rimshot search math --preset NAME` and `rimshot run queries.json --preset NAME`",
        "take any name below. Published figures are MAP in per cent on the official test sets, which are other collections",
        "than those measured here: compare ratios to BM25, not values. Measured figures are MAP and NDCG@5 in per cent,",
        "written by `python -m rimshot.evaluate.record_systems`; an empty place was not measured. What learns from judged",
        "queries (`pict-learned`) is measured by cross-validation over them, in five folds. Cross-encoder and tuned",
        "encoders were trained with `--queries 1`.",
        "",
        *_table(figures),
    ]
    lines += ["", "## What differs from the original, and what must be made first", ""]
    for name, known in RECORD.items():
        made = "".join(f"\n  - first: `{command}`" for command in known.needs.split("; ") if command)
        lines.append(f"- `{name}`: `{known.pipeline}`. {known.differs[:1].upper()}{known.differs[1:]}.{made}")
    return "\n".join(lines) + "\n"


def with_systems(results: str, figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """Give docs/results.md with a last part that has every system on record, in place of such a part as it has.

    >>> once = with_systems("# Results", {"en-dev": {}})
    >>> with_systems(once, {"en-dev": {}}) == once
    True
    """
    kept = results.partition(f"\n{_LAST}\n")[0].rstrip("\n")
    told = "MAP and NDCG@5 in per cent beside the published MAP; [systems.md](systems.md) says what differs and how each was measured."
    return "\n".join([kept, "", _LAST, "", told, "", *_table(figures)]) + "\n"


def _table(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> list[str]:
    collections = sorted(figures)
    lines = [
        "| preset | system | published EN | PT | " + " | ".join(f"{name} MAP / NDCG@5" for name in collections) + " |",
        "|---|---|---:|---:|" + "---:|" * len(collections),
    ]
    for name, known in RECORD.items():
        english, portuguese = PUBLISHED.get(name, ("", ""))
        measured = [_cell(figures[collection].get(name)) for collection in collections]
        lines.append(f"| `{name}` | {known.system} | {english} | {portuguese} | " + " | ".join(measured) + " |")
    return lines


def _cell(found: Mapping[str, float] | None) -> str:
    return f"{100 * found['MAP']:.1f} / {100 * found['NDCG@5']:.1f}" if found else ""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure what can be measured and write the page."""
    parser = argparse.ArgumentParser(prog="python -m rimshot.evaluate.record_systems", description=__doc__)
    parser.add_argument("--collection", metavar="DIR", help="folder with queries.json and qrels.json")
    parser.add_argument("--index", metavar="DIR", type=Path, help="annotated index of the collection")
    parser.add_argument("--preset", action="append", metavar="NAME", help="only these")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="folder of systems.json and systems.md")
    args = parser.parse_args(argv)
    kept = args.out / "systems.json"
    figures: Figures = json.loads(kept.read_text("utf-8")) if kept.is_file() else {}
    try:
        if args.collection:
            _measure(args, figures)
    except RimshotError as fault:
        sys.stderr.write(f"record_systems: {fault}\n")
        return 2
    args.out.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", "utf-8")
    (args.out / "systems.md").write_text(page(figures), "utf-8")
    results = args.out / "results.md"
    if results.is_file():
        results.write_text(with_systems(results.read_text("utf-8"), figures), "utf-8")
    return 0


def _measure(args: argparse.Namespace, figures: Figures) -> None:
    collection, index = open_collection(args.collection), open_index(args.index)
    measures = parse_measures(MEASURES)
    for name in args.preset or RECORD:
        if name not in RECORD:
            raise RimshotError(f'unknown preset "{name}"; {did_you_mean(name, RECORD)}')
        try:
            run = _run(name, collection, index)
        except (MissingPart, IndexFault) as fault:
            sys.stdout.write(f"{name:<24} not run: {fault}\n")
            continue
        found = {
            measure: round(value, 5) for measure, value in evaluate(run, collection.qrels, measures).overall.items()
        }
        figures.setdefault(collection.name, {})[name] = found
        sys.stdout.write(f"{name:<24} " + "  ".join(f"{key} {value:.4f}" for key, value in found.items()) + "\n")
        sys.stdout.flush()


def _run(name: str, collection: Collection, index: Index) -> Run:
    """Give a preset's run; one that learns from judged queries is measured on those it has not seen."""
    if "Learned()" not in RECORD[name].pipeline:
        return answer(preset(name), collection.queries, index, name)
    pool = parse(RECORD[name].pipeline.split(" >> Learned()")[0])
    relevant = {qid: frozenset(collection.qrels.relevant(qid)) for qid in collection.qrels.judgments}
    return folded_run(pool, collection.queries, relevant, index, name=name)


if __name__ == "__main__":
    sys.exit(main())
