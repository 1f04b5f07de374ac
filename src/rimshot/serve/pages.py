"""The pages beside that of a search: start, one joke, "has this been told?", and what is said when something is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rimshot.serve.cards import card
from rimshot.serve.frame import Frame
from rimshot.serve.html import Markup, el, href
from rimshot.serve.state import Look

__all__ = ["fault_page", "home_page", "joke_page", "told_page"]


def home_page(frame: Frame, examples: Sequence[str], joke: Mapping[str, Any] | None) -> str:
    """Give the page that one starts on."""
    look = frame.look
    tries = [el("a", word, href=href("/", [("q", word)]), class_="chip") for word in examples]
    return frame.page(
        "Rimshot",
        el("h1", look.words["tagline"]),
        frame.form(large=True),
        el("p", el("span", look.words["try"], class_="soft"), " ", tries, class_="tries") if tries else None,
        syntax(look) if frame.facts["syntax"] else None,
        el(
            "section",
            card(joke, 0, look),
            el("a", look.words["another"], href=frame.chance(), class_="quiet"),
            class_="sample",
            aria_label=look.words["random"],
        )
        if joke is not None
        else None,
        _told_form(frame) if frame.facts["same"] else None,
        class_="home",
    )


def syntax(look: Look) -> Markup:
    """Give the help about what can be typed."""
    rows = [
        ("bread", "syntax_topic"),
        ("pun:bank", "syntax_pun"),
        ("sound:sail", "syntax_sound"),
        ("sense:bank/money", "syntax_sense"),
        ("music kind:heterographic", "syntax_kind"),
    ]
    listed = [
        [el("dt", el("a", el("code", typed), href=href("/", [("q", typed)]))), el("dd", look.words[name])]
        for typed, name in rows
    ]
    return el("details", el("summary", look.words["syntax_title"]), el("dl", listed), class_="syntax")


def joke_page(frame: Frame, joke: Mapping[str, Any]) -> str:
    """Give the page of one joke, with everything opened."""
    look, state = frame.look, frame.state
    again = frame.chance(state.q)
    label = look.say("surprise_about", q=state.q) if state.q else look.words["another"]
    return frame.page(
        f"{look.words['joke']} {joke['docid']} · Rimshot",
        el("h1", look.words["joke"], class_="unseen"),
        el("section", card(joke, 1, look, opened=True), el("p", el("a", label, href=again, class_="button"))),
        class_="single",
    )


def _told_form(frame: Frame) -> Markup:
    look, state = frame.look, frame.state
    return el(
        "section",
        el("h2", look.words["told_title"]),
        el(
            "form",
            el("label", look.words["told_label"], for_="text"),
            el("textarea", state.text, id="text", name="text", rows=4, maxlength=5000, required=True),
            el("button", look.words["told_button"], type="submit"),
            action="/told",
            method="get",
        ),
        class_="told",
    )


def told_page(frame: Frame, answer: Mapping[str, Any] | None) -> str:
    """Give the answer to "has this been told?"."""
    look = frame.look
    verdict: Markup | None = None
    cards: list[Markup] = []
    if answer is not None:
        near = [row for row in answer["versions"] if row["probability"] >= 0.2]
        name = "told_yes" if answer["told"] else "told_maybe" if near else "told_no"
        verdict = el("p", look.words[name], class_="verdict", role="status")
        for place, row in enumerate(near, 1):
            note = el("span", look.say("told_probability", p=f"{100 * row['probability']:.0f}%"), class_="tag strong")
            cards.append(el("li", card(row, place, look, note=note)))
    return frame.page(
        f"{look.words['told_title']} · Rimshot",
        el("h1", look.words["told_title"], class_="unseen"),
        _told_form(frame),
        verdict,
        el("ol", cards, class_="cards") if cards else None,
        class_="single",
    )


def fault_page(frame: Frame, kind: str, message: str) -> str:
    """Say what went wrong: its kind in the language of the page, and the words of the command line."""
    look = frame.look
    told = look.words.get(f"fault_{kind}", look.words["fault_error"])
    return frame.page(
        f"{look.words['error_title']} · Rimshot",
        el(
            "section",
            el("h1", look.words["error_title"]),
            el("p", told),
            el("p", message, class_="message", lang="en"),
            el("p", el("a", look.words["home"], href="/", class_="button")),
            class_="nothing",
        ),
        class_="single",
    )
