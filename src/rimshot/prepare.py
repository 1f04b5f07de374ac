"""Do now what the first search would otherwise wait for: python -m rimshot.prepare."""

from __future__ import annotations

import sys

from rimshot.commands.terminal import steps
from rimshot.errors import RimshotError

__all__ = ["main"]


def main() -> int:
    """Compile the lexicon and index the embedded sample."""
    from rimshot.index.sample import sample_index
    from rimshot.lexicon.store import lexicon_folder

    try:
        lexicon_folder()
        with steps(0) as tell:
            sample_index(tell)
    except RimshotError as fault:
        print(f"rimshot: {fault}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
