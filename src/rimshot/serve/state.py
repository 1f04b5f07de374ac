"""The state of the page, which is its address: every list and every joke can be linked to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from rimshot.serve.answers import ABOUT, Ask
from rimshot.serve.balance import MIDDLE
from rimshot.serve.html import href
from rimshot.serve.languages import ANY
from rimshot.serve.limits import Limits
from rimshot.serve.parameters import Parameter, choice, flag, read, text, whole
from rimshot.serve.pipelines import open_presets
from rimshot.serve.traits import CHOICES
from rimshot.serve.words import WORDS, Words

__all__ = ["PAGE", "Look", "State", "read_state"]

PAGE = 10
_THEMES = ("light", "dark")
FORMATS = ("csv", "json", "ndjson", "txt", "bibtex", "csl")


@dataclass(frozen=True)
class Look:
    """How the page is shown: the language of its words, and the theme (None follows the reader's system)."""

    ui: str
    theme: str | None
    here: str = "/"

    @property
    def words(self) -> Words:
        """The words of the page."""
        return WORDS[self.ui]

    def say(self, name: str, **values: object) -> str:
        """Give a phrase with its values filled in."""
        return self.words[name].format(**values)

    def number(self, value: int) -> str:
        """Write a whole number as people read it in the page's language."""
        return f"{value:,}".replace(",", "\u202f" if self.ui == "pt" else ",")


@dataclass(frozen=True)
class State:
    """What is being looked at."""

    q: str = ""
    mix: int = MIDDLE
    page: int = 1
    preset: str | None = None
    wanted: tuple[tuple[str, str], ...] = ()
    text: str = ""
    docid: str = ""
    format: str = "csv"
    warned: bool = False
    everywhere: bool = False

    @property
    def lang(self) -> str | None:
        """The language that hits are wanted in."""
        return dict(self.wanted).get("lang")

    @property
    def chosen(self) -> tuple[tuple[str, str], ...]:
        """What is chosen beside the topic, as it stands in an address."""
        return (*self.wanted, ("lang", ANY)) if self.everywhere else self.wanted

    def ask(self, ui: str = "en") -> Ask:
        """Give the search that this state stands for, with reasons in the language of the page."""
        return Ask(
            self.q,
            PAGE,
            PAGE * (self.page - 1),
            preset=self.preset,
            mix=self.mix,
            group=True,
            warned=self.warned,
            least=ABOUT,
            wanted=self.wanted,
            everywhere=self.everywhere,
            ui=ui,
        )

    def pairs(self) -> list[tuple[str, str]]:
        """Give the parameters that differ from what is usual."""
        found: list[tuple[str, str]] = [("q", self.q)] if self.q else []
        found += self.chosen
        if self.mix != MIDDLE:
            found.append(("mix", str(self.mix)))
        if self.preset is not None:
            found.append(("preset", self.preset))
        if self.warned:
            found.append(("warned", "true"))
        if self.page > 1:
            found.append(("page", str(self.page)))
        return found

    def link(self, path: str = "/", **changes: Any) -> str:
        """Give the address of this state with some things changed; a changed list begins at its first page."""
        return href(path, replace(self, **{"page": 1, **changes}).pairs())

    def without(self, name: str) -> State:
        """Give this state without one filter."""
        kept = tuple(pair for pair in self.wanted if pair[0] != name)
        return replace(self, wanted=kept, everywhere=self.everywhere and name != "lang", page=1)

    def filtered(self, name: str, value: str) -> State:
        """Give this state with one filter set."""
        cleared = self.without(name)
        if value == ANY:
            return replace(cleared, everywhere=True)
        return replace(cleared, wanted=(*cleared.wanted, (name, value)))


def _parameters(limits: Limits) -> tuple[Parameter, ...]:
    return (
        text("q", "topic", limits.query),
        whole("mix", "balance", 0, 100, MIDDLE),
        whole("page", "page", 1, max(1, limits.k // PAGE), 1),
        choice("preset", "ranking", open_presets()),
        *(choice(name, name, (*values, ANY) if name == "lang" else values) for name, values in CHOICES.items()),
        text("text", "joke", limits.text),
        text("id", "document", 200),
        flag("warned", "content warnings"),
        choice("format", "format", FORMATS, "csv"),
        choice("ui", "language", WORDS),
        choice("theme", "theme", _THEMES),
    )


def read_state(given: Iterable[tuple[str, str]], limits: Limits) -> State:
    """Read the state from an address; an empty field of a form is one that was not filled in."""
    values = read(_parameters(limits), [(name, value) for name, value in given if value.strip()])
    return State(
        q=(values["q"] or "").strip(),
        mix=values["mix"],
        page=values["page"],
        preset=values["preset"],
        wanted=tuple((name, values[name]) for name in CHOICES if values[name] not in (None, ANY)),
        text=(values["text"] or "").strip(),
        docid=values["id"] or "",
        format=values["format"],
        warned=values["warned"],
        everywhere=values["lang"] == ANY,
    )
