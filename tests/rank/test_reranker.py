"""A cross-encoder made by hand: its logit is the number of tokens that are the word "bank", less one."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="the graph of this test is built with onnx: install the development tools")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402
from tokenizers import Tokenizer, models, pre_tokenizers, processors  # noqa: E402

from rimshot.rank import parse, search  # noqa: E402
from rimshot.rank.bm25 import Bm25  # noqa: E402
from rimshot.rank.reranker import Reranker, pair_scores  # noqa: E402
from rimshot.wordplay.network import Network  # noqa: E402

WORDS = ["[PAD]", "[CLS]", "[SEP]", "[UNK]", "bank", "river"]


@pytest.fixture
def folder(tmp_path):
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    path = tmp_path / "cross"
    path.mkdir()
    tokenizer.save(str(path / "tokenizer.json"))
    values = np.array([0, 0, 0, 0, 1, 0], np.float32)
    nodes = [
        helper.make_node("Gather", ["values", "input_ids"], ["each"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["each", "mask"], ["kept"]),
        helper.make_node("ReduceSum", ["kept", "axis"], ["sums"], keepdims=1),
        helper.make_node("Sub", ["sums", "one"], ["logits"]),
    ]
    given = [helper.make_tensor_value_info(n, TensorProto.INT64, ["b", "t"]) for n in ("input_ids", "attention_mask")]
    graph = helper.make_graph(
        nodes,
        "cross",
        given,
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["b", 1])],
        [
            numpy_helper.from_array(values, "values"),
            numpy_helper.from_array(np.array([1], np.int64), "axis"),
            numpy_helper.from_array(np.array([1.0], np.float32), "one"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(path / "model.onnx"))
    return path


def test_scores_are_those_of_the_network(folder):
    scores = pair_scores(Network(folder), "bank", ["bank bank", "river", "bank " * 40])
    assert scores == pytest.approx([1 / (1 + np.exp(-2.0)), 0.5, 1 / (1 + np.exp(-40.0))])
    assert len(pair_scores(Network(folder), "bank", [])) == 0


def test_reranker_orders_the_hits(folder, puns):
    stage = Bm25() % 2 >> Reranker(model=str(folder))
    found = search(stage, "river bank", puns)
    assert len(found) == 2 and (np.diff(found.scores) <= 0).all() and "reranker" in found.columns
    assert parse(repr(stage)) == stage
    assert len(search(stage, "zebra", puns)) == 0
