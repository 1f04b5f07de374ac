"""Fit the small models behind an explanation on puns whose second reading is known.

    python -m rimshot.wordplay.explain_fit --data FOLDER

FOLDER has en/train/texts.jsonl and pt/train/texts.jsonl with `word`, `senses`, `alternative`, `kind`, `signs`. The
rankers are linear with a softmax over a pun's candidates (that of Portuguese sound-alikes has hidden units as well), the
kind is a logistic regression (the Portuguese one with trees beside it). Figures printed are five-fold cross-validated, puns on
one word always in one fold.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.wordnet import Sense, wordnet
from rimshot.wordplay import kind
from rimshot.wordplay.explain_columns import columns
from rimshot.wordplay.explain_forest import Forest, grow
from rimshot.wordplay.explain_learn import Flags, Rows, fit_logistic, fit_ranker
from rimshot.wordplay.explain_senses import ORDER_FEATURES
from rimshot.wordplay.explain_signs import SIGN_FEATURES, sign_features
from rimshot.wordplay.explain_text import TextView, view
from rimshot.wordplay.explain_units import Units, fit_units
from rimshot.wordplay.explain_weights import save_forest, save_units, save_weights
from rimshot.wordplay.sense_pair import SenseReading, alike_coarsely, read_senses
from rimshot.wordplay.sense_pair_features import PAIR_FEATURES, SENSE_FEATURES
from rimshot.wordplay.sound_pun import FEATURES, read_sounds, sound_features

__all__ = ["gold_puns"]

_WORKED_OUT = 0.1
"""What a pun counts whose kind nobody judged."""
_KIND_LEAF = 5
"""Fewest puns in a leaf of the trees of the kind."""
_KIND_TREES = ("pt",)
"""Languages whose kind is voted on by trees too: those where it helps in cross-validation."""


@dataclass(frozen=True, slots=True)
class Gold:
    """A pun with its word located and what is known of its second reading."""

    seen: TextView
    kind: str | None
    senses: tuple[frozenset[str], ...]
    targets: tuple[str, ...]
    weight: float = 1.0
    told: bool = True
    """Whether the kind was judged; else it was worked out from the other word."""

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
    """Give the puns of records with a known word, and the meaning of their texts."""
    from rimshot.wordplay.encoder import choose_encoder

    meant = [record["text"] for record in records if record.get("word") or record.get("signs")]
    vectors = dict(zip(meant, choose_encoder().encode(meant, lang), strict=True)) if meant else {}
    for record in records:
        for word, targets, name, senses in _readings(record, lang):
            spot = locate(record["text"], word)
            seen = view(record["text"], lang, *spot, vectors.get(record["text"])) if spot else None
            if seen is not None:
                told = lang == "pt" or bool(record.get("kind"))
                yield Gold(_one_word(seen) if lang == "pt" else seen, name, senses, targets, told=told)


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


_Groups = list[tuple[Gold, Rows, Flags, list[str]]]


def _sound_groups(puns: Sequence[Gold]) -> _Groups:
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


def _fit_sounds(groups: _Groups, lang: str) -> tuple[Rows, Units | None]:
    """The ranker of sound-alikes; in Portuguese alone hidden units find more."""
    learn = [(rows, flags, pun.weight) for pun, rows, flags, _ in groups if len(rows)]
    return fit_units(learn) if lang == "pt" else (fit_ranker(learn), None)


def _sound_figures(groups: _Groups, lang: str, tops: tuple[int, int]) -> None:
    hits = np.zeros(2)
    for fold in range(5):
        weights, bent = _fit_sounds([group for group in groups if group[0].fold != fold], lang)
        for pun, rows, flags, names in groups:
            if pun.fold == fold and len(rows):
                scores = rows @ weights + (0 if bent is None else bent.scores(rows))
                order = np.argsort(-scores, kind="stable")
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


def _fit_senses(puns: Sequence[Gold]) -> tuple[Rows, Rows]:
    """Weights that put pairs first that are right at least coarsely: for the columns of the word, and for the order.

    The figures are of the order, right exactly and coarsely.
    """
    groups = []
    for pun in puns:
        read = read_senses(pun.seen)
        golds = [[sense for key in sorted(keys) for sense in _sense_of(key)] for keys in pun.senses]
        near = [np.array([any(alike_coarsely(sense, gold) for gold in own) for sense in read.senses]) for own in golds]
        same = [np.array([sense.key in keys for sense in read.senses]) for keys in pun.senses]
        if len(read.first):
            groups.append((pun, read, read.order_rows(pun.seen), _both(same, read), _both(near, read)))
    right = np.zeros(2)
    for fold in range(5):
        weights = fit_ranker([(rows, near, 1.0) for pun, _, rows, _, near in groups if pun.fold != fold], 1e-2)
        for pun, read, rows, same_pair, near_pair in groups:
            if pun.fold == fold:
                best = int(read.order(rows @ weights)[0])
                right += (same_pair[best], near_pair[best])
    exactly, coarsely = right / len(puns)
    sys.stderr.write(f"senses-en: {len(puns)} puns, both senses exactly {exactly:.3f}, coarsely {coarsely:.3f}\n")
    columns_of_pairs = fit_ranker([(read.rows, near, 1.0) for _, read, _, _, near in groups], 3e-3)
    return columns_of_pairs, fit_ranker([(rows, near, 1.0) for _, _, rows, _, near in groups], 1e-2)


def _sense_of(key: str) -> list[Sense]:
    return [sense for sense in wordnet("en").senses(key.split("%")[0].replace("_", " ")) if sense.key == key]


def _both(flags: Sequence[Flags], read: SenseReading) -> Flags:
    """Which pairs have one sense in each of two sets."""
    (one, other), i, j = flags, read.first, read.second
    found: Flags = (one[i] & other[j]) | (one[j] & other[i])
    return found


def _fit_signs(puns: Sequence[Gold]) -> Rows:
    """Weights that put that run of words first which is the sign of a homographic pun."""
    groups = []
    for pun in puns:
        names, rows = sign_features(pun.seen)
        wanted = set(pun.targets).union(*(lemmas(target, "pt") for target in pun.targets))
        flags = np.array([bool(wanted.intersection((name, *lemmas(name, "pt")))) for name in names])
        groups.append((pun, rows, flags))
    hits = np.zeros(2)
    for fold in range(5):
        weights = fit_ranker([(rows, flags, 1.0) for pun, rows, flags in groups if pun.fold != fold], 1e-2)
        for pun, rows, flags in groups:
            if pun.fold == fold:
                order = np.argsort(-(rows @ weights), kind="stable")
                hits += (flags[order[0]], flags[order[:3]].any())
    first, three = hits / len(groups)
    sys.stderr.write(f"signs-pt: {len(groups)} homographic puns, top 1 {first:.3f}, top 3 {three:.3f}\n")
    return fit_ranker([(rows, flags, 1.0) for _, rows, flags in groups], 1e-2)


def _fit_kind(puns: Sequence[Gold], lang: str) -> tuple[Rows, Forest]:
    """Weights and trees of the kind.

    Puns whose kind was worked out count a tenth and have a column of their own, which is left out; trees do without them.
    """
    known = [columns(pun.seen, read_sounds(pun.seen), read_senses(pun.seen)) for pun in puns]
    told = np.array([pun.told for pun in puns])
    rows = np.column_stack([np.array(known, np.float32), ~told])
    wanted = np.array([pun.kind == "heterographic" for pun in puns])
    folds = np.array([pun.fold for pun in puns])
    counts = np.where(told, 1.0, _WORKED_OUT)
    right = np.zeros(2)
    for fold in range(5):
        learn, ask = folds != fold, (folds == fold) & told
        weights = fit_logistic(rows[learn], wanted[learn], counts=counts[learn])
        trees = grow(rows[learn & told, :-1], wanted[learn & told], leaf=_KIND_LEAF)
        chance = 1 / (1 + np.exp(-np.clip(rows[ask] @ weights, -30, 30)))
        votes = np.array([trees.chances(row) for row in rows[ask, :-1].tolist()])
        right += [((one >= 0.5) == wanted[ask]).sum() for one in (chance, (chance + votes) / 2)]
    alone, both = right / told.sum()
    sys.stderr.write(f"kind-{lang}: {told.sum()} puns, right {alone:.3f}, with trees {both:.3f}\n")
    trees = grow(rows[told, :-1], wanted[told], leaf=_KIND_LEAF)
    return fit_logistic(rows, wanted, counts=counts)[:-1], trees


def main() -> None:
    """Fit the models and write the weights beside this module."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with en/train and pt/train")
    parser.add_argument("--only", default="en,pt", help="languages to fit (default: both)")
    parser.add_argument(
        "--parts", default="sound,signs,senses,kind", help="models to fit (default: all, in this order)"
    )
    args = parser.parse_args()
    for lang in args.only.split(","):
        path = args.data / lang / "train" / "texts.jsonl"
        records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        puns = list(gold_puns([record for record in records if record["humorous"]], lang))
        for part in args.parts.split(","):
            if _ONLY.get(part, lang) == lang:
                save_weights(_fitted(part, puns, lang))


_ONLY = {"senses": "en", "signs": "pt"}
"""Models that one language alone has."""


def _fitted(part: str, puns: Sequence[Gold], lang: str) -> dict[str, dict[str, float]]:
    if part == "sound":
        heard = [
            pun for pun in puns if pun.kind == "heterographic" and pun.targets and (lang == "pt" or pun.seen.size == 1)
        ]
        groups = _sound_groups(heard)
        _sound_figures(groups, lang, (5, 10) if lang == "pt" else (1, 3))
        weights, bent = _fit_sounds(groups, lang)
        if bent is not None:
            save_units(f"sound-{lang}", bent)
        return {f"sound-{lang}": _named(FEATURES, weights)}
    if part == "signs":
        alike = [pun for pun in puns if pun.kind == "homographic" and pun.targets]
        return {"signs-pt": _named(SIGN_FEATURES, _fit_signs(alike))}
    if part == "senses":
        meant = [pun for pun in puns if pun.kind == "homographic" and len(pun.senses) == 2]
        names = (*SENSE_FEATURES, *PAIR_FEATURES)
        scoring, ordering = _fit_senses(meant)
        return {"senses-en": _named(names, scoring), "order-en": _named((*names, *ORDER_FEATURES), ordering)}
    known = [pun for pun in puns if pun.kind]
    share = float(np.mean([pun.kind == "heterographic" for pun in known if pun.told]))
    weights, trees = _fit_kind(known, lang)
    if lang in _KIND_TREES:
        save_forest(f"kind-{lang}", trees)
    return {
        f"kind-{lang}": _named(kind.FEATURES, weights),
        f"kinds-{lang}": {"heterographic": round(share, 4)},
    }


def _named(names: Sequence[str], weights: Rows) -> dict[str, float]:
    return {name: round(float(weight), 4) for name, weight in zip(names, weights, strict=True)}


if __name__ == "__main__":
    main()
