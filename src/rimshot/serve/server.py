"""Running the application under uvicorn."""

from __future__ import annotations

import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from rimshot.errors import InputError
from rimshot.serve.gate import Gate

__all__ = ["listen", "serve", "settings"]

_GRACE = 30


class _Server(uvicorn.Server):
    """A server that tells when it listens."""

    started_at: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.started_at()


def settings(app: Gate) -> uvicorn.Config:
    """Give the server's settings: no banner, no belief in proxies, bounded headers and connections."""
    return uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=15,
        timeout_graceful_shutdown=_GRACE,
        limit_concurrency=512,
        h11_max_incomplete_event_size=32_768,
        http="h11",
        ws="none",
        lifespan="on",
    )


def listen(host: str, port: int) -> socket.socket:
    """Give a socket that is bound to an address.

    Its protocol is named, since asyncio sends at once (TCP_NODELAY) only on sockets that say they are TCP's; otherwise
    every answer waits 40 ms for an acknowledgement.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as fault:
        listener.close()
        raise InputError(f"{host} port {port}: cannot listen ({fault.strerror}); choose another with --port") from None
    return listener


def serve(app: Gate, host: str, port: int, started: Callable[[str], None]) -> None:
    """Serve until the process is told to stop, then finish what was begun (for at most half a minute)."""
    listener = listen(host, port)
    place = listener.getsockname()
    shown = f"[{place[0]}]" if ":" in place[0] else place[0]
    server = _Server(settings(app))
    server.started_at = lambda: started(f"http://{shown}:{place[1]}/")
    try:
        with suppress(KeyboardInterrupt):
            server.run([listener])
    finally:
        listener.close()
