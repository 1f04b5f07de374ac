"""Why is this hit here? In words that a person understands."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from rimshot.corpus.query import Query
from rimshot.index.reader import Index
from rimshot.rank.ranking import Hit

__all__ = ["because", "why"]

_SOME = 0.02


def why(hit: Hit, query: Query, index: Index) -> dict[str, Any]:
    """Give the words of the text that the query asked for, the reasons in words, and the parts of the score as numbers."""
    return {
        "matched": _matched(hit, frozenset(index.query_terms(query)), index),
        "because": because(hit, query, index),
        **{name: round(value, 6) for name, value in hit.parts.items()},
    }


def _matched(hit: Hit, terms: frozenset[str], index: Index) -> list[str]:
    analyser = index.analysers[hit.doc.lang]
    return [word for word in dict.fromkeys(analyser.split(hit.doc.text)) if analyser.term(word) in terms]


@lru_cache(maxsize=256)
def _kinds(text: str, lang: str) -> dict[str, str]:
    from rimshot.corpus.analyser import Analyser
    from rimshot.lexicon import related

    analyser = Analyser(lang)
    return {
        analyser.terms(name)[0]: name for name, _ in related(text, lang, limit=150) if len(analyser.terms(name)) == 1
    }


def because(hit: Hit, query: Query, index: Index) -> list[str]:
    """Give the reasons for a hit, the strongest first; empty for rankings that only count words."""
    parts = hit.parts
    reasons: list[str] = []
    if "humour" in parts:
        reasons.append(f"{parts['humour']:.0%} likely to be wordplay")
    if "topic" not in parts:
        return reasons
    reasons.append(f"{parts['topic']:.0%} likely to be about it")
    terms = frozenset(index.query_terms(query))
    matched = _matched(hit, terms, index)
    if matched:
        reasons.append("says " + ", ".join(f'"{word}"' for word in matched[:3]))
    if parts.get("kind", 0) > _SOME:
        kinds = _kinds(query.text, query.lang or hit.doc.lang)
        named = [word for word in _matched(hit, frozenset(kinds), index) if word not in matched]
        if named:
            reasons.append("names what belongs to it: " + ", ".join(f'"{word}"' for word in named[:3]))
    pun = _pun_word(hit, index)
    if pun and parts.get("sense", 0) > _SOME:
        reasons.append(f'"{pun}" can mean it')
    elif not matched and parts.get("near", 0) > 10 * _SOME:
        reasons.append("a word of it is close in meaning")
    return reasons


def _pun_word(hit: Hit, index: Index) -> str:
    if not index.has_column("pun_start"):
        return ""
    start, end = int(index.column("pun_start")[hit.number]), int(index.column("pun_end")[hit.number])
    return hit.doc.text[start:end] if start >= 0 else ""
