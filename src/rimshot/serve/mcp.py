"""A server of the Model Context Protocol over standard input and output: search, explain and same for assistants.

JSON-RPC 2.0, one message a line (https://modelcontextprotocol.io/specification). Only what is needed is spoken:
initialize, ping, tools/list and tools/call. A mistake in a call is an answer with ``isError``, whose words are those of
the command line, so that the assistant can mend it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TextIO

from rimshot import __version__
from rimshot.errors import RimshotError
from rimshot.serve.answers import Ask, Desk
from rimshot.serve.languages import ANY
from rimshot.serve.limits import Limits
from rimshot.serve.parameters import Parameter, choice, read_object, text, whole
from rimshot.serve.traits import CHOICES

__all__ = ["PROTOCOLS", "McpServer"]

PROTOCOLS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_LONGEST_LINE = 1 << 20
Json = Mapping[str, Any]


def _tools(desk: Desk, limits: Limits) -> dict[str, tuple[str, tuple[Parameter, ...], Callable[[Json], Any]]]:
    lang = choice("lang", "Language of the texts.", CHOICES["lang"])
    some = whole("k", "How many, at most.", 1, 50, 5)
    joke = text("text", "The text of the joke.", limits.text, required=True)

    def search(given: Json) -> Any:
        wanted = tuple((name, given[name]) for name in ("lang", "kind") if given[name] not in (None, ANY))
        everywhere = given["lang"] == ANY
        return desk.search(Ask(given["query"], k=given["k"], group=True, wanted=wanted, everywhere=everywhere))

    hits_in = choice(
        "lang", "Language of the hits (any: every one); left out, that of the query.", (*CHOICES["lang"], ANY)
    )
    kind = choice("kind", "Only puns of this kind.", CHOICES["kind"])
    topic = text("query", "A topic in a few words, e.g. bread.", limits.query, required=True)
    return {
        "search": ("Find jokes and puns about a topic, best first.", (topic, some, hits_in, kind), search),
        "explain": (
            "Tell why a text is a pun: the word, its senses or sound-alike.",
            (joke, lang),
            lambda given: desk.explain(given["text"], given["lang"]),
        ),
        "same": (
            "Tell whether a joke has been told before, and show other versions of it.",
            (joke, some),
            lambda given: desk.same(given["text"], given["k"]),
        ),
    }


class McpServer:
    """Answers the messages of one client."""

    def __init__(self, desk: Desk, limits: Limits | None = None) -> None:
        self.tools = _tools(desk, limits or Limits())

    def run(self, lines: Iterable[str], out: TextIO) -> None:
        """Answer line after line until the input ends."""
        for line in lines:
            if not line.strip():
                continue
            answer = self.answer(line)
            if answer is not None:
                out.write(json.dumps(answer, ensure_ascii=False) + "\n")
                out.flush()

    def answer(self, line: str) -> Json | None:
        """Give the answer to one message, None to a notification."""
        if len(line) > _LONGEST_LINE:
            return _error(None, -32600, f"a message of {len(line)} characters; at most {_LONGEST_LINE} are read")
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return _error(None, -32700, "not JSON; send one JSON-RPC message a line")
        if (
            not isinstance(message, dict)
            or message.get("jsonrpc") != "2.0"
            or not isinstance(message.get("method"), str)
        ):
            return _error(None, -32600, 'not a JSON-RPC request; it needs "jsonrpc": "2.0" and a "method"')
        if "id" not in message:
            return None
        number, given = message["id"], message.get("params", {})
        if not isinstance(number, str | int) or isinstance(number, bool):
            return _error(None, -32600, "the id must be a text or a whole number")
        if not isinstance(given, dict):
            return _error(number, -32602, "params must be an object")
        method = message["method"]
        if method == "initialize":
            return _result(number, self._initialize(given))
        if method == "ping":
            return _result(number, {})
        if method == "tools/list":
            return _result(number, {"tools": [self._describe(name) for name in self.tools]})
        if method == "tools/call":
            return self._call(number, given)
        return _error(number, -32601, f'unknown method "{method[:80]}"')

    @staticmethod
    def _initialize(given: Json) -> Json:
        wished = given.get("protocolVersion")
        return {
            "protocolVersion": wished if wished in PROTOCOLS else PROTOCOLS[0],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "rimshot", "title": "Rimshot", "version": __version__},
            "instructions": "Search a collection of jokes and puns by topic, explain a pun, find retellings of a joke.",
        }

    def _describe(self, name: str) -> Json:
        about, parameters, _ = self.tools[name]
        return {
            "name": name,
            "description": about,
            "inputSchema": {
                "type": "object",
                "properties": {p.name: {**p.schema, "description": p.about} for p in parameters},
                "required": [p.name for p in parameters if p.required],
                "additionalProperties": False,
            },
            "annotations": {"readOnlyHint": True, "openWorldHint": False},
        }

    def _call(self, number: str | int, given: Json) -> Json:
        name = given.get("name")
        if not isinstance(name, str) or name not in self.tools:
            return _error(number, -32602, f"unknown tool; there are {', '.join(self.tools)}")
        _, parameters, run = self.tools[name]
        try:
            found = run(read_object(parameters, given.get("arguments", {})))
        except RimshotError as fault:
            return _result(number, {"content": [{"type": "text", "text": str(fault)}], "isError": True})
        written = json.dumps(found, ensure_ascii=False)
        return _result(
            number, {"content": [{"type": "text", "text": written}], "structuredContent": found, "isError": False}
        )


def _result(number: str | int, result: Json) -> Json:
    return {"jsonrpc": "2.0", "id": number, "result": result}


def _error(number: str | int | None, code: int, message: str) -> Json:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}
