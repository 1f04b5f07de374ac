"""What one request, one client and one stranger may cost, and where the service may listen."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass

from rimshot.errors import InputError

__all__ = ["Limits", "check_exposure", "is_loopback"]


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds of the service.

    Sizes are in bytes (``body``) or characters, ``seconds`` is the time one request may take, ``rate`` the requests a
    second that one client may keep up, ``burst`` how many it may send at once, ``waiting`` how many searches may queue.
    ``cost`` is the price of a stranger's pipeline in searches of one retriever (:mod:`rimshot.serve.pipelines`).
    """

    body: int = 65_536
    query: int = 500
    text: int = 5_000
    texts: int = 64
    k: int = 1_000
    pipeline: int = 1_000
    stages: int = 12
    cost: float = 30.0
    seconds: float = 10.0
    rate: float = 20.0
    burst: int = 60
    waiting: int = 64


def is_loopback(host: str) -> bool:
    """Tell whether only this machine reaches an address to listen on.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def check_exposure(host: str, *, public: bool, key: str | None) -> None:
    """Refuse to listen where others can ask, unless that was said or a key protects it."""
    if key is not None and len(key) < 16:
        raise InputError(
            "the API key is shorter than 16 characters; make one: "
            "python -c 'import secrets; print(secrets.token_urlsafe(24))'"
        )
    if not is_loopback(host) and not public and key is None:
        raise InputError(
            f"--host {host}: others could reach this service; set RIMSHOT_API_KEY or --api-key-file, "
            "or say --public to let anyone search"
        )
