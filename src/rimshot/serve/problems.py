"""Errors over HTTP: which class of error has which status, in one place (RFC 9457).

The ``detail`` is the message of the error, the same words that the command line prints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rimshot.errors import IndexFault, InputError, MissingPart, PipelineError, RimshotError

__all__ = [
    "STATUSES",
    "Busy",
    "Forbidden",
    "NotFound",
    "TooLarge",
    "TooMany",
    "Unauthorised",
    "WrongMethod",
    "WrongType",
    "name_of",
    "problem",
    "status_of",
]


class NotFound(RimshotError):
    """No document, family or page has this name."""


class WrongMethod(RimshotError):
    """The address exists, but not for this method; ``allowed`` names those it exists for."""

    def __init__(self, message: str, allowed: str) -> None:
        super().__init__(message)
        self.allowed = allowed


class WrongType(RimshotError):
    """The body is of a kind that is not read."""


class TooLarge(RimshotError):
    """More was sent than is read."""


class TooMany(RimshotError):
    """A client asks more often than it may."""


class Busy(RimshotError):
    """The request took too long, or too many are waiting."""


class Unauthorised(RimshotError):
    """The key is missing or wrong."""


class Forbidden(RimshotError):
    """The request names a host that this service does not answer for."""


STATUSES: dict[type[RimshotError], tuple[int, str, str]] = {
    NotFound: (404, "not-found", "Not found"),
    WrongMethod: (405, "wrong-method", "Wrong method"),
    WrongType: (415, "wrong-type", "Wrong type of body"),
    TooLarge: (413, "too-large", "Too large"),
    TooMany: (429, "too-many-requests", "Too many requests"),
    Busy: (503, "busy", "Busy"),
    Unauthorised: (401, "unauthorised", "Key needed"),
    Forbidden: (403, "forbidden", "Forbidden"),
    InputError: (400, "bad-input", "Bad input"),
    PipelineError: (400, "bad-pipeline", "Bad pipeline"),
    MissingPart: (501, "missing-part", "Not installed here"),
    IndexFault: (503, "index-fault", "Index not available"),
    RimshotError: (400, "error", "Error"),
}


def status_of(fault: RimshotError) -> int:
    """Give the status of an error's class, or of the nearest class above it."""
    return _row(fault)[0]


def name_of(fault: RimshotError) -> str:
    """Give the name of an error's class, or of the nearest class above it."""
    return _row(fault)[1]


def _row(fault: RimshotError) -> tuple[int, str, str]:
    return next(STATUSES[kind] for kind in type(fault).__mro__ if kind in STATUSES)


def problem(fault: RimshotError, instance: str) -> Mapping[str, Any]:
    """Give the body of an ``application/problem+json`` answer; ``instance`` is the request's id."""
    status, name, title = _row(fault)
    return {
        "type": f"urn:rimshot:problem:{name}",
        "title": title,
        "status": status,
        "detail": str(fault),
        "instance": f"urn:rimshot:request:{instance}",
    }
