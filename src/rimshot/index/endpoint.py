"""A client for any server that speaks the chat protocol of OpenAI: one question, one answer.

It waits between requests as long as the rate wants, tries again with growing pauses what may succeed later (a full
server, a lost connection), and gives up at once on what cannot (a wrong key, an unknown model).
"""

from __future__ import annotations

import http.client
import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from rimshot.errors import InputError, MissingPart

__all__ = ["Endpoint"]

_LATER = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
_LONGEST_PAUSE = 60.0


@dataclass
class Endpoint:
    """A model behind an address such as ``http://localhost:11434/v1``.

    At most ``rate`` requests go out a minute; 0 sets no limit.
    """

    url: str
    model: str
    key: str = ""
    rate: float = 0.0
    attempts: int = 5
    timeout: float = 120.0
    sleep: Callable[[float], None] = time.sleep
    _next: float = field(default=0.0, repr=False)

    def __post_init__(self) -> None:
        if urlsplit(self.url).scheme not in ("http", "https") or not urlsplit(self.url).hostname:
            raise InputError(f'"{self.url}" is no address of a server; write e.g. http://localhost:11434/v1')
        if self.attempts < 1:
            raise InputError(f"{self.attempts} attempts; give at least 1")

    def ask(self, system: str, question: str) -> tuple[str, Mapping[str, int]]:
        """Give the answer and the tokens it took (as the server counts them; empty where it does not)."""
        messages = [{"role": "system", "content": system}, {"role": "user", "content": question}]
        body = json.dumps({"model": self.model, "messages": messages, "temperature": 0}).encode()
        pause, fault = 1.0, ""
        for attempt in range(self.attempts):
            if attempt:
                self.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE)
            self._wait()
            try:
                return self._answer(self._post(body))
            except urllib.error.HTTPError as refusal:
                with refusal:
                    fault = f"{refusal.code} {refusal.reason}"
                    if refusal.code not in _LATER:
                        raise InputError(f"{self.url} answers {fault}: {_said(refusal.read())}") from None
                    pause = max(pause, _seconds(refusal.headers.get("Retry-After")))
            except (urllib.error.URLError, TimeoutError, ConnectionError, http.client.HTTPException) as lost:
                fault = str(getattr(lost, "reason", lost)) or type(lost).__name__
        cure = "what is done is kept; try again later with the same command"
        raise MissingPart(f"{self.url}: no answer after {self.attempts} attempts ({fault}); {cure}")

    def _wait(self) -> None:
        if self.rate > 0:
            now = time.monotonic()
            if now < self._next:
                self.sleep(self._next - now)
            self._next = max(now, self._next) + 60.0 / self.rate

    def _post(self, body: bytes) -> bytes:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        request = urllib.request.Request(f"{self.url.rstrip('/')}/chat/completions", body, headers)
        with urllib.request.urlopen(request, timeout=self.timeout) as response:
            found: bytes = response.read()
        return found

    def _answer(self, raw: bytes) -> tuple[str, Mapping[str, int]]:
        try:
            document: Any = json.loads(raw)
            text = document["choices"][0]["message"]["content"]
            used = document.get("usage") or {}
        except (ValueError, KeyError, IndexError, TypeError, AttributeError):
            raise InputError(f"{self.url}: the answer is not that of a chat server: {_said(raw)}") from None
        return str(text or ""), {name: int(count) for name, count in used.items() if isinstance(count, int)}


def _said(raw: bytes) -> str:
    return " ".join(raw.decode("utf-8", "replace").split())[:200] or "nothing"


def _seconds(header: str | None) -> float:
    try:
        return min(float(header or 0), _LONGEST_PAUSE)
    except ValueError:
        return 0.0
