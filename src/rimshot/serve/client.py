"""A client of the service in the standard library alone.

>>> from rimshot.serve.client import Client
>>> jokes = Client("http://127.0.0.1:8765")          # doctest: +SKIP
>>> jokes.search("bread", k=3)["hits"][0]["text"]    # doctest: +SKIP
'Bakers knead bread because they need the dough.'
"""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from rimshot.errors import InputError, RimshotError

__all__ = ["Client", "ServiceError"]


class ServiceError(RimshotError):
    """The service refused or failed; ``status`` is 0 when it could not be reached."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Client:
    """Asks a Rimshot service; each call is one connection, so a client may be shared between threads."""

    address: str = "http://127.0.0.1:8765"
    key: str | None = None
    timeout: float = 30.0

    def search(self, q: str, **options: Any) -> dict[str, Any]:
        """Find jokes about a topic; options are those of ``/api/v1/search`` (k, preset, lang, group, ui, ...)."""
        return self._get("/search", {"q": q, **options})

    def stream(self, q: str, **options: Any) -> Iterator[dict[str, Any]]:
        """Give hits one by one, as they arrive."""
        connection, answer = self._ask("GET", f"/search?{_query({'q': q, **options})}", accept="application/x-ndjson")
        try:
            for line in answer:
                yield json.loads(line)
        finally:
            connection.close()

    def explain(self, text: str, lang: str | None = None) -> dict[str, Any]:
        """Tell why a text is a pun."""
        return self._post("/explain", {"text": text, "lang": lang})

    def detect(self, texts: Sequence[str], lang: str | None = None) -> list[dict[str, Any]]:
        """Tell how probably texts are wordplay."""
        found: list[dict[str, Any]] = self._post("/detect", {"texts": list(texts), "lang": lang})["results"]
        return found

    def same(self, text: str, k: int = 10) -> dict[str, Any]:
        """Tell whether a joke has been told."""
        return self._post("/same", {"text": text, "k": k})

    def document(self, docid: str | int) -> dict[str, Any]:
        """Give a document."""
        return self._get(f"/documents/{quote(str(docid), safe='')}", {})

    def families(self, k: int = 10, offset: int = 0) -> dict[str, Any]:
        """List jokes that were told more than once."""
        return self._get("/families", {"k": k, "offset": offset})

    def family(self, number: int) -> dict[str, Any]:
        """Give all versions of a joke."""
        return self._get(f"/families/{number}", {})

    def facets(self, q: str | None = None) -> dict[str, Any]:
        """Count the traits of what a query finds, or of everything."""
        return self._get("/facets", {"q": q})

    def suggest(self, q: str, lang: str | None = None) -> list[str]:
        """Complete a query; words of ``lang`` come first."""
        found: list[str] = self._get("/suggest", {"q": q, "lang": lang})["suggestions"]
        return found

    def random(self, q: str | None = None, lang: str | None = None) -> dict[str, Any]:
        """Give a joke by chance."""
        return self._get("/random", {"q": q, "lang": lang})

    def ready(self) -> dict[str, Any]:
        """Tell which index is served."""
        return self._get("/ready", {})

    def _get(self, path: str, values: Mapping[str, Any]) -> dict[str, Any]:
        query = _query(values)
        return self._whole("GET", f"{path}?{query}" if query else path)

    def _post(self, path: str, values: Mapping[str, Any]) -> dict[str, Any]:
        given = {name: value for name, value in values.items() if value is not None}
        return self._whole("POST", path, json.dumps(given).encode())

    def _whole(self, method: str, path: str, body: bytes | None = None) -> dict[str, Any]:
        connection, answer = self._ask(method, path, body)
        try:
            whole: dict[str, Any] = json.loads(answer.read())
            return whole
        finally:
            connection.close()

    def _ask(
        self, method: str, path: str, body: bytes | None = None, accept: str = "application/json"
    ) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
        parts = urlsplit(self.address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise InputError(f'"{self.address}" is not the address of a service; write e.g. http://127.0.0.1:8765')
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname, parts.port, timeout=self.timeout)
        headers = {"Accept": accept, "Content-Type": "application/json"}
        if self.key is not None:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            connection.request(method, f"{parts.path.rstrip('/')}/api/v1{path}", body, headers)
            answer = connection.getresponse()
        except (OSError, http.client.HTTPException) as fault:
            connection.close()
            raise ServiceError(f"{self.address}: cannot be reached ({fault}); is rimshot serve running?", 0) from None
        if answer.status >= 400:
            with_words = answer.read()
            connection.close()
            raise ServiceError(_detail(with_words, answer.reason), answer.status)
        return connection, answer


def _detail(body: bytes, reason: str) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return reason


def _query(values: Mapping[str, Any]) -> str:
    written = {True: "true", False: "false"}
    return urlencode(
        [
            (name, written[value] if isinstance(value, bool) else str(value))
            for name, value in values.items()
            if value is not None
        ]
    )
