"""How good is a detector? The figures of the results table as pure functions, and a command that fills the table.

The command is, for example, ``python -m rimshot.wordplay.measure --data ../shared/data --lang en --model tiny``.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rimshot.corpus.analyser import words
from rimshot.corpus.document import LANGUAGES
from rimshot.wordplay.detector import Detector, Progress, Scores

__all__ = [
    "Figures",
    "auc",
    "average_precision",
    "calibration_error",
    "measure",
    "names_pun_word",
    "reliability",
    "table",
]


def average_precision(labels: ArrayLike, scores: ArrayLike) -> float:
    """Give the mean, over the humorous texts, of the precision at each one's rank; texts of one score share a rank.

    >>> average_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.1])
    0.8333333333333333
    """
    truth, values = _pair(labels, scores)
    if not truth.any():
        return 0.0
    order = np.argsort(-values, kind="stable")
    truth, values = truth[order], values[order]
    last = np.flatnonzero(np.append(values[1:] != values[:-1], True))
    found = np.cumsum(truth)[last]
    precision = found / (last + 1)
    return float(np.sum(np.diff(np.concatenate([[0.0], found])) * precision) / found[-1])


def auc(positive: ArrayLike, negative: ArrayLike) -> float:
    """Give the probability that a positive scores above a negative, ties counting half (Mann-Whitney U).

    >>> auc([0.9, 0.4], [0.4, 0.1])
    0.875
    """
    above = np.asarray(positive, dtype=np.float64)
    below = np.sort(np.asarray(negative, dtype=np.float64))
    if not len(above) or not len(below):
        return float("nan")
    lower = np.searchsorted(below, above, "left")
    upper = np.searchsorted(below, above, "right")
    return float((lower + upper).sum() / (2.0 * len(above) * len(below)))


def reliability(labels: ArrayLike, probabilities: ArrayLike, bins: int = 15) -> list[tuple[int, float, float]]:
    """Give for each bin of equal width that holds texts: how many, their mean probability, their share of wordplay."""
    truth, values = _pair(labels, probabilities)
    which = np.clip((values * bins).astype(np.int64), 0, bins - 1)
    rows = []
    for number in range(bins):
        inside = which == number
        if inside.any():
            rows.append((int(inside.sum()), float(values[inside].mean()), float(truth[inside].mean())))
    return rows


def calibration_error(labels: ArrayLike, probabilities: ArrayLike, bins: int = 15) -> float:
    """Give the expected calibration error: the mean gap of the bins of equal width, weighted by what they hold.

    Guo et al., On Calibration of Modern Neural Networks, ICML 2017.

    >>> round(calibration_error([1, 0], [0.9, 0.1]), 3)
    0.1
    """
    rows = reliability(labels, probabilities, bins)
    return sum(count * abs(mean - share) for count, mean, share in rows) / max(1, sum(row[0] for row in rows))


def names_pun_word(word: str | None, signs: Iterable[str]) -> bool:
    """Say whether a named word hits: any word of any gold pun sign counts, whatever its case.

    >>> names_pun_word("Came", ["came up"]), names_pun_word("nothing", ["came up"])
    (True, False)
    """
    if word is None:
        return False
    gold = {part.casefold() for sign in signs for part, _, _ in words(sign)}
    return any(part.casefold() in gold for part, _, _ in words(word))


@dataclass(frozen=True)
class Figures:
    """The row of one detector: over a collection, against twins, and on the puns alone."""

    detector: str
    lang: str
    texts: int
    ap: float
    auc_twins: float
    ece: float
    pun_word: float | None
    texts_per_second: float

    def row(self) -> dict[str, Any]:
        """Give the figures as a plain mapping, rounded for a table."""
        return {key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(self).items()}


def measure(
    detector: Detector,
    lang: str,
    documents: Mapping[str, str],
    humorous: Mapping[str, int],
    twins: Sequence[str],
    signs: Mapping[str, Sequence[str]],
    progress: Progress | None = None,
) -> tuple[Figures, Scores]:
    """Give a detector's figures over a collection (id to text), with the scores that they come from.

    ``twins`` are the ids of word-swapped puns; ``signs`` gives the gold pun words of the humorous ids that have them. A
    detector that names no word at all has no figure for finding it, rather than 0.
    """
    ids = list(documents)
    texts = [documents[name] for name in ids]
    begun = time.perf_counter()
    scores = detector.score(texts, lang, progress)
    seconds = time.perf_counter() - begun
    truth = np.array([int(humorous[name]) for name in ids])
    place = {name: number for number, name in enumerate(ids)}
    named = [names_pun_word(scores.word(place[name], documents[name]), gold) for name, gold in signs.items()]
    figures = Figures(
        detector=detector.name,
        lang=lang,
        texts=len(ids),
        ap=average_precision(truth, scores.humour),
        auc_twins=auc(scores.humour[truth == 1], scores.humour[[place[name] for name in twins]]),
        ece=calibration_error(truth, scores.humour),
        pun_word=sum(named) / len(named) if named and (scores.start >= 0).any() else None,
        texts_per_second=len(ids) / max(seconds, 1e-9),
    )
    return figures, scores


def _pair(labels: ArrayLike, scores: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    truth = np.asarray(labels, dtype=np.float64)
    values = np.asarray(scores, dtype=np.float64)
    if truth.shape != values.shape:
        raise ValueError(f"{truth.shape} labels for {values.shape} scores")
    return truth, values


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of detectors on labelled collections as a table, or as JSON."""
    from rimshot.corpus.sample import sample_path
    from rimshot.wordplay.choose import choose_detector
    from rimshot.wordplay.labelled import read_collection

    parser = argparse.ArgumentParser(prog="python -m rimshot.wordplay.measure", description=main.__doc__)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--data", type=Path, help="folder with LANG/dev/corpus.json, labels.json ...")
    where.add_argument("--sample", action="store_true", help="the embedded sample")
    parser.add_argument("--lang", action="append", choices=LANGUAGES, help="a language (default: all)")
    parser.add_argument("--model", action="append", metavar="NAME|DIR", help="a detector (default: the shipped one)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    options = parser.parse_args(arguments)
    rows = []
    for lang in options.lang or LANGUAGES:
        gold = read_collection(sample_path(lang) if options.sample else options.data / lang / "dev")
        for model in options.model or ["default"]:
            detector = choose_detector(model, (lang,), vectors=False)
            figures, _ = measure(detector, lang, gold.documents, gold.humorous, gold.twins, gold.signs)
            rows.append(figures.row())
    if options.json:
        sys.stdout.write(json.dumps(rows, indent=2) + "\n")
    else:
        sys.stdout.write(table(rows))
    return 0


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Give rows of figures as a Markdown table."""
    heads = ("detector", "lang", "texts", "AP", "AUC twins", "ECE", "pun word", "texts/s")
    keys = ("detector", "lang", "texts", "ap", "auc_twins", "ece", "pun_word", "texts_per_second")
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for row in rows:
        cells = []
        for key in keys:
            value = row[key]
            if isinstance(value, float):
                cells.append(f"{value:.0f}" if key == "texts_per_second" else f"{value:.3f}")
            else:
                cells.append("–" if value is None else str(value))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
