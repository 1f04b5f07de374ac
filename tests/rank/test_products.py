"""Products over half precision are those over the same numbers in single precision."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rimshot.rank.products import products, singles

HALVES = np.arange(0, 1 << 16, dtype=np.uint16).view(np.float16)
HALVES = HALVES[np.isfinite(HALVES)]


def test_every_finite_half_is_read_exactly():
    rows = HALVES.reshape(-1, 64)
    assert np.array_equal(singles(rows), rows.astype(np.float32))
    assert np.array_equal(np.signbit(singles(rows)), np.signbit(rows))


@given(st.integers(0, 600), st.integers(1, 40), st.integers(0, 99))
def test_products_of_halves(rows, dim, seed):
    rng = np.random.default_rng(seed)
    matrix = rng.normal(size=(rows, dim)).astype(np.float16)
    vector = rng.normal(size=dim).astype(np.float32)
    vector /= np.linalg.norm(vector)
    wanted = matrix.astype(np.float64) @ vector.astype(np.float64)
    for given_rows in (matrix, matrix.astype(np.float32)):
        assert products(given_rows, vector) == pytest.approx(wanted, abs=1e-5)


def test_rows_that_are_not_side_by_side_are_read_too():
    whole = np.arange(24, dtype=np.float16).reshape(4, 6)
    vector = np.ones(3, np.float32)
    assert products(whole[::2, ::2], vector).tolist() == whole[::2, ::2].sum(axis=1).tolist()
    assert singles(whole[::2, ::2]).tolist() == whole[::2, ::2].tolist()
