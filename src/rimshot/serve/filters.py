"""The filters beside a list, with their counts, and those that are chosen above it."""

from __future__ import annotations

from collections.abc import Mapping

from rimshot.serve.frame import Frame
from rimshot.serve.html import Markup, el
from rimshot.serve.languages import ANY
from rimshot.serve.state import Look
from rimshot.serve.words import LANGUAGE_NAMES

__all__ = ["chosen", "facets", "spoken", "value_name"]

_FACETS = ("lang", "kind", "pattern", "level", "told")


def value_name(value: str, look: Look) -> str:
    """Give what people call a value of a trait."""
    return LANGUAGE_NAMES.get(value) or look.words.get(value, value)


def chosen(frame: Frame) -> Markup | None:
    """Give the filters that are set, each of which can be taken away."""
    look, state = frame.look, frame.state
    if not state.chosen:
        return None
    chips = [
        el(
            "a",
            value_name(value, look),
            el("span", " ×", aria_hidden="true"),
            el("span", look.words["remove"], class_="unseen"),
            href=state.without(name).link(),
            class_="chip on",
        )
        for name, value in state.chosen
    ]
    return el("p", chips, class_="chosen")


def spoken(frame: Frame, lang: str | None) -> Markup | None:
    """Say that hits were kept to the language of the topic, with the switch that lets the others in."""
    look, state = frame.look, frame.state
    if lang is None or state.lang is not None or state.everywhere:
        return None
    switch = el("a", look.words["any_language"], href=state.filtered("lang", ANY).link(), class_="chip")
    return el("p", el("span", look.say("spoken", lang=look.words[f"in_{lang}"])), " ", switch, class_="spoken soft")


def facets(frame: Frame, counted: Mapping[str, Mapping[str, int]]) -> Markup | None:
    """Give the filters with their counts; one that could not tell anything apart is left out."""
    look, state = frame.look, frame.state
    wanted = dict(state.wanted)
    groups = []
    for name in _FACETS:
        values = counted.get(name, {})
        if len(values) < 2 and name not in wanted:
            continue
        rows = []
        for value, count in values.items():
            on = wanted.get(name) == value
            target = state.without(name) if on else state.filtered(name, value)
            label = [el("span", value_name(value, look)), el("span", look.number(count), class_="count")]
            rows.append(el("li", el("a", label, href=target.link(), aria_current="true" if on else None)))
        groups.append(el("div", el("h3", look.words[f"facet_{name}"]), el("ul", rows)))
    if not groups:
        return None
    title = el("h2", look.words["page_filters"])
    return el(
        "aside",
        el("details", el("summary", title), el("div", groups, class_="groups")),
        class_="facets",
        aria_label=look.words["page_filters"],
    )
