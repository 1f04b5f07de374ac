"""What surrounds every page: the head, the name, the search form, the switches, the foot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rimshot import __version__
from rimshot.serve.html import Markup, Node, el, href
from rimshot.serve.state import Look, State

__all__ = ["Frame"]


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
            el("a", look.words["random"], href=self.chance(), class_="quiet"),
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

    def chance(self, q: str = "") -> str:
        """Give the address of a joke by chance: about a topic if there is one, else in the language of the page."""
        state, ui = self.state, self.look.ui
        wish = [pair for pair in state.chosen if pair[0] == "lang"]
        if q:
            return href("/random", [("q", q), *wish])
        return href("/random", wish or [("lang", ui)] if ui in self.facts["languages"] else wish)

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
        hidden = [el("input", type="hidden", name=name, value=value) for name, value in state.chosen]
        if state.preset is not None:
            hidden.append(el("input", type="hidden", name="preset", value=state.preset))
        if state.warned:
            hidden.append(el("input", type="hidden", name="warned", value="true"))
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
