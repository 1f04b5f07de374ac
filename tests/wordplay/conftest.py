"""What every detector promises, as one check for all of them; and a network of a few kilobytes to check it on."""

import json

import numpy as np
import pytest

TEXTS = [
    "I used to be a banker, but I lost interest.",
    "",
    "The committee met on Tuesday to discuss the budget.",
    "   ",
    "😀😀😀",
    "A boiled egg in the morning is hard to beat!",
    "日本語のテキスト",
    "Why did the chicken cross the road?\nTo get to the other side.",
    "half of a \ud83d pair",
    "\x00\x01 odd \u200b marks … — «»",
    "word " * 3000,
]


@pytest.fixture(scope="session")
def check_detector():
    return _check


def _check(detector, lang, tolerance=1e-6):
    """Deterministic, the same alone as in company and in any order, bounded, spans inside the text, nothing mutated."""
    given = list(TEXTS)
    told = []
    scores = detector.score(given, lang, told.append)
    assert given == TEXTS
    assert len(scores) == len(TEXTS)
    assert told[-1] == len(TEXTS) and told == sorted(told)
    assert isinstance(detector.name, str) and detector.name
    assert isinstance(detector.digest, str) and detector.digest
    assert lang in detector.languages
    assert scores.humour.dtype == np.float32 and scores.start.dtype == np.int32
    assert np.all((scores.humour >= 0) & (scores.humour <= 1))
    assert np.all((scores.confidence >= 0) & (scores.confidence <= 1))
    assert scores.humour[1] == scores.humour[3] == 0.0
    for number, text in enumerate(TEXTS):
        start, end = int(scores.start[number]), int(scores.end[number])
        assert (start, end) == (-1, -1) or 0 <= start < end <= len(text)
        assert (scores.word(number, text) is None) == (start < 0)
    assert scores.start[1] == scores.start[3] == -1
    if scores.vectors is not None:
        lengths = np.linalg.norm(scores.vectors, axis=1)
        assert np.all((np.abs(lengths - 1) < 1e-3) | (lengths == 0))

    again = detector.score(TEXTS, [lang] * len(TEXTS))
    _same(scores, again, range(len(TEXTS)), 0.0)
    backwards = detector.score(TEXTS[::-1], lang)
    _same(scores, backwards, range(len(TEXTS))[::-1], tolerance)
    for number, text in enumerate(TEXTS):
        _same(scores, detector.score([text], lang), [number], tolerance)
    assert len(detector.score([], lang)) == 0


def _same(whole, part, places, tolerance):
    places = list(places)
    assert np.allclose(whole.humour[places], part.humour, rtol=0, atol=tolerance)
    assert np.array_equal(whole.start[places], part.start)
    assert np.array_equal(whole.end[places], part.end)
    if whole.vectors is not None:
        assert np.allclose(whole.vectors[places], part.vectors, rtol=0, atol=max(tolerance, 1e-6) * 10)


WORDS = ["a", "the", "i", "used", "to", "be", "banker", "but", "lost", "interest", "boiled", "egg", "in", "morning"]
WORDS += ["is", "hard", "beat", "why", "did", "chicken"]


@pytest.fixture(scope="session")
def miniature(tmp_path_factory):
    """Give the folder of a random network with the shape of the shipped ones."""
    pytest.importorskip("onnx", reason="building a miniature network needs the package onnx")
    folder = tmp_path_factory.mktemp("miniature")
    write_tokenizer(folder / "tokenizer.json")
    write_graph(folder / "model.onnx", vocabulary=4 + len(WORDS) + 26)
    about = {
        "name": "miniature",
        "version": "1",
        "languages": ["en", "pt"],
        "max_tokens": 24,
        "prefix": "",
        "dim": 8,
        "calibration": {"a": 2.0, "b": -0.5},
    }
    (folder / "model.json").write_text(json.dumps(about))
    return folder


def write_tokenizer(path):
    from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers, processors

    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *WORDS, *(f"##{letter}" for letter in "abcdefghijklmnopqrstuvwxyz")]
    tokenizer = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    trailing = Regex(r"[\s.!?…;,:\-–—]+$")
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Replace(trailing, ""), normalizers.Replace(Regex(r"\s+"), " "), normalizers.Lowercase()]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(path))


def write_graph(path, vocabulary, dim=8, outputs=("humour", "pun", "vector")):
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    rng = np.random.default_rng(7)
    arrays = {
        "table": rng.normal(size=(vocabulary, dim)),
        "for_pun": rng.normal(size=dim),
        "for_humour": rng.normal(size=dim),
        "axis1": np.array([1]),
        "axis2": np.array([2]),
        "small": np.array(1e-9),
    }
    constants = [
        numpy_helper.from_array(array.astype(np.int64 if name.startswith("axis") else np.float32), name)
        for name, array in arrays.items()
    ]
    node = helper.make_node
    nodes = [
        node("Gather", ["table", "input_ids"], ["states"]),
        node("Mul", ["states", "for_pun"], ["pun_parts"]),
        node("ReduceSum", ["pun_parts", "axis2"], ["pun"], keepdims=0),
        node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["mask", "axis2"], ["mask3"]),
        node("Mul", ["states", "mask3"], ["kept"]),
        node("ReduceSum", ["kept", "axis1"], ["sum"], keepdims=0),
        node("ReduceSum", ["mask", "axis1"], ["count"], keepdims=1),
        node("Div", ["sum", "count"], ["mean"]),
        node("Mul", ["mean", "for_humour"], ["humour_parts"]),
        node("ReduceSum", ["humour_parts", "axis1"], ["humour"], keepdims=0),
        node("Mul", ["mean", "mean"], ["squares"]),
        node("ReduceSum", ["squares", "axis1"], ["square"], keepdims=1),
        node("Sqrt", ["square"], ["norm"]),
        node("Add", ["norm", "small"], ["length"]),
        node("Div", ["mean", "length"], ["vector"]),
    ]
    shapes = {
        "humour": ["batch"],
        "pun": ["batch", "tokens"],
        "vector": ["batch", dim],
        "states": ["batch", "tokens", dim],
    }
    given = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"])
        for name in ("input_ids", "attention_mask")
    ]
    answers = [helper.make_tensor_value_info(name, TensorProto.FLOAT, shapes[name]) for name in outputs]
    graph = helper.make_graph(nodes, "miniature", given, answers, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, str(path))


@pytest.fixture(scope="session")
def build_graph():
    return write_graph
