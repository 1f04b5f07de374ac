"""Explaining the puns of an index ahead, in a process of its own: python -m rimshot.index.ahead DIR.

Explanations are plain Python, which uses one core; so is the comparing of jokes. Where there is a second core, a process beside
the builder's explains the jokes from the last to the first, and the builder finds what is done when it gets there. Should
that process fail, or not be allowed, the builder does all of it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rimshot.index.explanations import drop_partial, explain_backwards, unexplained
from rimshot.index.reader import open_index

__all__ = ["explained_ahead"]

_WORTH = 1000
"""How many texts must be waiting: a process takes a second to begin, in which some fifty are explained."""


@contextmanager
def explained_ahead(path: str | Path) -> Iterator[None]:
    """Have the puns of an annotated index explained ahead, within; what is left over when all went well is removed."""
    helper = None
    if (os.cpu_count() or 1) > 1 and unexplained(open_index(path)) >= _WORTH:
        helper = _begin(Path(path))
    try:
        yield
    finally:
        if helper is not None:
            helper.kill()
            helper.wait()
    drop_partial(path)


def _begin(path: Path) -> subprocess.Popen[bytes] | None:
    nothing = subprocess.DEVNULL
    command = [sys.executable, "-m", "rimshot.index.ahead", str(path)]
    # What it multiplies is small: more threads would only get in the builder's way.
    alone = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    try:
        return subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, env={**os.environ, **alone})
    except OSError:
        return None


if __name__ == "__main__":
    builder = os.getppid()
    # A builder that was killed has no use for more.
    explain_backwards(open_index(sys.argv[1]), wanted=lambda: os.getppid() == builder)
