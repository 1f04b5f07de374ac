"""Every preset on every collection, measured now and held against what is expected.

``python -m rimshot.evaluate.reproduce`` builds each index anew, so no stale file can pass; it says OK, close or FAIL
for each preset, writes docs/results.md and exits with 1 where something failed. ``--record`` makes the figures of this
run the expected ones.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rimshot import __version__
from rimshot.errors import MissingPart, RimshotError, did_you_mean
from rimshot.evaluate.answer import answer
from rimshot.evaluate.collections import Collection, find_collections, needs_annotation
from rimshot.evaluate.measures import parse_measures
from rimshot.evaluate.record_systems import with_systems
from rimshot.evaluate.table import Table
from rimshot.evaluate.topical import topical_gap
from rimshot.rank import PRESETS, parse
from rimshot.rank.presets import BY_JOKE

__all__ = ["Outcome", "judge", "main", "reproduce"]

EXPECTED = Path(__file__).parent / "expected.json"
OK_WITHIN = 0.0005
CLOSE_WITHIN = 0.01
"""Another kind of processor rounds what goes through the networks differently, which moves a few texts by a rank: on the sample,
with its few queries, by up to 0.008 of MRR."""
MEASURES = ("MAP", "NDCG@5", "P@10", "MRR", "R@1000")
DEFAULT_DATA = Path("../shared/data")
Figures = dict[str, float]


@dataclass(frozen=True)
class Outcome:
    """A preset on a collection: its figures, the verdict, and the reason where it failed."""

    collection: str
    preset: str
    figures: Figures
    verdict: str
    reason: str = ""


def judge(figures: Mapping[str, float], expected: Mapping[str, float] | None) -> tuple[str, str]:
    """Give OK, close or FAIL, with the measure that is furthest off.

    >>> judge({"MAP": 0.3}, {"MAP": 0.3001}), judge({"MAP": 0.3}, {"MAP": 0.32})
    (('OK', ''), ('FAIL', 'MAP 0.3000, expected 0.3200'))
    """
    if expected is None:
        return "FAIL", "no expected figures; look at these, then record them with --record"
    if set(figures) != set(expected):
        return "FAIL", f"expected figures are for {', '.join(sorted(expected))}; record them again with --record"
    name = max(figures, key=lambda measure: abs(figures[measure] - expected[measure]))
    off = abs(figures[name] - expected[name])
    if off <= OK_WITHIN:
        return "OK", ""
    return "close" if off <= CLOSE_WITHIN else "FAIL", f"{name} {figures[name]:.4f}, expected {expected[name]:.4f}"


def reproduce(
    collections: Iterable[Collection],
    presets: Sequence[str],
    expected: Mapping[str, Mapping[str, Figures]],
    keep: Path | None = None,
) -> Iterable[Outcome]:
    """Run presets on collections one after the other; a preset that cannot run here fails with the reason."""
    for collection in collections:
        with collection.index(needs_annotation(PRESETS[name] for name in presets), keep) as index:
            for name in presets:
                known = expected.get(collection.name, {}).get(name)
                try:
                    run = answer(parse(PRESETS[name]), collection.queries, index, name)
                except MissingPart as fault:
                    yield Outcome(collection.name, name, {}, "FAIL", str(fault))
                    continue
                topical = collection.topical or collection.qrels
                both = topical_gap(run, collection.qrels, topical, parse_measures(MEASURES))
                figures = {measure: round(value, 6) for measure, value in both.official.overall.items()}
                if collection.topical is not None:
                    figures["topical MAP"] = round(both.topical.overall["MAP"], 6)
                yield Outcome(collection.name, name, figures, *judge(figures, known))


def results_page(outcomes: Sequence[Outcome], collections: Mapping[str, Collection]) -> str:
    """Give docs/results.md; a collection that is not at hand keeps its expected figures, marked as not run."""
    lines = [
        "# Results",
        "",
        f"Written by `make reproduce` (Rimshot {__version__}), which builds every index and runs every preset anew.",
        f"The verdict is OK within {OK_WITHIN} of the expected figure, close within {CLOSE_WITHIN}, FAIL beyond. "
        "`topical MAP` counts",
        "every text on the topic, funny or not; where MAP is near it, jokes are found; far below it, topics.",
        "",
    ]
    for name in dict.fromkeys(outcome.collection for outcome in outcomes):
        lines += [f"## {name}", ""]
        if name in collections:
            qrels = collections[name].qrels
            judged = sum(len(qrels.relevant(qid)) for qid in qrels.judgments)
            lines += [f"{len(qrels)} queries, {judged:,} relevant documents.", ""]
        lines.append(_results_table([outcome for outcome in outcomes if outcome.collection == name]).markdown())
    lines += ["## The presets", ""]
    used = dict.fromkeys(outcome.preset for outcome in outcomes)
    lines += [f"- `{name}`: `{PRESETS[name]}`" for name in used if name in PRESETS]
    return "\n".join(lines) + "\n"


def _results_table(outcomes: Sequence[Outcome]) -> Table:
    base = next((outcome.figures.get("MAP") for outcome in outcomes if outcome.preset == "bm25"), None)
    columns = tuple(dict.fromkeys(measure for outcome in outcomes for measure in outcome.figures))
    rows: list[tuple[str, tuple[float | str | None, ...]]] = []
    for outcome in outcomes:
        ratio = outcome.figures["MAP"] / base if base and "MAP" in outcome.figures else None
        rows.append((outcome.preset, (*(outcome.figures.get(column) for column in columns), ratio, outcome.verdict)))
    return Table("preset", (*columns, "MAP/BM25", "verdict"), tuple(rows), {"MAP/BM25": 2}, frozenset(columns))


def _read_expected(path: Path) -> dict[str, dict[str, Figures]]:
    if not path.is_file():
        return {}
    found: dict[str, dict[str, Figures]] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _record(path: Path, outcomes: Sequence[Outcome], before: dict[str, dict[str, Figures]]) -> None:
    for outcome in outcomes:
        if outcome.figures:
            before.setdefault(outcome.collection, {})[outcome.preset] = outcome.figures
    known = {
        name: {preset: figures for preset, figures in sorted(presets.items()) if preset in PRESETS}
        for name, presets in sorted(before.items())
    }
    path.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rimshot.evaluate.reproduce", description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=DEFAULT_DATA, help=f"folder of further collections (default: {DEFAULT_DATA})"
    )
    parser.add_argument(
        "--preset", action="append", metavar="NAME", help="only these presets; results.md is not written"
    )
    parser.add_argument("--collection", action="append", metavar="NAME", help="only these collections; as above")
    parser.add_argument("--record", action="store_true", help="make the figures of this run the expected ones")
    parser.add_argument("--keep", metavar="DIR", type=Path, help="leave the indexes there, one folder a collection")
    parser.add_argument("--expected", type=Path, default=EXPECTED, help=argparse.SUPPRESS)
    parser.add_argument(
        "--out", type=Path, default=Path("docs/results.md"), help="the page to write (default: docs/results.md)"
    )
    return parser


def _chosen(wishes: Sequence[str] | None, known: Iterable[str], what: str) -> list[str]:
    known = list(known)
    for wish in wishes or ():
        if wish not in known:
            raise RimshotError(f'unknown {what} "{wish}"; {did_you_mean(wish, known)}')
    return [name for name in known if not wishes or name in wishes]


def main(argv: Sequence[str] | None = None) -> int:
    """Run and report; the exit code is 0 when nothing failed, 1 when something did, 2 for a mistake one can mend."""
    args = _parser().parse_args(argv)
    try:
        found = {one.name: one for one in find_collections(*([args.data] if args.data.is_dir() else []))}
        names = _chosen(args.collection, found, "collection")
        presets = _chosen(args.preset, (name for name in PRESETS if name not in BY_JOKE), "preset")
        expected = _read_expected(args.expected)
        outcomes = []
        before = {} if args.record else expected
        for outcome in reproduce([found[name] for name in names], presets, before, args.keep):
            outcomes.append(outcome)
            verdict = "recorded" if args.record and outcome.figures else outcome.verdict
            figures = "  ".join(f"{name} {value:.4f}" for name, value in outcome.figures.items())
            reason = f"  {outcome.reason}" if outcome.reason and verdict != "recorded" else ""
            sys.stdout.write(f"{verdict:<8} {outcome.collection:<12} {outcome.preset:<16} {figures}{reason}\n")
            sys.stdout.flush()
    except RimshotError as fault:
        sys.stderr.write(f"reproduce: {fault}\n")
        return 2
    if args.record:
        _record(args.expected, outcomes, expected)
    absent = [name for name in sorted(expected) if name not in found]
    for name in absent:
        sys.stdout.write(f"not run  {name:<12} this collection is not at hand\n")
    failed = [outcome for outcome in outcomes if outcome.verdict == "FAIL" and not (args.record and outcome.figures)]
    if not args.preset and not args.collection:
        shown = [_settled(outcome) for outcome in outcomes] if args.record else list(outcomes)
        shown += [
            Outcome(name, preset, known, "not run") for name in absent for preset, known in expected[name].items()
        ]
        args.out.parent.mkdir(parents=True, exist_ok=True)
        text = results_page(shown, found)
        recorded = args.out.with_name("systems.json")
        if recorded.is_file():
            text = with_systems(text, json.loads(recorded.read_text(encoding="utf-8")))
        args.out.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(outcomes) - len(failed)} of {len(outcomes)} as expected\n")
    return 1 if failed or not outcomes else 0


def _settled(outcome: Outcome) -> Outcome:
    """Give an outcome as it stands once its figures are the expected ones."""
    verdict = "OK" if outcome.figures else outcome.verdict
    return Outcome(outcome.collection, outcome.preset, outcome.figures, verdict, outcome.reason)


if __name__ == "__main__":
    sys.exit(main())
