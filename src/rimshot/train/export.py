"""From a torch model to what ships: an int8 ONNX graph, its tokenizer and model.json."""

from __future__ import annotations

import copy
import hashlib
import json
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from rimshot.train.fork import WAYS, fork
from rimshot.train.quantise import quantise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from rimshot.train.encoder import WordplayModel
    from rimshot.train.examples import Span


def export_onnx(model: WordplayModel, path: Path, max_tokens: int, *, eight_bits: bool = True) -> None:
    """Write the model as ONNX: `input_ids`, `attention_mask` and two flags in; `humour`, `pun`, `vector` out.

    The encoder's weights are in eight bits; the small heads stay in 32, which costs little room
    and keeps the logits as they were trained. Positions that no text can reach are left out.
    """
    import onnx

    model = copy.deepcopy(model).eval()
    model.encoder.positions.weight.data = model.encoder.positions.weight.data[:max_tokens].clone()
    ids = torch.ones(2, 7, dtype=torch.long)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "plain.onnx"
        with warnings.catch_warnings():
            # The newer exporter needs one more package, and the version of torch is pinned.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                model,
                (ids, torch.ones_like(ids)),
                str(plain),
                input_names=["input_ids", "attention_mask"],
                output_names=["humour", "pun", "vector"],
                dynamic_axes={
                    "input_ids": {0: "batch", 1: "tokens"},
                    "attention_mask": {0: "batch", 1: "tokens"},
                    "humour": {0: "batch"},
                    "pun": {0: "batch", 1: "tokens"},
                    "vector": {0: "batch"},
                },
                opset_version=17,
                dynamo=False,
            )
        graph = onnx.load(str(plain))
        onnx.save(fork(quantise(graph) if eight_bits else graph), str(path))


def run_onnx(
    path: Path, tokenizer: Tokenizer, texts: Sequence[str], max_tokens: int, size: int = 32
) -> tuple[NDArray[np.float64], list[Span], NDArray[np.float32]]:
    """Return humour logits, likeliest pun tokens and vectors of the shipped graph."""
    import onnxruntime

    from rimshot.train.batches import cut
    from rimshot.train.judge import best_token

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    humour = np.zeros(len(texts))
    best: list[Span] = [(0, 0)] * len(texts)
    vectors: list[NDArray[np.float32]] = [np.zeros(0, np.float32)] * len(texts)
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        encodings = tokenizer.encode_batch([texts[i] for i in rows])
        kept = [cut(e.ids, max_tokens) for e in encodings]
        length = max(map(len, kept))
        ids = np.array([k + [0] * (length - len(k)) for k in kept], np.int64)
        mask = np.array([[1] * len(k) + [0] * (length - len(k)) for k in kept], np.int64)
        given = {"input_ids": ids, "attention_mask": mask} | {flag: np.array(True) for flag in WAYS}
        logit, pun, vector = session.run(["humour", "pun", "vector"], given)
        humour[rows] = logit
        for at, row in enumerate(rows):
            best[row] = best_token(encodings[at].offsets[:length], pun[at])
            vectors[row] = vector[at]
    return humour, best, np.stack(vectors) if vectors else np.zeros((0, 0), np.float32)


def write_model(folder: Path, model: WordplayModel, tokenizer: Tokenizer, about: dict[str, Any]) -> dict[str, Any]:
    """Write model.onnx, tokenizer.json and model.json; return what model.json says."""
    folder.mkdir(parents=True, exist_ok=True)
    export_onnx(model, folder / "model.onnx", about["max_tokens"])
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    digest = hashlib.sha256((folder / "model.onnx").read_bytes()).hexdigest()
    return write_about(folder, about | {"sha256": digest, "dim": model.encoder.shape.dim})


def write_about(folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Write model.json."""
    text = json.dumps(about, indent=2, ensure_ascii=False, sort_keys=True)
    (folder / "model.json").write_text(text + "\n", encoding="utf-8")
    return about
