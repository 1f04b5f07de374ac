"""How good a run is, as CLEF JOKER measures it, or by any measure of ir-measures.

``joker2024`` is what the lab of 2024 took from trec_eval (through PyTerrier); ``joker2025`` what that of 2025 took from
TrecTools. The figures come from pytrec-eval-terrier and ir-measures; only the rules on which queries count, the order
of ties in ``joker2025`` and GMAP are decided here. docs/evaluation.md has every known difference between the tools.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import InputError, MissingPart, did_you_mean
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.runs import Run

__all__ = ["SETS", "Evaluation", "Measure", "evaluate", "parse_measures"]

GMAP_FLOOR = 1e-5
"""What an average precision of 0 counts in a geometric mean (trec_eval's MIN_GEO_MEAN, TrecTools' GMEAN_MIN)."""


@dataclass(frozen=True)
class Measure:
    """A column of a table of results.

    ``trec`` is trec_eval's name where it has one; ``mean`` (``sum``, ``mean`` or ``gmean``) says how queries become one
    figure. ``exact`` orders scores in float64, as TrecTools does, where float32 would tie them.
    """

    name: str
    trec: str = ""
    mean: str = "mean"
    exact: bool = False
    ir: Any = field(default=None, compare=False)

    @property
    def counts(self) -> bool:
        """Whether it is a number of documents rather than a share."""
        return self.mean == "sum"


def _trec_set(names: Mapping[str, str], exact: bool) -> tuple[Measure, ...]:
    means = {"#ret": "sum", "#rel": "sum", "GMAP": "gmean"}
    return tuple(Measure(name, trec, means.get(name, "mean"), exact) for name, trec in names.items())


SETS: dict[str, tuple[Measure, ...]] = {
    "joker2024": _trec_set(
        {
            "map": "map",
            "ndcg": "ndcg",
            "R@5": "recall_5",
            "R@10": "recall_10",
            "R@100": "recall_100",
            "R@1000": "recall_1000",
            "bpref": "bpref",
            "MRR": "recip_rank",
            "P@1": "P_1",
            "P@5": "P_5",
            "P@10": "P_10",
        },
        exact=False,
    ),
    "joker2025": _trec_set(
        {
            "#ret": "num_ret",
            "#rel": "num_rel_ret",
            "MAP": "map",
            "GMAP": "map",
            "P@R": "Rprec",
            "MRR": "recip_rank",
            "P@5": "P_5",
            "P@10": "P_10",
            "P@100": "P_100",
            "P@1000": "P_1000",
            "NDCG@5": "ndcg_cut_5",
            "bpref": "bpref",
        },
        exact=True,
    ),
}
"""The measures of a year by name: shares from 0 to 1; ``#rel`` counts the relevant documents that were retrieved."""

_BY_NAME = {measure.name: measure for chosen in reversed(SETS.values()) for measure in chosen}


def parse_measures(text: str | Sequence[str]) -> tuple[Measure, ...]:
    """Give the measures named: ``joker2024``, ``joker2025``, their columns, or names of ir-measures.

    >>> [measure.name for measure in parse_measures("MAP, nDCG@10 P@5")]
    ['MAP', 'nDCG@10', 'P@5']
    """
    pieces = [text] if isinstance(text, str) else list(text)
    chosen: dict[str, Measure] = {}
    for piece in pieces:
        for name in re.findall(r"[^\s,(]+(?:\([^)]*\)[^\s,]*)?", piece):
            for measure in SETS.get(name.casefold()) or (_BY_NAME.get(name) or _ir_measure(name),):
                chosen.setdefault(measure.name, measure)
    if not chosen:
        raise InputError("--measures names nothing; try joker2025, joker2024 or names such as MAP,nDCG@10")
    return tuple(chosen.values())


def _ir_measure(name: str) -> Measure:
    import ir_measures

    try:
        found = ir_measures.parse_measure(name)
        found.validate_params()
    except (ValueError, AssertionError, SyntaxError, NameError, KeyError, TypeError):
        known = [*SETS, *_BY_NAME, *ir_measures.measures.registry]
        raise InputError(f'unknown measure "{name}"; {_short(did_you_mean(name, known))}') from None
    return Measure(name, ir=found, mean="sum" if str(found).startswith("Num") else "mean")


def _short(hint: str) -> str:
    return hint if len(hint) < 60 else "try joker2024, joker2025, AP, nDCG@10, P@5, R@100, RR, Bpref or RBP"


@dataclass(frozen=True)
class Evaluation:
    """The figures of a run: over all queries and for each.

    ``values[measure][i]`` belongs to ``queries[i]``. ``missing`` are judged queries that the run lacks (they count 0),
    ``unjudged`` are queries of the run without judgments (they do not count), ``excluded`` were left out on request.
    """

    run: str
    measures: tuple[Measure, ...]
    queries: tuple[str, ...]
    values: Mapping[str, NDArray[np.float64]]
    overall: Mapping[str, float]
    missing: tuple[str, ...] = ()
    unjudged: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    ties: int = 0

    def per_query(self, qid: str) -> dict[str, float]:
        """Give the figures of one query."""
        place = self.queries.index(qid)
        return {measure.name: float(self.values[measure.name][place]) for measure in self.measures}


def evaluate(
    run: Run, qrels: Qrels, measures: Sequence[Measure] | str = "joker2025", exclude: Iterable[str] = ()
) -> Evaluation:
    """Measure a run over every judged query that is not excluded; one that the run lacks counts 0."""
    chosen = parse_measures(measures) if isinstance(measures, str) else tuple(measures)
    gone = frozenset(exclude)
    counted = qrels.without(gone)
    if not len(counted):
        raise InputError(f"{qrels.name}: no judged query is left to evaluate; check --exclude")
    queries = tuple(counted.judgments)
    present = {qid: run.scores[qid] for qid in queries if qid in run.scores}
    values: dict[str, NDArray[np.float64]] = {}
    overall: dict[str, float] = {}
    for exact in (False, True):
        mine = [measure for measure in chosen if not measure.ir and measure.exact == exact]
        if mine:
            values |= _trec_values(run, present, counted, mine, exact)
    for measure in chosen:
        if not measure.ir:
            overall[measure.name] = _overall(measure, values[measure.name])
    foreign = [measure for measure in chosen if measure.ir]
    if foreign:
        found, totals = _ir_values(present, counted, foreign)
        values |= found
        overall |= totals
    return Evaluation(
        run.name,
        chosen,
        queries,
        values,
        {measure.name: overall[measure.name] for measure in chosen},
        tuple(qid for qid in queries if qid not in present),
        tuple(qid for qid in run.scores if qid not in qrels.judgments),
        tuple(sorted(gone)),
        run.ties,
    )


def _trec_values(
    run: Run, present: Mapping[str, Mapping[str, float]], qrels: Qrels, measures: Sequence[Measure], exact: bool
) -> dict[str, NDArray[np.float64]]:
    import pytrec_eval

    scores: dict[str, Mapping[str, float]] = dict(present)
    if exact:
        for qid in run.tied & present.keys():
            order = run.ranked(qid, low=False)
            scores[qid] = {docid: float(len(order) - place) for place, docid in enumerate(order)}
    found = pytrec_eval.RelevanceEvaluator(qrels.judgments, {measure.trec for measure in measures}).evaluate(scores)
    nothing: dict[str, float] = {}
    return {
        measure.name: np.array([found.get(qid, nothing).get(measure.trec, 0.0) for qid in qrels.judgments], np.float64)
        for measure in measures
    }


def _overall(measure: Measure, values: NDArray[np.float64]) -> float:
    if measure.mean == "sum":
        return float(values.sum())
    if measure.mean == "gmean":
        return float(np.exp(np.log(np.where(values == 0.0, GMAP_FLOOR, values)).mean()))
    return float(values.mean())


def _ir_values(
    present: Mapping[str, Mapping[str, float]], qrels: Qrels, measures: Sequence[Measure]
) -> tuple[dict[str, NDArray[np.float64]], dict[str, float]]:
    import ir_measures

    wanted = {measure.ir: measure.name for measure in measures}
    try:
        found = ir_measures.evaluator(list(wanted), qrels.judgments).calc(present)
    except (ValueError, RuntimeError, ImportError) as fault:
        names = ", ".join(wanted.values())
        raise MissingPart(
            f"ir-measures cannot compute one of {names} here ({str(fault).splitlines()[0]}); "
            "give all parameters, as in RBP(rel=1), or install rimshot[measures]"
        ) from None
    places = {qid: place for place, qid in enumerate(qrels.judgments)}
    values = {name: np.zeros(len(places)) for name in wanted.values()}
    for qid, measure, value in found.per_query:
        values[wanted[measure]][places[qid]] = value
    return values, {wanted[measure]: float(value) for measure, value in found.aggregated.items()}
