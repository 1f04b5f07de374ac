"""The other capabilities as the service uses them: detecting, explaining, and telling whether a joke was told before.

One border for parts that may be absent (a model that is not installed, an index built without explanations): each
function gives plain JSON values, or raises the error that says what is missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from rimshot.corpus.language import guess_language
from rimshot.index import Index

__all__ = ["can_filter", "detect", "explain", "explanation", "same", "wake"]


_PROBABLY = 0.5


@lru_cache(maxsize=1)
def _detector() -> Any:
    from rimshot.wordplay.choose import choose_detector

    return choose_detector()


def detect(texts: Sequence[str], langs: Sequence[str | None]) -> dict[str, Any]:
    """Give for each text the probability that it is wordplay, and the word that does it."""
    each = [lang or guess_language(text) for text, lang in zip(texts, langs, strict=True)]
    scores = _detector().score(list(texts), each)
    rows = []
    for at, (text, lang) in enumerate(zip(texts, each, strict=True)):
        word = scores.word(at, text)
        rows.append(
            {
                "lang": lang,
                "humour": round(float(scores.humour[at]), 6),
                "word": word,
                "start": int(scores.start[at]) if word is not None else None,
                "end": int(scores.end[at]) if word is not None else None,
                "confidence": round(float(scores.confidence[at]), 6),
            }
        )
    return {"detector": _detector().name, "results": rows}


def explain(text: str, lang: str | None) -> dict[str, Any]:
    """Give the explanation of a text, as ``rimshot explain --json`` prints it."""
    from rimshot.wordplay.explain import explain as explained

    return explained([text], [lang or guess_language(text)], _detector())[0].record()


def wake(index: Index) -> None:
    """Load the models and word lists before somebody waits for them."""
    explain("A short text.", "en")
    if len(index):
        same("A short text.", index, 1)


def explanation(number: int, index: Index) -> Mapping[str, Any] | None:
    """Give the stored explanation of a document; in an index without any, the word of what is probably a pun."""
    if index.has_records("pun"):
        found = index.record("pun", number)
        return found if found and found.get("word") else None
    if not index.has_column("pun_start") or float(index.column("humour")[number]) < _PROBABLY:
        return None
    start, end = int(index.column("pun_start")[number]), int(index.column("pun_end")[number])
    return {"word": index.text(number)[start:end], "start": start, "end": end} if start >= 0 else None


def same(text: str, index: Index, k: int) -> list[tuple[int, float]]:
    """Give the documents that may tell the same joke as a text, with the probability that they do, best first."""
    from rimshot.corpus import Query
    from rimshot.rank import search
    from rimshot.rank.same import Same

    found = search(Same(copies=True), Query("1", text), index).take(slice(0, k))
    return list(zip(found.docs.tolist(), found.columns["probability"].tolist(), strict=True)) if len(found) else []


def can_filter(index: Index) -> bool:
    """Tell whether the query syntax (``pun:``, ``sound:`` ...) finds anything in an index."""
    return index.size > 0 and index.has_records("pun")
