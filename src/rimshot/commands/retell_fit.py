"""``rimshot retell fit``: the weights of the similarity, from a judged collection."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rimshot.errors import InputError

if TYPE_CHECKING:
    from rimshot.index import Index
    from rimshot.retell.fit import Judged, Rows, Whole
    from rimshot.retell.judged import Family
    from rimshot.retell.similarity import Similarity

__all__ = ["fit"]

Tell = Callable[[int], None]
STEPS = 9
"""How many times progress is told of."""


def fit(
    index: Index, families: Sequence[Family], negatives: Sequence[tuple[str, str]], out: Path, tell: Tell
) -> dict[str, Any]:
    """Fit on everything, write the weights, and give figures: each by weights that have not seen the family, and by the final ones."""
    from rimshot.commands.retell_told import whole_told
    from rimshot.extra import library
    from rimshot.retell.fit import FOLDS, fit_similarity, judged_rows, weights_dict

    library("lightgbm")  # What is missing is said before minutes of work.
    if not (index.has_column("meaning") and index.has_column("punch")):
        raise InputError("the index has no vectors; build it with a model, then fit")
    judged, whole = _judged(index, families, negatives), whole_told()
    tell(1)
    rows = judged_rows(judged)
    tell(2)
    final = fit_similarity(rows, judged, whole)
    folded = [fit_similarity(rows, judged, whole, fold) for fold in range(FOLDS)]
    tell(3)
    unseen = {**_pairs(rows, judged, folded), **_rankings(judged, families, rows, folded)}
    seen = {**_pairs(rows, judged, [final]), **_rankings(judged, families, rows, [final])}
    unseen |= _short(whole, folded)
    seen |= _short(whole, [final])
    unseen |= _families(index, judged, families, folded, lambda at: tell(3 + at))
    seen |= _families(index, judged, families, [final], lambda at: None)
    tell(STEPS)
    figures = {"cross_validated": unseen, "in_sample": seen}
    content = weights_dict(
        final, fitted_on=[f"{len(families)} judged families, {len(negatives)} judged negatives"], **figures
    )
    try:
        out.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{out}: the weights cannot be written there ({fault.strerror})") from None
    return figures


def _judged(index: Index, families: Sequence[Family], negatives: Sequence[tuple[str, str]]) -> Judged:
    from rimshot.commands.retell_told import near
    from rimshot.index.families import material
    from rimshot.retell.fit import Judged
    from rimshot.retell.similarity import shipped_similarity

    similarity = shipped_similarity()
    groups = [[index.number(doc) for doc in family.ids] for family in families]
    pairs = [(index.number(a), index.number(b)) for a, b in negatives]
    numbers = sorted({n for group in groups for n in group} | {n for pair in pairs for n in pair})
    return Judged(material(index), groups, pairs, {n: near(index, n, similarity) for n in numbers})


def _pairs(rows: Rows, judged: Judged, folded: Sequence[Similarity]) -> dict[str, float]:
    """Accuracy over judged pairs, by the two texts alone and in their collection."""
    import numpy as np

    from rimshot.retell.fit import pair_features
    from rimshot.retell.similarity import columns

    alone, inside = np.zeros(len(rows.pairs)), np.zeros(len(rows.pairs))
    for at, similarity in enumerate(folded):
        here = rows.judged & ((rows.folds[:, 0] == at) if len(folded) > 1 else True)
        alone[here] = similarity.models["full"].logit(rows.features[here][:, columns("full")])
        inside[here] = similarity.pair.logit(pair_features(rows, judged, similarity)[here])
    figures: dict[str, float] = {}
    for name, logits in (("two texts alone", alone), ("in the collection", inside)):
        right = (logits >= 0) == rows.same
        for kind, chosen in (
            ("", rows.judged),
            (", retellings", rows.judged & rows.same),
            (", look-alikes", rows.judged & ~rows.same),
        ):
            figures[f"pair accuracy, {name}{kind}"] = round(float(right[chosen].mean()), 4) if chosen.any() else 0.0
    return figures


def _fold_of(judged: Judged) -> dict[int, int]:
    from rimshot.retell.fit import fold_of_texts

    return fold_of_texts(judged.families, judged.negatives)


def _rankings(judged: Judged, families: Sequence[Family], rows: Rows, folded: Sequence[Similarity]) -> dict[str, float]:
    import numpy as np

    from rimshot.retell.judged import judge_rankings, signal_means

    number = {
        doc: n
        for family, group in zip(families, judged.families, strict=True)
        for doc, n in zip(family.ids, group, strict=True)
    }
    name = {n: doc for doc, n in number.items()}
    fold = _fold_of(judged)

    def rank(doc: str) -> list[str]:
        query = number[doc]
        similarity = folded[fold[query] if len(folded) > 1 else 0]
        near = judged.near[query]
        order = near.judged(similarity).order
        return [name.get(int(n), f"#{n}") for n in near.docs[np.argsort(-order, kind="stable")]]

    found = judge_rankings(families, rank)
    figures = {
        "MAP": float(np.mean([row.average_precision for row in found])),
        "recall at 10": float(np.mean([row.recall_10 for row in found])),
    }
    signals = signal_means(found)
    if len(signals) > 1:
        figures |= {f"MAP, signal {signal}": value for signal, value in signals.items()}
    return {key: round(value, 4) for key, value in figures.items()}


def _short(whole: Whole, folded: Sequence[Similarity]) -> dict[str, float]:
    """How well the tellings of the short jokes are ranked, by language, those of which others are on the same word apart."""
    import numpy as np

    from rimshot.retell.judged import Family, judge_rankings

    found: dict[str, list[Any]] = {}
    for at, (group, lang) in enumerate(zip(whole.families, whole.langs, strict=True)):
        similarity = folded[whole.fold(at) if len(folded) > 1 else 0]

        def rank(doc: str, similarity: Similarity = similarity) -> list[str]:
            near = whole.near[int(doc)]
            order = near.judged(similarity).order
            return [str(n) for n in near.docs[np.argsort(-order, kind="stable")].tolist()]

        name = f"{'jokes on one word' if whole.has_kin(at) else 'short jokes'}, {lang}"
        found.setdefault(name, []).extend(judge_rankings([Family(str(at), tuple(map(str, group)))], rank))
    figures: dict[str, float] = {}
    for name, rows in sorted(found.items()):
        figures[f"MAP, {name}"] = round(float(np.mean([row.average_precision for row in rows])), 4)
        figures[f"recall at 10, {name}"] = round(float(np.mean([row.recall_10 for row in rows])), 4)
    return figures


def _families(
    index: Index, judged: Judged, families: Sequence[Family], folded: Sequence[Similarity], tell: Tell
) -> dict[str, float]:
    """B-cubed figures: the whole collection is grouped by each model, and its own fold's families are looked at."""
    import numpy as np

    from rimshot.retell.families import find_families
    from rimshot.retell.judged import bcubed

    fold = _fold_of(judged)
    parts, sizes = [], []
    for at, similarity in enumerate(folded):
        own = [
            f for f, group in zip(families, judged.families, strict=True) if len(folded) == 1 or fold[group[0]] == at
        ]
        if own:
            column = find_families(index.numbers().tolist(), judged.material, similarity).family
            parts.append(bcubed(own, {doc: int(column[index.number(doc)]) for f in own for doc in f.ids}))
            sizes.append(sum(len(f.ids) for f in own))
        tell(at + 1)
    precision, recall = (float(np.average([part[side] for part in parts], weights=sizes)) for side in (0, 1))
    f1 = 2 * precision * recall / max(precision + recall, 1e-12)
    return {"B-cubed precision": round(precision, 4), "B-cubed recall": round(recall, 4), "B-cubed F1": round(f1, 4)}
