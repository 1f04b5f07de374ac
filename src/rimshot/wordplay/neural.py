"""The shipped detector: one pass of a small fine-tuned encoder gives probability, pun word and sentence vector.

The graph answers with a raw humour logit, a logit for each token and a unit vector; ``model.json`` holds the slope and
shift that make the logit a probability (see its card). Case, extra spaces and closing punctuation are taken away by the
model's own tokenizer, so they cannot flip a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.analyser import words
from rimshot.errors import InputError, MissingPart
from rimshot.wordplay.detector import Progress, Scores
from rimshot.wordplay.network import Network, Reading

__all__ = ["CLOSER", "OnnxDetector", "closer", "shipped", "word_chances"]


@dataclass(frozen=True, eq=False)
class OnnxDetector:
    """A wordplay network in a folder of model.onnx, tokenizer.json and model.json.

    Without ``vectors`` its scores have none where the graph can spare them, which makes it quicker. The folder may hold a
    second graph, larger and slower, that reads closer; ``file`` names it. ``longest`` is as for a network.
    """

    folder: Path
    vectors: bool = True
    file: str = "model.onnx"
    longest: int = 0

    @cached_property
    def _network(self) -> Network:
        if not (self.folder / "model.json").exists():
            cure = "install the package anew, train it with: rimshot train detector, or choose: --model tiny"
            raise MissingPart(f"no wordplay model in {self.folder}; {cure}")
        network = Network(self.folder)
        if self.file != network.file:
            network = replace(network, file=self.file, below=network, longest=self.longest)
        for field in ("languages", "max_tokens", "calibration"):
            if field not in network.about:
                raise InputError(f'{self.folder / "model.json"}: field "{field}" is missing; see docs/detector.md')
        return network

    @property
    def name(self) -> str:
        """What people call it."""
        about = self._network.about
        return f"{about.get('name', self.folder.name)}-{about.get('version', '0')}"

    @property
    def digest(self) -> str:
        """A digest of the folder's files."""
        return self._network.digest

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it was trained on."""
        return tuple(self._network.about["languages"])

    @property
    def dim(self) -> int:
        """The length of its sentence vectors, 0 if it gives none."""
        return int(self._network.about.get("dim", 0)) if self.file == "model.onnx" else self._network.dim

    def score(self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None) -> Scores:
        """Give the scores of texts; a text without a single word is no wordplay, and names none."""
        return self.judge(texts, langs, progress)[0]

    def judge(
        self, texts: Sequence[str], langs: str | Sequence[str], progress: Progress | None = None
    ) -> tuple[Scores, list[NDArray[np.float64]]]:
        """Give the scores of texts, and for each the chance of every word to be the pun word."""
        network = self._network
        wanted = ("humour", "pun", "vector") if self.vectors or network.vector_is_free else ("humour", "pun")
        names = [name for name in wanted if name in network.outputs]
        if "humour" not in names:
            raise InputError(f'{network.graph} has no output "humour"; as an encoder it can still be used')
        slope, shift = self._calibration
        scores = Scores.blank(len(texts), self.dim if "vector" in names else 0)
        spread = [np.zeros(0)] * len(texts)
        for number, readings in enumerate(network.read(texts, names, progress)):
            spans = words(texts[number])
            spread[number] = np.zeros(len(spans))
            if scores.vectors is not None and texts[number].strip():
                scores.vectors[number] = unit(sum(reading.values["vector"] for reading in readings))
            if not spans:
                continue
            logit = float(np.mean([reading.values["humour"] for reading in readings]))
            scores.humour[number] = 1.0 / (1.0 + np.exp(-(slope * logit + shift)))
            if "pun" in names:
                spread[number] = chances = word_chances(readings, spans)
                best = int(np.argmax(chances))
                if chances[best] > 0:
                    _, scores.start[number], scores.end[number] = spans[best]
                    scores.confidence[number] = chances[best]
        return scores, spread

    @property
    def _calibration(self) -> tuple[float, float]:
        about = self._network.about
        known = about["calibration"] if self.file == "model.onnx" else about.get("closer", {}).get("calibration", {})
        return float(known.get("a", 1.0)), float(known.get("b", 0.0))

    def readings(self, texts: Sequence[str], names: Sequence[str]) -> Iterator[list[Reading]]:
        """Yield for each text, in order, what the graph says of its windows under some names."""
        return self._network.read(texts, names)

    def encode(self, texts: Sequence[str], langs: str | Sequence[str]) -> NDArray[np.float32]:
        """Give the unit vectors of texts, zeros for a blank one, by the same graph and without its other answers."""
        found = np.zeros((len(texts), self.dim), np.float32)
        for number, readings in enumerate(self.readings(texts, ["vector"])):
            if texts[number].strip():
                found[number] = unit(sum(reading.values["vector"] for reading in readings))
        return found


def word_chances(readings: Sequence[Reading], spans: Sequence[tuple[str, int, int]]) -> NDArray[np.float64]:
    """Give each word's share of the chances that the token logits spread over the words.

    The network was trained to put the sum of a softmax on the tokens of the pun word, so a word's chance is the sum
    of its tokens'. Of two windows, the later one decides about the words that both see.
    """
    starts = np.array([start for _, start, _ in spans])
    ends = np.array([end for _, _, end in spans])
    chances = np.zeros(len(spans))
    for reading in reversed(readings):
        logits = reading.values["pun"].astype(np.float64)
        weights = np.exp(logits - logits.max())
        weights /= weights.sum()
        fresh = np.zeros(len(spans))
        for (start, end), weight in zip(reading.offsets, weights, strict=True):
            if end > start:
                first, last = np.searchsorted(ends, start, "right"), np.searchsorted(starts, end, "left")
                if first < last:
                    fresh[first:last] += weight / (last - first)
        unseen = chances == 0
        chances[unseen] = fresh[unseen]
    total = chances.sum()
    return chances / total if total > 0 else chances


def unit(vector: NDArray[np.float32] | int) -> NDArray[np.float32]:
    """Give the vector at length 1; one of no length stays as it is."""
    values = np.asarray(vector, dtype=np.float32)
    length = float(np.linalg.norm(values))
    return values / np.float32(length) if length > 0 else values


CLOSER = "closer.onnx.gz"


@lru_cache
def closer(lang: str) -> OnnxDetector:
    """Give the larger network shipped for a language, for the texts that the first does not find plain."""
    return replace(shipped(lang), vectors=False, file=CLOSER)


@lru_cache
def shipped(lang: str, vectors: bool = True) -> OnnxDetector:
    """Give the network shipped for a language; all who ask alike share one opened graph."""
    return OnnxDetector(Path(str(files("rimshot.wordplay") / "models" / lang)), vectors)
