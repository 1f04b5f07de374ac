"""A page with the curves of a training run: plain HTML with inline SVG, nothing to install."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH, HEIGHT, EDGE = 420, 180, 34


def curve(title: str, values: Sequence[float]) -> str:
    """Return an SVG line of one figure over the epochs."""
    low, high = min(values), max(values)
    room = (high - low) or 1.0
    steps = max(1, len(values) - 1)
    points = [
        (
            EDGE + (WIDTH - 2 * EDGE) * at / steps,
            HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / room,
        )
        for at, value in enumerate(values)
    ]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5"/>' for x, y in points)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(title)} by epoch">'
        f'<text x="{EDGE}" y="18">{html.escape(title)}</text>'
        f'<text x="{EDGE}" y="{EDGE - 2}" class="small">{high:.3f}</text>'
        f'<text x="{EDGE}" y="{HEIGHT - EDGE + 16}" class="small">{low:.3f}</text>'
        f'<text x="{WIDTH - EDGE}" y="{HEIGHT - 6}" class="small" text-anchor="end">'
        f"epoch {len(values)}</text>"
        f'<polyline points="{path}"/>{dots}</svg>'
    )


def page(title: str, curves: Sequence[dict[str, float]], about: dict[str, Any]) -> str:
    """Return the report of a run: its figures in a table, its curves below."""
    names = [name for name in (curves[-1] if curves else {}) if name != "epoch"]
    drawn = "".join(curve(n, [row[n] for row in curves if n in row]) for n in names)
    facts = "".join(
        f"<tr><th>{html.escape(str(name))}</th><td>{html.escape(str(value))}</td></tr>" for name, value in about.items()
    )
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{html.escape(title)}</title>'
        "<style>body{font:15px/1.4 system-ui;margin:2rem auto;max-width:60rem}"
        "svg{width:26rem;fill:none;stroke:#245;stroke-width:1.5}"
        "text{fill:#222;stroke:none;font-size:13px}.small{font-size:10px}circle{fill:#245}"
        "th{text-align:left;padding-right:1rem;vertical-align:top}</style>"
        f"<h1>{html.escape(title)}</h1><table>{facts}</table>{drawn}</html>\n"
    )
