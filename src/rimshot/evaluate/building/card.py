"""The data card of a collection: what it is, how it was made, and what is wrong with it."""

from __future__ import annotations

from rimshot import __version__
from rimshot.evaluate.building.build import Built
from rimshot.evaluate.building.duplicates import NearPair, families
from rimshot.evaluate.building.statistics import describe, per_query_table, source_table
from rimshot.evaluate.building.words import TextWords

__all__ = ["crossing", "data_card", "facts"]


def crossing(built: Built) -> list[NearPair]:
    """Give near-duplicates judged relevant one in training, the other in the test; there should be none."""
    if built.split is None:
        return []
    train = {docid for qid in built.split.train for docid in built.split.train_qrels.relevant(qid)}
    test = {docid for qid in built.split.test for docid in built.split.test_qrels.relevant(qid)}
    return [
        pair
        for pair in built.near
        if (pair.one in train and pair.other in test) or (pair.one in test and pair.other in train)
    ]


def literal_share(built: Built) -> float:
    """Give the share of relevant judgments whose text contains the query itself (31% in the lab's English data)."""
    texts = TextWords(built.items, built.lang)
    hits = total = 0
    for query in built.queries:
        relevant = built.qrels.relevant(query.qid)
        total += len(relevant)
        hits += len(relevant & texts.having(query.text))
    return hits / total if total else 0.0


def facts(built: Built, name: str, licence: str) -> dict[str, object]:
    """Give the facts of a collection as plain data."""
    split = built.split
    return {
        "name": name,
        "lang": built.lang,
        "licence": licence,
        "rimshot": __version__,
        "seed": built.seed,
        "documents": len(built.items),
        "humorous": sum(item.humorous for item in built.items),
        "queries": {"all": len(built.queries), **_kinds(built)},
        "relevant_per_query": describe(built.qrels),
        "topical_per_query": describe(built.topical),
        "literal_share": round(literal_share(built), 4),
        "sources": {source: list(counts) for source, counts in source_table(built.items).rows},
        "split": None
        if split is None
        else {
            "train": len(split.train),
            "test": len(split.test),
            "training_judgments_dropped": split.dropped,
            "near_duplicates_across": len(crossing(built)),
        },
        "near_duplicates": len(built.near),
        "near_duplicate_families": len(set(families(built.items, built.near).values())),
        "common_expansions_left_out": list(built.common),
        "pun_words_not_in_their_text": _astray(built),
    }


def _kinds(built: Built) -> dict[str, int]:
    kinds = [query.kind for query in built.queries]
    return {kind: kinds.count(kind) for kind in ("word", "topic")}


def _astray(built: Built) -> int:
    return sum(item.word is not None and item.word.casefold() not in item.text.casefold() for item in built.items)


def data_card(built: Built, name: str, licence: str) -> str:
    """Give the card in Markdown."""
    split = built.split
    sets = {"official": built.qrels, "topical": built.topical}
    if split:
        sets |= {"train": split.train_qrels, "test": split.test_qrels}
    funny = sum(item.humorous for item in built.items)
    language = {"en": "English", "pt": "Portuguese"}[built.lang]
    parts = [
        f"# {name}",
        f"A test collection for humour-aware retrieval in {language}: {len(built.items):,} texts, {funny:,} of them "
        f"humorous, {len(built.queries)} queries. Built by Rimshot {__version__}, seed {built.seed}.",
        "## Formats",
        _FORMATS,
        "## How it was made",
        _METHOD.format(**_kinds(built)),
        _common_note(built),
        "## Documents by source",
        source_table(built.items).markdown().strip(),
        "## Relevant texts per query",
        per_query_table(sets).markdown().strip(),
        f"{literal_share(built):.0%} of the relevant texts contain the query itself.",
        "## Split",
        _split_note(built),
        "## Near-duplicates",
        f"{len(built.near)} pairs of texts share at least 0.6 of their pairs of neighbouring words; "
        f"{len(crossing(built))} of them stand on both sides of the split.",
        "## Known limits",
        f"{_LIMITS} {_astray(built)} annotated pun words do not stand in their text as annotated.",
        "## Licence",
        licence or "None was stated; state one before you share the collection.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


_FORMATS = (
    "`corpus.json`, `queries.json`, `qrels.json` as CLEF JOKER Task 1 has them; `topical.json` counts texts on the "
    "topic that are not humorous as well; `expansions.json` has the words of every word query, to be read and mended "
    "by people and given back with `--expansions`; `labels.jsonl` is for analysis, never for ranking."
)
_METHOD = (
    "{word} queries are dictionary forms of pun words. Their expansions are the synonyms, or hypernyms where there are "
    "none, of both meanings of the pun, without words spelt like it. A text is topically relevant when it contains the "
    "query or an expansion in any form, and relevant when it is humorous as well. {topic} queries are topics that "
    "people gave to texts; a text is topically relevant when it has the topic."
)
_LIMITS = (
    "Judgments by words are silver: a text may contain an expansion in another sense, and a joke may be on the topic "
    "without any of the words. Have assessors check them: `rimshot collection sheet`, then `rimshot collection judge`."
)


def _common_note(built: Built) -> str:
    if not built.common:
        return ""
    shown = ", ".join(built.common[:12]) + (", ..." if len(built.common) > 12 else "")
    return f"{len(built.common)} expansions were left out because too many texts have them: {shown}."


def _split_note(built: Built) -> str:
    if built.split is None:
        return "None: all queries are one set."
    return (
        f"{len(built.split.train)} training and {len(built.split.test)} test queries. Queries that share a word of "
        "their expansions are on the same side. No text that is relevant in the test, nor a near-duplicate of one, is "
        f"judged in training; {built.split.dropped} training judgments were dropped for that."
    )
