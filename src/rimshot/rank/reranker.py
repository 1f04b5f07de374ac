"""A cross-encoder over the hits: query and text read together by one network."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np

from rimshot.index.reader import Index
from rimshot.rank.ranking import Array, Ranking
from rimshot.rank.stage import Shape, Stage
from rimshot.rank.trained import trained_part
from rimshot.wordplay.network import Network

__all__ = ["Reranker", "pair_scores"]

_BATCH = 32
_CURE = "train one with: rimshot train reranker; or name a folder with an ONNX cross-encoder: Reranker(model='./DIR')"


@lru_cache(maxsize=2)
def _network(folder: Path) -> Network:
    return Network(folder)


def pair_scores(network: Network, query: str, texts: Sequence[str]) -> Array:
    """Give a cross-encoder's score of each text for a query, between 0 and 1; long texts are cut at their end."""
    longest = int(network.about["max_tokens"])
    network.tokenizer.enable_truncation(longest, strategy="only_second")
    encoded = network.tokenizer.encode_batch([(query, text) for text in texts])
    order = sorted(range(len(texts)), key=lambda row: len(encoded[row].ids))
    wanted = {entry.name for entry in network.session.get_inputs()}
    output = next(iter(network.outputs))
    logits = np.zeros(len(texts))
    for begin in range(0, len(order), _BATCH):
        rows = order[begin : begin + _BATCH]
        width = max(len(encoded[row].ids) for row in rows)
        given = {
            name: np.zeros((len(rows), width), np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")
        }
        for at, row in enumerate(rows):
            size = len(encoded[row].ids)
            given["input_ids"][at, :size] = encoded[row].ids
            given["attention_mask"][at, :size] = 1
            given["token_type_ids"][at, :size] = encoded[row].type_ids
        found = np.asarray(network.session.run([output], {name: given[name] for name in wanted})[0], dtype=np.float64)
        # One logit for relevance, or one for each of (no, yes).
        found = found.reshape(len(rows), -1)
        logits[rows] = found[:, 0] if found.shape[1] == 1 else found[:, 1] - found[:, 0]
    return np.asarray(1 / (1 + np.exp(-logits)))


@dataclass(frozen=True, repr=False)
class Reranker(Stage):
    """Gives every hit the score of an ONNX cross-encoder for query and text; put ``% 100`` before it.

    ``model`` is a folder with ``model.onnx`` and ``tokenizer.json``, such as an export of
    cross-encoder/ms-marco-MiniLM-L12-v2; a bare name is one that ``rimshot train reranker`` has made.
    """

    model: str = "reranker"

    needs: ClassVar[Shape] = Shape.HITS
    reads_files: ClassVar[bool] = True

    def apply(self, ranking: Ranking, index: Index) -> Ranking:
        """Give the hits in the order of the cross-encoder."""
        network = _network(trained_part(self.model, "tokenizer.json", _CURE))
        texts = [index.text(number) for number in ranking.docs.tolist()]
        scores = pair_scores(network, ranking.query.text, texts)
        return ranking.rescored(scores, {"reranker": scores})
