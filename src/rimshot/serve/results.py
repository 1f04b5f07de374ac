"""The page of a search: its list, or what to try when it found nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rimshot.rank.syntax import parse_query
from rimshot.serve.cards import card
from rimshot.serve.filters import chosen, facets, spoken
from rimshot.serve.frame import Frame
from rimshot.serve.html import Markup, Node, el, href, join
from rimshot.serve.languages import ANY
from rimshot.serve.state import FORMATS, PAGE, State

__all__ = ["results_page"]

_SHOWN = {"bibtex": "BibTeX", "csl": "CSL JSON"}


def results_page(frame: Frame, answer: Mapping[str, Any], meant: Sequence[str] = ()) -> str:
    """Give the list of what a search found, with the words that may have been ``meant`` where they are others."""
    look, state = frame.look, frame.state
    title = look.say("title_results", q=state.q)
    if not answer["total"]:
        return frame.page(title, _nothing(frame, answer, meant), class_="results")
    cards = [el("li", card(hit, hit["rank"], look)) for hit in answer["hits"]]
    found = look.say("found_one" if answer["total"] == 1 else "found", n=look.number(answer["total"]))
    heading = el(
        "div",
        el("h1", look.say("results" if parse_query(state.q).topic else "results_conditions", q=state.q)),
        el("span", found, class_="soft"),
        _list_actions(frame),
        class_="heading",
    )
    return frame.page(
        title,
        facets(frame, answer.get("facets", {})),
        el(
            "section",
            heading,
            chosen(frame),
            _perhaps(frame, meant),
            spoken(frame, answer["lang"]),
            el("ol", cards, class_="cards"),
            _pages(frame, answer),
            _hidden(frame, answer),
            class_="list",
        ),
        class_="results",
    )


def _list_actions(frame: Frame) -> Markup:
    look, state = frame.look, frame.state
    exports = [
        el("a", _SHOWN.get(name, name.upper()), href=href("/export", [*state.pairs(), ("format", name)]), download=True)
        for name in FORMATS
    ]
    return el(
        "div",
        el("a", look.words["surprise"], href=frame.chance(state.q), class_="quiet"),
        el(
            "a",
            look.words["share"],
            href=state.link(page=state.page),
            class_="quiet share",
            data_done=look.words["copied"],
        ),
        el(
            "details",
            el("summary", look.words["export"], class_="quiet"),
            el("div", exports, class_="menu"),
            class_="export",
        ),
        class_="actions",
    )


def _pages(frame: Frame, answer: Mapping[str, Any]) -> Markup | None:
    look, state = frame.look, frame.state
    last = -(-answer["total"] // PAGE)
    before = (
        el("a", look.words["earlier"], href=state.link(page=state.page - 1), rel="prev", class_="button")
        if state.page > 1
        else None
    )
    after = (
        el("a", look.words["more"], href=state.link(page=state.page + 1), rel="next", class_="button")
        if state.page < last
        else None
    )
    if before is None and after is None:
        return None
    return el(
        "nav",
        before,
        el("span", f"{state.page} / {last}", class_="soft"),
        after,
        class_="pages",
        aria_label=look.words["more"],
    )


def _hidden(frame: Frame, answer: Mapping[str, Any]) -> Markup | None:
    if not answer["hidden"]:
        return None
    told = frame.look.say("hidden", n=frame.look.number(answer["hidden"]))
    return el(
        "p",
        told,
        " ",
        el("a", frame.look.words["hidden_show"], href=frame.state.link(warned=True)),
        class_="hidden soft",
    )


def _topic(words: str) -> Markup:
    return el("a", words, href=href("/", [("q", words)]))


def _meant(frame: Frame, meant: Sequence[str]) -> Markup | None:
    if not meant or list(meant) == parse_query(frame.state.q).topic.split():
        return None
    return join(frame.look.words["none_meant"], ": ", _topic(" ".join(meant)))


def _perhaps(frame: Frame, meant: Sequence[str]) -> Markup | None:
    perhaps = _meant(frame, meant)
    return None if perhaps is None else el("p", perhaps, class_="perhaps")


def _nothing(frame: Frame, answer: Mapping[str, Any], meant: Sequence[str]) -> Markup:
    look, state = frame.look, frame.state
    advice: list[Node] = []
    perhaps = _meant(frame, meant)
    if perhaps is not None:
        advice.append(perhaps)
    if state.wanted:
        advice.append(el("a", look.words["none_filters"], href=State(q=state.q, mix=state.mix).link()))
    if len(meant) > 1:
        advice.append(join(look.words["none_one"], ": ", [[_topic(word), " "] for word in meant[:6]]))
    if not state.everywhere and len(frame.facts["languages"]) > 1:
        advice.append(el("a", look.words["none_everywhere"], href=state.filtered("lang", ANY).link()))
    advice += [
        look.words["none_general"],
        look.words["none_language"],
        el("a", look.words["none_random"], href=frame.chance()),
    ]
    return el(
        "section",
        el("h1", look.say("none", q=state.q)),
        chosen(frame),
        el("h2", look.words["none_try"]),
        el("ul", [el("li", row) for row in advice]),
        _hidden(frame, answer),
        class_="nothing",
    )
