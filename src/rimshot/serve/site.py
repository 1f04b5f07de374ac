"""The addresses of the page."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from rimshot import __version__
from rimshot.errors import RimshotError
from rimshot.rank.export import Exported, QueryRecord, export
from rimshot.serve import parts
from rimshot.serve.answers import Desk, Found
from rimshot.serve.frame import Frame
from rimshot.serve.html import href
from rimshot.serve.limits import Limits
from rimshot.serve.pages import fault_page, home_page, joke_page, told_page
from rimshot.serve.problems import NotFound, name_of, status_of
from rimshot.serve.results import results_page
from rimshot.serve.state import PAGE, Look, State, read_state
from rimshot.serve.words import choose_ui

__all__ = ["Site"]

_ASSETS = {"rimshot.css": "text/css", "rimshot.js": "text/javascript", "rimshot.svg": "image/svg+xml"}
_PORTUGUESE = ("pão", "dinheiro", "música", "gatos", "escola")
_EXAMPLES = ("bread", "money", "music", "dentist", "ghosts", "cats", *_PORTUGUESE)
_KINDS = {
    "csv": "text/csv",
    "json": "application/json",
    "bibtex": "application/x-bibtex",
    "csl": "application/vnd.citationstyles.csl+json",
    "ndjson": "application/x-ndjson",
    "txt": "text/plain",
}
_ENDINGS = {"bibtex": "bib", "csl": "csl.json"}
_YEAR = 365 * 24 * 3600
Work = Callable[..., Awaitable[Any]]


@cache
def _assets() -> dict[str, tuple[str, bytes]]:
    """Give the style, the script and the sign: name -> (address with its digest, content)."""
    folder = files("rimshot.serve") / "static"
    found = {name: (folder / name).read_bytes() for name in _ASSETS}
    return {name: (f"/static/{sha256(body).hexdigest()[:12]}/{name}", body) for name, body in found.items()}


class Site:
    """The page, over a desk that answers."""

    def __init__(self, desk: Desk, work: Work, limits: Limits) -> None:
        self.desk, self.work, self.limits = desk, work, limits

    def routes(self) -> list[Route]:
        """Give the addresses."""
        return [
            Route("/", self._named("/", self.front)),
            Route("/joke", self._named("/joke", self.joke)),
            Route("/told", self._named("/told", self.told)),
            Route("/random", self._named("/random", self.random)),
            Route("/export", self._named("/export", self.export)),
            Route("/favicon.ico", self._named("/favicon.ico", self.icon)),
            Route("/static/{digest}/{name}", self._named("/static", self.asset)),
        ]

    @staticmethod
    def _named(
        route: str, handler: Callable[[Request], Awaitable[Response]]
    ) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            request.state.route = route
            return await handler(request)

        return answer

    def _look(self, request: Request) -> Look:
        asked, cookies = request.query_params, request.cookies
        theme = next((wish for wish in (asked.get("theme"), cookies.get("theme")) if wish in ("light", "dark")), None)
        ui = choose_ui(asked.get("ui"), cookies.get("ui"), request.headers.get("accept-language", ""))
        kept = [
            (name, value) for name, value in request.query_params.multi_items() if name not in ("ui", "theme") and value
        ]
        return Look(ui, theme, href(request.url.path, kept))

    def _frame(self, request: Request, state: State) -> Frame:
        index = self.desk.shelf.index()
        facts = {
            "documents": len(index),
            "languages": tuple(index.languages),
            "humour": index.has_column("humour") and index.size > 0,
            "same": index.size > 0,
            "syntax": parts.can_filter(index),
        }
        return Frame(self._look(request), state, facts, {name: address for name, (address, _) in _assets().items()})

    def _html(self, request: Request, text: str, status: int = 200) -> Response:
        answer = HTMLResponse(text, status, headers={"Cache-Control": "no-store", "Vary": "Accept-Language, Cookie"})
        for name, known in (("ui", ("en", "pt")), ("theme", ("light", "dark"))):
            wish = request.query_params.get(name)
            if wish in known:
                answer.set_cookie(name, wish, max_age=_YEAR, samesite="lax", path="/")
        return answer

    def _state(self, request: Request) -> State:
        return read_state(request.query_params.multi_items(), self.limits)

    async def front(self, request: Request) -> Response:
        """Give the start, or the results of a search."""
        state = self._state(request)
        frame = self._frame(request, state)
        if state.q:
            return self._html(request, await self.work(lambda: self._results(frame)))
        return self._html(request, await self.work(lambda: self._home(frame)))

    def _results(self, frame: Frame) -> str:
        state = frame.state
        answer = self.desk.search(state.ask(frame.look.ui), facets=True)
        last = -(-answer["total"] // PAGE)
        if state.page > last > 0:
            return self._results(Frame(frame.look, replace(state, page=last), frame.facts, frame.assets))
        return results_page(frame, answer, self.desk.mended(state.q))

    def _home(self, frame: Frame) -> str:
        index = self.desk.shelf.index()
        if not len(index):
            return home_page(frame, (), None)
        field = index.field("text")
        known = [w for w in _EXAMPLES if any(field.df(t) for a in index.analysers.values() for t in a.terms(w))]
        langs = index.manifest["languages"]
        if frame.look.ui == "pt":
            known.sort(key=lambda word: word not in _PORTUGUESE)
        return home_page(frame, known[:8], self.desk.random(None, frame.look.ui if frame.look.ui in langs else None))

    async def joke(self, request: Request) -> Response:
        """Give one joke."""
        state = self._state(request)
        joke = await self.work(self.desk.document, state.docid)
        return self._html(request, joke_page(self._frame(request, state), joke))

    async def random(self, request: Request) -> Response:
        """Lead to a joke by chance; its address can be kept."""
        state = self._state(request)
        joke = await self.work(lambda: self.desk.random(state.q or None, state.lang, everywhere=state.everywhere))
        pairs = [("id", str(joke["docid"]))]
        if state.q:
            pairs += [("q", state.q), *(pair for pair in state.chosen if pair[0] == "lang")]
        return RedirectResponse(href("/joke", pairs), 303, headers={"Cache-Control": "no-store"})

    async def told(self, request: Request) -> Response:
        """Tell whether a joke has been told."""
        state = self._state(request)
        frame = self._frame(request, state)
        answer = await self.work(self.desk.same, state.text, 10) if state.text else None
        return self._html(request, told_page(frame, answer))

    async def export(self, request: Request) -> Response:
        """Give the whole list as a file."""
        state = self._state(request)
        found = await self.work(self.desk.find, state.ask(self._look(request).ui))
        body, kind = await self.work(self._written, found, state.format)
        name = f"rimshot.{_ENDINGS.get(state.format, state.format)}"
        headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
        return Response(body, media_type=kind, headers=headers)

    def _written(self, found: Found, form: str) -> tuple[str, str]:
        hits = self.desk.hits(found, 0, len(found.ranking))
        if form == "ndjson":
            return "".join(json.dumps(hit, ensure_ascii=False) + "\n" for hit in hits), _KINDS[form]
        if form == "txt":
            return "".join(f"{hit['text']}\n\n" for hit in hits), _KINDS[form]
        now = datetime.now(UTC).isoformat(timespec="seconds")
        record = QueryRecord(found.ask.q, repr(found.pipeline), found.index.digest, __version__, now)
        rows = [Exported(hit["rank"], str(hit["docid"]), hit["text"], hit["score"], hit["pun"]) for hit in hits]
        return export(rows, record, form), _KINDS[form]

    async def asset(self, request: Request) -> Response:
        """Give the style or the script; only these names exist, whatever the address says."""
        name = request.path_params["name"]
        if name not in _ASSETS or _assets()[name][0] != request.url.path:
            raise NotFound(f"there is nothing at {request.url.path[:200]}")
        headers = {"Cache-Control": f"public, max-age={_YEAR}, immutable"}
        return Response(_assets()[name][1], media_type=_ASSETS[name], headers=headers)

    async def icon(self, request: Request) -> Response:
        """Give the sign."""
        return Response(
            _assets()["rimshot.svg"][1], media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"}
        )

    def fault(self, request: Request, error: RimshotError) -> Response:
        """Say on a page what went wrong."""
        page = fault_page(self._frame(request, State()), name_of(error), str(error))
        return self._html(request, page, status_of(error))
