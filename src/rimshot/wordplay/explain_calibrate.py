"""Fit how far to believe an explanation, and set the threshold, for the detector that is shipped now.

    python -m rimshot.wordplay.explain_calibrate --data FOLDER

Run it after the detector or the weights of `explain_fit` have changed. The strength of an explanation is fitted on puns
against edited twins and other non-puns of {en,pt}/train, without the detector's probability, which knows these texts
too well. How much it counts beside that probability, and the threshold, come from {en,pt}/dev: the share that explains
most puns while at most 9.5% of edited twins and 1.8% of plain texts are explained.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.detector import Detector
from rimshot.wordplay.explain import FLOOR
from rimshot.wordplay.explain_belief import FEATURES, belief_features
from rimshot.wordplay.explain_fit import fit_kind, save_weights
from rimshot.wordplay.explain_text import view
from rimshot.wordplay.kind import heterographic
from rimshot.wordplay.sense_pair import sense_pairs
from rimshot.wordplay.sound_pun import sound_puns

__all__ = ["calibrate"]

_PUN_SOURCES = ("semeval2017", "punnypattern", "puntuguese", "edit")
_MOST = 1200
_SHARES = (0.0, 0.5, 1.0, 1.5, 2.0)
_TWINS, _PLAIN = 0.095, 0.018

Table = NDArray[np.float32]


def _features(texts: Sequence[str], lang: str, detector: Detector) -> tuple[Table, Table, NDArray[np.bool_]]:
    """Features and the detector's log-odds of each text, and whether there is anything to explain in it."""
    scores = detector.score(texts, lang)
    rows = np.zeros((len(texts), len(FEATURES)), np.float32)
    found = np.zeros(len(texts), bool)
    for number, text in enumerate(texts):
        start, end = int(scores.start[number]), int(scores.end[number])
        vector = None if scores.vectors is None else scores.vectors[number]
        if start < 0 or scores.humour[number] < FLOOR:
            continue
        seen = view(text, lang, start, end, vector)
        if seen is None:
            continue
        sounds, pairs = sound_puns(seen), sense_pairs(seen)
        two_words = heterographic(seen, sounds, pairs)
        rows[number] = belief_features(seen, sounds, pairs, two_words, float(scores.confidence[number]))
        found[number] = True
    humour = np.clip(scores.humour, 1e-6, 1 - 1e-6)
    return rows, np.log(humour / (1 - humour)).astype(np.float32), found


def _chosen(records: Sequence[dict[str, Any]], most: int) -> list[dict[str, Any]]:
    return random.Random(7).sample(list(records), min(most, len(records)))


def calibrate(folder: Path, lang: str, detector: Detector) -> dict[str, dict[str, float]]:
    """Give the weights of belief and the threshold for one language."""
    path = folder / lang / "train" / "texts.jsonl"
    records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    known = [record for record in records if record["source"] in _PUN_SOURCES]
    known = _chosen([r for r in known if r["humorous"]], _MOST) + _chosen(
        [r for r in known if not r["humorous"]], _MOST
    )
    rows, _, found = _features([record["text"] for record in known], lang, detector)
    funny = np.array([bool(record["humorous"]) for record in known])
    weights = fit_kind(rows[found], funny[found], 1e-2)
    labels = json.loads((folder / lang / "dev" / "labels.json").read_text(encoding="utf-8"))
    corpus = json.loads((folder / lang / "dev" / "corpus.json").read_text(encoding="utf-8"))
    groups: dict[str, list[str]] = {"pun": [], "twin": [], "plain": []}
    for doc in corpus:
        name = str(doc["docid"])
        group = "pun" if labels["humorous"][name] else "twin" if labels["source"][name] == "edit" else "plain"
        groups[group].append(doc["text"])
    groups["plain"] = random.Random(7).sample(groups["plain"], min(1500, len(groups["plain"])))
    told = {}
    for group, texts in groups.items():
        rows, odds, found = _features(texts, lang, detector)
        told[group] = (odds[found], rows[found] @ weights, len(texts))
    share, middle = _threshold(told, lang)
    named = {name: round(float(weight), 4) for name, weight in zip(FEATURES, weights, strict=True)}
    return {f"belief-{lang}": named, f"threshold-{lang}": {"share": share, "middle": round(middle, 4)}}


def _threshold(told: dict[str, tuple[Table, Table, int]], lang: str) -> tuple[float, float]:
    best = (-1.0, 0.0, 0.0)
    for share in _SHARES:
        score = {group: odds + share * strength for group, (odds, strength, _) in told.items()}
        middle = max(_edge(score[name], told[name][2], part) for name, part in (("twin", _TWINS), ("plain", _PLAIN)))
        parts = {name: float((score[name] >= middle).sum() / told[name][2]) for name in score}
        shown = ", ".join(f"{name} {part:.3f}" for name, part in parts.items())
        sys.stderr.write(f"belief-{lang}: share {share}: explained {shown}\n")
        if parts["pun"] > best[0]:
            best = (parts["pun"], share, middle)
    return best[1], best[2]


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
    args = parser.parse_args()
    detector = choose_detector()
    for lang in args.only.split(","):
        save_weights(calibrate(args.data, lang, detector))


if __name__ == "__main__":
    main()
