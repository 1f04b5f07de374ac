"""What an address takes: one table serves for reading requests and for describing them (OpenAPI)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rimshot.errors import InputError, did_you_mean

__all__ = ["Parameter", "choice", "flag", "read", "read_object", "text", "whole"]

_WHOLE = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True)
class Parameter:
    """One named value of a request, with the bounds within which it is taken."""

    name: str
    about: str
    schema: Mapping[str, Any]
    default: Any = None
    required: bool = False
    example: Any = None

    def read(self, value: str) -> Any:
        """Give the value of a written form, or say what is wrong with it."""
        kind = self.schema["type"]
        if kind == "integer":
            if not _WHOLE.fullmatch(value):
                raise InputError(f"{self.name}: {_short(value)} is not a whole number")
            return self.check(int(value))
        if kind == "boolean":
            if value not in ("true", "false"):
                raise InputError(f"{self.name}: {_short(value)} is neither true nor false")
            return value == "true"
        return self.check(value)

    def check(self, value: Any) -> Any:
        """Give back a value of the right type that lies within the bounds."""
        kind, schema = self.schema["type"], self.schema
        expected: Any = {"integer": int, "boolean": bool, "string": str, "array": list}[kind]
        if not isinstance(value, expected) or (kind == "integer" and isinstance(value, bool)):
            raise InputError(f"{self.name}: expected {_NOUNS[kind]}, got {_short(value)}")
        if kind == "integer":
            low, high = schema["minimum"], schema["maximum"]
            if not low <= value <= high:
                raise InputError(f"{self.name}: {value} is not between {low} and {high}")
        elif kind == "string":
            self._check_text(value)
        elif kind == "array":
            if not 1 <= len(value) <= schema["maxItems"]:
                raise InputError(f"{self.name}: {len(value)} items; send 1 to {schema['maxItems']}")
            one = Parameter(self.name, self.about, schema["items"])
            return [one.check(item) for item in value]
        return value

    def _check_text(self, value: str) -> None:
        schema = self.schema
        if "enum" in schema:
            if value not in schema["enum"]:
                raise InputError(f"unknown {self.name} {_short(value)}; {did_you_mean(value[:40], schema['enum'])}")
            return
        if not value.strip():
            raise InputError(f"{self.name} is empty" + (f"; send e.g. {self.example}" if self.example else ""))
        if len(value) > schema["maxLength"]:
            raise InputError(f"{self.name}: {len(value)} characters; at most {schema['maxLength']} are read")
        if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
            raise InputError(f"{self.name}: holds half a character (a lone surrogate); send valid Unicode")


_NOUNS = {"integer": "a whole number", "boolean": "true or false", "string": "a text", "array": "a list"}


def _short(value: Any) -> str:
    if isinstance(value, str):
        value = value.encode("utf-8", "replace").decode()
        return f'"{value[:40]}…"' if len(value) > 40 else f'"{value}"'
    return {dict: "an object", list: "a list", bool: "true or false", type(None): "null"}.get(type(value), "a number")


def text(name: str, about: str, longest: int, *, required: bool = False, example: str | None = None) -> Parameter:
    """Give a parameter that is a text with at least one visible character."""
    schema = {"type": "string", "minLength": 1, "maxLength": longest, "pattern": r"\S"}
    return Parameter(name, about, schema, required=required, example=example)


def whole(name: str, about: str, low: int, high: int, default: int | None = None) -> Parameter:
    """Give a parameter that is a whole number between two others."""
    schema: dict[str, Any] = {"type": "integer", "minimum": low, "maximum": high}
    if default is not None:
        schema["default"] = default
    return Parameter(name, about, schema, default=default)


def flag(name: str, about: str, *, default: bool = False) -> Parameter:
    """Give a parameter that is true or false."""
    return Parameter(name, about, {"type": "boolean", "default": default}, default=default)


def choice(name: str, about: str, choices: Iterable[str], default: str | None = None) -> Parameter:
    """Give a parameter that is one of several names."""
    schema: dict[str, Any] = {"type": "string", "enum": list(choices)}
    if default is not None:
        schema["default"] = default
    return Parameter(name, about, schema, default=default)


def _complete(parameters: Sequence[Parameter], found: dict[str, Any]) -> dict[str, Any]:
    for parameter in parameters:
        if parameter.name not in found:
            if parameter.required:
                example = f"; send e.g. {parameter.name}={parameter.example}" if parameter.example else ""
                raise InputError(f"{parameter.name} is missing{example}")
            found[parameter.name] = parameter.default
    return found


def _known(name: str, parameters: Sequence[Parameter]) -> Parameter:
    for parameter in parameters:
        if parameter.name == name:
            return parameter
    raise InputError(
        f"unknown parameter {_short(name)}; {did_you_mean(name[:40], [p.name for p in parameters] or ['none'])}"
    )


def read(parameters: Sequence[Parameter], given: Iterable[tuple[str, str]]) -> dict[str, Any]:
    """Read the parameters of an address."""
    found: dict[str, Any] = {}
    for name, value in given:
        parameter = _known(name, parameters)
        if name in found:
            raise InputError(f"{name} is given twice; give it once")
        found[name] = parameter.read(value)
    return _complete(parameters, found)


def read_object(parameters: Sequence[Parameter], body: Any) -> dict[str, Any]:
    """Read the same from a JSON object."""
    if not isinstance(body, dict):
        raise InputError(f"the body must be a JSON object, got {_short(body)}")
    found = {name: _known(name, parameters).check(value) for name, value in body.items()}
    return _complete(parameters, found)
