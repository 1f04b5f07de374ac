"""Why is this hit here? In words that a person understands."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from rimshot.corpus.query import Query
from rimshot.index.reader import Index
from rimshot.rank.ranking import Hit

__all__ = ["REASONS", "because", "why"]

_SOME = 0.02
_WORDS = 1 << 15

REASONS: dict[str, dict[str, str]] = {
    "en": {
        "humour": "{share} likely to be wordplay",
        "topic": "{share} likely to be about it",
        "says": "says {words}",
        "kind": "names what belongs to it: {words}",
        "sense": "{words} can mean it",
        "near": "a word of it is close in meaning",
    },
    "pt": {
        "humour": "{share} de probabilidade de ser jogo de palavras",
        "topic": "{share} de probabilidade de ser sobre o tema",
        "says": "diz {words}",
        "kind": "nomeia o que pertence ao tema: {words}",
        "sense": "{words} pode ter esse sentido",
        "near": "tem uma palavra de sentido próximo",
    },
}
"""The words of every reason, by the language of the reader: not that of the query, nor that of the hit."""


def why(hit: Hit, query: Query, index: Index, terms: Container[str] | None = None, *, ui: str = "en") -> dict[str, Any]:
    """Give the words of the text that the query asked for, the reasons in words, and the parts of the score as numbers.

    ``terms`` are those of the query, where the caller has them for many hits; ``ui`` is the language of the reasons.
    """
    words = _terms(hit, index)
    matched = _matched(words, index.query_terms(query) if terms is None else terms)
    return {
        "matched": matched,
        "because": _told(hit, query, index, words, matched, ui),
        **{name: round(value, 6) for name, value in hit.parts.items()},
    }


def because(hit: Hit, query: Query, index: Index, *, ui: str = "en") -> list[str]:
    """Give the reasons for a hit, the strongest first; empty for rankings that only count words."""
    words = _terms(hit, index)
    return _told(hit, query, index, words, _matched(words, index.query_terms(query)), ui)


def _terms(hit: Hit, index: Index) -> dict[str, str]:
    """Give the distinct words of a text, each with its term."""
    lang = hit.doc.lang
    analyser = index.analysers[lang]
    # Texts share most of their words, and stemming one takes ten times as long as remembering it.
    term = index.memo(("term of word", lang), lambda: lru_cache(maxsize=_WORDS)(analyser.term))
    return {word: term(word) for word in analyser.split(hit.doc.text)}


def _matched(words: Mapping[str, str], terms: Container[str]) -> list[str]:
    return [word for word, term in words.items() if term in terms]


@lru_cache(maxsize=256)
def _kinds(text: str, lang: str, to: str) -> frozenset[str]:
    from rimshot.corpus.analyser import Analyser
    from rimshot.lexicon import related

    analyser = Analyser(to)
    named = (analyser.terms(name) for name, _ in related(text, lang, limit=150, to=to))
    return frozenset(terms[0] for terms in named if len(terms) == 1)


def _told(hit: Hit, query: Query, index: Index, words: Mapping[str, str], matched: Sequence[str], ui: str) -> list[str]:
    """Put the reasons into words."""
    phrases = REASONS[ui]
    return [phrases[name].format(**given) for name, given in _reasons(hit, query, index, words, matched)]


def _reasons(
    hit: Hit, query: Query, index: Index, words: Mapping[str, str], matched: Sequence[str]
) -> Iterator[tuple[str, dict[str, str]]]:
    """Give each reason by its name in the table, with what fills its gaps."""
    parts = hit.parts
    if "humour" in parts:
        yield "humour", {"share": f"{parts['humour']:.0%}"}
    if "topic" not in parts:
        return
    yield "topic", {"share": f"{parts['topic']:.0%}"}
    if matched:
        yield "says", _quoted(matched)
    if parts.get("kind", 0) > _SOME:
        kinds = _kinds(query.text, query.lang or hit.doc.lang, hit.doc.lang)
        named = [word for word in _matched(words, kinds) if word not in matched]
        if named:
            yield "kind", _quoted(named)
    pun = _pun_word(hit, index)
    if pun and parts.get("sense", 0) > _SOME:
        yield "sense", _quoted([pun])
    elif not matched and parts.get("near", 0) > 10 * _SOME:
        yield "near", {}


def _quoted(words: Sequence[str]) -> dict[str, str]:
    return {"words": ", ".join(f'"{word}"' for word in words[:3])}


def _pun_word(hit: Hit, index: Index) -> str:
    if not index.has_column("pun_start"):
        return ""
    start, end = int(index.column("pun_start")[hit.number]), int(index.column("pun_end")[hit.number])
    return hit.doc.text[start:end] if start >= 0 else ""
