"""Weights in four bits: what goes into the file comes out of it, and what is torn says so."""

import numpy as np
import pytest

from rimshot.errors import InputError
from rimshot.wordplay.packed_weights import (
    LIFTED,
    LOWEST_GELU,
    Packed,
    pack,
    read_packed,
    weights_file,
    widen,
    write_packed,
)

RNG = np.random.default_rng(5)
CODES = RNG.integers(0, 16, (6, 3, 8)).astype(np.uint8)
SCALES = RNG.uniform(0.01, 0.03, (3, 6)).astype(np.float16)


def exact():
    """The weight [rows, columns] that codes and scales stand for."""
    return ((CODES.astype(np.float32) - 8) * SCALES.T.astype(np.float32)[:, :, None]).reshape(6, -1).T


@pytest.mark.parametrize("even", [None, RNG.uniform(0.2, 5, 24).astype(np.float32)])
def test_a_widened_weight_is_what_its_codes_stand_for(even):
    weight, column = widen(pack(CODES), SCALES, even)
    assert weight.dtype == np.int8 and weight.shape == (24, 6)
    assert np.abs(weight).max() <= 63, "two products of a larger one may not fit into sixteen bits"
    wanted = exact() if even is None else exact() * even[:, None]
    np.testing.assert_allclose(weight * column, wanted, atol=float(column.max()) / 2 + 1e-6)


@pytest.mark.parametrize("name", ["model.weights.npz", "model.weights.npz.gz"])
def test_a_file_gives_each_weight_its_columns_and_what_its_rows_need(tmp_path, name):
    even = RNG.uniform(0.2, 5, 24).astype(np.float16)
    write_packed(
        tmp_path / name, {"one_whole": Packed(pack(CODES), SCALES), f"two{LIFTED}": Packed(pack(CODES), SCALES, even)}
    )
    assert weights_file(tmp_path / "model.onnx") == tmp_path / name
    found = read_packed(tmp_path / name)
    parts = {f"two{LIFTED}{part}" for part in ("", "_column", "_even", "_lift")}
    assert set(found) == {"one_whole", "one_whole_column", *parts}
    weight = found[f"two{LIFTED}"] * found[f"two{LIFTED}_column"] * found[f"two{LIFTED}_even"][:, None]
    np.testing.assert_allclose(found[f"two{LIFTED}_lift"], LOWEST_GELU * weight.sum(axis=0), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", ["model.weights.npz", "model.weights.npz.gz"])
def test_a_torn_file_is_named(tmp_path, name):
    write_packed(tmp_path / name, {"one_whole": Packed(pack(CODES), SCALES)})
    data = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match=r"model\.weights\.npz.*cannot be read.*install the package anew"):
        read_packed(tmp_path / name)


def test_a_graph_may_have_its_weights_inside(tmp_path):
    assert weights_file(tmp_path / "model.onnx") is None
