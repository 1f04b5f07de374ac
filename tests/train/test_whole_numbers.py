"""Products in whole numbers: near the float products, and the same alone as in company."""

import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="training needs onnx: install rimshot[train]")
pytest.importorskip("torch", reason="training needs torch: install rimshot[train]")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from rimshot.train.quantise import quantise  # noqa: E402
from rimshot.wordplay.network import open_graph  # noqa: E402
from rimshot.wordplay.packed_weights import LIFTED, write_packed  # noqa: E402

WIDTH = 128


def typical(seed):
    """Rows with two channels that are far larger than the others, as networks have them."""
    rows = np.random.default_rng(seed).normal(size=(40, WIDTH)).astype(np.float32)
    rows[:, [3, 77]] *= 60
    return {"rows": rows, "attention_mask": np.ones(len(rows), np.int64)}


@pytest.fixture
def layer(tmp_path):
    """A product, a GELU as an exporter writes it, and a second product: as floats, in whole numbers, with even channels."""
    rng = np.random.default_rng(1)
    weights = {name: rng.integers(-8, 8, (WIDTH, WIDTH)).astype(np.float32) / 64 for name in ("up", "down")}
    for weight in weights.values():
        weight[::64] = -8 / 64  # so that four bits hold them as they are, and what errs are the rows
    weights |= {"root": np.float32(2**0.5), "one": np.float32(1), "half": np.float32(0.5)}
    nodes = [
        helper.make_node("MatMul", ["rows", "up"], ["raised"], name="up"),
        helper.make_node("Div", ["raised", "root"], ["shrunk"]),
        helper.make_node("Erf", ["shrunk"], ["curve"]),
        helper.make_node("Add", ["curve", "one"], ["gate"]),
        helper.make_node("Mul", ["raised", "gate"], ["gated"]),
        helper.make_node("Mul", ["gated", "half"], ["inner"]),
        helper.make_node("MatMul", ["inner", "down"], ["answer"], name="down"),
    ]
    shape = ["row", WIDTH]
    graph = helper.make_graph(
        nodes,
        "layer",
        [
            helper.make_tensor_value_info("rows", TensorProto.FLOAT, shape),
            helper.make_tensor_value_info("attention_mask", TensorProto.INT64, ["row"]),
        ],
        [helper.make_tensor_value_info("answer", TensorProto.FLOAT, shape)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (tmp_path / "plain.onnx").write_bytes(model.SerializeToString())
    sessions = [open_graph(tmp_path / "plain.onnx")]
    for name, feeds in (("small", []), ("even", [typical(8)])):
        copy = onnx.load_from_string(model.SerializeToString())
        small, packed = quantise(copy, feeds)
        (tmp_path / f"{name}.onnx").write_bytes(small.SerializeToString())
        write_packed(tmp_path / f"{name}.weights.npz", packed)
        sessions.append(open_graph(tmp_path / f"{name}.onnx"))
    assert sorted(packed) == [f"down{LIFTED}", "up_whole"]
    return sessions


def answer(session, rows):
    return session.run(["answer"], {"rows": rows, "attention_mask": np.ones(len(rows), np.int64)})[0]


def test_whole_numbers_say_nearly_the_same(layer):
    plain, small, _ = layer
    rows = np.random.default_rng(2).normal(size=(40, WIDTH)).astype(np.float32)
    exact, found = answer(plain, rows), answer(small, rows)
    assert np.linalg.norm(found - exact) < 0.03 * np.linalg.norm(exact)


def test_even_channels_round_less(layer):
    plain, small, even = layer
    rows = typical(9)["rows"]
    exact = answer(plain, rows)
    assert np.linalg.norm(answer(even, rows) - exact) < 0.8 * np.linalg.norm(answer(small, rows) - exact)


@pytest.mark.parametrize("which", [1, 2])
def test_a_row_is_the_same_alone_and_in_loud_company(layer, which):
    session = layer[which]
    rows = np.random.default_rng(3).normal(size=(9, WIDTH)).astype(np.float32)
    rows[4] *= 1000
    rows[5] = 0
    together = answer(session, rows)
    assert np.isfinite(together).all()
    for number in (0, 4, 5, 8):
        np.testing.assert_array_equal(answer(session, rows[number : number + 1])[0], together[number])
