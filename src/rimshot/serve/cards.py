"""A joke on the page: its text with the pun marked, the senses, the bars, the other versions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rimshot.lexicon.portuguese_glosses import gloss_language
from rimshot.serve.html import Markup, el, href, join
from rimshot.serve.state import Look
from rimshot.serve.words import LANGUAGE_NAMES

__all__ = ["Side", "bar", "card", "marked", "sides"]

_BAR = 56


@dataclass(frozen=True)
class Side:
    """One of the two readings of a pun: the word, what it means, and the words of the text that call for it."""

    word: str
    gloss: str = ""
    support: Sequence[str] = ()


def sides(pun: Mapping[str, Any]) -> list[Side]:
    """Give the two readings that an explanation proposes first, or none when it has no second one."""
    word = str(pun.get("word") or "")
    if pun.get("kind") == "heterographic":
        heard = next((str(sound["form"]) for sound in pun.get("sounds") or ()), None) or next(
            map(str, pun.get("alternatives") or ()), None
        )
        return [Side(word), Side(heard)] if heard else []
    glosses, support = pun.get("glosses") or [], pun.get("support") or []
    if not glosses:
        return []
    words = support[0] if support else ((), ())
    return [Side(word, str(gloss), tuple(named)) for gloss, named in zip(glosses[0], words, strict=False)]


def marked(text: str, pun: Mapping[str, Any] | None, anchor: str | None) -> Markup:
    """Give a text with the pun word in a mark, which leads to its senses if there is an anchor."""
    start, end = (int(pun.get("start", -1)), int(pun.get("end", -1))) if pun else (-1, -1)
    if not 0 <= start < end <= len(text):
        return join(text)
    mark = el("mark", text[start:end])
    return join(text[:start], el("a", mark, class_="pun", href=f"#{anchor}") if anchor else mark, text[end:])


def bar(label: str, value: float, kind: str) -> Markup:
    """Give a small bar with its label and its value in per cent."""
    share = max(0.0, min(1.0, value))
    drawing = el(
        "svg",
        el("rect", width=_BAR, height=6, rx=3, class_="track"),
        el("rect", width=round(_BAR * share, 1), height=6, rx=3, class_="fill"),
        class_="bar",
        viewBox=f"0 0 {_BAR} 6",
        width=_BAR,
        height=6,
        aria_hidden="true",
    )
    return el(
        "span",
        el("span", label, class_="name"),
        drawing,
        el("span", f"{100 * share:.0f}%", class_="value"),
        class_=f"meter {kind}",
    )


def _side(side: Side, look: Look) -> Markup:
    support = None
    if side.support:
        support = el("span", look.words["supported"], " ", el("i", ", ".join(side.support)), class_="support")
    return el(
        "li", el("b", side.word), " ", el("span", side.gloss, class_="gloss", lang=gloss_language(side.gloss)), support
    )


def _senses(pun: Mapping[str, Any], anchor: str, look: Look, *, opened: bool) -> Markup:
    found = sides(pun)
    alike = pun.get("kind") == "heterographic"
    # Some glosses of Portuguese words are those of the English wordnet; a Portuguese joke has its sentence beside them.
    sentence = pun.get("sentence") if alike or not found or pun.get("lang") != "en" else None
    if alike and found:
        shown = el(
            "p", el("b", found[0].word), el("span", " ≈ ", class_="soft"), el("b", found[1].word), class_="alike"
        )
    else:
        shown = el("ul", [_side(side, look) for side in found], class_="sides")
    kind = str(pun.get("kind") or "")
    return el(
        "details",
        el(
            "summary",
            look.say("senses", word=str(pun.get("word") or "")),
            el("span", look.words[kind], class_="tag") if kind in look.words else None,
        ),
        el(
            "div",
            shown if found else None,
            el("p", str(sentence), class_="sentence", lang=pun.get("lang")) if sentence else None,
            id=anchor,
        ),
        class_="senses",
        open=opened,
    )


def _versions(versions: Sequence[Mapping[str, Any]], look: Look) -> Markup | None:
    if not versions:
        return None
    title = look.words["version"] if len(versions) == 1 else look.say("versions", n=len(versions))
    rows = [el("li", el("a", row["text"], href=joke_link(row["docid"]), lang=row["lang"])) for row in versions]
    return el("details", el("summary", title), el("ul", rows), class_="versions")


def joke_link(docid: object) -> str:
    """Give the address of one joke."""
    return href("/joke", [("id", str(docid))])


def _part(name: str, look: Look) -> str:
    return look.words.get(f"part_{name}", name.replace("_", " "))


def _why(hit: Mapping[str, Any], bars: Sequence[Markup], look: Look) -> Markup:
    """Give the bars, which open to tell where the rank comes from, if the joke has one."""
    reasons = dict(hit.get("why") or {})
    if not reasons:
        return el("span", bars, class_="bars")
    matched = reasons.pop("matched", [])
    because = reasons.pop("because", [])
    rows: list[Iterable[Markup]] = []
    if because:
        rows.append([el("dt", look.words["why_because"]), el("dd", "; ".join(map(str, because)))])
    elif matched:
        rows.append([el("dt", look.words["why_matched"]), el("dd", ", ".join(map(str, matched)))])
    rows.append([el("dt", look.words["why_score"]), el("dd", f"{hit['score']:.3f}")])
    parts = [f"{_part(name, look)} {float(value):.2f}" for name, value in reasons.items()]
    if parts:
        rows.append([el("dt", look.words["why_parts"]), el("dd", " · ".join(parts))])
    opener = el(
        "summary",
        el("span", bars, el("span", look.words["why"], class_="more", title=look.words["why_long"]), class_="bars"),
    )
    return el("details", opener, el("dl", rows), class_="why")


def card(hit: Mapping[str, Any], place: int, look: Look, *, opened: bool = False, note: Markup | None = None) -> Markup:
    """Give the card of a joke; ``opened`` shows the senses at once."""
    pun = hit.get("pun") or None
    explained = pun is not None and bool(sides(pun) or pun.get("sentence"))
    anchor = f"pun-{place}" if explained else None
    bars = []
    if hit.get("topic") is not None:
        bars.append(bar(look.words["bar_topic"], float(hit["topic"]), "topic"))
    if hit.get("humour") is not None:
        bars.append(bar(look.words["bar_humour"], float(hit["humour"]), "humour"))
    foreign = hit["lang"] != look.ui
    return el(
        "article",
        el("p", marked(hit["text"], pun, anchor), class_="joke", lang=hit["lang"], id=f"joke-{place}"),
        _senses(pun, anchor, look, opened=opened) if pun is not None and anchor is not None else None,
        _versions(hit.get("versions") or (), look),
        el(
            "footer",
            note,
            _why(hit, bars, look),
            el("span", LANGUAGE_NAMES[hit["lang"]], class_="tag") if foreign else None,
            el(
                "span",
                el(
                    "button",
                    look.words["copy"],
                    type="button",
                    class_="quiet copy",
                    data_done=look.words["copied"],
                    hidden=True,
                ),
                el("a", look.words["link"], href=joke_link(hit["docid"]), class_="quiet"),
                class_="actions",
            ),
        ),
        class_="card",
        tabindex="-1",
        aria_labelledby=f"joke-{place}",
    )
