"""Running a small text network from a folder: tokens in, named arrays out, on every core, no torch.

Texts are sorted by length and run in batches of little padding; each core runs batches of its own, which keeps more
of it busy than splitting one small matrix product over all. A text longer than the network reads is seen through two
windows, its head and its tail: what leads in, and where the punch line stands.

A batch must not change an answer. Onnxruntime's dynamic quantisation scales the activations of a whole batch at once,
which moved logits by 0.4 and the pun word of every seventh text when it was tried here; the shipped graphs scale each
row by itself and multiply in whole numbers. The heads' kernel (MatMulNBits) takes rows two by two and adds an odd last one
up in another order, so there is always an even number of tokens.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rimshot.errors import InputError, MissingPart
from rimshot.wordplay.packed_weights import read_packed, weights_file

__all__ = ["Network", "Reading", "cores", "cut_windows", "file_digest", "megabytes", "open_graph"]

_SLAB = 4096
_BATCH = 32
_BATCH_TOKENS = 1024
# A graph runs only the ways whose answers are asked for; where they share all layers they are one.
_FLAGS = {"want_judgment": ("humour", "pun"), "want_vector": ("vector",), "want_layers": ("humour", "pun", "vector")}
_TORN = (gzip.BadGzipFile, EOFError, zlib.error)
_HALF = re.compile("[\ud800-\udfff]")
_SAME = str.maketrans({**dict.fromkeys("‘’‛´`ʼ′", "'"), **dict.fromkeys("“”„‟″", '"')})


@dataclass(frozen=True, slots=True)
class Reading:
    """What a network said of one window of a text; ``offsets`` are its tokens' character spans in the text."""

    offsets: Sequence[tuple[int, int]]
    values: dict[str, NDArray[np.float32]]


@dataclass(slots=True)
class _Window:
    text: int
    ids: list[int]
    offsets: list[tuple[int, int]]
    values: dict[str, NDArray[np.float32]]


def cores() -> int:
    """Give the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass(frozen=True, eq=False)
class Network:
    """An ONNX graph with its tokenizer, opened when first used.

    The folder holds ``model.onnx`` (or ``onnx/model.onnx``, as sentence-transformers writes it), ``tokenizer.json`` and
    mostly ``model.json``, which says ``max_tokens`` and ``prefix``; weights may lie in ``model.weights.npz``. Another graph of
    the folder can be named; where it begins with the word vectors of the first (its input ``first``), that one is ``below``
    it. A name that ends in .gz is unpacked as it is opened. A graph that reads longer windows than ``max_tokens`` says how ``longest``
    ones may be.
    """

    folder: Path
    file: str = "model.onnx"
    below: Network | None = None
    longest: int = 0

    @cached_property
    def about(self) -> dict[str, Any]:
        """What model.json says, or what can be learned from the files of sentence-transformers."""
        if not self.folder.is_dir():
            raise MissingPart(f"{self.folder} is not a folder; name one with model.onnx and tokenizer.json")
        path = self.folder / "model.json"
        if path.exists():
            return _object(path)
        limits = self.folder / "sentence_bert_config.json"
        longest = _object(limits).get("max_seq_length") if limits.exists() else None
        return {"name": self.folder.resolve().name, "max_tokens": longest or 256, "prefix": ""}

    @property
    def graph(self) -> Path:
        """The file of the graph."""
        for path in (self.folder / self.file, self.folder / "onnx" / self.file):
            if path.exists():
                return path
        raise MissingPart(
            f"{self.folder} has no {self.file}; export one, or train a model with: rimshot train detector"
        )

    @cached_property
    def digest(self) -> str:
        """A digest of the graph, its tokenizer and its settings."""
        name = hashlib.blake2b(digest_size=16)
        known = self.about.get("sha256")
        if self.file != "model.onnx":
            known = self.about.get(self.file.split(".")[0], {}).get("sha256")
        name.update(str(known).encode() if known else file_digest(self.graph).encode())
        name.update(str(self.longest or "").encode())
        for path in (self.folder / "tokenizer.json", self.folder / "model.json"):
            if path.exists():
                name.update(path.read_bytes())
        return name.hexdigest()

    @cached_property
    def session(self) -> Any:
        """The opened graph."""
        return open_graph(self.graph)

    @cached_property
    def outputs(self) -> dict[str, bool]:
        """The names of the graph's outputs, each with whether it gives something for every token."""
        shapes = {output.name: output.shape for output in self.session.get_outputs()}
        return {name: len(shape) > 1 and not isinstance(shape[1], int) for name, shape in shapes.items()}

    @cached_property
    def dim(self) -> int:
        """The length of the graph's vectors, 0 if it gives none."""
        shapes = {output.name: output.shape for output in self.session.get_outputs()}
        return int(shapes["vector"][1]) if "vector" in shapes else 0

    @property
    def vector_is_free(self) -> bool:
        """Whether the vector comes with the other answers and cannot be spared."""
        return "vector" in self.outputs and "want_vector" not in self._inputs

    @cached_property
    def _inputs(self) -> frozenset[str]:
        return frozenset(entry.name for entry in self.session.get_inputs())

    @cached_property
    def tokenizer(self) -> Any:
        """The tokenizer, without padding and cutting of its own."""
        from tokenizers import Tokenizer

        path = self.folder / "tokenizer.json"
        if not path.exists():
            raise MissingPart(f"{path} is missing; a model folder has one beside its graph")
        tokenizer = Tokenizer.from_file(str(path))
        tokenizer.no_padding()
        tokenizer.no_truncation()
        return tokenizer

    def read(
        self, texts: Sequence[str], names: Sequence[str], progress: Callable[[int], None] | None = None
    ) -> Iterator[list[Reading]]:
        """Yield for each text, in order, its windows (one, or head and tail) with the named outputs."""
        for begin in range(0, len(texts), _SLAB):
            slab = texts[begin : begin + _SLAB]
            windows = self._windows(slab)
            for share in self._run(windows, names):
                if progress is not None:
                    progress(begin + int(share * len(slab)))
            found: list[list[Reading]] = [[] for _ in slab]
            for window in windows:
                found[window.text].append(Reading(window.offsets, window.values))
            yield from found

    def first(self, ids: NDArray[np.int64], mask: NDArray[np.int64]) -> NDArray[np.float32]:
        """Give the states of tokens below the first layer, which another graph goes on from."""
        flags = {flag: np.array(False) for flag in _FLAGS if flag in self._inputs}
        found: NDArray[np.float32] = self.session.run(["first"], {"input_ids": ids, "attention_mask": mask} | flags)[0]
        return found

    def _windows(self, texts: Sequence[str]) -> list[_Window]:
        prefix = str(self.about.get("prefix", ""))
        longest = self.longest or int(self.about["max_tokens"])
        shown = [prefix + _one_shape(text) for text in texts]
        windows = []
        for number, encoding in enumerate(self.tokenizer.encode_batch(shown)):
            ids, offsets, special = encoding.ids, encoding.offsets, encoding.special_tokens_mask
            if prefix:
                offsets = [(max(0, a - len(prefix)), max(0, b - len(prefix))) for a, b in offsets]
            for places in cut_windows(special, longest):
                chosen = [ids[i] for i in places], [(0, 0) if special[i] else offsets[i] for i in places]
                windows.append(_Window(number, *chosen, {}))
        return windows

    def _run(self, windows: list[_Window], names: Sequence[str]) -> Iterator[float]:
        """Fill the windows' values; yield the share that is done."""
        batches = list(_batches(windows))
        session, done = self.session, 0
        if len(batches) == 1:
            self._run_batch(session, batches[0], names)
            yield 1.0
            return
        workers = ThreadPoolExecutor(cores())
        try:
            for finished in workers.map(lambda batch: self._run_batch(session, batch, names), batches):
                done += finished
                yield done / len(windows)
        finally:
            # An interruption must not wait for the batches that nobody will read.
            workers.shutdown(cancel_futures=True)

    def _run_batch(self, session: Any, batch: list[_Window], names: Sequence[str]) -> int:
        width = max(len(window.ids) for window in batch)
        width += width % 2
        ids = np.zeros((len(batch), width), np.int64)
        mask = np.zeros((len(batch), width), np.int64)
        for row, window in enumerate(batch):
            ids[row, : len(window.ids)] = window.ids
            mask[row, : len(window.ids)] = 1
        given: dict[str, NDArray[Any]] = {
            "input_ids": ids,
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(ids),
        }
        given |= {flag: np.array(any(name in names for name in answers)) for flag, answers in _FLAGS.items()}
        if self.below is not None and "first" in self._inputs:
            given["first"] = self.below.first(ids, mask)
        arrays = session.run(list(names), {name: given[name] for name in self._inputs if name in given})
        for row, window in enumerate(batch):
            for name, array in zip(names, arrays, strict=True):
                value = np.asarray(array[row], dtype=np.float32)
                window.values[name] = value[: len(window.ids)] if self.outputs[name] else value
        return len(batch)


def open_graph(graph: Path, threads: int = 1, changed: bytes | None = None) -> Any:
    """Give a session of a graph with the weights beside it; ``changed`` is the graph after a change, to be opened instead."""
    try:
        import onnxruntime
        from onnxruntime.capi import onnxruntime_pybind11_state as faults
    except ImportError:
        cure = "install it with: pip install onnxruntime; or choose the small model: --model tiny"
        raise MissingPart(f"onnxruntime is not installed; {cure}") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = threads
    options.enable_mem_pattern = False
    options.enable_cpu_mem_arena = False  # as quick, and a third less memory
    options.log_severity_level = 3
    file = weights_file(graph)
    arrays = {} if file is None else read_packed(file)
    weights = [onnxruntime.OrtValue.ortvalue_from_numpy(array) for array in arrays.values()]
    if weights:
        options.add_external_initializers(list(arrays), weights)
    try:
        opened = changed or (gzip.decompress(graph.read_bytes()) if graph.suffix == ".gz" else str(graph))
        session = onnxruntime.InferenceSession(opened, options, providers=["CPUExecutionProvider"])
    except (faults.InvalidProtobuf, faults.InvalidGraph, faults.Fail, faults.InvalidArgument, *_TORN) as fault:
        reason = str(fault).splitlines()[0]
        if file is None and "External data" in reason:
            reason = f"{graph.name.split('.')[0]}.weights.npz is missing beside it"
        cure = "install the package anew, or export it again"
        raise InputError(f"{graph} cannot be opened ({reason}); {cure}") from None
    session.weights = weights  # the session reads these arrays where they are, and does not keep them
    return session


def graph_files(graph: Path) -> list[Path]:
    """Give the file of a graph and, where its weights lie in one of their own, that."""
    file = weights_file(graph)
    return [graph] if file is None else [graph, file]


def file_digest(graph: Path) -> str:
    """Give a digest of a graph and the weights beside it."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in graph_files(graph))).hexdigest()


def megabytes(graph: Path) -> float:
    """Give how large a graph is with the weights beside it."""
    return round(sum(path.stat().st_size for path in graph_files(graph)) / 1e6, 2)


def _one_shape(text: str) -> str:
    """Give the text with white space and quotation marks in one shape each, character for character.

    Half of a surrogate pair, which a JSON escape can bring in and no tokenizer takes, becomes a mark of its own.
    """
    shown = "".join(" " if letter.isspace() else letter for letter in text.translate(_SAME))
    return shown if shown.isascii() else _HALF.sub("\ufffd", shown)


def cut_windows(special: Sequence[int], longest: int) -> list[list[int]]:
    """Give the token places of a text's windows: all of them, or head and tail, each with the special tokens around.

    >>> cut_windows([1, 0, 0, 0, 0, 1], 4)
    [[0, 1, 2, 5], [0, 3, 4, 5]]
    """
    size = len(special)
    if size <= longest:
        return [list(range(size))]
    front = next((i for i, mark in enumerate(special) if not mark), size)
    back = next((i for i, mark in enumerate(reversed(special)) if not mark), 0)
    room = max(1, longest - front - back)
    opening, closing = list(range(front)), list(range(size - back, size))
    head = [*opening, *range(front, front + room), *closing]
    return [head, [*opening, *range(size - back - room, size - back), *closing]]


def _batches(windows: Sequence[_Window]) -> Iterator[list[_Window]]:
    ordered = iter(sorted(windows, key=lambda window: -len(window.ids)))
    while batch := list(islice(ordered, 1)):
        rows = max(1, min(_BATCH, _BATCH_TOKENS // max(1, len(batch[0].ids))))
        yield batch + list(islice(ordered, rows - 1))


def _object(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except json.JSONDecodeError as fault:
        raise InputError(f"{path}, line {fault.lineno}: not JSON; write the model anew") from None
    if not isinstance(found, dict):
        raise InputError(f"{path} is not a JSON object; write the model anew")
    return found
