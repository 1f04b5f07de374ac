"""Vectors of jokes: tellings of one joke are near each other, another joke on the same word is not.

A network for each language in ``models/`` (its card is ``models/CARD.md``), six layers in English and twelve in Portuguese, which
begins with the word vectors of the detector. Both languages share one space.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from importlib.resources import files

from rimshot.corpus.document import LANGUAGES
from rimshot.wordplay.encoder import Encoder, EncoderByLanguage
from rimshot.wordplay.neural import OnnxDetector, shipped

__all__ = ["FILE", "joke_encoder", "joke_network"]

FILE = "joke.onnx.gz"


@lru_cache
def joke_network(lang: str) -> OnnxDetector:
    """Give the network shipped for a language; it gives vectors and judges nothing."""
    return replace(shipped(lang), file=str(files("rimshot.retell") / "models" / lang / FILE))


@lru_cache(maxsize=1)
def joke_encoder() -> Encoder:
    """Give the shipped encoder of jokes."""
    return EncoderByLanguage({lang: joke_network(lang) for lang in LANGUAGES})
