"""The application: addresses, the pool in which searches run, and the watch over the index."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from rimshot.errors import IndexFault, InputError, MissingPart, RimshotError
from rimshot.serve.answers import Desk
from rimshot.serve.gate import Access, Gate, extra_headers
from rimshot.serve.limits import Limits
from rimshot.serve.logs import LOG
from rimshot.serve.metrics import Metrics
from rimshot.serve.openapi import describe
from rimshot.serve.operations import ROOT, Operation, operations, read_ask, read_place
from rimshot.serve.parameters import read, read_object
from rimshot.serve.parts import wake
from rimshot.serve.problems import Busy, NotFound, WrongMethod, WrongType, problem, status_of
from rimshot.serve.shelf import Shelf
from rimshot.serve.site import Site

__all__ = ["Service", "build_app"]

T = TypeVar("T")
_CHUNK = 50
_LOOK_EVERY = 0.5


class Json(Response):
    """A JSON answer."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """Write the body."""
        return json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


class Service:
    """What the handlers share: the desk, the pool, the counts."""

    def __init__(self, shelf: Shelf, limits: Limits, threads: int = 2) -> None:
        self.shelf, self.limits = shelf, limits
        self.desk = Desk(shelf, limits)
        self.metrics = Metrics()
        self.pool = ThreadPoolExecutor(threads, thread_name_prefix="search")
        self.side = ThreadPoolExecutor(1, thread_name_prefix="index")
        self.waiting = 0
        self.ready = True

    async def work(self, function: Callable[..., T], *arguments: Any) -> T:
        """Run something in the pool, within the time that a request has."""
        if self.waiting >= self.limits.waiting:
            raise Busy("too many searches are waiting; ask again in a moment")
        future = asyncio.get_running_loop().run_in_executor(self.pool, partial(function, *arguments))
        self.waiting += 1
        future.add_done_callback(self._finished)
        try:
            return await asyncio.wait_for(asyncio.shield(future), self.limits.seconds)
        except TimeoutError:
            future.cancel()
            raise Busy(f"the request took more than {self.limits.seconds:g} seconds; ask again later") from None

    def _finished(self, future: asyncio.Future[Any]) -> None:
        self.waiting -= 1
        if not future.cancelled():
            future.exception()

    async def watch(self) -> None:
        """Look for a new version of the index, for as long as the service runs."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_LOOK_EVERY)
            try:
                if await loop.run_in_executor(self.side, self.shelf.refresh):
                    LOG.info("index swapped", extra={"facts": self.desk.state()})
            except IndexFault as fault:
                LOG.error("index not swapped", extra={"facts": {"error": str(fault)}})

    def wake(self) -> None:
        """Load what explaining needs; where it is not installed, those who ask will be told."""
        try:
            wake(self.shelf.index())
        except MissingPart as fault:
            LOG.warning("part missing", extra={"facts": {"error": str(fault)}})

    def gauges(self) -> Mapping[str, tuple[str, str, float]]:
        """Give the numbers that are not about requests."""
        index = self.shelf.index()
        return {
            "rimshot_index_documents": ("gauge", "Documents of the index.", len(index)),
            "rimshot_index_generation": ("gauge", "Version of the index.", index.manifest["generation"]),
            "rimshot_index_swaps_total": ("counter", "Versions taken up while serving.", self.shelf.swaps),
            "rimshot_index_failures_total": ("counter", "Versions that could not be opened.", self.shelf.failures),
            "rimshot_searches_waiting": ("gauge", "Searches running or waiting.", self.waiting),
            "rimshot_rankings_remembered_total": ("counter", "Searches answered from memory.", self.desk.remembered),
        }


def build_app(
    path: Path,
    *,
    limits: Limits | None = None,
    access: Access | None = None,
    threads: int = 2,
    awake: bool = False,
) -> Gate:
    """Give the ASGI application over the index at a path; ``awake`` loads the models as soon as it serves."""
    limits, access = limits or Limits(), access or Access()
    shelf = Shelf(path, Desk.warm)
    service = Service(shelf, limits, threads)
    routes = [*(_api_route(service, operation) for operation in operations(limits)), *_state_routes(service)]
    site = Site(service.desk, service.work, limits)
    routes += site.routes()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if awake:
            asyncio.get_running_loop().run_in_executor(service.side, service.wake)
        watching = asyncio.create_task(service.watch())
        yield
        service.ready = False
        watching.cancel()
        service.pool.shutdown(wait=True)
        service.side.shutdown(wait=True)

    async def fault(request: Request, error: Exception) -> Response:
        if isinstance(error, HTTPException):
            error = _worded(error, request)
        if not isinstance(error, RimshotError):
            error = RimshotError("the service made a mistake; it has been logged under the request's id")
            return _problem(error, request, 500)
        if isinstance(error, IndexFault):
            error = IndexFault(str(error).replace(str(path), "the index"))
        if not request.url.path.startswith(ROOT):
            return site.fault(request, error)
        return _problem(error, request, status_of(error))

    handlers: Any = {HTTPException: fault, RimshotError: fault, Exception: fault}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    app.state.service = service
    return Gate(app, limits, access, service.metrics)


def _worded(error: HTTPException, request: Request) -> RimshotError:
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "GET")
        return WrongMethod(f"{request.method} is not for this address; use {allowed}", allowed)
    return NotFound(f"there is nothing at {request.url.path[:200]}; the addresses are listed at {ROOT}/openapi.json")


def _problem(error: RimshotError, request: Request, status: int) -> Response:
    body = {**problem(error, request.state.request_id), "status": status}
    answer = Json(body, status, media_type="application/problem+json", headers={"Cache-Control": "no-store"})
    answer.raw_headers.extend(extra_headers(error))
    return answer


async def _body(request: Request) -> Any:
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise WrongType("the body must be JSON; send Content-Type: application/json")
    try:
        return json.loads(await request.body())
    except (ValueError, RecursionError):
        raise InputError('the body is not JSON; send e.g. {"text": "..."}') from None


def _api_route(service: Service, operation: Operation) -> Route:
    async def answer(request: Request) -> Response:
        request.state.route = ROOT + operation.path
        given = read_place(operation, request.path_params["place"]) if operation.place is not None else {}
        if operation.posted:
            read((), request.query_params.multi_items())
            given |= read_object(operation.parameters, await _body(request))
        else:
            given |= read(operation.parameters, request.query_params.multi_items())
        if operation.listed and "application/x-ndjson" in request.headers.get("accept", ""):
            return await _stream(service, given)
        return Json(await service.work(operation.answer, service.desk, given), headers={"Cache-Control": "no-store"})

    path = ROOT + operation.path
    if operation.place is not None:
        path = path.replace(f"{{{operation.place.name}}}", "{place:path}")
    return Route(path, answer, methods=["POST"] if operation.posted else ["GET"])


async def _stream(service: Service, given: Mapping[str, Any]) -> Response:
    """Answer with one hit a line, the first lines before the last are made."""
    ask = read_ask(given)
    found = await service.work(service.desk.find, ask)
    stop = min(ask.offset + ask.k, len(found.ranking))

    async def lines() -> AsyncIterator[bytes]:
        for start in range(ask.offset, stop, _CHUNK):
            hits = await service.work(service.desk.hits, found, start, min(start + _CHUNK, stop))
            yield "".join(json.dumps(hit, ensure_ascii=False, allow_nan=False) + "\n" for hit in hits).encode()

    return StreamingResponse(lines(), media_type="application/x-ndjson", headers={"Cache-Control": "no-store"})


def _state_routes(service: Service) -> list[Route]:
    description = Json(describe(service.limits)).body

    async def health(request: Request) -> Response:
        request.state.route = f"{ROOT}/health"
        return Json({"status": "alive"}, headers={"Cache-Control": "no-store"})

    async def ready(request: Request) -> Response:
        request.state.route = f"{ROOT}/ready"
        if not service.ready:
            raise Busy("the service is stopping; ask another")
        return Json({"status": "ready", **service.desk.state()}, headers={"Cache-Control": "no-store"})

    async def metrics(request: Request) -> Response:
        request.state.route = f"{ROOT}/metrics"
        text = service.metrics.text(service.gauges())
        return PlainTextResponse(text, media_type="text/plain; version=0.0.4", headers={"Cache-Control": "no-store"})

    async def openapi(request: Request) -> Response:
        request.state.route = f"{ROOT}/openapi.json"
        return Response(description, media_type="application/json")

    return [
        Route(f"{ROOT}/health", health),
        Route(f"{ROOT}/ready", ready),
        Route(f"{ROOT}/metrics", metrics),
        Route(f"{ROOT}/openapi.json", openapi),
    ]
