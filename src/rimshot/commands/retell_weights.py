"""The option ``--weights`` of the commands that compare jokes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rimshot.retell.similarity import Similarity

__all__ = ["add_weights", "chosen_similarity"]


def add_weights(parser: argparse.ArgumentParser) -> None:
    """Define the option."""
    parser.add_argument(
        "--weights",
        type=Path,
        metavar="FILE",
        help="weights of the similarity, from rimshot retell fit (default: shipped)",
    )


def chosen_similarity(args: argparse.Namespace) -> Similarity:
    """Give the similarity with the weights that were asked for."""
    from rimshot.retell.similarity import read_similarity, shipped_similarity

    return shipped_similarity() if args.weights is None else read_similarity(args.weights)
