"""Which detector? The shipped networks, the tiny fallback by name, or a user's own folder."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import InputError, MissingPart, did_you_mean
from rimshot.wordplay.detector import ByLanguage, Detector

__all__ = ["choose_detector"]


def choose_detector(
    model: str | Path = "default", languages: Sequence[str] = LANGUAGES, *, vectors: bool = True
) -> Detector:
    """Give the detector that a name or a folder stands for.

    ``default`` are the shipped networks and n-gram models judging together, ``network`` the networks alone, ``tiny`` the
    n-gram models alone, which need no onnxruntime. Anything else is a folder with ``model.json``, whose ``kind`` says
    how to read it, or with one such folder for each language. Without ``vectors`` the shipped ones give none and are
    quicker.
    """
    if str(model) == "default":
        from rimshot.wordplay.stacked import stacked

        return ByLanguage({lang: stacked(lang, vectors) for lang in languages})
    if str(model) == "network":
        from rimshot.wordplay.neural import shipped

        return ByLanguage({lang: shipped(lang, vectors) for lang in languages})
    if str(model) == "tiny":
        from rimshot.wordplay.tiny import load_tiny

        return ByLanguage({lang: load_tiny(lang) for lang in languages})
    folder = Path(model)
    if not folder.exists():
        raise InputError(
            f'no detector "{model}"; {did_you_mean(str(model), ("default", "network", "tiny"))}, or a folder'
        )
    inside = {lang: folder / lang for lang in languages if (folder / lang / "model.json").exists()}
    if inside:
        return ByLanguage({lang: open_detector(path) for lang, path in inside.items()})
    return open_detector(folder)


def open_detector(folder: Path) -> Detector:
    """Give the detector that a folder with a model.json describes."""
    path = folder / "model.json"
    if folder.suffix == ".npz":
        from rimshot.wordplay.tiny import TinyDetector

        return TinyDetector(folder)
    try:
        kind = json.loads(path.read_text("utf-8")).get("kind", "network")
    except (FileNotFoundError, NotADirectoryError):
        raise MissingPart(f"{path} is missing; a model folder has one, see docs/detector.md") from None
    except (json.JSONDecodeError, AttributeError):
        raise InputError(f"{path} is not a JSON object; write the model anew") from None
    if kind == "network":
        from rimshot.wordplay.neural import OnnxDetector

        return OnnxDetector(folder)
    if kind == "classical":
        from rimshot.wordplay.classical.model import ClassicalDetector

        return ClassicalDetector(folder)
    if kind == "lstm":
        from rimshot.wordplay.classical.lstm import LstmDetector

        return LstmDetector(folder)
    raise InputError(f'{path}: field "kind" is "{kind}"; {did_you_mean(str(kind), ("network", "classical", "lstm"))}')
