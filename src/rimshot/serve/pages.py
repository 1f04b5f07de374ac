"""The pages: start, results, one joke, "has this been told?", and what is said when something is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rimshot import __version__
from rimshot.serve.cards import card
from rimshot.serve.html import Markup, Node, el, href, join
from rimshot.serve.state import FORMATS, PAGE, Look, State
from rimshot.serve.words import LANGUAGE_NAMES

__all__ = ["Frame", "fault_page", "home_page", "joke_page", "results_page", "told_page"]

_FACETS = ("lang", "kind", "pattern", "level", "told")


class Frame:
    """What surrounds every page."""

    def __init__(self, look: Look, state: State, facts: Mapping[str, Any], assets: Mapping[str, str]) -> None:
        self.look, self.state, self.facts, self.assets = look, state, facts, assets

    def page(self, title: str, *content: Node, class_: str) -> str:
        """Give the whole document."""
        look = self.look
        head = el(
            "head",
            el("meta", charset="utf-8"),
            el("title", title),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("meta", name="color-scheme", content="light dark"),
            el("meta", name="description", content=look.words["tagline"]),
            el("link", rel="icon", type="image/svg+xml", href=self.assets["rimshot.svg"]),
            el("link", rel="stylesheet", href=self.assets["rimshot.css"]),
            el("script", src=self.assets["rimshot.js"], defer=True),
        )
        body = el(
            "body",
            el("a", look.words["skip"], href="#main", class_="skip"),
            self._header(search=class_ != "home"),
            el("main", *content, id="main", tabindex="-1", class_=class_),
            self._footer(),
            el("div", id="said", role="status", class_="unseen"),
        )
        return "<!doctype html>" + el("html", head, body, lang=look.ui, data_theme=look.theme)

    def _header(self, *, search: bool) -> Markup:
        return el("header", self.brand(), self.form() if search else None, self._switches(), class_="top")

    def brand(self) -> Markup:
        """Give the name with its sign."""
        sign = el(
            "svg",
            el("path", d="M3 13h18v5a9 3.2 0 0 1-18 0z", class_="shell"),
            el("path", d="M3 13a9 3.2 0 0 0 18 0 9 3.2 0 0 0-18 0", class_="skin"),
            el("path", d="M13 13 22 3M9.500 12.500 4 4", class_="stick"),
            viewBox="0 0 25 25",
            width=28,
            height=28,
            aria_hidden="true",
        )
        return el("a", sign, el("span", "Rimshot"), href="/", class_="brand")

    def _switches(self) -> Markup:
        look = self.look
        other = "pt" if look.ui == "en" else "en"
        theme = "light" if look.theme == "dark" else "dark"
        return el(
            "nav",
            el("a", look.words["random"], href="/random", class_="quiet"),
            el("a", look.words["told_nav"], href="/told", class_="quiet") if self.facts["same"] else None,
            el(
                "a",
                look.words["ui_other"],
                href=_with(look.here, "ui", other),
                lang=other,
                hreflang=other,
                class_="quiet",
            ),
            el(
                "a",
                "◐",
                href=_with(look.here, "theme", theme),
                class_="quiet theme",
                aria_label=look.words[f"theme_{theme}"],
                title=look.words[f"theme_{theme}"],
                data_light=look.words["theme_light"],
                data_dark=look.words["theme_dark"],
            ),
            class_="switches",
            aria_label="Rimshot",
        )

    def _footer(self) -> Markup:
        look = self.look
        count = look.say("footer", n=look.number(self.facts["documents"]), version=__version__)
        return el(
            "footer",
            el("span", count),
            el("span", look.words["keys"], class_="keys"),
            el("a", look.words["api"], href="/api/v1/openapi.json"),
            class_="bottom",
        )

    def form(self, *, large: bool = False) -> Markup:
        """Give the search form: the box, the slider, and what is already chosen."""
        look, state = self.look, self.state
        hidden = [el("input", type="hidden", name=name, value=value) for name, value in state.wanted]
        if state.preset is not None:
            hidden.append(el("input", type="hidden", name="preset", value=state.preset))
        box = el(
            "div",
            el("label", look.words["search_label"], for_="q", class_="unseen"),
            el(
                "input",
                id="q",
                name="q",
                type="search",
                value=state.q,
                placeholder=look.words["placeholder"],
                autocomplete="off",
                autocapitalize="none",
                spellcheck="false",
                maxlength=500,
                required=True,
                enterkeyhint="search",
            ),
            el("button", look.words["search"], type="submit"),
            class_="box",
        )
        slider = None
        if self.facts["humour"] and not large:
            slider = el(
                "div",
                el("label", look.words["slider"], for_="mix", class_="unseen"),
                el("span", look.words["on_topic"], aria_hidden="true"),
                el("input", id="mix", name="mix", type="range", min=0, max=100, step=10, value=state.mix),
                el("span", look.words["funny"], aria_hidden="true"),
                class_="slider",
            )
        return el(
            "form",
            hidden,
            box,
            slider,
            action="/",
            method="get",
            role="search",
            class_="search large" if large else "search",
        )


def _with(here: str, name: str, value: str) -> str:
    return f"{here}{'&' if '?' in here else '?'}{name}={value}"


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
            el("a", look.words["another"], href="/random", class_="quiet"),
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


def results_page(frame: Frame, answer: Mapping[str, Any]) -> str:
    """Give the list of what a search found."""
    look, state = frame.look, frame.state
    title = look.say("title_results", q=state.q)
    if not answer["total"]:
        return frame.page(title, _nothing(frame, answer), class_="results")
    hits = answer["hits"]
    cards = [el("li", card(hit, hit["rank"], look)) for hit in hits]
    heading = el(
        "div",
        el("h1", look.say("results", q=state.q)),
        el("span", look.say("found", n=look.number(answer["total"])), class_="soft"),
        _list_actions(frame),
        class_="heading",
    )
    return frame.page(
        title,
        facets(frame, answer.get("facets", {})),
        el(
            "section",
            heading,
            _chosen(frame),
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
        el("a", name.upper(), href=href("/export", [*state.pairs(), ("format", name)]), download=True)
        for name in FORMATS
    ]
    return el(
        "div",
        el("a", look.words["surprise"], href=href("/random", [("q", state.q)]), class_="quiet"),
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


def value_name(name: str, value: str, look: Look) -> str:
    """Give what people call a value of a trait."""
    return LANGUAGE_NAMES[value] if name == "lang" else look.words.get(value, value)


def _chosen(frame: Frame) -> Markup | None:
    look, state = frame.look, frame.state
    if not state.wanted:
        return None
    chips = [
        el(
            "a",
            value_name(name, value, look),
            el("span", " ×", aria_hidden="true"),
            el("span", look.words["remove"], class_="unseen"),
            href=state.without(name).link(),
            class_="chip on",
        )
        for name, value in state.wanted
    ]
    return el("p", chips, class_="chosen")


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
            label = [el("span", value_name(name, value, look)), el("span", look.number(count), class_="count")]
            rows.append(el("li", el("a", label, href=target.link(), aria_current="true" if on else None)))
        groups.append(el("div", el("h3", look.words[f"facet_{name}"]), el("ul", rows)))
    if not groups:
        return None
    title = el("h2", look.words["page_filters"])
    return el(
        "aside",
        el("details", el("summary", title), groups),
        class_="facets",
        aria_label=look.words["page_filters"],
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


def _nothing(frame: Frame, answer: Mapping[str, Any]) -> Markup:
    look, state = frame.look, frame.state
    advice: list[Node] = []
    if state.wanted:
        advice.append(el("a", look.words["none_filters"], href=State(q=state.q, mix=state.mix).link()))
    if len(state.q.split()) > 1:
        singles = [
            el("a", word, href=href("/", [("q", word)]))
            for word in dict.fromkeys(state.q.split()[:6])
            if ":" not in word
        ]
        advice.append(join(look.words["none_one"], ": ", [[one, " "] for one in singles]))
    advice += [
        look.words["none_general"],
        look.words["none_language"],
        el("a", look.words["none_random"], href="/random"),
    ]
    return el(
        "section",
        el("h1", look.say("none", q=state.q)),
        _chosen(frame),
        el("h2", look.words["none_try"]),
        el("ul", [el("li", row) for row in advice]),
        _hidden(frame, answer),
        class_="nothing",
    )


def joke_page(frame: Frame, joke: Mapping[str, Any]) -> str:
    """Give the page of one joke, with everything opened."""
    look, state = frame.look, frame.state
    again = href("/random", [("q", state.q)] if state.q else [])
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


def fault_page(frame: Frame, message: str) -> str:
    """Say what went wrong, in the words of the command line."""
    look = frame.look
    return frame.page(
        f"{look.words['error_title']} · Rimshot",
        el(
            "section",
            el("h1", look.words["error_title"]),
            el("p", message, class_="message"),
            el("p", el("a", look.words["home"], href="/", class_="button")),
            class_="nothing",
        ),
        class_="single",
    )
