"""From texts to vectors of meaning: the shipped networks for both languages in one space, or a model of the user's.

The shipped English and Portuguese networks answer in the same space, so a query in one finds jokes in the other.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import InputError, MissingPart
from rimshot.wordplay.detector import PartsByLanguage
from rimshot.wordplay.network import Network, Reading
from rimshot.wordplay.neural import OnnxDetector, shipped, unit

__all__ = ["Encoder", "EncoderByLanguage", "OnnxEncoder", "SentenceTransformer", "choose_encoder"]


class Encoder(Protocol):
    """A model that puts texts into a space where nearness is likeness of meaning."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def digest(self) -> str:
        """Changes when any of its vectors could."""

    @property
    def dim(self) -> int:
        """The length of its vectors."""

    def encode(self, texts: Sequence[str], langs: str | Sequence[str]) -> NDArray[np.float32]:
        """Give one unit vector for each text, zeros for a blank one; ``langs`` as for a detector."""


class EncoderByLanguage(PartsByLanguage[Encoder]):
    """An encoder that asks for each text the encoder of its language; all of them share one space."""

    @property
    def dim(self) -> int:
        """The length of the vectors."""
        return next(iter(self.parts.values())).dim

    def encode(self, texts: Sequence[str], langs: str | Sequence[str]) -> NDArray[np.float32]:
        """Give the vectors of texts, each by the encoder of its language."""
        found = np.zeros((len(texts), self.dim), np.float32)
        for lang, encoder, places, share in self.shares(texts, langs):
            found[places] = encoder.encode(share, lang)
        return found


@dataclass(frozen=True, eq=False)
class OnnxEncoder:
    """Any sentence encoder exported to ONNX, with the settings that sentence-transformers writes."""

    folder: Path

    @cached_property
    def _network(self) -> Network:
        return Network(self.folder)

    @property
    def name(self) -> str:
        """What people call it."""
        return str(self._network.about.get("name", self.folder.name))

    @property
    def digest(self) -> str:
        """A digest of the folder's files."""
        return self._network.digest

    @cached_property
    def dim(self) -> int:
        """The length of its vectors."""
        return int(self.encode(["a"], "en").shape[1])

    @cached_property
    def _output(self) -> str:
        outputs = self._network.outputs
        for name in ("vector", "sentence_embedding"):
            if name in outputs:
                return name
        return next((name for name, by_token in outputs.items() if by_token), next(iter(outputs)))

    @cached_property
    def _first_token(self) -> bool:
        path = self.folder / "1_Pooling" / "config.json"
        return path.exists() and bool(json.loads(path.read_text("utf-8")).get("pooling_mode_cls_token"))

    def encode(self, texts: Sequence[str], langs: str | Sequence[str]) -> NDArray[np.float32]:
        """Give the unit vectors of texts; the language makes no difference to it."""
        rows = [
            unit(sum(self._pool(reading) for reading in readings)) * np.float32(bool(text.strip()))
            for text, readings in zip(texts, self._network.read(texts, [self._output]), strict=True)
        ]
        return np.stack(rows) if rows else np.zeros((0, 0), np.float32)

    def _pool(self, reading: Reading) -> NDArray[np.float32]:
        values = reading.values[self._output]
        if values.ndim == 1:
            return unit(values)
        return unit(values[0] if self._first_token else values.mean(axis=0))


@dataclass(frozen=True, eq=False)
class SentenceTransformer:
    """A model by its name on a hub, or in a folder without ONNX, through the library sentence-transformers."""

    model: str

    @cached_property
    def _library(self) -> Any:
        try:
            library = import_module("sentence_transformers")
        except ImportError:
            cure = "install it with: pip install sentence-transformers; or name a folder with an ONNX export"
            raise MissingPart(f'"{self.model}" needs the library sentence-transformers; {cure}') from None
        try:
            return library.SentenceTransformer(self.model, device="cpu")
        except OSError as fault:
            reason = str(fault).splitlines()[0]
            raise InputError(f'"{self.model}" cannot be loaded ({reason}); check the name, or name a folder') from None

    @property
    def name(self) -> str:
        """What people call it."""
        return self.model

    @property
    def digest(self) -> str:
        """A digest of the name: what stands behind it is the hub's affair."""
        return hashlib.blake2b(self.model.encode(), digest_size=16).hexdigest()

    @property
    def dim(self) -> int:
        """The length of its vectors."""
        return int(self._library.get_sentence_embedding_dimension())

    def encode(self, texts: Sequence[str], langs: str | Sequence[str]) -> NDArray[np.float32]:
        """Give the unit vectors of texts; the language makes no difference to it."""
        if not texts:
            return np.zeros((0, self.dim), np.float32)
        found = self._library.encode(list(texts), normalize_embeddings=True, show_progress_bar=False)
        blank = np.array([not text.strip() for text in texts])
        return np.asarray(np.where(blank[:, None], 0.0, found), dtype=np.float32)


def choose_encoder(model: str | Path = "default", languages: Sequence[str] = LANGUAGES) -> Encoder:
    """Give the encoder that a name or a folder stands for.

    ``default`` are the shipped networks. A folder is one of ours (or holds one for each language), an ONNX export, or
    what sentence-transformers saved; any other name is looked up by sentence-transformers.
    """
    if str(model) == "default":
        return EncoderByLanguage({lang: shipped(lang) for lang in languages})
    folder = Path(model)
    inside = {lang: folder / lang for lang in languages if (folder / lang / "model.json").exists()}
    if inside:
        return EncoderByLanguage({lang: OnnxDetector(path) for lang, path in inside.items()})
    if any((folder / name).exists() for name in ("model.onnx", "onnx/model.onnx")):
        return OnnxEncoder(folder)
    return SentenceTransformer(str(model))
