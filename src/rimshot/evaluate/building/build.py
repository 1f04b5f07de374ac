"""From annotated texts to queries and judgments, as the lab's papers describe it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rimshot.errors import InputError
from rimshot.evaluate.building.duplicates import NearPair, families, near_duplicates
from rimshot.evaluate.building.expansions import Related, expand, wordnet_related, write_expansions
from rimshot.evaluate.building.items import Item
from rimshot.evaluate.building.split import Split, split_queries
from rimshot.evaluate.building.words import Forms, TextWords, dictionary_forms
from rimshot.evaluate.qrels import Qrels, write_qrels

__all__ = ["Built", "Topic", "build_collection", "write_collection"]


@dataclass(frozen=True)
class Topic:
    """A query of the collection: made of a pun ``word`` or of a ``topic`` that people gave to texts."""

    qid: str
    text: str
    kind: str


@dataclass(frozen=True)
class Built:
    """A collection in memory. ``common`` are expansions that were left out because too many texts have them."""

    lang: str
    items: tuple[Item, ...]
    queries: tuple[Topic, ...]
    expansions: Mapping[str, tuple[str, ...]]
    qrels: Qrels
    topical: Qrels
    split: Split | None
    near: tuple[NearPair, ...]
    common: tuple[str, ...]
    seed: int


def build_collection(
    items: Sequence[Item],
    lang: str,
    *,
    words: bool = True,
    topics: bool = True,
    given: Sequence[tuple[str, str]] | None = None,
    expansions: Mapping[str, Sequence[str]] | None = None,
    least: int = 2,
    most: int | None = None,
    common: float = 0.02,
    train: int | float = 0.2,
    seed: int = 0,
    related: Related = wordnet_related,
    forms: Forms = dictionary_forms,
) -> Built:
    """Build a collection.

    ``words`` makes queries of pun words, ``topics`` of the topics that texts have; ``given`` (id, text) names the topic
    queries instead, and keeps their ids. A query needs ``least`` relevant texts; ``most`` keeps those with the most.
    An expansion that more than the share ``common`` of all texts have is left out. ``train`` is a number or a share.
    """
    items = list(items)
    if not any(item.humorous for item in items):
        raise InputError("no text is humorous; annotate puns with word, or label texts with humorous: 1")
    drafts: list[tuple[str, str, dict[str, int], list[str]]] = []
    dropped: set[str] = set()
    known: dict[str, tuple[str, ...]] = {}
    if words:
        known, dropped, found = _word_queries(items, lang, expansions, common, related, forms)
        drafts += [(text, "word", docs, []) for text, docs in found.items() if _funny(docs) >= least]
    if topics:
        wanted = [text for _, text in given] if given is not None else None
        drafts += [
            (text, "topic", docs, [])
            for text, docs in _topic_queries(items, wanted).items()
            if given is not None or _funny(docs) >= least
        ]
    if not drafts:
        raise InputError(f"no query has {least} relevant texts; lower --least, or annotate more texts")
    if most is not None and len(drafts) > most:
        best = sorted(drafts, key=lambda draft: (-_funny(draft[2]), draft[0]))[:most]
        drafts = [draft for draft in drafts if draft in best]
    return _assemble(items, lang, drafts, known, dropped, given, train, least, seed)


def _funny(docs: Mapping[str, int]) -> int:
    return sum(docs.values())


def _word_queries(
    items: Sequence[Item],
    lang: str,
    checked: Mapping[str, Sequence[str]] | None,
    common: float,
    related: Related,
    forms: Forms,
) -> tuple[dict[str, tuple[str, ...]], set[str], dict[str, dict[str, int]]]:
    texts = TextWords(items, lang, forms)
    sets: dict[str, dict[str, None]] = defaultdict(dict)
    for item in items:
        if item.humorous and item.word:
            query = _query_word(item, lang, forms)
            for words in expand(item, lang, related) if checked is None else ():
                sets[query].update(dict.fromkeys(words))
            sets.setdefault(query, {})
    if checked is not None:
        sets = defaultdict(dict, {query: dict.fromkeys(words) for query, words in checked.items()})
    limit = common * len(items) if checked is None else len(items)
    known, dropped, found = {}, set(), {}
    funny = {item.docid: int(item.humorous) for item in items}
    order = {docid: place for place, docid in enumerate(funny)}
    for query in sorted(sets):
        kept, docs = [], texts.having(query)
        for word in sets[query]:
            having = texts.having(word)
            if len(having) > limit:
                dropped.add(word)
            else:
                kept.append(word)
                docs = docs | having
        known[query] = tuple(kept)
        found[query] = {docid: funny[docid] for docid in sorted(docs, key=order.__getitem__)}
    return known, dropped, found


def _query_word(item: Item, lang: str, forms: Forms) -> str:
    """Give the dictionary form of a pun word; a sense key tells which of several it is."""
    assert item.word is not None
    word = item.word.casefold()
    able = list(forms(word, lang))
    keyed = [sense[0].split("%")[0].replace("_", " ") for sense in item.senses if sense and "%" in sense[0]]
    return next((lemma for lemma in keyed if lemma in able), able[-1] if len(able) == 2 else able[0])


def _topic_queries(items: Sequence[Item], wanted: Sequence[str] | None) -> dict[str, dict[str, int]]:
    names = list(wanted) if wanted is not None else sorted({topic for item in items for topic in item.topics})
    found: dict[str, dict[str, int]] = {name: {} for name in names}
    folded = {name.casefold(): name for name in names}
    for item in items:
        for topic in item.topics:
            if topic.casefold() in folded:
                found[folded[topic.casefold()]][item.docid] = int(item.humorous)
    return found


def _assemble(
    items: Sequence[Item],
    lang: str,
    drafts: Sequence[tuple[str, str, dict[str, int], list[str]]],
    known: Mapping[str, tuple[str, ...]],
    dropped: set[str],
    given: Sequence[tuple[str, str]] | None,
    train: int | float,
    least: int,
    seed: int,
) -> Built:
    ids = {text: qid for qid, text in given or ()}
    queries = [
        Topic(ids[text] if kind == "topic" and text in ids else f"qid_{number}", text, kind)
        for number, (text, kind, _, _) in enumerate(drafts, 1)
    ]
    docs = {query.qid: draft[2] for query, draft in zip(queries, drafts, strict=True)}
    official = Qrels({qid: {d: 1 for d, funny in found.items() if funny} for qid, found in docs.items()}, "qrels")
    topical = Qrels({qid: dict.fromkeys(found, 1) for qid, found in docs.items()}, "topical")
    near = tuple(near_duplicates(items))
    count = round(train * len(queries)) if isinstance(train, float) else train
    split = None
    if count:
        terms = {query.qid: frozenset({query.text.casefold(), *known.get(query.text, ())}) for query in queries}
        split = split_queries(official, terms, families(items, near), count, least, seed)
        if given is None:
            queries, official, topical, split = _renamed(queries, official, topical, split)
    used = {query.text for query in queries if query.kind == "word"}
    kept = {text: words for text, words in known.items() if text in used}
    return Built(lang, tuple(items), tuple(queries), kept, official, topical, split, near, tuple(sorted(dropped)), seed)


def _renamed(
    queries: Sequence[Topic], official: Qrels, topical: Qrels, split: Split
) -> tuple[list[Topic], Qrels, Qrels, Split]:
    """Name queries by their side, as the lab does, so that ``--exclude "qid_train_*"`` works."""
    names = {qid: f"qid_train_{number}" for number, qid in enumerate(split.train, 1)}
    names |= {qid: f"qid_test_{number}" for number, qid in enumerate(split.test, 1)}

    def named(qrels: Qrels) -> Qrels:
        return Qrels({names[qid]: docs for qid, docs in qrels.judgments.items()}, qrels.name)

    fresh = [replace(query, qid=names[query.qid]) for query in queries]
    sides = replace(
        split,
        train=tuple(names[qid] for qid in split.train),
        test=tuple(names[qid] for qid in split.test),
        train_qrels=named(split.train_qrels),
        test_qrels=named(split.test_qrels),
    )
    return fresh, named(official), named(topical), sides


def write_collection(built: Built, folder: Path, card: str, facts: Mapping[str, object]) -> None:
    """Write a collection in JOKER's formats, with its expansions, labels, facts and data card."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputError(f"{folder}: cannot be written ({fault.strerror}); choose another folder") from None
    _lines(folder / "corpus.json", [{"docid": item.docid, "text": item.text} for item in built.items])
    _lines(folder / "queries.json", [{"qid": query.qid, "query": query.text} for query in built.queries])
    write_qrels(built.qrels, folder / "qrels.json")
    write_qrels(built.topical, folder / "topical.json")
    if built.split:
        for side, qids, qrels in (
            ("train", built.split.train, built.split.train_qrels),
            ("test", built.split.test, built.split.test_qrels),
        ):
            chosen = [{"qid": query.qid, "query": query.text} for query in built.queries if query.qid in set(qids)]
            _lines(folder / f"queries_{side}.json", chosen)
            write_qrels(qrels, folder / f"qrels_{side}.json")
    write_expansions(built.expansions, folder / "expansions.json")
    labels = [{"docid": i.docid, "humorous": int(i.humorous), "source": i.source} for i in built.items]
    (folder / "labels.jsonl").write_text(
        "".join(json.dumps(label, ensure_ascii=False) + "\n" for label in labels), encoding="utf-8"
    )
    (folder / "collection.json").write_text(json.dumps(facts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    (folder / "CARD.md").write_text(card, encoding="utf-8")


def _lines(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    text = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    path.write_text(f"[\n{text}\n]\n", encoding="utf-8")
