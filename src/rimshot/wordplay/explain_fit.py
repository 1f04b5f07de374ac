"""Fit the small models behind an explanation on puns whose second reading is known.

    python -m rimshot.wordplay.explain_fit --data FOLDER

FOLDER has en/train/texts.jsonl and pt/train/texts.jsonl with `word`, `senses`, `alternative`, `kind`, `signs`. The
rankers are linear with a softmax over a pun's candidates, the kind is a logistic regression; all have about two dozen
weights. Figures printed are five-fold cross-validated, puns on one word always in one fold.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.wordnet import Sense, wordnet
from rimshot.wordplay import kind
from rimshot.wordplay.explain_columns import columns
from rimshot.wordplay.explain_text import TextView, view
from rimshot.wordplay.explain_weights import PATH
from rimshot.wordplay.sense_pair import SenseReading, alike_coarsely, read_senses
from rimshot.wordplay.sense_pair_features import PAIR_FEATURES, SENSE_FEATURES
from rimshot.wordplay.sound_pun import FEATURES, read_sounds, sound_features

__all__ = ["fit_logistic", "fit_ranker", "gold_puns", "save_weights"]

Rows = NDArray[np.float32]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Gold:
    """A pun with its word located and what is known of its second reading."""

    seen: TextView
    kind: str | None
    senses: tuple[frozenset[str], ...]
    targets: tuple[str, ...]
    weight: float = 1.0

    @property
    def fold(self) -> int:
        """One of five; all puns on one word share it."""
        return sum(map(ord, self.seen.word)) % 5


def locate(text: str, word: str) -> tuple[int, int] | None:
    """Give the last place where a word stands in a text, case aside."""
    start = text.lower().rfind(word.lower())
    return (start, start + len(word)) if start >= 0 else None


def _one_word(seen: TextView) -> TextView:
    """The longest word of a sign of several: where a detector, which names one word, would point."""
    sizes = [len(word) for word in seen.words[seen.place : seen.place + seen.size]]
    return seen.at(seen.place + sizes.index(max(sizes)), 1)


def gold_puns(records: Sequence[dict[str, Any]], lang: str) -> Iterator[Gold]:
    """Give the puns of records with a known word, and the meaning of their texts where the kind is known."""
    from rimshot.wordplay.encoder import choose_encoder

    meant = [record["text"] for record in records if record.get("kind") or record.get("signs")]
    vectors = dict(zip(meant, choose_encoder().encode(meant, lang), strict=True)) if meant else {}
    for record in records:
        for word, targets, name, senses in _readings(record, lang):
            spot = locate(record["text"], word)
            seen = view(record["text"], lang, *spot, vectors.get(record["text"])) if spot else None
            if seen is not None:
                yield Gold(_one_word(seen) if lang == "pt" else seen, name, senses, targets)


def _readings(
    record: dict[str, Any], lang: str
) -> Iterator[tuple[str, tuple[str, ...], str | None, tuple[frozenset[str], ...]]]:
    if lang == "pt":
        for sign in record.get("signs") or ():
            sort = "homographic" if sign["homograph"] else "heterographic"
            yield sign["pun sign"], tuple(other.lower() for other in sign["alternative sign"]), sort, ()
        return
    word = record.get("word")
    if not word:
        return
    own = {word.lower(), *lemmas(word, "en")}
    senses = tuple(frozenset(group) for group in record.get("senses") or ())
    name: str | None = record.get("kind")
    other = (record.get("alternative") or "").lower().replace("_", " ")
    if name is None and other:
        name = "homographic" if other in own else "heterographic"
    targets: tuple[str, ...] = ()
    if name == "heterographic":
        keys = sorted(senses[1]) if len(senses) == 2 else []
        targets = tuple(dict.fromkeys(key.split("%")[0].replace("_", " ") for key in keys)) or (
            (other,) if other else ()
        )
    yield word, targets, name, senses


def fit_ranker(groups: Sequence[tuple[Rows, Flags, float]], ridge: float = 1e-3, steps: int = 400) -> Rows:
    """Give the weights that put most probability on the flagged rows of each group (softmax over the group, Adam)."""
    used = [(rows, flags, weight) for rows, flags, weight in groups if flags.any()]
    sizes = [len(rows) for rows, _, _ in used]
    table = np.concatenate([rows for rows, _, _ in used])
    flags = np.concatenate([flags for _, flags, _ in used]).astype(np.float32)
    share = np.array([weight for *_, weight in used], np.float32)
    share /= share.sum()
    scale = table.std(axis=0) + 1e-6
    table = (table - table.mean(axis=0)) / scale
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    group = np.repeat(np.arange(len(used)), sizes)

    def slope(weights: Rows) -> Rows:
        scores = table @ weights
        scores -= np.maximum.reduceat(scores, starts)[group]
        raised = np.exp(scores)
        right = raised * flags
        pull = raised / np.add.reduceat(raised, starts)[group] - right / np.maximum(
            np.add.reduceat(right, starts)[group], 1e-12
        )
        down: Rows = table.T @ (pull * share[group]) + ridge * weights
        return down

    found: Rows = _adam(slope, table.shape[1], steps) / scale
    return found


def fit_logistic(rows: Rows, truth: Flags, ridge: float = 0.03, steps: int = 25) -> Rows:
    """Give the weights of a logistic regression by Newton's method; the first column must be the constant.

    Columns are brought to one scale first, and `ridge` pulls all weights but the constant's towards 0.

    >>> rows = np.array([[1, -2], [1, -1], [1, 1], [1, 2]], np.float32)
    >>> fit_logistic(rows, np.array([False, True, False, True]))[1] > 0
    True
    """
    mean, scale = rows.mean(axis=0, dtype=np.float64), rows.std(axis=0, dtype=np.float64)
    mean[0], scale[0] = 0.0, 1.0
    scale[scale < 1e-6] = np.inf
    table = (rows - mean) / scale
    pull = np.full(rows.shape[1], ridge)
    pull[0] = 1e-6
    weights = np.zeros(rows.shape[1])
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (truth - chance) / len(table) - pull * weights
        curve = (table * (chance * (1 - chance))[:, None]).T @ table / len(table) + np.diag(pull)
        weights += np.linalg.solve(curve, slope)
    found = weights / scale
    found[0] = weights[0] - float(found[1:] @ mean[1:])
    return np.asarray(found, dtype=np.float32)


def _adam(slope: Callable[[Rows], Rows], size: int, steps: int, rate: float = 0.05) -> Rows:
    weights = np.zeros(size, np.float32)
    mean, square = np.zeros(size, np.float32), np.zeros(size, np.float32)
    for step in range(1, steps + 1):
        down = slope(weights)
        mean = 0.9 * mean + 0.1 * down
        square = 0.999 * square + 0.001 * down * down
        weights = weights - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return weights.astype(np.float32)


def _sound_groups(puns: Sequence[Gold]) -> list[tuple[Gold, Rows, Flags, list[str]]]:
    groups = []
    repeats = Counter((pun.seen.word, pun.targets) for pun in puns)
    for pun in puns:
        found, rows = sound_features(pun.seen)
        names = [near.word for near, _, _ in found]
        wanted = set(pun.targets)
        flags = np.array([bool(wanted.intersection((name, *lemmas(name, pun.seen.lang)))) for name in names], bool)
        weight = (2.0 if pun.senses else 1.0) / np.sqrt(repeats[pun.seen.word, pun.targets])
        groups.append((Gold(pun.seen, pun.kind, pun.senses, pun.targets, float(weight)), rows, flags, names))
    return groups


def _sound_figures(groups: list[tuple[Gold, Rows, Flags, list[str]]], lang: str, tops: tuple[int, int]) -> Rows:
    hits = np.zeros(2)
    for fold in range(5):
        learn = [(rows, flags, pun.weight) for pun, rows, flags, _ in groups if pun.fold != fold and len(rows)]
        weights = fit_ranker(learn)
        for pun, rows, flags, names in groups:
            if pun.fold == fold and len(rows):
                order = np.argsort(-(rows @ weights), kind="stable")
                first: dict[str, bool] = {}
                for number in order.tolist():
                    name = names[number] if lang == "pt" else (lemmas(names[number], lang) or (names[number],))[0]
                    first.setdefault(name, bool(flags[number]) if lang == "pt" else name in pun.targets)
                    if len(first) == tops[1]:
                        break
                told = list(first.values())
                hits += (any(told[: tops[0]]), any(told))
    shown = ", ".join(f"top {top} {hit / len(groups):.3f}" for top, hit in zip(tops, hits, strict=True))
    sys.stderr.write(f"sound-{lang}: {len(groups)} puns, {shown}\n")
    return fit_ranker([(rows, flags, pun.weight) for pun, rows, flags, _ in groups if len(rows)])


def _fit_senses(puns: Sequence[Gold]) -> Rows:
    """Weights that put pairs first that are right at least coarsely; the figures are of both, exactly and coarsely."""
    groups = []
    for pun in puns:
        read = read_senses(pun.seen)
        golds = [[sense for key in sorted(keys) for sense in _sense_of(key)] for keys in pun.senses]
        near = [np.array([any(alike_coarsely(sense, gold) for gold in own) for sense in read.senses]) for own in golds]
        same = [np.array([sense.key in keys for sense in read.senses]) for keys in pun.senses]
        if len(read.first):
            groups.append((pun, read, _both(same, read), _both(near, read)))
    right = np.zeros(2)
    for fold in range(5):
        weights = fit_ranker([(read.rows, near, 1.0) for pun, read, _, near in groups if pun.fold != fold], 3e-3)
        for pun, read, same_pair, near_pair in groups:
            if pun.fold == fold:
                best = int(read.order(read.rows @ weights)[0])
                right += (same_pair[best], near_pair[best])
    exactly, coarsely = right / len(puns)
    sys.stderr.write(f"senses-en: {len(puns)} puns, both senses exactly {exactly:.3f}, coarsely {coarsely:.3f}\n")
    return fit_ranker([(read.rows, near, 1.0) for _, read, _, near in groups], 3e-3)


def _sense_of(key: str) -> list[Sense]:
    return [sense for sense in wordnet("en").senses(key.split("%")[0].replace("_", " ")) if sense.key == key]


def _both(flags: Sequence[Flags], read: SenseReading) -> Flags:
    """Which pairs have one sense in each of two sets."""
    (one, other), i, j = flags, read.first, read.second
    found: Flags = (one[i] & other[j]) | (one[j] & other[i])
    return found


def _fit_kind(puns: Sequence[Gold], lang: str) -> Rows:
    known = [columns(pun.seen, read_sounds(pun.seen), read_senses(pun.seen)) for pun in puns]
    rows = np.array(known, np.float32)
    wanted = np.array([pun.kind == "heterographic" for pun in puns])
    folds = np.array([pun.fold for pun in puns])
    right = 0
    for fold in range(5):
        weights = fit_logistic(rows[folds != fold], wanted[folds != fold])
        right += int(((rows[folds == fold] @ weights >= 0) == wanted[folds == fold]).sum())
    sys.stderr.write(f"kind-{lang}: {len(puns)} puns, right {right / len(puns):.3f}\n")
    return fit_logistic(rows, wanted)


def save_weights(found: Mapping[str, Mapping[str, float | str]]) -> None:
    """Write weights over the ones of the same names, and forget what was read before."""
    from rimshot.wordplay import explain_weights

    kept = json.loads(PATH.read_text(encoding="utf-8")) if PATH.exists() else {}
    PATH.write_text(json.dumps({**kept, **found}, indent=1) + "\n", encoding="utf-8")
    explain_weights._all.cache_clear()
    explain_weights.forest.cache_clear()
    explain_weights.weights.cache_clear()


def main() -> None:
    """Fit the models and write the weights beside this module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with en/train and pt/train")
    parser.add_argument("--only", default="en,pt", help="languages to fit (default: both)")
    parser.add_argument("--parts", default="sound,senses,kind", help="models to fit (default: all, in this order)")
    args = parser.parse_args()
    for lang in args.only.split(","):
        path = args.data / lang / "train" / "texts.jsonl"
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        puns = list(gold_puns([record for record in records if record["humorous"]], lang))
        for part in args.parts.split(","):
            if part != "senses" or lang == "en":
                save_weights(_fitted(part, puns, lang))


def _fitted(part: str, puns: Sequence[Gold], lang: str) -> dict[str, dict[str, float]]:
    if part == "sound":
        heard = [
            pun for pun in puns if pun.kind == "heterographic" and pun.targets and (lang == "pt" or pun.seen.size == 1)
        ]
        weights = _sound_figures(_sound_groups(heard), lang, (5, 10) if lang == "pt" else (1, 3))
        return {f"sound-{lang}": _named(FEATURES, weights)}
    if part == "senses":
        meant = [pun for pun in puns if pun.kind == "homographic" and len(pun.senses) == 2]
        return {"senses-en": _named((*SENSE_FEATURES, *PAIR_FEATURES), _fit_senses(meant))}
    known = [pun for pun in puns if pun.kind and pun.seen.meaning is not None]
    return {f"kind-{lang}": _named(kind.FEATURES, _fit_kind(known, lang))}


def _named(names: Sequence[str], weights: Rows) -> dict[str, float]:
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


if __name__ == "__main__":
    main()
