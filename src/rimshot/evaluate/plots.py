"""Plots as SVG text, written by hand so that a report needs nothing but a browser.

Colours are classes (``s0`` to ``s7``, with a marker shape each) that the page's style sheet gives for light and dark.
Every mark says what it is in ``data-say``; the page reads it out when the mark has the focus.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

__all__ = ["COLOURS", "bars", "dots", "histogram", "lines", "scatter", "slopes", "top_tick"]

COLOURS = 8
_WIDTH = 720
_CORNERS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    2: ((0, -1.25), (1.15, 0.85), (-1.15, 0.85)),
    3: ((0, -1.35), (1.35, 0), (0, 1.35), (-1.35, 0)),
}
Floats = NDArray[np.float64] | Sequence[float]


def _number(value: float) -> str:
    return f"{value:.1f}".rstrip("0").rstrip(".")


def _ticks(low: float, high: float, wanted: int = 5) -> list[float]:
    """Give round numbers that span a range.

    >>> _ticks(0, 0.23)
    [0.0, 0.05, 0.1, 0.15, 0.2, 0.25]
    """
    span = (high - low) or 1.0
    power = 10 ** math.floor(math.log10(span / wanted))
    step = next(power * base for base in (1, 2, 2.5, 5, 10) if span / (power * base) <= wanted)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def top_tick(most: float) -> float:
    """Give the end of an axis that starts at 0 and reaches a value."""
    return _ticks(0.0, most)[-1]


def _label(value: float) -> str:
    return f"{value:g}" if abs(value) < 1e4 else f"{value:,.0f}"


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def _text(x: float, y: float, text: str, anchor: str = "start", kind: str = "") -> str:
    extra = f' class="{kind}"' if kind else ""
    return f'<text x="{_number(x)}" y="{_number(y)}" text-anchor="{anchor}"{extra}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
    ends = f'x1="{_number(x1)}" y1="{_number(y1)}" x2="{_number(x2)}" y2="{_number(y2)}"'
    return f'<line {ends} class="{kind}"/>'


def _short(name: str, most: int = 30) -> str:
    name = name.replace("_task_1_", " · ")
    return name if len(name) <= most else f"{name[: most - 12]}…{name[-11:]}"


def _mark(shape: int, x: float, y: float, size: float, kind: str, say: str) -> str:
    """Give one of four shapes, so that colour is never alone in telling systems apart."""
    shape = (shape + shape // COLOURS) % 4
    if shape == 0:
        return (
            f'<circle cx="{_number(x)}" cy="{_number(y)}" r="{size:g}" class="mark {kind}" data-say="{escape(say)}"/>'
        )
    points = " ".join(f"{_number(x + dx * size * 0.9)},{_number(y + dy * size * 0.9)}" for dx, dy in _CORNERS[shape])
    return f'<polygon points="{points}" class="mark {kind}" data-say="{escape(say)}"/>'


def _svg(width: float, height: float, body: Sequence[str], label: str) -> str:
    # the same scale for all, so that letters are of one size down the page
    size = f'viewBox="0 0 {_number(width)} {_number(height)}" style="max-width:{width * 1.27:.0f}px"'
    head = f'<svg {size} role="img" aria-label="{escape(label)}">'
    return head + "".join(body) + "</svg>"


def _grid(
    xs: Sequence[tuple[float, str]],
    ys: Sequence[tuple[float, str]],
    left: float,
    right: float,
    top: float,
    bottom: float,
) -> list[str]:
    parts = []
    for x, text in xs:
        parts += [_line(x, top, x, bottom, "grid"), _text(x, bottom + 16, text, "middle", "tick")]
    for y, text in ys:
        parts += [_line(left, y, right, y, "grid"), _text(left - 7, y + 4, text, "end", "tick")]
    return parts


def dots(
    names: Sequence[str],
    values: Floats,
    lows: Floats,
    highs: Floats,
    measure: str,
    kinds: Sequence[int],
    width: float = _WIDTH,
) -> str:
    """Give one measure of every system as a dot with its interval, one system a line."""
    most = 30 if width >= _WIDTH else 22
    left = min(230, 20 + 7 * max(len(_short(name, most)) for name in names))
    right, row, top = width - 50, 24, 10
    bottom = top + row * len(names)
    marks = _ticks(min(0.0, *map(float, lows)), max(map(float, highs)), 5 if width >= _WIDTH else 3)
    x = _scale(marks[0], marks[-1], left, right)
    body = _grid([(x(tick), _label(tick)) for tick in marks], [], left, right, top, bottom)
    for place, name in enumerate(names):
        y = top + row * (place + 0.5)
        kind = f"s{kinds[place] % COLOURS}"
        low, high, value = float(lows[place]), float(highs[place]), float(values[place])
        say = f"{name}: {measure} {value:.4f}, 95% interval {low:.4f} to {high:.4f}"
        body.append(f"<g><title>{escape(name)}</title>{_text(left - 9, y + 4, _short(name, most), 'end', 'name')}</g>")
        body += [_line(x(low), y, x(high), y, f"range {kind}"), _line(x(low), y - 4, x(low), y + 4, f"range {kind}")]
        body.append(_line(x(high), y - 4, x(high), y + 4, f"range {kind}"))
        body.append(_mark(kinds[place], x(value), y, 5.5, kind, say))
        body.append(_text(right + 8, y + 4, f"{value:.3f}", "start", "value"))
    return _svg(width, bottom + 24, body, f"{measure} of {len(names)} systems with 95% intervals")


def bars(labels: Sequence[str], values: Floats, name: str, other: str, measure: str, kind: int) -> str:
    """Give the difference of two systems for each query, largest gain first."""
    order = sorted(range(len(labels)), key=lambda place: -float(values[place]))
    left, right, top, bottom = 52, _WIDTH - 10, 12, 232
    marks = _ticks(min(0.0, *map(float, values)), max(0.0, *map(float, values)))
    if marks[0] == marks[-1]:
        marks = [-0.1, 0.0, 0.1]
    y = _scale(marks[0], marks[-1], bottom, top)
    step = (right - left) / max(len(order), 1)
    body = _grid([], [(y(tick), f"{tick:+g}" if tick else "0") for tick in marks], left, right, top, bottom)
    for rank, place in enumerate(order):
        value = float(values[place])
        start, end = sorted((y(0), y(value)))
        say = f"{labels[place]}: {name} {'+' if value >= 0 else '−'}{abs(value):.4f} {measure} against {other}"
        shade = f"s{kind % COLOURS}" if value >= 0 else "loss"
        body.append(
            f'<rect x="{_number(left + rank * step)}" y="{_number(start)}" width="{max(step * 0.86, 0.6):.2f}" '
            f'height="{max(end - start, 1):.1f}" class="mark {shade}" data-say="{escape(say)}"/>'
        )
    body.append(_line(left, y(0), right, y(0), "axis"))
    body.append(
        _text(left, bottom + 18, f"{len(order)} queries, the best for {_short(name, 40)} first", "start", "tick")
    )
    return _svg(_WIDTH, bottom + 26, body, f"{measure} of {name} less {other} for each query")


def lines(names: Sequence[str], cuts: Sequence[int], curves: Sequence[Floats], kinds: Sequence[int]) -> str:
    """Give recall against documents read, the latter on a logarithmic axis."""
    left, right, top, bottom = 48, _WIDTH - 200, 12, 300
    x = _scale(0.0, math.log10(cuts[-1]), left, right)
    marks = _ticks(0.0, max(0.05, *(float(max(curve)) for curve in curves)))
    y = _scale(0.0, marks[-1], bottom, top)
    xs = [(x(math.log10(cut)), f"{cut:,}") for cut in (1, 3, 10, 30, 100, 300, 1000) if cut <= cuts[-1]]
    body = _grid(xs, [(y(tick), _label(tick)) for tick in marks], left, right, top, bottom)
    body.append(_text((left + right) / 2, bottom + 34, "documents read", "middle", "tick"))
    ends = sorted(range(len(names)), key=lambda place: -float(curves[place][-1]))
    heights = _apart([y(float(curves[place][-1])) for place in ends], 14.0, top, bottom)
    for height, place in zip(heights, ends, strict=True):
        kind, curve = f"s{kinds[place] % COLOURS}", curves[place]
        path = " ".join(
            f"{_number(x(math.log10(cut)))},{_number(y(float(v)))}" for cut, v in zip(cuts, curve, strict=True)
        )
        dash = f" d{kinds[place] // COLOURS % 3}"
        body.append(f'<g class="series" data-series="{place}"><polyline points="{path}" class="curve {kind}{dash}"/>')
        for cut, value in zip(cuts, curve, strict=True):
            if cut in (1, 5, 10, 30, 100, 300, 1000):
                say = f"{names[place]}: recall {float(value):.4f} after {cut:,} documents"
                body.append(_mark(kinds[place], x(math.log10(cut)), y(float(value)), 3.4, kind, say))
        body.append(_line(right + 2, y(float(curve[-1])), right + 14, height, f"lead {kind}"))
        body.append(_text(right + 18, height + 4, _short(names[place], 23), "start", f"name ink {kind}") + "</g>")
    return _svg(_WIDTH, max(bottom + 42, heights[-1] + 10 if heights else 0), body, "recall against documents read")


def _apart(places: Sequence[float], gap: float, top: float, bottom: float) -> list[float]:
    """Move labels down, then up, until they do not touch."""
    found: list[float] = []
    for place in places:
        found.append(max(place, found[-1] + gap) if found else max(place, top))
    excess = (found[-1] - bottom) if found else 0.0
    if excess > 0:
        found[-1] = bottom if len(found) * gap <= bottom - top else found[-1]
        for number in range(len(found) - 2, -1, -1):
            found[number] = min(found[number], found[number + 1] - gap)
    return found


def scatter(
    xs: Floats,
    ys: Floats,
    says: Sequence[str],
    across: str,
    up: str,
    kinds: Sequence[int],
    names: Sequence[str] = (),
    identity: str = "",
    most: float = 0.01,
) -> str:
    """Give points with the diagonal for reference, as in Figures 4 and 6 of Friedland and Allan (2008)."""
    left, top, side = 58, 12, 380
    right, bottom = left + side, top + side
    # the widest of both axes, so that the diagonal is a diagonal
    marks = _ticks(0.0, max(most, *map(float, xs), *map(float, ys)))
    x, y = _scale(0.0, marks[-1], left, right), _scale(0.0, marks[-1], bottom, top)
    body = _grid([(x(t), _label(t)) for t in marks], [(y(t), _label(t)) for t in marks], left, right, top, bottom)
    body.append(_line(left, bottom, right, top, "diagonal"))
    for place in range(len(says)):
        kind = f"s{kinds[place] % COLOURS}"
        body.append(_mark(kinds[place], x(float(xs[place])), y(float(ys[place])), 4.5, f"{kind} soft", says[place]))
    if names:
        order = sorted(range(len(names)), key=lambda place: y(float(ys[place])))
        heights = _apart([y(float(ys[place])) for place in order], 14.0, top, bottom)
        for height, place in zip(heights, order, strict=True):
            kind = f"s{kinds[place] % COLOURS}"
            body.append(_line(x(float(xs[place])) + 6, y(float(ys[place])), right + 12, height, f"lead {kind}"))
            body.append(_text(right + 16, height + 4, _short(names[place], 26), "start", f"name ink {kind}"))
    body.append(_text((left + right) / 2, bottom + 36, across, "middle", "tick"))
    body.append(
        f'<text transform="translate(14 {_number((top + bottom) / 2)}) rotate(-90)" text-anchor="middle" class="tick">'
        f"{escape(up)}</text>"
    )
    width = _WIDTH if names else right + 20
    return f'<div class="square"{identity}>{_svg(width, bottom + 46, body, f"{up} against {across}")}</div>'


def histogram(counts: Sequence[int], quartiles: Sequence[float]) -> str:
    """Give how many queries have how many relevant documents, as in Figures 1 to 3 of the lab's papers."""
    most = max([*counts, 1])
    size = max(1, math.ceil(most / 24))
    bins = [0] * (most // size + 1)
    for count in counts:
        bins[count // size] += 1
    left, right, top, bottom = 48, _WIDTH - 12, 26, 214
    marks = [tick for tick in _ticks(0, max(bins)) if tick == int(tick)]
    y = _scale(0, max(marks[-1], max(bins)), bottom, top)
    x = _scale(0, len(bins) * size, left, right)
    body = _grid([], [(y(tick), _label(tick)) for tick in marks], left, right, top, bottom)
    every = max(1, len(bins) // 12)
    for place, queries in enumerate(bins):
        start, end = place * size, place * size + size - 1
        span = f"{start}" if size == 1 else f"{start} to {end}"
        say = f"{queries} {'query has' if queries == 1 else 'queries have'} {span} relevant documents"
        body.append(
            f'<rect x="{_number(x(start) + 1)}" y="{_number(y(queries))}" width="{x(size) - x(0) - 2:.1f}" '
            f'height="{_number(bottom - y(queries))}" class="mark s0" data-say="{escape(say)}"/>'
        )
        if place % every == 0:
            body.append(_text(x(start) + (x(size) - x(0)) / 2, bottom + 16, str(start), "middle", "tick"))
    for number, (value, name) in enumerate(zip(quartiles, ("25%", "median", "75%"), strict=True)):
        at, height = x(value) + (x(size) - x(0)) / 2 / size, top - 10 + 15 * number
        body += [_line(at, height, at, bottom, "quartile")]
        body += [_text(at + 4, height + 9, f"{name}: {value:g}", "start", "name")]
    body.append(_text((left + right) / 2, bottom + 34, "relevant documents for a query", "middle", "tick"))
    return _svg(_WIDTH, bottom + 42, body, "queries by their number of relevant documents")


def slopes(names: Sequence[str], train: Floats, test: Floats, measure: str, kinds: Sequence[int]) -> str:
    """Give training against test figures as lines that fall where a system has learnt its training queries by heart."""
    left, right, top = 80, _WIDTH - 250, 26
    bottom = max(260, top + 15 * len(names))
    marks = _ticks(0.0, max(0.01, *map(float, train), *map(float, test)))
    y = _scale(0.0, marks[-1], bottom, top)
    body = _grid([], [(y(tick), _label(tick)) for tick in marks], left - 16, right, top, bottom)
    body += [
        _text(left, top - 10, "training queries", "middle", "name"),
        _text(right, top - 10, "test queries", "middle", "name"),
    ]
    order = sorted(range(len(names)), key=lambda place: -float(test[place]))
    heights = _apart([y(float(test[place])) for place in order], 14.0, top, bottom)
    for height, place in zip(heights, order, strict=True):
        kind = f"s{kinds[place] % COLOURS}"
        before, after = float(train[place]), float(test[place])
        say = f"{names[place]}: {measure} {before:.4f} on training queries, {after:.4f} on test queries"
        body.append(f'<g class="series">{_line(left, y(before), right, y(after), f"curve {kind}")}')
        body.append(_mark(kinds[place], left, y(before), 4.5, kind, say))
        body.append(_mark(kinds[place], right, y(after), 4.5, kind, say))
        body.append(_line(right + 6, y(after), right + 14, height, f"lead {kind}"))
        body.append(_text(right + 18, height + 4, _short(names[place]), "start", f"name ink {kind}") + "</g>")
    return _svg(_WIDTH, bottom + 14, body, f"{measure} on training and on test queries")
