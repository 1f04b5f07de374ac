"""Fitting the weights of the ranking: python -m rimshot.evaluate.fit --index DIR --queries FILE --qrels FILE.

The model is P(relevant) = sigmoid(bias + weights * evidence) * P(humour) ** power (``rimshot.rank.jokes``). Its seven numbers
maximise the likelihood of the judgments over all candidates of all queries, with a pull towards the starting point. Folds
are by query; a fold's queries are ranked with the weights that the other folds gave.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rimshot.corpus.queries import read_queries
from rimshot.evaluate.qrels import read_qrels
from rimshot.index.reader import Index, open_index
from rimshot.rank.evidence import EVIDENCE, candidates, topic_evidence
from rimshot.rank.jokes import WEIGHTS, weights_for
from rimshot.rank.ranking import Array

__all__ = ["Judged", "average_precision", "cross_validate", "fit", "judged", "main"]

PULL = 3.0
_SPREAD = np.array([5.0, 5.0, 5.0, 10.0, 10.0, 4.0, 0.3])
"""How far each number (the evidence, the bias, the power of humour) may be expected to lie from where it starts."""


@dataclass(frozen=True, eq=False)
class Judged:
    """What is known of one query: evidence and humour of each candidate, which are relevant, how many are in all."""

    evidence: Array
    humour: Array
    relevant: Array
    total: int


def judged(index: Index, queries: Path, qrels: Path) -> list[Judged]:
    """Give the evidence and judgments of all queries of a collection."""
    found = candidates(index)
    judgments = read_qrels(qrels)
    ids = [index.id(int(number)) for number in found.docs]
    rows = []
    for query in read_queries(queries):
        wanted = judgments.relevant(query.id)
        if not wanted:
            continue
        evidence = topic_evidence(query, index)
        matrix = np.stack([evidence[name] for name in EVIDENCE], axis=1).astype(np.float64)
        rows.append(Judged(matrix, found.humour, np.array([docid in wanted for docid in ids]), len(wanted)))
    return rows


def _start() -> Array:
    return np.array(WEIGHTS["en"])


def scores(parameters: Array, row: Judged) -> Array:
    """Give P(relevant) of each candidate of a query."""
    topic = 1 / (1 + np.exp(-(row.evidence @ parameters[:-2] + parameters[-2])))
    return np.asarray(topic * row.humour ** parameters[-1])


def fit(rows: Sequence[Judged], steps: int = 400) -> Array:
    """Give the numbers that make the judgments likeliest; every query weighs the same."""
    start = _start()
    z, first, second = np.zeros(len(start)), np.zeros(len(start)), np.zeros(len(start))
    for step in range(1, steps + 1):
        gradient = PULL * z
        parameters = start + z * _SPREAD
        for row in rows:
            topic = 1 / (1 + np.exp(-(row.evidence @ parameters[:-2] + parameters[-2])))
            logs = np.log(np.maximum(row.humour, 1e-6))
            p = np.clip(topic * np.exp(parameters[-1] * logs), 1e-9, 1 - 1e-6)
            slope = np.where(row.relevant, -1.0, p / (1 - p)) / row.total
            per_logit = slope * (1 - topic)
            gradient[:-2] += _SPREAD[:-2] * (row.evidence.T @ per_logit)
            gradient[-2] += _SPREAD[-2] * per_logit.sum()
            gradient[-1] += _SPREAD[-1] * (slope * logs).sum()
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        z -= 0.03 * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-9)
        z[:-2] = np.maximum(z[:-2], -start[:-2] / _SPREAD[:-2])
        z[-1] = max(z[-1], (0.2 - start[-1]) / _SPREAD[-1])
    return np.asarray(start + z * _SPREAD)


def average_precision(parameters: Array, row: Judged) -> float:
    """Give the average precision of one query, over its best thousand."""
    order = np.argsort(-scores(parameters, row), kind="stable")[:1000]
    hits = row.relevant[order]
    return float((np.cumsum(hits)[hits] / (np.flatnonzero(hits) + 1)).sum() / row.total)


def cross_validate(rows: Sequence[Judged], folds: int = 5, seed: int = 0) -> tuple[Array, Array]:
    """Give each query's average precision under weights fitted without it, and the weights of each fold."""
    places = np.random.default_rng(seed).permutation(len(rows)) % folds
    found, weights = np.zeros(len(rows)), []
    for fold in range(folds):
        parameters = fit([row for row, place in zip(rows, places, strict=True) if place != fold])
        weights.append(parameters)
        for at in np.flatnonzero(places == fold).tolist():
            found[at] = average_precision(parameters, rows[at])
    return found, np.array(weights)


def main(argv: Sequence[str] | None = None) -> int:
    """Fit, cross-validate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path, required=True, action="append")
    parser.add_argument("--queries", type=Path, required=True, action="append")
    parser.add_argument("--qrels", type=Path, required=True, action="append")
    args = parser.parse_args(argv)
    names = [*EVIDENCE, "bias", "humour"]
    for place, queries, qrels in zip(args.index, args.queries, args.qrels, strict=True):
        index = open_index(place)
        rows = judged(index, queries, qrels)
        found, weights = cross_validate(rows)
        now = np.mean([average_precision(np.array(weights_for(index.languages)), row) for row in rows])
        sys.stdout.write(f"{place}: {len(rows)} queries, MAP now {now:.4f}, cross-validated {found.mean():.4f}\n")
        for name, mean, spread in zip(names, weights.mean(axis=0), weights.std(axis=0), strict=True):
            sys.stdout.write(f"  {name:8} {mean:8.3f} (folds differ by {spread:.3f})\n")
        text = ", ".join(f"{name}={value:.2f}" for name, value in zip(names, fit(rows), strict=True))
        sys.stdout.write(f"  fitted on all of it: Jokes({text})\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
