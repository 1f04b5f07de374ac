"""A BERT encoder in plain torch, with the three heads of the wordplay model."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# Layers below the fork. They stay as the base has them, so that both ways can be trained apart.
SHARED = 2


@dataclass(frozen=True)
class EncoderShape:
    """The sizes of a BERT encoder; `dim` is also the dimension of the sentence vector."""

    vocabulary: int
    dim: int = 384
    layers: int = 6
    heads: int = 12
    inner: int = 1536
    positions: int = 512
    types: int = 2
    epsilon: float = 1e-12
    dropout: float = 0.1
    # MPNet (Song et al. 2020) adds to the attention scores what it learnt of the distance between two tokens.
    distances: int = 0


class Layer(nn.Module):  # type: ignore[misc]
    """One post-norm transformer layer."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.rate = shape.dropout
        self.qkv = nn.Linear(shape.dim, 3 * shape.dim)
        self.out = nn.Linear(shape.dim, shape.dim)
        self.attention_norm = nn.LayerNorm(shape.dim, eps=shape.epsilon)
        self.up = nn.Linear(shape.dim, shape.inner)
        self.down = nn.Linear(shape.inner, shape.dim)
        self.norm = nn.LayerNorm(shape.dim, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)

    def forward(self, states: Tensor, bias: Tensor) -> Tensor:
        """Return the states one layer up; `bias` is added to the attention scores."""
        batch, length, dim = states.shape
        split = self.qkv(states).view(batch, length, 3, self.heads, dim // self.heads)
        query, key, value = split.permute(2, 0, 3, 1, 4).unbind(0)
        scores = query @ key.transpose(-1, -2) * (dim // self.heads) ** -0.5 + bias
        weights = F.dropout(scores.softmax(-1), self.rate, self.training)
        mixed = (weights @ value).transpose(1, 2).reshape(batch, length, dim)
        states = self.attention_norm(states + self.dropout(self.out(mixed)))
        inner = self.down(F.gelu(self.up(states)))
        result: Tensor = self.norm(states + self.dropout(inner))
        return result


class Encoder(nn.Module):  # type: ignore[misc]
    """Token ids to contextual token states."""

    def __init__(self, shape: EncoderShape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.vocabulary, shape.dim)
        self.positions = nn.Embedding(shape.positions, shape.dim)
        self.types = nn.Embedding(shape.types, shape.dim)
        self.norm = nn.LayerNorm(shape.dim, eps=shape.epsilon)
        self.dropout = nn.Dropout(shape.dropout)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.distances = nn.Embedding(shape.distances, shape.heads) if shape.distances else None

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the last layer's states, [batch, tokens, dim]."""
        states, bias = self.first(ids, mask)
        return self.climb(self.layers, states, bias)

    def first(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return the states below the first layer, and what to add to the attention scores."""
        states: Tensor = self.words(ids) + self.positions.weight[: ids.shape[1]] + self.types.weight[0]
        states = self.dropout(self.norm(states))
        return states, self.bias(mask, states.dtype)

    def bias(self, mask: Tensor, kind: torch.dtype) -> Tensor:
        """Return what to add to the attention scores: nothing looks at padding."""
        bias = (1.0 - mask[:, None, None, :].to(kind)) * -1e4
        if self.distances is not None:
            buckets = distance_buckets(mask.shape[1], self.shape.distances)
            bias = bias + self.distances(buckets).permute(2, 0, 1)[None].to(bias.dtype)
        return bias

    @staticmethod
    def climb(layers: Iterable[nn.Module], states: Tensor, bias: Tensor) -> Tensor:
        """Return the states above the given layers."""
        for layer in layers:
            states = layer(states, bias)
        return states


class WordplayModel(nn.Module):  # type: ignore[misc]
    """One pass over a text: humour logit, pun-word logit of every token, sentence vector.

    The lowest layers are shared; above them the encoder goes on to the sentence vector, and a tower of its own to the
    judgment. One stack of layers for both was tried: staying in the teacher's space cost the judgment more than it gave.

    The humour head reads the mean of the states beside the states at the presumed pun word, so
    that finding the word and judging the text share their evidence. The vector head starts as the
    identity: before training it gives the mean-pooled vector of the base encoder.
    """

    def __init__(self, shape: EncoderShape, shared: int = SHARED) -> None:
        super().__init__()
        self.encoder = Encoder(shape)
        self.shared = min(shared, shape.layers - 1)
        self.tower = nn.ModuleList(Layer(shape) for _ in range(shape.layers - self.shared))
        self.pun = nn.Linear(shape.dim, 1)
        self.inner = nn.Linear(2 * shape.dim, shape.dim)
        self.humour = nn.Linear(shape.dim, 1)
        self.vector = nn.Linear(shape.dim, shape.dim, bias=False)
        self.dropout = nn.Dropout(shape.dropout)
        for head in (self.pun, self.humour):
            nn.init.normal_(head.weight, std=0.02)
            nn.init.zeros_(head.bias)
        nn.init.eye_(self.vector.weight)

    def start_from(self, encoder: Encoder) -> None:
        """Take over a base encoder: its upper layers begin both ways."""
        self.encoder.load_state_dict(encoder.state_dict())
        self.tower.load_state_dict(encoder.layers[self.shared :].state_dict())

    def forward(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """Return humour logits [B], pun logits [B, T], unit vectors [B, D] and the states below the first layer."""
        first, bias = self.encoder.first(input_ids, attention_mask)
        low = self.encoder.climb(self.encoder.layers[: self.shared], first, bias)
        mask = attention_mask.to(low.dtype)
        return *self._judge(low, bias, mask), self._place(low, bias, mask), first

    def judge(self, input_ids: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return humour logits [B] and pun logits [B, T] alone."""
        low, bias = self._trunk(input_ids, attention_mask)
        return self._judge(low, bias, attention_mask.to(low.dtype))

    def judge_above(self, first: Tensor, attention_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Return what `judge` does, from the states below the first layer."""
        bias = self.encoder.bias(attention_mask, first.dtype)
        low = self.encoder.climb(self.encoder.layers[: self.shared], first, bias)
        return self._judge(low, bias, attention_mask.to(low.dtype))

    def place(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
        """Return unit vectors [B, D] alone."""
        low, bias = self._trunk(input_ids, attention_mask)
        return self._place(low, bias, attention_mask.to(low.dtype))

    def _trunk(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        states, bias = self.encoder.first(ids, mask)
        return self.encoder.climb(self.encoder.layers[: self.shared], states, bias), bias

    def _judge(self, low: Tensor, bias: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        states = self.encoder.climb(self.tower, low, bias)
        pun = self.pun(self.dropout(states)).squeeze(-1)
        weights = (pun.float() + (mask - 1.0) * 1e4).softmax(-1).to(states.dtype)
        focus = (weights[:, None, :] @ states).squeeze(1)
        inner = F.gelu(self.inner(self.dropout(torch.cat([_mean(states, mask), focus], -1))))
        return self.humour(self.dropout(inner)).squeeze(-1), pun

    def _place(self, low: Tensor, bias: Tensor, mask: Tensor) -> Tensor:
        vector = self.vector(_mean(self.encoder.climb(self.encoder.layers[self.shared :], low, bias), mask))
        placed: Tensor = vector / vector.pow(2).sum(-1, keepdim=True).clamp(min=1e-12).sqrt()
        return placed


def _mean(states: Tensor, mask: Tensor) -> Tensor:
    return (states * mask[:, :, None]).sum(1) / mask.sum(1, keepdim=True).clamp(min=1.0)


def distance_buckets(length: int, count: int, far: int = 128) -> Tensor:
    """Return the bucket of each pair of places: half for each direction, near distances apart, far ones together."""
    places = torch.arange(length)
    distance = places[:, None] - places[None, :]
    half, near = count // 2, count // 4
    size = distance.abs()
    ratio = torch.log(size.float().clamp(min=1) / near) / math.log(far / near)
    wide = (near + (ratio * (half - near)).long()).clamp(max=half - 1)
    return torch.where(distance < 0, half, 0) + torch.where(size < near, size, wide)


def load_bert(weights: Mapping[str, Tensor], shape: EncoderShape) -> Encoder:
    """Return an encoder filled from the parameter names of a Hugging Face BertModel.

    `shape.layers` may be smaller than what the weights hold: then layers are taken at even steps
    from the first to the last, as DistilBERT does (Sanh et al. 2019). With the first layer dropped
    instead, a linear map to the teacher's vectors was worse (mean cosine 0.38 for 0.41).
    """
    names = {name.removeprefix("bert."): value.float() for name, value in _bert_names(weights).items()}
    depth = 1 + max(int(n.split(".")[2]) for n in names if n.startswith("encoder.layer."))
    step = (depth - 1) / max(1, shape.layers - 1)
    encoder = Encoder(shape)
    state: dict[str, Tensor] = {}
    for ours, theirs in (("words", "word"), ("positions", "position"), ("types", "token_type")):
        state[f"{ours}.weight"] = names[f"embeddings.{theirs}_embeddings.weight"]
    for part in ("weight", "bias"):
        state[f"norm.{part}"] = names[f"embeddings.LayerNorm.{part}"]
        for number in range(shape.layers):
            source = f"encoder.layer.{round(number * step)}."
            target = f"layers.{number}."
            state[f"{target}qkv.{part}"] = torch.cat(
                [names[f"{source}attention.self.{which}.{part}"] for which in ("query", "key", "value")]
            )
            for ours, theirs in (
                ("out", "attention.output.dense"),
                ("attention_norm", "attention.output.LayerNorm"),
                ("up", "intermediate.dense"),
                ("down", "output.dense"),
                ("norm", "output.LayerNorm"),
            ):
                state[f"{target}{ours}.{part}"] = names[f"{source}{theirs}.{part}"]
    if encoder.distances is not None:
        state["distances.weight"] = names["encoder.relative_attention_bias.weight"]
    encoder.load_state_dict(state)
    return encoder


def _bert_names(weights: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Return the parameters under the names of BERT; MPNet's differ, and its first two positions stand for padding."""
    if "encoder.relative_attention_bias.weight" not in weights:
        return dict(weights)
    theirs = {"attn.q": "self.query", "attn.k": "self.key", "attn.v": "self.value", "attn.o": "output.dense"}
    named = {}
    for name, value in weights.items():
        parts = name.split(".attention.")
        if len(parts) == 2:
            key, part = parts[1].rsplit(".", 1)
            name = f"{parts[0]}.attention.{theirs.get(key, 'output.' + key)}.{part}"
        named[name] = value
    named["embeddings.position_embeddings.weight"] = weights["embeddings.position_embeddings.weight"][2:]
    named["embeddings.token_type_embeddings.weight"] = torch.zeros(1, weights["embeddings.LayerNorm.bias"].shape[0])
    return named
