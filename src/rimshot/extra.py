"""Libraries that only some work needs, and that are installed for it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rimshot.errors import MissingPart

__all__ = ["library"]

_PACKAGES = {"pyterrier": "python-terrier", "sklearn": "scikit-learn"}


def library(name: str, install: str = "'rimshot[classical]'") -> Any:
    """Give a module of scikit-learn or its like, or say how to get it.

    >>> library("json").dumps([1])
    '[1]'
    """
    try:
        return import_module(name)
    except ImportError:
        top = name.partition(".")[0]
        package = _PACKAGES.get(top, top)
        raise MissingPart(f"{package} is not installed; install it with: pip install {install}") from None
