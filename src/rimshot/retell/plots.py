"""Scatter plots and curves as SVG text, drawn without a plotting library."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

__all__ = ["curve", "scatter"]

_SIZE, _LEFT, _TOP = 360, 64, 40


def _frame(title: str, x: str, y: str, inside: list[str], ticks: Sequence[tuple[float, str]]) -> str:
    right, bottom = _LEFT + _SIZE, _TOP + _SIZE
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right + 24} {bottom + 56}" role="img" '
        'font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{right + 24}" height="{bottom + 56}" fill="#ffffff"/>',
        f'<text x="{_LEFT}" y="24" font-weight="bold">{escape(title)}</text>',
        f'<rect x="{_LEFT}" y="{_TOP}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#555"/>',
    ]
    for at, label in ticks:
        lines.append(
            f'<text x="{_LEFT + at * _SIZE:.1f}" y="{bottom + 18}" text-anchor="middle">{escape(label)}</text>'
        )
    for at in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        lines.append(f'<text x="{_LEFT - 8}" y="{bottom - at * _SIZE + 4:.1f}" text-anchor="end">{at:.1f}</text>')
    middle = _TOP + _SIZE / 2
    lines.append(f'<text x="{_LEFT + _SIZE / 2}" y="{bottom + 42}" text-anchor="middle">{escape(x)}</text>')
    lines.append(
        f'<text x="18" y="{middle}" text-anchor="middle" transform="rotate(-90 18 {middle})">{escape(y)}</text>'
    )
    return "\n".join([*lines, *inside, "</svg>"]) + "\n"


def scatter(title: str, x: str, y: str, points: Sequence[tuple[float, float]]) -> str:
    """Draw points of the unit square with its diagonal for reference."""
    bottom = _TOP + _SIZE
    inside = [
        f'<line x1="{_LEFT}" y1="{bottom}" x2="{_LEFT + _SIZE}" y2="{_TOP}" stroke="#999" stroke-dasharray="4 4"/>'
    ]
    for a, b in points:
        inside.append(
            f'<circle cx="{_LEFT + a * _SIZE:.1f}" cy="{bottom - b * _SIZE:.1f}" r="4" fill="#1f5fa8" fill-opacity="0.45"/>'
        )
    ticks = [(at / 5, f"{at / 5:.1f}") for at in range(6)]
    return _frame(title, x, y, inside, ticks)


def curve(title: str, x: str, y: str, values: Sequence[float]) -> str:
    """Draw values in [0, 1] at 1, 2, 3, ... as a line."""
    bottom, last = _TOP + _SIZE, max(len(values) - 1, 1)
    path = " ".join(f"{_LEFT + at / last * _SIZE:.1f},{bottom - value * _SIZE:.1f}" for at, value in enumerate(values))
    ticks = [(part / 4, str(max(1, round(part / 4 * len(values))))) for part in range(5)]
    return _frame(title, x, y, [f'<polyline points="{path}" fill="none" stroke="#1f5fa8" stroke-width="2"/>'], ticks)
