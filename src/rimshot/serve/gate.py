"""The gate that every request passes: who may ask, how often, how much, and what each answer carries.

It wraps the whole application, so that no answer, not even that to a bug, leaves without its headers, its log line
and its place in the counts.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import parse_qsl

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rimshot.errors import RimshotError
from rimshot.serve.limits import Limits, is_loopback
from rimshot.serve.logs import LOG
from rimshot.serve.metrics import Metrics
from rimshot.serve.problems import Forbidden, TooLarge, TooMany, Unauthorised, WrongMethod, problem, status_of

__all__ = ["Access", "Gate"]

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: tuple[tuple[bytes, bytes], ...] = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
_OPEN = frozenset({"/api/v1/health", "/api/v1/ready"})
_MOST_CLIENTS = 10_000


@dataclass(frozen=True)
class Access:
    """Who may ask: a key or None, the host names answered for (None: all), whether a local proxy is believed."""

    key: str | None = None
    hosts: frozenset[str] | None = None
    proxy: bool = False
    log_queries: bool = False


class _Buckets:
    """A bucket of permissions for each client, which fills at a steady rate."""

    def __init__(self, rate: float, burst: int) -> None:
        self.rate, self.burst = rate, burst
        self.levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, client: str, now: float) -> float:
        """Take a permission; gives 0, or the seconds until there is one."""
        level, then = self.levels.pop(client, (float(self.burst), now))
        level = min(self.burst, level + (now - then) * self.rate)
        wait = 0.0 if level >= 1 else (1 - level) / self.rate
        self.levels[client] = (level - 1 if not wait else level, now)
        if len(self.levels) > _MOST_CLIENTS:
            self.levels.popitem(last=False)
        return wait


def _header(scope: Scope, name: bytes) -> str | None:
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value).decode("latin-1")
    return None


def _offered(scope: Scope) -> str:
    """Give the key that a request carries: a bearer token, an X-API-Key, or the password of basic authentication."""
    written = _header(scope, b"authorization") or ""
    scheme, _, rest = written.partition(" ")
    if scheme.lower() == "bearer":
        return rest.strip()
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(rest, validate=True).decode("utf-8", "replace").partition(":")[2]
        except binascii.Error:
            return ""
    return _header(scope, b"x-api-key") or ""


class Gate:
    """The application behind the gate."""

    def __init__(self, app: ASGIApp, limits: Limits, access: Access, metrics: Metrics) -> None:
        self.app, self.limits, self.access, self.metrics = app, limits, access, metrics
        self.buckets = _Buckets(limits.rate, limits.burst)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        request_id = secrets.token_hex(8)
        scope["state"] = {**scope.get("state", {}), "request_id": request_id}
        status, sent = 500, 0

        async def answer(message: Message) -> None:
            nonlocal status, sent
            if message["type"] == "http.response.start":
                status = message["status"]
                message = {
                    **message,
                    "headers": [*message["headers"], *HEADERS, (b"x-request-id", request_id.encode())],
                }
            else:
                sent += len(message.get("body", b""))
            await send(message)

        self.metrics.running += 1
        client = self._client(scope)
        try:
            try:
                self._admit(scope, client)
                await self.app(scope, self._measured(scope, receive), answer)
            except RimshotError as fault:
                await _refuse(fault, request_id, answer)
        finally:
            self.metrics.running -= 1
            seconds = time.perf_counter() - began
            route = scope.get("state", {}).get("route", "none")
            method = scope["method"] if scope["method"] in _METHODS else "OTHER"
            self.metrics.done(method, route, status, seconds)
            facts = {
                "id": request_id,
                "client": client,
                "method": method,
                "route": route,
                "status": status,
                "ms": round(1000 * seconds, 2),
                "bytes": sent,
            }
            if self.access.log_queries:
                facts["query"] = dict(parse_qsl(scope["query_string"].decode("latin-1")))
            LOG.info("request", extra={"facts": facts})

    def _client(self, scope: Scope) -> str:
        peer = str(scope["client"][0]) if scope.get("client") else "local"
        if self.access.proxy and (peer == "local" or is_loopback(peer)):
            forwarded = (_header(scope, b"x-forwarded-for") or "").rpartition(",")[2].strip()
            return forwarded[:64] or peer
        return peer

    def _admit(self, scope: Scope, client: str) -> None:
        access = self.access
        host = (_header(scope, b"host") or "").rsplit(":", 1)[0] if access.hosts is not None else ""
        if access.hosts is not None and host.lower() not in access.hosts:
            raise Forbidden(
                f'this service does not answer for the host "{host[:80]}"; use http://127.0.0.1, or --public'
            )
        if scope["path"] in _OPEN:
            return
        wait = self.buckets.take(client, time.monotonic())
        if wait:
            raise TooMany(f"more than {self.limits.rate:g} requests a second; ask again in {max(1, round(wait))} s")
        if access.key is not None and not hmac.compare_digest(_offered(scope).encode(), access.key.encode()):
            raise Unauthorised("the API key is missing or wrong; send it as Authorization: Bearer KEY")

    def _measured(self, scope: Scope, receive: Receive) -> Receive:
        """Read no more of a body than is allowed."""
        most = self.limits.body
        declared = _header(scope, b"content-length")
        if declared is not None and declared.isdigit() and int(declared) > most:
            raise TooLarge(f"a body of {int(declared)} bytes; at most {most} are read")
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise TooLarge(f"a body of more than {most} bytes; at most {most} are read")
            return message

        return counted


_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})


async def _refuse(fault: RimshotError, request_id: str, send: Send) -> None:
    body = json.dumps(problem(fault, request_id), ensure_ascii=False).encode()
    headers: Iterable[tuple[bytes, bytes]] = [
        (b"content-type", b"application/problem+json"),
        (b"content-length", str(len(body)).encode()),
        (b"cache-control", b"no-store"),
        *extra_headers(fault),
    ]
    await send({"type": "http.response.start", "status": status_of(fault), "headers": list(headers)})
    await send({"type": "http.response.body", "body": body})


def extra_headers(fault: RimshotError) -> list[tuple[bytes, bytes]]:
    """Give what an answer to a fault must carry besides its body."""
    if isinstance(fault, Unauthorised):
        return [(b"www-authenticate", b'Basic realm="rimshot", charset="UTF-8"')]
    if isinstance(fault, WrongMethod):
        return [(b"allow", fault.allowed.encode())]
    return [(b"retry-after", b"1")] if status_of(fault) in (429, 503) else []
