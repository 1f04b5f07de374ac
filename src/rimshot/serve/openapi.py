"""The description of the REST service (OpenAPI 3.1), made from the table of operations."""

from __future__ import annotations

from typing import Any

from rimshot import __version__
from rimshot.serve.limits import Limits
from rimshot.serve.operations import ROOT, Operation, operations
from rimshot.serve.parameters import Parameter
from rimshot.serve.problems import STATUSES
from rimshot.serve.schemas import EXAMPLES, SCHEMAS

__all__ = ["describe"]

_NAMES = {status: (name, title) for status, name, title in reversed(STATUSES.values())}
_ALWAYS = (400, 401, 403, 405, 429, 503)


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _problem(status: int) -> dict[str, Any]:
    return {"description": _NAMES[status][1], "content": {"application/problem+json": {"schema": _ref("Problem")}}}


def _faults(*more: int) -> dict[str, Any]:
    return {str(status): _problem(status) for status in sorted({*_ALWAYS, *more})}


def _parameter(parameter: Parameter, place: str) -> dict[str, Any]:
    written = {
        "name": parameter.name,
        "in": place,
        "description": parameter.about,
        "required": parameter.required or place == "path",
        "schema": dict(parameter.schema),
    }
    if parameter.example is not None and parameter.name != "docid":
        written["example"] = parameter.example
    return written


def _operation(operation: Operation) -> dict[str, Any]:
    content: dict[str, Any] = {"application/json": {"schema": _ref(operation.schema)}}
    if operation.schema in EXAMPLES:
        content["application/json"]["example"] = EXAMPLES[operation.schema]
    if operation.listed:
        content["application/x-ndjson"] = {"schema": {"type": "string", "description": "One Hit a line."}}
    written: dict[str, Any] = {
        "operationId": operation.name,
        "summary": operation.about,
        "responses": {"200": {"description": "The answer.", "content": content}, **_faults(*operation.faults)},
    }
    if operation.posted:
        written["responses"] |= _faults(413, 415)
        written["requestBody"] = {
            "required": True,
            "content": {
                "application/json": {
                    "schema": {
                        "type": "object",
                        "additionalProperties": False,
                        "required": [p.name for p in operation.parameters if p.required],
                        "properties": {p.name: {**p.schema, "description": p.about} for p in operation.parameters},
                    },
                    "example": {p.name: p.example for p in operation.parameters if p.example is not None},
                }
            },
        }
    else:
        places = [] if operation.place is None else [_parameter(operation.place, "path")]
        written["parameters"] = places + [_parameter(parameter, "query") for parameter in operation.parameters]
    return {"post" if operation.posted else "get": written}


def _state(name: str, about: str, kind: str, schema: dict[str, Any]) -> dict[str, Any]:
    answer = {"description": "The answer.", "content": {kind: {"schema": schema}}}
    faults = _faults() if name not in ("health", "ready") else {str(s): _problem(s) for s in (403, 405, 503)}
    return {"get": {"operationId": name, "summary": about, "responses": {"200": answer, **faults}}}


def describe(limits: Limits) -> dict[str, Any]:
    """Give the description of the service under these limits."""
    paths = {operation.path: _operation(operation) for operation in operations(limits)}
    paths |= {
        "/health": _state("health", "Tell that the process is alive.", "application/json", _ref("Health")),
        "/ready": _state("ready", "Tell which index is served.", "application/json", _ref("Ready")),
        "/metrics": _state("metrics", "Give counts and times for Prometheus.", "text/plain", {"type": "string"}),
        "/openapi.json": _state("openapi", "Give this description.", "application/json", {"type": "object"}),
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Rimshot",
            "version": __version__,
            "summary": "Humour-aware search for short texts: ask for a topic, get the jokes and puns about it.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": ROOT}],
        "security": [{}, {"key": []}, {"bearer": []}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                "key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }
