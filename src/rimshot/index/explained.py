"""Explanations of every text by a language model, and vectors of text and explanation together.

The best system of JOKER 2025 (pjmathematician) let Qwen3 say of each document whether it is a joke and why, then
searched vectors of text plus explanation. Any server with OpenAI's protocol will do here. Each answer is kept on
disk as it comes, named by all that it depends on, so an interrupted or repeated run asks nothing twice. Without a server,
the verdicts and explanations that the index already holds can stand in for it.

Fills column ``flagged`` (1 for a joke), records ``explanation`` and vectors ``explained``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import IndexFault
from rimshot.index.endpoint import Endpoint
from rimshot.index.explanations import RECORDS
from rimshot.index.pack import Array
from rimshot.index.reader import Index, open_index
from rimshot.index.segment import Segment
from rimshot.index.writer import write_index
from rimshot.wordplay.encoder import Encoder

__all__ = ["Estimate", "Explained", "augment_by_own", "augment_index", "estimate", "read_answer"]

SYSTEM = (
    "You judge short texts for a search engine of jokes. Answer with one JSON object and nothing else: "
    '{"joke": true or false, "explanation": "..."}. A text is a joke if it contains wordplay or a pun. For a joke the '
    "explanation says in one or two sentences what it is about and which word has which two meanings, naming both and "
    "the topics they belong to; for any other text it says in a few words what the text is about. Write the "
    "explanation in the language of the text."
)
_CHARACTERS_A_TOKEN = 4.0
_ANSWER_TOKENS = 60
FUNNY = 0.5
"""The probability from which the detector's verdict is that a text is a joke."""


@dataclass(frozen=True)
class Explained:
    """What a model said of a text."""

    joke: bool
    explanation: str


@dataclass(frozen=True)
class Estimate:
    """What a run would ask: texts in all and those not answered yet, tokens to send and to receive, and the price."""

    texts: int
    missing: int
    sent: int
    received: int
    price: float


def read_answer(answer: str) -> Explained:
    """Read a model's answer; one that is not the JSON asked for counts as an explanation of what is no joke.

    >>> read_answer('Sure: {"joke": true, "explanation": "bank of a river, bank for money"}')
    Explained(joke=True, explanation='bank of a river, bank for money')
    """
    begin, end = answer.find("{"), answer.rfind("}")
    if 0 <= begin < end:
        try:
            found: Any = json.loads(answer[begin : end + 1])
        except ValueError:
            found = None
        if isinstance(found, dict):
            return Explained(found.get("joke") is True, str(found.get("explanation") or "").strip())
    return Explained(False, answer.strip())


def estimate(path: str | Path, model: str, url: str, cache: Path, prices: tuple[float, float]) -> Estimate:
    """Say what is left to ask and what it would cost, ``prices`` being those of a million tokens sent and received."""
    index = open_index(path)
    missing = [doc.text for doc in index if not _place(cache, url, model, doc.text).exists()]
    sent = sum(int((len(SYSTEM) + len(text)) / _CHARACTERS_A_TOKEN) + 12 for text in missing)
    received = _ANSWER_TOKENS * len(missing)
    return Estimate(len(index), len(missing), sent, received, (sent * prices[0] + received * prices[1]) / 1e6)


def augment_index(
    path: str | Path,
    endpoint: Endpoint,
    cache: Path,
    encoder: Encoder | None = None,
    progress: Callable[[int], None] | None = None,
) -> int:
    """Explain every document and store what came; gives how many requests that took."""
    cache.mkdir(parents=True, exist_ok=True)
    index = open_index(path)
    asked = 0
    for done, number in enumerate(index.numbers().tolist(), 1):
        asked += _ask(index.text(number), endpoint, cache)
        if progress is not None:
            progress(done)
    told = {text: _kept(_place(cache, endpoint.url, endpoint.model, text)) for text in {doc.text for doc in index}}
    _store(path, lambda _number, text: told.get(text), f"{endpoint.model} at {endpoint.url}", encoder)
    return asked


def augment_by_own(path: str | Path, encoder: Encoder | None = None) -> int:
    """Store the index's own verdicts (P(humour) of one half) and explanations as if a model had given them; count them."""
    index = open_index(path)
    if not index.has_records(RECORDS):
        raise IndexFault(f"{path} has no explanations; make them: rimshot annotate {path}")
    humour, explained = index.column("humour"), 0

    def said(number: int, _text: str) -> Explained:
        nonlocal explained
        record = index.record(RECORDS, number)
        explained += record is not None
        return Explained(bool(humour[number] >= FUNNY), str(record["sentence"]) if record is not None else "")

    _store(path, said, "rimshot's own detector and explanations", encoder)
    return explained


def _store(path: str | Path, said: Callable[[int, str], Explained | None], by: str, encoder: Encoder | None) -> None:
    """Attach what was said of every document, and vectors of text and explanation."""
    if encoder is None:
        from rimshot.wordplay.encoder import choose_encoder

        encoder = choose_encoder()
    with write_index(path) as writer:
        own = writer.manifest.get("notes", {}).get("encoder") == encoder.digest
        for at, (segment, base) in enumerate(zip(list(writer.segments), open_index(path).bases, strict=True)):
            texts = list(segment.bodies)
            langs = [LANGUAGES[int(code)] for code in segment.array("doc:lang")]
            found = [said(base + number, text) for number, text in enumerate(texts)]
            told = [joined(text, one) for text, one in zip(texts, found, strict=True)]
            vectors = _vectors(segment if own else None, told, langs, encoder)
            flags = np.array([one is not None and one.joke for one in found], np.float32)
            arrays: dict[str, Array] = {"doc:flagged": flags, "doc:explained": vectors.astype(np.float16)}
            writer.attach(at, arrays, {"record:explanation": [_record(one) for one in found]})
        writer.note("vectors:explained", {"model": "default", "digest": encoder.digest})
        writer.note("column:flagged", by)


def _vectors(
    segment: Segment | None, told: Sequence[str], langs: Sequence[str], encoder: Encoder
) -> NDArray[np.float32]:
    """Give vectors of what was told; a text of which nothing was said has the one that its segment holds."""
    if segment is None or "doc:meaning" not in segment.where:
        return encoder.encode(told, langs)
    found = segment.array("doc:meaning").astype(np.float32)
    fresh = [number for number, text in enumerate(told) if text != segment.bodies[number]]
    found[fresh] = encoder.encode([told[number] for number in fresh], [langs[number] for number in fresh])
    return found


def joined(text: str, said: Explained | None) -> str:
    """Give the text with its explanation, as the vector is to read it.

    >>> joined("Dough!", Explained(True, "Dough is money."))
    'Dough! Dough is money.'
    """
    return f"{text} {said.explanation}".strip() if said is not None else text


def explanation_of(index: Index, number: int) -> Mapping[str, Any] | None:
    """Give what was said of a document, None where nothing was."""
    return index.record("explanation", number)


def _place(cache: Path, url: str, model: str, text: str) -> Path:
    parts: Sequence[str] = (url.rstrip("/"), model, SYSTEM, text)
    name = hashlib.blake2b("\x1f".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return cache / name[:2] / f"{name}.json"


def _ask(text: str, endpoint: Endpoint, cache: Path) -> int:
    file = _place(cache, endpoint.url, endpoint.model, text)
    if _kept(file) is not None or not text.strip():
        return 0
    answer, used = endpoint.ask(SYSTEM, text)
    said = read_answer(answer)
    record = {"joke": said.joke, "explanation": said.explanation, "usage": dict(used)}
    file.parent.mkdir(exist_ok=True)
    half = file.with_suffix(".part")
    half.write_text(json.dumps(record, ensure_ascii=False), "utf-8")
    half.replace(file)
    return 1


def _kept(file: Path) -> Explained | None:
    """Give a kept answer; one that cannot be read counts as not there."""
    try:
        record = json.loads(file.read_text("utf-8"))
        return Explained(bool(record["joke"]), str(record["explanation"]))
    except (FileNotFoundError, ValueError, KeyError, TypeError):
        return None


def _record(said: Explained | None) -> bytes:
    if said is None:
        return b""
    return json.dumps({"joke": said.joke, "explanation": said.explanation}, ensure_ascii=False).encode()
