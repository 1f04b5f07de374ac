"""Where the tiny model comes from: ``rimshot train tiny``.

Everything is chosen by cross-validation on the training file, a pun and its twin in one fold. The chances are set for a
collection in which few texts are wordplay: the out-of-fold logits are calibrated (Platt) with humorous texts and twins
weighed down to the share that they have there.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import words
from rimshot.errors import MissingPart
from rimshot.wordplay.canonical import canonical_text
from rimshot.wordplay.everyday import everyday
from rimshot.wordplay.labelled import Labelled, read_collection, read_labelled
from rimshot.wordplay.measure import auc, average_precision, calibration_error, names_pun_word
from rimshot.wordplay.prior import PRIOR, calibrate, collection_weights, folds, sigmoid
from rimshot.wordplay.tiny import text_grams, word_grams

__all__ = ["TinyReport", "own_texts", "train_tiny"]

EVERYDAY = 1500


@dataclass(frozen=True)
class TinyReport:
    """What cross-validation on the training file said of the model that was written."""

    path: Path
    texts: int
    ap: float
    auc_twins: float
    ece: float
    pun_word: float
    bytes: int


def own_texts(lang: str, dev: Path | None) -> list[Labelled]:
    """Give the texts of our own that are read along: composed ones, twice each, and English sentences as plain ones.

    Of the sentences none stands in the collection ``dev``.
    """
    composed = read_labelled(Path(__file__).parents[1] / "train" / f"composed_{lang}.jsonl")
    if lang != "en":
        return [*composed, *composed]
    known = read_collection(dev).documents.values() if dev else ()
    plain = [Labelled(text, False, "everyday", text) for text in everyday(0, EVERYDAY, known)]
    return [*composed, *composed, *plain]


def train_tiny(
    texts: Sequence[Labelled],
    lang: str,
    path: Path,
    *,
    text_bits: int = 19,
    word_bits: int = 15,
    strength: float = 8.0,
    fold_count: int = 4,
    seed: int = 0,
) -> TinyReport:
    """Train the fallback of one language and write it to a file; the same texts and seed give the same model."""
    spelled = [canonical_text(item.text) for item in texts]
    truth = np.array([item.humorous for item in texts])
    matrix = _matrix([text_grams(text, text_bits) for text in spelled], text_bits, normal=True)
    fold = folds([item.group for item in texts], fold_count, seed)
    logits = np.zeros(len(texts))
    for number in range(fold_count):
        inside = fold != number
        logits[~inside] = matrix[~inside] @ _fit_ratios(matrix[inside], truth[inside], strength, seed)
    twin = np.array([item.source == "edit" for item in texts])
    weights = collection_weights(truth, twin)
    slope, shift = calibrate(logits, truth, weights)
    text_weights = _fit_ratios(matrix, truth, strength, seed)
    word_weights, pun_word = _fit_words(texts, spelled, fold, word_bits, seed)
    chances = sigmoid(slope * logits + shift)
    card = {"lang": lang, "prior": PRIOR, "seed": seed, "texts": len(texts), "strength": strength}
    _write(path, text_weights, text_bits, word_weights, word_bits, (slope, shift), card)
    return TinyReport(
        path=path,
        texts=len(texts),
        ap=average_precision(truth, logits),
        auc_twins=auc(logits[truth], logits[twin]),
        ece=_weighted_error(truth, chances, weights),
        pun_word=pun_word,
        bytes=path.stat().st_size,
    )


def _matrix(rows: Sequence[NDArray[np.int64]], bits: int, *, normal: bool) -> Any:
    from scipy.sparse import csr_array

    lengths = np.array([len(row) for row in rows])
    values = np.repeat(1.0 / np.sqrt(np.maximum(lengths, 1)) if normal else np.ones(len(rows)), lengths)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    return csr_array((values, np.concatenate(rows), starts), shape=(len(rows), 1 << bits))


def _fit_ratios(matrix: Any, truth: NDArray[np.bool_], strength: float, seed: int) -> NDArray[np.float64]:
    """Give the weights of a logistic regression over n-grams times log-count ratios (Wang and Manning 2012)."""
    from scipy.sparse import diags_array

    humorous = (matrix[truth] > 0).sum(0) + 1.0
    plain = (matrix[~truth] > 0).sum(0) + 1.0
    ratio = np.log((humorous / humorous.sum()) / (plain / plain.sum()))
    return np.asarray(_fit(matrix @ diags_array(ratio), truth, strength, seed) * ratio)


def _fit(matrix: Any, truth: NDArray[np.bool_], strength: float, seed: int) -> NDArray[np.float64]:
    """Give the weights of a logistic regression, the shift left to calibration."""
    try:
        from sklearn.linear_model import LogisticRegression
    except ImportError:
        raise MissingPart("training needs scikit-learn; install it with: pip install 'rimshot[classical]'") from None
    model = LogisticRegression(C=strength, max_iter=300, random_state=seed)
    model.fit(matrix, truth)
    return np.asarray(model.coef_[0], dtype=np.float64)


def _fit_words(
    texts: Sequence[Labelled], spelled: Sequence[str], fold: NDArray[np.int64], bits: int, seed: int
) -> tuple[NDArray[np.float64], float]:
    """Give the weights of the pun-word model and the share of pun words that cross-validation found."""
    rows: list[NDArray[np.int64]] = []
    gold: list[bool] = []
    owner: list[int] = []
    for number, (item, spelling) in enumerate(zip(texts, spelled, strict=True)):
        spans = words(spelling)
        hits = [names_pun_word(word, item.signs) for word, _, _ in spans]
        if item.humorous and any(hits):
            rows += word_grams(spelling, spans, bits)
            gold += hits
            owner += [number] * len(spans)
    if not rows:
        return np.zeros(1 << bits), 0.0
    matrix, truth, owners = _matrix(rows, bits, normal=False), np.array(gold), np.array(owner)
    logits = np.zeros(len(rows))
    for number in np.unique(fold):
        inside = fold[owners] != number
        logits[~inside] = matrix[~inside] @ _fit(matrix[inside], truth[inside], 0.3, seed)
    found = [truth[places][np.argmax(logits[places])] for places in np.split(np.arange(len(rows)), _changes(owners))]
    return _fit(matrix, truth, 0.3, seed), float(np.mean(found))


def _changes(owners: NDArray[np.int64]) -> NDArray[np.intp]:
    return np.flatnonzero(np.diff(owners)) + 1


def _weighted_error(truth: NDArray[np.bool_], chances: NDArray[np.float64], weights: NDArray[np.float64]) -> float:
    """Give the calibration error that a collection of the assumed make-up would show, by resampling."""
    some = np.random.default_rng(0).choice(len(truth), 20_000, p=weights / weights.sum())
    return calibration_error(truth[some], chances[some])


def _write(
    path: Path,
    text_weights: NDArray[np.float64],
    text_bits: int,
    word_weights: NDArray[np.float64],
    word_bits: int,
    calibration: tuple[float, float],
    card: dict[str, Any],
) -> None:
    def whole(weights: NDArray[np.float64]) -> tuple[NDArray[np.int8], float]:
        scale = max(float(np.abs(weights).max()), 1e-12) / 127.0
        return np.round(weights / scale).astype(np.int8), scale

    text, text_scale = whole(text_weights)
    word, word_scale = whole(word_weights)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    with half.open("wb") as out:
        np.savez_compressed(
            out,
            text=text,
            text_scale=text_scale,
            text_bits=text_bits,
            word=word,
            word_scale=word_scale,
            word_bits=word_bits,
            calibration=np.array(calibration),
            card=np.array(json.dumps(card, sort_keys=True)),
        )
    half.replace(path)
