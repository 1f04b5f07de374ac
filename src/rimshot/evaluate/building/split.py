"""Training and test queries with nothing shared between them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rimshot.errors import InputError
from rimshot.evaluate.qrels import Qrels

__all__ = ["Split", "split_queries"]


@dataclass(frozen=True)
class Split:
    """Query ids on both sides, the training judgments that are left, and what had to go for it.

    ``dropped`` counts training judgments of texts that are relevant, or nearly the same as a relevant one, in the test.
    """

    train: tuple[str, ...]
    test: tuple[str, ...]
    train_qrels: Qrels
    test_qrels: Qrels
    dropped: int


def split_queries(
    qrels: Qrels,
    terms: Mapping[str, frozenset[str]],
    family: Mapping[str, str],
    train: int,
    least: int = 1,
    seed: int = 0,
) -> Split:
    """Set ``train`` queries aside for training.

    Queries that share a word of their expansions go to the same side. A text whose family (itself and its
    near-duplicates) is relevant for a test query leaves the training judgments; a training query with fewer than
    ``least`` relevant texts left moves to the test.
    """
    if train >= len(qrels):
        raise InputError(f"{train} training queries of {len(qrels)} leave none for the test; ask for fewer")
    groups = _groups(list(qrels.judgments), terms)
    random.Random(seed).shuffle(groups)
    groups.sort(key=len)
    chosen: list[str] = []
    for group in groups:
        if len(chosen) + len(group) <= train:
            chosen += group
    while True:
        test = [qid for qid in qrels.judgments if qid not in set(chosen)]
        barred = {family[docid] for qid in test for docid in qrels.relevant(qid)}
        kept = {
            qid: {docid: grade for docid, grade in qrels.judgments[qid].items() if family[docid] not in barred}
            for qid in qrels.judgments
            if qid in set(chosen)
        }
        weak = [qid for qid, docs in kept.items() if sum(grade > 0 for grade in docs.values()) < least]
        if not weak:
            break
        # a moved query bars more texts, so look again
        chosen = [qid for qid in chosen if qid not in weak]
    dropped = sum(len(qrels.judgments[qid]) - len(docs) for qid, docs in kept.items())
    return Split(tuple(kept), tuple(test), Qrels(kept, "train"), qrels.only(test), dropped)


def _groups(qids: Sequence[str], terms: Mapping[str, frozenset[str]]) -> list[list[str]]:
    parent = {qid: qid for qid in qids}

    def root(qid: str) -> str:
        while parent[qid] != qid:
            qid = parent[qid]
        return qid

    holder: dict[str, str] = {}
    for qid in qids:
        for term in terms.get(qid, frozenset()):
            parent[root(qid)] = root(holder.setdefault(term, qid))
    found: dict[str, list[str]] = {}
    for qid in qids:
        found.setdefault(root(qid), []).append(qid)
    return list(found.values())
