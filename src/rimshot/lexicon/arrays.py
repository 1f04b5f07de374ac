"""Arrays that ship in an .npz file, read once when first asked for."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_arrays"]


@lru_cache(maxsize=4)
def read_arrays(path: Path) -> dict[str, NDArray[Any]] | None:
    """Give the arrays of a file by name; None where there is no such file."""
    if not path.is_file():
        return None
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}
