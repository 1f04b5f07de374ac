"""A wordplay model of a few hundred kilobytes in plain numpy, for where onnxruntime cannot be had.

Hashed word and character n-grams under a linear model: a judge of style more than of puns (its card gives the figures
beside those of the networks), so it is used only when asked for by name. The pun word is chosen by a second linear
model over each word's place, length and letters.

Feature hashing: Weinberger et al., ICML 2009; n-gram log-count ratios as weights: Wang and Manning, ACL 2012.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import words
from rimshot.errors import InputError, MissingPart
from rimshot.wordplay.canonical import canonical
from rimshot.wordplay.detector import Progress, Scores

__all__ = ["TinyDetector", "load_tiny", "text_grams", "word_grams"]

_STEP = 512
_LONGEST = 4000
"""Words read of one text: the rest of a longer one adds time but no style."""


def text_grams(spelling: str, bits: int) -> NDArray[np.int64]:
    """Give the numbers of the n-grams of a canonical text, each once: words, pairs, 2 to 5 letters of a word."""
    found: set[int] = set()
    before = "^"
    for word in spelling.split()[:_LONGEST]:
        found |= _inside(word)
        found.add(_number(f"2{before} {word}"))
        before = word
    return _masked(found, bits)


@lru_cache(maxsize=1 << 14)
def _inside(word: str) -> frozenset[int]:
    """The numbers of a word and of the letters in it."""
    edged = f"<{word[:40]}>"
    runs = (edged[place : place + size] for size in (2, 3, 4, 5) for place in range(len(edged) - size + 1))
    return frozenset(map(_number, (f"1{word}", *runs)))


def word_grams(spelling: str, spans: Sequence[tuple[str, int, int]], bits: int) -> list[NDArray[np.int64]]:
    """Give for each word of a canonical text the numbers of what speaks for or against its being the pun word."""
    found = []
    earlier: set[str] = set()
    for number, (word, _, end) in enumerate(spans):
        behind = len(spans) - 1 - number
        grams = {
            f"b{min(behind, 12)}",
            f"a{min(number, 12)}",
            f"r{int(8 * number / len(spans))}",
            f"l{min(len(word), 12)}",
            f"t{spelling[end : end + 1]}",
            f"w{word}",
            f"e{word[-3:]}",
            f"f{word[-2:]}",
            f"s{word[:3]}",
            f"d{min(behind, 4)} {min(len(word), 8)}",
            f"p{spans[number - 1][0] if number else '^'}",
            f"n{spans[number + 1][0] if behind else '$'}",
        }
        if word in earlier:
            grams.add("again")
        earlier.add(word)
        found.append(_masked(map(_number, grams), bits))
    return found


def _number(gram: str) -> int:
    return crc32(gram.encode("utf-8", "surrogatepass"))


def _masked(numbers: Iterable[int], bits: int) -> NDArray[np.int64]:
    """The low bits of numbers, each once, in order."""
    mask = (1 << bits) - 1
    kept = {number & mask for number in numbers}
    return np.fromiter(sorted(kept), np.int64, len(kept))


@dataclass(frozen=True, eq=False)
class TinyDetector:
    """The fallback of one language, read from its file when first asked; without ``places`` it names no word."""

    path: Path
    places: bool = True

    @cached_property
    def _parts(self) -> dict[str, NDArray[np.generic]]:
        try:
            with self.path.open("rb") as opened, np.load(opened, allow_pickle=False) as kept:
                return {name: kept[name] for name in kept.files}
        except FileNotFoundError:
            raise MissingPart(f"{self.path} is missing; make it with: rimshot train tiny") from None
        except ValueError:
            raise InputError(f"{self.path} is not a tiny model; make it anew with: rimshot train tiny") from None

    @cached_property
    def _card(self) -> dict[str, object]:
        return dict(json.loads(str(self._parts["card"])))

    @cached_property
    def _weights(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        def scaled(part: str) -> NDArray[np.float32]:
            scale = np.float32(self._parts[f"{part}_scale"])
            return np.asarray(self._parts[part], dtype=np.float32) * scale

        return scaled("text"), scaled("word")

    @property
    def name(self) -> str:
        """What people call it."""
        return f"tiny-{self._card['lang']}"

    @cached_property
    def digest(self) -> str:
        """A digest of the file."""
        if not self.path.exists():
            raise MissingPart(f"{self.path} is missing; make it with: rimshot train tiny")
        return hashlib.blake2b(self.path.read_bytes(), digest_size=16).hexdigest()

    @property
    def languages(self) -> tuple[str, ...]:
        """The language that it was trained on."""
        return (str(self._card["lang"]),)

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the scores of texts, 0 for one without a word; any language is read as if it were the model's own."""
        scores = Scores.blank(len(texts))
        for number, text in enumerate(texts):
            view = canonical(text)
            spans = words(view.text)
            if spans:
                scores.humour[number] = self._humour(view.text)
            if spans and self.places:
                best, confidence = self._pun_word(view.text, spans)
                scores.start[number], scores.end[number] = view.span(*spans[best][1:])
                scores.confidence[number] = confidence
            if progress is not None and ((number + 1) % _STEP == 0 or number + 1 == len(texts)):
                progress(number + 1)
        return scores

    def _humour(self, spelling: str) -> float:
        weights, _ = self._weights
        grams = text_grams(spelling, int(self._parts["text_bits"]))
        logit = float(weights[grams].sum()) / float(np.sqrt(len(grams)))
        slope, shift = (float(value) for value in self._parts["calibration"])
        return float(1.0 / (1.0 + np.exp(-(slope * logit + shift))))

    def _pun_word(self, spelling: str, spans: Sequence[tuple[str, int, int]]) -> tuple[int, float]:
        _, weights = self._weights
        bits = int(self._parts["word_bits"])
        begin = max(0, len(spans) - _LONGEST)
        logits = np.array([float(weights[grams].sum()) for grams in word_grams(spelling, spans[begin:], bits)])
        chances = np.exp(logits - logits.max())
        best = int(np.argmax(chances))
        return begin + best, float(chances[best] / chances.sum())


def load_tiny(lang: str, *, places: bool = True) -> TinyDetector:
    """Give the shipped fallback of a language."""
    return TinyDetector(Path(str(files("rimshot.wordplay") / "fallback" / f"{lang}.npz")), places)
