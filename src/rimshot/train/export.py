"""From a torch model to what ships: a four-bit ONNX graph, its tokenizer and model.json."""

from __future__ import annotations

import copy
import json
import tempfile
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from rimshot.train.fork import fork
from rimshot.train.quantise import quantise
from rimshot.wordplay.network import file_digest, open_graph
from rimshot.wordplay.packed_weights import smaller, weights_file, write_packed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from rimshot.train.encoder import Encoder, WordplayModel
    from rimshot.train.examples import Span
    from rimshot.wordplay.packed_weights import Packed


WHOLE = ("humour", "pun", "vector", "first")
Feed = Mapping[str, "NDArray[Any]"]


class _Closer(torch.nn.Module):  # type: ignore[misc]
    """The judgment alone; from the states below the first layer, where another graph gives those."""

    def __init__(self, model: WordplayModel, *, from_first: bool) -> None:
        super().__init__()
        self.model = model
        self.from_first = from_first

    def forward(self, given: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return humour logits [B] and pun logits [B, T]."""
        return self.model.judge_above(given, mask) if self.from_first else self.model.judge(given, mask)


def export_onnx(
    model: WordplayModel, path: Path, max_tokens: int, feeds: Sequence[Feed] = (), *, exact: bool = False
) -> None:
    """Write the model as ONNX: `input_ids`, `attention_mask` and two flags in; four answers out.

    They are `humour`, `pun`, `vector`, and `first`: what a closer reader with the same word vectors begins with. The
    weights are in four bits in a file beside it, rounded with an eye to the inputs in `feeds`, unless `exact`. Positions
    that no text can reach are left out.
    """
    traced = _traced(_short(model, max_tokens), WHOLE)
    graph, weights = (traced, {}) if exact else quantise(traced, feeds)
    path.write_bytes(fork(graph).SerializeToString())
    _write_weights(path, weights, "")


def export_closer(
    model: WordplayModel, path: Path, max_tokens: int, feeds: Sequence[Feed] = (), *, from_first: bool, levels: int = 16
) -> None:
    """Write a larger model's judgment alone, packed; `from_first` lets it begin with the other graph's word vectors."""
    closer = _Closer(_short(model, max_tokens), from_first=from_first)
    graph = _traced(closer, ("humour", "pun"), model.encoder.shape.dim if from_first else 0)
    small, weights = quantise(graph, feeds, levels=levels, run=3)
    path.write_bytes(smaller(small.SerializeToString()))
    _write_weights(path, weights, ".gz")


def export_vector(
    model: torch.nn.Module, path: Path, width: int, feeds: Sequence[Feed] = (), *, levels: int = 16
) -> None:
    """Write a model that gives a vector, and hinges of tokens, packed; from states below its first layer of some width, or from ids (0)."""
    traced = _traced(copy.deepcopy(model).eval(), ("vector", "hinge"), width)
    small, weights = quantise(traced, feeds, levels=levels, run=2 if width else 3)
    path.write_bytes(smaller(small.SerializeToString()))
    _write_weights(path, weights, ".gz")


def _write_weights(graph: Path, weights: Mapping[str, Packed], ending: str) -> None:
    """Write the weights of a graph beside it; one without such must not find those of an earlier one."""
    before = weights_file(graph)
    if before is not None:
        before.unlink()
    if weights:
        write_packed(graph.with_name(f"{graph.name.split('.')[0]}.weights.npz{ending}"), weights)


def _short(model: WordplayModel, max_tokens: int) -> WordplayModel:
    model = copy.deepcopy(model).eval()
    model.encoder.positions.weight.data = model.encoder.positions.weight.data[:max_tokens].clone()
    if torch.equal(model.vector.weight, torch.eye(len(model.vector.weight))):
        model.vector = torch.nn.Identity()  # a base whose own vectors are kept
    return model


def _traced(module: torch.nn.Module, outputs: tuple[str, ...], width: int = 0) -> Any:
    """The ONNX graph of a module that takes ids, or states of some width, and a mask."""
    import onnx

    mask = torch.ones(2, 7, dtype=torch.long)
    given = torch.rand(2, 7, width) if width else mask
    first = "first" if width else "input_ids"
    spread = {0: "batch", 1: "tokens"}
    shapes = dict.fromkeys(
        (first, "attention_mask", "pun", "hinge", *(name for name in outputs if name == "first")), spread
    )
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        # The newer exporter needs one more package, and the version of torch is pinned.
        warnings.simplefilter("ignore")
        plain = Path(folder) / "plain.onnx"
        torch.onnx.export(
            module,
            (given, mask),
            str(plain),
            input_names=[first, "attention_mask"],
            output_names=list(outputs),
            dynamic_axes={name: {0: "batch"} for name in outputs} | shapes,
            opset_version=17,
            dynamo=False,
        )
        return onnx.load(str(plain))


def run_onnx(
    path: Path, tokenizer: Tokenizer, texts: Sequence[str], max_tokens: int, size: int = 32
) -> tuple[NDArray[np.float64], list[Span], NDArray[np.float32]]:
    """Return humour logits, likeliest pun tokens and vectors of the shipped graph."""
    from rimshot.train.judge import best_token

    session = open_graph(path, threads=0)
    flags = {entry.name: np.array(True) for entry in session.get_inputs() if entry.name.startswith("want_")}
    order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
    humour = np.zeros(len(texts))
    best: list[Span] = [(0, 0)] * len(texts)
    vectors: list[NDArray[np.float32]] = [np.zeros(0, np.float32)] * len(texts)
    for start in range(0, len(order), size):
        rows = order[start : start + size]
        encodings = tokenizer.encode_batch([texts[i] for i in rows])
        ids, mask = padded(tokenizer, [texts[i] for i in rows], max_tokens)
        length = ids.shape[1]
        given = {"input_ids": ids, "attention_mask": mask} | flags
        logit, pun, vector = session.run(["humour", "pun", "vector"], given)
        humour[rows] = logit
        for at, row in enumerate(rows):
            best[row] = best_token(encodings[at].offsets[:length], pun[at])
            vectors[row] = vector[at]
    return humour, best, np.stack(vectors) if vectors else np.zeros((0, 0), np.float32)


def padded(tokenizer: Tokenizer, texts: Sequence[str], max_tokens: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the ids and the mask of a batch of texts."""
    from rimshot.train.batches import cut

    kept = [cut(encoding.ids, max_tokens) for encoding in tokenizer.encode_batch(list(texts))]
    length = max(map(len, kept))
    ids = np.array([row + [0] * (length - len(row)) for row in kept], np.int64)
    mask = np.array([[1] * len(row) + [0] * (length - len(row)) for row in kept], np.int64)
    return ids, mask


def feeds_of(
    tokenizer: Tokenizer, texts: Sequence[str], max_tokens: int, encoder: Encoder | None = None
) -> list[dict[str, NDArray[Any]]]:
    """Return texts as the inputs of a graph: ids, or the states below the first layer of an encoder."""
    found = []
    ordered = sorted(texts, key=len)
    for start in range(0, len(ordered), 32):
        ids, mask = padded(tokenizer, ordered[start : start + 32], max_tokens)
        given: dict[str, NDArray[Any]] = {"input_ids": ids}
        if encoder is not None:
            with torch.no_grad():
                given = {"first": encoder.first(torch.from_numpy(ids), torch.from_numpy(mask))[0].numpy()}
        found.append(given | {"attention_mask": mask})
    return found


def write_model(
    folder: Path, model: WordplayModel, tokenizer: Tokenizer, about: dict[str, Any], texts: Sequence[str] = ()
) -> dict[str, Any]:
    """Write model.onnx, rounded with an eye to `texts`, tokenizer.json and model.json; return what model.json says."""
    folder.mkdir(parents=True, exist_ok=True)
    feeds = feeds_of(tokenizer, texts, about["max_tokens"])
    export_onnx(model, folder / "model.onnx", about["max_tokens"], feeds)
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    digest = file_digest(folder / "model.onnx")
    return write_about(folder, about | {"sha256": digest, "dim": model.encoder.shape.dim})


def write_about(folder: Path, about: dict[str, Any]) -> dict[str, Any]:
    """Write model.json."""
    text = json.dumps(about, indent=2, ensure_ascii=False, sort_keys=True)
    (folder / "model.json").write_text(text + "\n", encoding="utf-8")
    return about
