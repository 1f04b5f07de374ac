"""The rows of ``rimshot retell evaluate`` about the learned similarity, measured on an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rimshot.evaluate.table import Table
    from rimshot.index import Index
    from rimshot.retell.judged import Family
    from rimshot.retell.similarity import Similarity

__all__ = ["learned_tables"]


def learned_tables(
    index: Index, families: Sequence[Family], negatives: Sequence[tuple[str, str]], similarity: Similarity
) -> list[Table]:
    """Give the figures of the preset ``same``, of pairs, and of the families stored in the index."""
    from rimshot.commands.retell import ranking_table
    from rimshot.evaluate.table import Table
    from rimshot.rank.ranking import best
    from rimshot.rank.same import asked_document, retellings, standing
    from rimshot.retell.judged import bcubed, judge_rankings, signal_means

    def rank(doc: str) -> list[str]:
        asked = asked_document(index, index.number(doc))
        docs, found = retellings(asked, index, similarity, copies=False)
        return [index.id(n) for n in best(docs, standing(docs, found, index), len(docs))[1].tolist()]

    figures = judge_rankings(families, rank)
    tables = [ranking_table("Learned similarity: ranking (preset same)", {"learned": figures})]
    signals = signal_means(figures)
    if len(signals) > 1:
        rows = tuple((signal, (value,)) for signal, value in signals.items())
        tables.append(Table("signal", ("MAP",), rows, title="Learned similarity: by how a family was found"))
    if negatives:
        tables.append(_pairs(index, families, negatives, similarity))
    if index.has_column("family"):
        column = index.column("family")
        assigned = {doc: int(column[index.number(doc)]) for family in families for doc in family.ids}
        names = ("B-cubed precision", "recall", "F1")
        tables.append(
            Table("", names, (("learned", bcubed(families, assigned)),), title="Learned similarity: families")
        )
    return tables


def _pairs(
    index: Index, families: Sequence[Family], negatives: Sequence[tuple[str, str]], similarity: Similarity
) -> Table:
    from rimshot.evaluate.table import Table
    from rimshot.rank.same import pair_probability

    positives = [(a, b) for family in families for at, a in enumerate(family.ids) for b in family.ids[at + 1 :]]
    right = [
        [(pair_probability(index, index.number(a), index.number(b), similarity) >= 0.5) is same for a, b in pairs]
        for pairs, same in ((positives, True), (negatives, False))
    ]
    everything = right[0] + right[1]
    row = (len(everything), *(sum(some) / max(len(some), 1) for some in (everything, right[1], right[0])))
    return Table(
        "",
        ("pairs", "accuracy", "on negatives", "on positives"),
        (("learned", row),),
        digits={"pairs": 0},
        title="Learned similarity: pairs",
    )
