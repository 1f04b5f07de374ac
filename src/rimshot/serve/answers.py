"""What the service answers, as plain JSON values: the same for REST, the page and the MCP server."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Container, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rimshot.corpus import Doc, Query
from rimshot.errors import InputError
from rimshot.index import Index
from rimshot.rank import Hit, Ranking, Stage, preset, search
from rimshot.rank.filtered import filtered_search
from rimshot.rank.syntax import parse_query
from rimshot.rank.translate import across
from rimshot.rank.why import why
from rimshot.serve import parts
from rimshot.serve.balance import MIDDLE, balanced, topic_of
from rimshot.serve.chance import drawn, surely
from rimshot.serve.languages import kept_to, own_language
from rimshot.serve.limits import Limits
from rimshot.serve.pipelines import admit, check_parts, open_presets, timed, usual
from rimshot.serve.problems import NotFound
from rimshot.serve.shelf import Shelf
from rimshot.serve.suggestions import mended, prepare, suggest
from rimshot.serve.traits import counts, families, keep, traits, warned

__all__ = ["ABOUT", "Ask", "Desk", "Found"]

ABOUT = 0.1
"""The least probability of being about the topic that a person who reads a list puts up with."""
_REMEMBERED = 128
_POOL = 30
_SAME = 0.5


@dataclass(frozen=True, slots=True)
class Ask:
    """A search as somebody asks it: the topic, how it is ranked, what is kept, which part of the list is shown.

    ``warned`` keeps texts with a content warning; ``least`` drops hits that are less probably about the topic, where
    the ranking tells that probability; ``everywhere`` lets in hits of every language; ``ui`` is the language of the
    reasons.
    """

    q: str
    k: int = 10
    offset: int = 0
    preset: str | None = None
    pipeline: str | None = None
    mix: int = MIDDLE
    group: bool = False
    family: int | None = None
    warned: bool = False
    least: float = 0.0
    wanted: tuple[tuple[str, str], ...] = ()
    everywhere: bool = False
    ui: str = "en"


@dataclass(frozen=True, eq=False)
class Found:
    """A ranking with what is needed to show any part of it."""

    ask: Ask
    index: Index
    pipeline: Stage
    ranking: Ranking
    before: Ranking
    topic: Mapping[int, float] | None = field(repr=False)
    hidden: int = 0
    lang: str | None = None


class Desk:
    """Answers questions about the index on a shelf; may be used from several threads at once."""

    def __init__(self, shelf: Shelf, limits: Limits) -> None:
        self.shelf, self.limits = shelf, limits
        self._kept: OrderedDict[Any, Ranking] = OrderedDict()
        self._lock = threading.Lock()
        self.remembered = 0

    @staticmethod
    def warm(index: Index) -> None:
        """Do once, before anybody waits for it, what the first question would have to do."""
        if len(index):
            traits(index)
            warned(index)
            prepare(index)
            first = index.text(int(index.numbers()[0])).split()[:1]
            search(preset(usual(index)), Query("1", " ".join(first)), index)

    def find(self, ask: Ask) -> Found:
        """Rank, filter, balance and group."""
        index = self.shelf.index()
        if not ask.q.strip():
            raise InputError("the query is empty; ask for a topic, e.g. rimshot search math")
        if ask.preset is not None and ask.pipeline is not None:
            raise InputError("preset and pipeline are both given; give one of them")
        if ask.pipeline is not None:
            pipeline = admit(ask.pipeline, self.limits, index)
        else:
            pipeline = preset(ask.preset if ask.preset is not None else usual(index))
        check_parts(pipeline, index)
        own, wish = own_language(ask.q, index), dict(ask.wanted).get("lang")
        everywhere = ask.everywhere or (own is not None and wish not in (None, own))
        if everywhere:
            pipeline = across(pipeline)
        whole = self._ranked(pipeline, ask.q, index, everywhere)
        lang = wish or (None if everywhere else kept_to(whole.docs, own, index))
        if "topic" in whole.columns and ask.least:
            whole = whole.take(np.flatnonzero(whole.columns["topic"] >= ask.least))
        hidden = 0
        if not ask.warned:
            decent = ~warned(index)[whole.docs]
            hidden = int((~decent & keep(whole.docs, index, ask.wanted)).sum())
            whole = whole.take(np.flatnonzero(decent))
        topic = dict(zip(whole.docs.tolist(), topic_of(whole).tolist(), strict=True)) if whole.columns else None
        ranking = whole.take(np.flatnonzero(keep(whole.docs, index, ask.wanted)))
        if ask.family is not None:
            grouped = families(index)
            of = grouped.of[ranking.docs] if grouped is not None else np.full(len(ranking), -1)
            ranking = ranking.take(np.flatnonzero(of == ask.family))
        ranking = balanced(ranking, index, ask.mix)
        if ask.group:
            ranking = _one_each(ranking, index)
        return Found(ask, index, pipeline, ranking, whole, topic, hidden, lang)

    def _ranked(self, pipeline: Stage, text: str, index: Index, everywhere: bool) -> Ranking:
        key = (index.digest, index.manifest["generation"], repr(pipeline), text, everywhere)
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                self.remembered += 1
                return self._kept[key]
        ranking = filtered_search(timed(pipeline, self.limits.seconds), text, index, any_language=everywhere)
        ranking = ranking.take(slice(0, self.limits.k))
        with self._lock:
            self._kept[key] = ranking
            while len(self._kept) > _REMEMBERED:
                self._kept.popitem(last=False)
        return ranking

    def hits(self, found: Found, start: int, stop: int) -> list[dict[str, Any]]:
        """Give some rows of a list, with everything that is known of each."""
        part = found.ranking.take(slice(start, stop))
        terms = found.index.query_terms(part.query)
        return [self._hit(hit, found, start, terms) for hit in part.hits(found.index)]

    def _hit(self, hit: Hit, found: Found, start: int, terms: Container[str]) -> dict[str, Any]:
        index = found.index
        return {
            "rank": hit.rank + start,
            **_document(hit.number, index, hit.doc),
            "score": hit.score,
            "topic": None if found.topic is None else round(found.topic[hit.number], 6),
            "why": why(hit, found.ranking.query, index, terms, ui=found.ask.ui),
        }

    def search(self, ask: Ask, *, facets: bool = False) -> dict[str, Any]:
        """Give the answer to a search."""
        found = self.find(ask)
        answer = {
            **self.heading(found),
            "hits": self.hits(found, ask.offset, ask.offset + ask.k),
        }
        if facets:
            answer["facets"] = self.facets_of(found)
        return answer

    def heading(self, found: Found) -> dict[str, Any]:
        """Give what an answer says of the whole list."""
        return {
            "query": found.ask.q,
            "pipeline": repr(found.pipeline),
            "total": len(found.ranking),
            "hidden": found.hidden,
            "offset": found.ask.offset,
            "lang": found.lang,
            "index": found.index.digest,
        }

    def facets_of(self, found: Found) -> dict[str, dict[str, int]]:
        """Count the traits of everything that a search found."""
        return counts(found.before.docs, found.index, found.ask.wanted, grouped=found.ask.group)

    def facets(self, q: str | None, preset_name: str | None) -> dict[str, Any]:
        """Count the traits of what a query finds, or of the whole index."""
        if q is not None:
            found = self.find(Ask(q, preset=preset_name))
            return {"query": q, "total": len(found.ranking), "facets": self.facets_of(found)}
        index = self.shelf.index()
        return {"query": None, "total": len(index), "facets": counts(index.numbers(), index, ())}

    def document(self, doc_id: str) -> dict[str, Any]:
        """Give a document by its identifier, with its explanation and its other versions."""
        index = self.shelf.index()
        number = index.number(doc_id)
        if number < 0:
            raise NotFound(f'no document has the id "{doc_id}"')
        return _document(number, index)

    def families(self, k: int, offset: int) -> dict[str, Any]:
        """List the families of jokes that were told more than once, the largest first."""
        index = self.shelf.index()
        grouped = families(index)
        known = (
            sorted(grouped.members, key=lambda name: (-len(grouped.members[name]), name)) if grouped is not None else []
        )
        rows = [self._family(name, index, whole=False) for name in known[offset : offset + k]]
        return {"total": len(known), "offset": offset, "families": rows}

    def family(self, name: int) -> dict[str, Any]:
        """Give all versions of one joke."""
        return self._family(name, self.shelf.index(), whole=True)

    def _family(self, name: int, index: Index, *, whole: bool) -> dict[str, Any]:
        grouped = families(index)
        if grouped is None or name not in grouped.members:
            raise NotFound(f"no family has the number {name}")
        numbers = grouped.members[name].tolist()
        row: dict[str, Any] = {"family": name, "size": len(numbers), "first": _short(numbers[0], index)}
        if whole:
            row["versions"] = [_short(number, index) for number in numbers]
        return row

    def explain(self, text: str, lang: str | None) -> dict[str, Any]:
        """Explain a text."""
        return {"text": text, **parts.explain(text, lang)}

    def detect(self, texts: list[str], lang: str | None) -> dict[str, Any]:
        """Tell of each text how probably it is wordplay."""
        return parts.detect(texts, [lang] * len(texts))

    def same(self, text: str, k: int) -> dict[str, Any]:
        """Tell whether a joke has been told, with its versions."""
        index = self.shelf.index()
        rows = [
            {**_short(number, index), "pun": parts.explanation(number, index), "probability": round(probability, 6)}
            for number, probability in parts.same(text, index, k)
        ]
        return {"text": text, "told": any(row["probability"] >= _SAME for row in rows), "versions": rows}

    def suggestions(self, typed: str, first: str | None = None) -> dict[str, Any]:
        """Complete what somebody types, with words of one language before others if it is named."""
        return {"query": typed, "suggestions": suggest(typed, self.shelf.index(), first)}

    def mended(self, typed: str) -> list[str]:
        """Give the words that somebody may have meant to type; conditions (``kind:``) are left out."""
        index = self.shelf.index()
        return mended(parse_query(typed).topic, index) if len(index) else []

    def random(self, q: str | None, lang: str | None, *, everywhere: bool = False) -> dict[str, Any]:
        """Give a joke by chance: funny if the index knows what is funny, about a topic if one is given."""
        index = self.shelf.index()
        wanted = (("lang", lang),) if lang is not None else ()
        topic = None
        if q is not None:
            found = self.find(Ask(q, mix=75, wanted=wanted, group=True, least=ABOUT, everywhere=everywhere))
            pool = found.ranking.docs[:_POOL]
            if found.topic is not None:
                topic = np.array([found.topic[number] for number in pool.tolist()])
        else:
            pool = index.numbers()
            pool = pool[~warned(index)[pool] & keep(pool, index, wanted)]
            pool = surely(pool, index)
        if not len(pool):
            raise NotFound("no joke like that was found; try a more general word")
        return _document(drawn(pool, topic, index), index)

    def presets(self) -> dict[str, Any]:
        """Name the rankings that can be asked for."""
        return {"default": usual(self.shelf.index()), "presets": open_presets()}

    def state(self) -> dict[str, Any]:
        """Tell which index is served."""
        index = self.shelf.index()
        return {
            "documents": len(index),
            "generation": index.manifest["generation"],
            "index": index.digest,
            "traits": sorted(traits(index)),
        }


def _one_each(ranking: Ranking, index: Index) -> Ranking:
    """Keep the best hit of each family."""
    grouped = families(index)
    if grouped is None:
        return ranking
    of = grouped.of[ranking.docs]
    _, first = np.unique(of, return_index=True)
    kept = of < 0
    kept[first] = True
    return ranking.take(np.flatnonzero(kept))


def _short(number: int, index: Index, doc: Doc | None = None) -> dict[str, Any]:
    doc = doc or index.doc(number)
    return {"docid": int(doc.id) if index.integer_ids else doc.id, "text": doc.text, "lang": doc.lang}


def _document(number: int, index: Index, doc: Doc | None = None) -> dict[str, Any]:
    row = _short(number, index, doc)
    row["humour"] = round(float(index.column("humour")[number]), 6) if index.has_column("humour") else None
    row["pun"] = parts.explanation(number, index)
    grouped = families(index)
    family = -1 if grouped is None else int(grouped.of[number])
    row["family"] = None if family < 0 else family
    others = [] if grouped is None or family < 0 else grouped.members[family].tolist()
    row["versions"] = [_short(other, index) for other in others if other != number]
    return row
