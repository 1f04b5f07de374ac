"""Fit how far to believe an explanation, and set the threshold, for the detector that is shipped now.

    python -m rimshot.wordplay.explain_calibrate --data FOLDER [--limits]

Run it after the detector or the weights of `explain_fit` have changed. The detector in turn weighs how strong an explanation
is, so after `stack_fit` run it once more with --limits, which leaves the strength as it is. The strength of an explanation
is fitted on puns against edited twins of {en,pt}/train, without the detector's probabilities, which know these texts too
well. How much it counts beside those, three weights, is fitted on puns against twins of {en,pt}/dev, where the threshold is
set too: at most 9.5% of edited twins and 1.8% of plain texts are explained. The figures printed beside are cross-validated.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.detector import Detector
from rimshot.wordplay.explain import FLOOR
from rimshot.wordplay.explain_belief import FEATURES, VOTES, belief_features, log_odds
from rimshot.wordplay.explain_columns import columns
from rimshot.wordplay.explain_forest import Forest, grow
from rimshot.wordplay.explain_learn import fit_logistic
from rimshot.wordplay.explain_text import view
from rimshot.wordplay.explain_weights import forest, save_forest, save_weights, weights
from rimshot.wordplay.kind import heterographic_score
from rimshot.wordplay.sense_pair import read_senses
from rimshot.wordplay.sound_pun import read_sounds

__all__ = ["calibrate", "limits"]

_PUN_SOURCES = ("semeval2017", "puntuguese")
_MOST = 2500
_TWINS, _PLAIN = 0.095, 0.018
_RIDGE = 0.03
_FOLDS = 5

Table = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Told:
    """Texts as a detector and their explanations see them: its two log-odds, and the features of belief."""

    odds: Table
    rows: Table

    def judged(self, weights: Table, trees: Forest | None) -> Table:
        """The constant, the detector's log-odds of a pun and of its place, and the strength of the explanation."""
        told = self.rows @ weights
        if trees is not None:
            told = told + VOTES * np.array([log_odds(trees.chances(row)) for row in self.rows])
        found: Table = np.column_stack([np.ones(len(self.odds)), self.odds, told]).astype(np.float32)
        return found


def _told(texts: Sequence[str], lang: str, detector: Detector) -> Told:
    """What is known of those texts in which there is anything to explain."""
    scores = detector.score(texts, lang)
    odds, rows = [], []
    for number, text in enumerate(texts):
        start, end = int(scores.start[number]), int(scores.end[number])
        vector = None if scores.vectors is None else scores.vectors[number]
        if start < 0 or scores.humour[number] < FLOOR:
            continue
        seen = view(text, lang, start, end, vector)
        if seen is None:
            continue
        known = columns(seen, read_sounds(seen), read_senses(seen))
        odds.append([log_odds(float(scores.humour[number])), log_odds(float(scores.confidence[number]))])
        rows.append(belief_features(known, heterographic_score(known, lang)))
    return Told(np.array(odds, np.float32).reshape(-1, 2), np.array(rows, np.float32).reshape(-1, len(FEATURES)))


def _chosen(texts: Sequence[str], most: int) -> list[str]:
    return random.Random(7).sample(list(texts), min(most, len(texts)))


def _train(folder: Path, lang: str) -> tuple[list[str], list[str]]:
    """Puns and edited twins to learn from."""
    path = folder / lang / "train" / "texts.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    puns = [r["text"] for r in records if r["humorous"] and r["source"] in _PUN_SOURCES]
    return _chosen(puns, _MOST), _chosen([r["text"] for r in records if r["source"] == "edit"], _MOST)


def _dev(folder: Path, lang: str) -> dict[str, list[str]]:
    labels = json.loads((folder / lang / "dev" / "labels.json").read_text(encoding="utf-8"))
    corpus = json.loads((folder / lang / "dev" / "corpus.json").read_text(encoding="utf-8"))
    groups: dict[str, list[str]] = {"pun": [], "twin": [], "plain": []}
    for doc in corpus:
        name = str(doc["docid"])
        group = "pun" if labels["humorous"][name] else "twin" if labels["source"][name] == "edit" else "plain"
        groups[group].append(doc["text"])
    return {**groups, "plain": _chosen(groups["plain"], 1500)}


def calibrate(folder: Path, lang: str, detector: Detector) -> tuple[dict[str, dict[str, float]], Forest]:
    """Give the weights of belief and the threshold for one language, and its trees."""
    puns, twins = (_told(texts, lang, detector) for texts in _train(folder, lang))
    rows, flags = np.concatenate([puns.rows, twins.rows]), _flags(puns.rows, twins.rows)
    strength = fit_logistic(rows, flags, _RIDGE)
    trees = grow(rows, flags)
    named = {name: round(float(weight), 4) for name, weight in zip(FEATURES, strength, strict=True)}
    return {f"belief-{lang}": named} | limits(folder, lang, detector, strength, trees), trees


def limits(
    folder: Path, lang: str, detector: Detector, strength: Table, trees: Forest | None
) -> dict[str, dict[str, float]]:
    """Give the weight of the strength beside the detector's odds, and the threshold, for one language."""
    groups = _dev(folder, lang)
    judged = {name: _told(texts, lang, detector).judged(strength, trees) for name, texts in groups.items()}
    sizes = {name: len(texts) for name, texts in groups.items()}
    share = _shares(judged)
    parts = {name: rows @ share for name, rows in judged.items()}
    middle = max(_edge(parts[name], sizes[name], most) for name, most in (("twin", _TWINS), ("plain", _PLAIN)))
    shown = ", ".join(f"{name} {(parts[name] >= middle).sum() / sizes[name]:.3f}" for name in parts)
    sys.stderr.write(f"belief-{lang}: explained {shown}\n")
    _say(judged, lang)
    names = ("detector", "place", "explanation", "middle")
    values = [*share[1:].tolist(), float(middle) - float(share[0])]
    return {f"threshold-{lang}": {name: round(value, 4) for name, value in zip(names, values, strict=True)}}


def _flags(first: Table, second: Table) -> NDArray[np.bool_]:
    return np.arange(len(first) + len(second)) < len(first)


def _shares(judged: dict[str, Table]) -> Table:
    """The constant and the three weights, fitted on puns against twins."""
    return fit_logistic(np.concatenate([judged["pun"], judged["twin"]]), _flags(judged["pun"], judged["twin"]), 1e-3)


def _say(judged: dict[str, Table], lang: str) -> None:
    """Write how well puns are told from twins by each part alone, and by all with the weights of other texts."""
    puns, twins = judged["pun"], judged["twin"]
    held = [np.zeros(len(puns)), np.zeros(len(twins))]
    for fold in range(_FOLDS):
        away = [np.arange(len(rows)) % _FOLDS == fold for rows in (puns, twins)]
        share = _shares({"pun": puns[~away[0]], "twin": twins[~away[1]]})
        for rows, out, test in zip((puns, twins), held, away, strict=True):
            out[test] = rows[test] @ share
    names = ("detector", "place", "explanation")
    alone = ", ".join(f"{name} {_auc(puns[:, n], twins[:, n]):.3f}" for n, name in enumerate(names, 1))
    sys.stderr.write(f"belief-{lang}: AUC of puns against twins: {alone}, all {_auc(*held):.3f} (cross-validated)\n")


def _auc(high: NDArray[Any], low: NDArray[Any]) -> float:
    """The chance that one of the first scores above one of the second."""
    return float((high[:, None] > low[None, :]).mean() + 0.5 * (high[:, None] == low[None, :]).mean())


def _edge(scores: Table, count: int, part: float) -> float:
    """The score that at most this part of all texts reaches."""
    allowed = int(part * count)
    ranked = np.sort(scores)[::-1]
    return float(ranked[allowed]) + 1e-3 if len(ranked) > allowed else -30.0


def main() -> None:
    """Calibrate both languages and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with {en,pt}/train and {en,pt}/dev")
    parser.add_argument("--only", default="en,pt", help="languages (default: both)")
    parser.add_argument("--limits", action="store_true", help="only the threshold and what counts beside the strength")
    args = parser.parse_args()
    detector = choose_detector()
    for lang in args.only.split(","):
        if args.limits:
            save_weights(limits(args.data, lang, detector, weights(f"belief-{lang}"), forest(f"belief-{lang}")))
        else:
            found, trees = calibrate(args.data, lang, detector)
            save_weights(found)
            save_forest(f"belief-{lang}", trees)


if __name__ == "__main__":
    main()
