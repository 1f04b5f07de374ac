"""A comparison as one self-contained page with plots."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

import numpy as np

from rimshot import __version__
from rimshot.errors import InputError
from rimshot.evaluate import plots
from rimshot.evaluate.compare import Comparison
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.significance import bootstrap
from rimshot.evaluate.systems import CUTS
from rimshot.evaluate.table import Table

__all__ = ["report_page", "write_report"]

_MULTIPLES = 6
"""Measures drawn small below the one that decides; an even number, for they stand in two columns."""
_HINT = "Focus the plot and walk it with the arrow keys, or point at a mark."
_FRAME = {"left": 58, "top": 12, "side": 380}


def write_report(
    result: Comparison, qrels: Qrels, folder: Path, title: str, texts: Mapping[str, str] | None = None
) -> Path:
    """Write the page to ``folder/index.html`` and give its path; ``texts`` are the queries in words, where known."""
    page = report_page(result, qrels, title, texts or {})
    path = folder / "index.html"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(page, encoding="utf-8")
    except OSError as fault:
        raise InputError(f"{path}: cannot be written ({fault.strerror}); choose another folder") from None
    return path


def report_page(result: Comparison, qrels: Qrels, title: str, texts: Mapping[str, str]) -> str:
    """Give the page as HTML."""
    labels = [f"{qid} ({texts[qid]})" if qid in texts else qid for qid in result.queries]
    sections = [
        ("measures", "Measures by system", _measures(result)),
        ("queries", "Query by query against the baseline", _differences(result, labels)),
        ("pair", "Two systems, query by query", _pair(result)),
        ("recall", "How deep one has to read", _recall(result)),
        ("humour", "Humour against topic", _humour(result)),
        ("overfitting", "Training against test queries", _overfitting(result)),
        ("relevant", "Relevant documents per query", _relevant(qrels)),
        ("tables", "The figures", _tables(result)),
    ]
    shown = [(name, heading, body) for name, heading, body in sections if body]
    links = "".join(f'<li><a href="#{name}">{escape(heading)}</a></li>' for name, heading, _ in shown)
    body = "".join(f'<section id="{name}"><h2>{escape(heading)}</h2>{part}</section>' for name, heading, part in shown)
    parts = files("rimshot.evaluate") / "page"
    style, script = ((parts / name).read_text(encoding="utf-8") for name in ("report.css", "report.js"))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}: {len(result.systems)} systems compared</title>"
        f"<style>{style}</style></head><body><main>"
        f"<header><h1>{escape(title)}</h1>{_lede(result, qrels)}"
        f'<nav aria-label="Sections"><ul>{links}</ul></nav></header>{body}'
        f"<footer>{_missing(result)}<p>Made by Rimshot {__version__}. Shares are between 0 and 1. Intervals are "
        "bootstrap percentiles over queries; tests are two-sided paired randomisation tests.</p></footer></main>"
        f'<script type="application/json" id="data">{_data(result, labels)}</script><script>{script}</script>'
        "</body></html>\n"
    )


def _figure(drawing: str, caption: str = "", extra: str = "", hint: str = _HINT) -> str:
    below = f'<figcaption class="dim"><p>{caption}</p></figcaption>' if caption else ""
    return (
        f'<figure tabindex="0" role="group" aria-label="Plot; the arrow keys walk its marks"{extra}>{drawing}'
        f'<p class="say" aria-live="polite">{hint}</p>{below}</figure>'
    )


def _lede(result: Comparison, qrels: Qrels) -> str:
    scores = [system.official.overall[result.primary] for system in result.systems]
    best = int(np.argmax(scores))
    winner = result.systems[best].name
    text = f"<strong>{escape(winner)}</strong> has the best {escape(result.primary)}, {scores[best]:.4f}"
    pair = next((pair for pair in result.pairs if pair.system == winner and pair.other == result.systems[0].name), None)
    if pair:
        verdict = "more than luck" if pair.significant else "which luck of the queries could explain"
        text += (
            f": {pair.difference:+.4f} on the baseline {escape(pair.other)}, {verdict} (p {pair.p_holm:.3g} after Holm)"
        )
    relevant = sum(len(qrels.relevant(qid)) for qid in result.queries)
    return (
        f'<p class="lede">{text}.</p><p class="dim">{len(result.systems)} systems, {len(result.queries)} queries, '
        f"{relevant:,} relevant documents.</p>"
    )


def _measures(result: Comparison) -> str:
    names = [measure.name for measure in result.measures if measure.mean == "mean"]
    names.remove(result.primary)
    preferred = ["NDCG@5", "ndcg", "MRR", "P@5", "P@10", "R@100", "P@R", "bpref", "R@1000"]
    names.sort(key=lambda name: preferred.index(name) if name in preferred else len(preferred))
    systems = result.systems
    order = sorted(range(len(systems)), key=lambda place: -systems[place].official.overall[result.primary])
    drawn = []
    for name in [result.primary, *names[: min(_MULTIPLES, len(names) // 2 * 2 or 1)]]:
        ends = bootstrap(np.stack([systems[place].official.values[name] for place in order], axis=1))
        values = [systems[place].official.overall[name] for place in order]
        shown = [systems[place].name for place in order]
        wide = 720 if name == result.primary else 450
        drawing = plots.dots(shown, values, ends[:, 0], ends[:, 1], name, order, wide)
        drawn.append(f"<h3>{escape(name)}</h3>" + _figure(drawing, hint=_HINT if name == result.primary else ""))
    first, rest = drawn[0], "".join(f"<div>{one}</div>" for one in drawn[1:])
    note = "A dot is the mean over queries, the bar its 95% interval: where bars overlap, mind the tests below."
    return f'<p class="dim">{note}</p>{first}<div class="multiples">{rest}</div>'


def _options(names: Sequence[str], chosen: int) -> str:
    return "".join(
        f'<option value="{place}"{" selected" if place == chosen else ""}>{escape(name)}</option>'
        for place, name in enumerate(names)
    )


def _differences(result: Comparison, labels: Sequence[str]) -> str:
    systems = result.systems
    if len(systems) < 2:
        return ""
    baseline = systems[0]
    best = max(range(1, len(systems)), key=lambda place: systems[place].official.overall[result.primary])
    names = [system.name for system in systems[1:]]
    drawn = []
    for place, system in enumerate(systems[1:], 1):
        change = result.values(system) - result.values(baseline)
        wins, losses = int((change > 1e-9).sum()), int((change < -1e-9).sum())
        text = (
            f"{escape(system.name)} is better for {wins} queries, {escape(baseline.name)} for {losses}; "
            f"{len(change) - wins - losses} are even. Grey bars are losses."
        )
        drawing = plots.bars(labels, change, system.name, baseline.name, result.primary, place)
        hidden = "" if place == best else " hidden"
        drawn.append(_figure(drawing, text, f' data-of="bars" data-value="{place - 1}"{hidden}'))
    chooser = (
        f'<div class="choice"><label>Show <select data-swap="bars">{_options(names, best - 1)}</select></label>'
        f"<span>against {escape(baseline.name)}</span></div>"
        if len(names) > 1
        else ""
    )
    return chooser + "".join(drawn)


def _pair(result: Comparison) -> str:
    systems = result.systems
    if len(systems) < 2:
        return ""
    best = max(range(1, len(systems)), key=lambda place: systems[place].official.overall[result.primary])
    x, y = result.values(systems[0]), result.values(systems[best])
    # the frame spans all systems, so that points move and axes stay when another pair is chosen
    most = max(0.01, *(float(result.values(system).max()) for system in systems))
    says = [
        f"{qid}: {float(up):.4f} with {systems[best].name}, {float(across):.4f} with {systems[0].name}"
        for qid, across, up in zip(result.queries, x, y, strict=True)
    ]
    drawing = plots.scatter(
        x,
        y,
        says,
        f"{result.primary}, {systems[0].name}",
        f"{result.primary}, {systems[best].name}",
        [0] * len(says),
        identity=' id="pair-plot"',
        most=most,
    )
    names = [system.name for system in systems]
    wins, losses = int((y > x + 1e-9).sum()), int((x > y + 1e-9).sum())
    count = (
        f"{systems[best].name} is better for {wins} queries, {names[0]} for {losses}, "
        f"and they are even for {len(x) - wins - losses}."
    )
    chooser = (
        f'<div class="choice"><label>Up <select>{_options(names, best)}</select></label>'
        f"<label>Across <select>{_options(names, 0)}</select></label></div>"
    )
    return _figure(
        drawing, f'<span id="pair-count">{escape(count)}</span> On the dashed line both do equally well.'
    ).replace('<p class="say"', chooser + '<p class="say"', 1)


def _recall(result: Comparison) -> str:
    names = [system.name for system in result.systems]
    drawing = plots.lines(names, CUTS, [system.recall for system in result.systems], range(len(names)))
    deep = max(result.systems, key=lambda system: float(system.recall[-1]))
    ten = max(result.systems, key=lambda system: float(system.recall[CUTS.index(10)]))
    caption = (
        "The mean share of a query's relevant documents among the first so many. After 10 documents "
        f"{escape(ten.name)} has found {ten.recall[CUTS.index(10)]:.1%}; "
        f"after 1,000 {escape(deep.name)} has found {deep.recall[-1]:.1%}."
    )
    return _figure(drawing, caption)


def _humour(result: Comparison) -> str:
    systems = result.systems
    pairs = [
        (s.topical.overall[result.primary], s.official.overall[result.primary])
        for s in systems
        if s.topical is not None
    ]
    if len(pairs) < len(systems):
        return ""
    across, up = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    names = [system.name for system in systems]
    says = [
        f"{n}: {result.primary} {u:.4f} official, {a:.4f} topical, gap {a - u:+.4f}"
        for n, (a, u) in zip(names, pairs, strict=True)
    ]
    drawing = plots.scatter(
        across,
        up,
        says,
        f"{result.primary}, topical: on the topic, funny or not",
        f"{result.primary}, official: on the topic and funny",
        range(len(names)),
        names,
    )
    wide = max(range(len(names)), key=lambda place: across[place] - up[place])
    caption = (
        f"Far right and low: finds the topic and misses the joke. The widest gap is that of {escape(names[wide])}, "
        f"{across[wide] - up[wide]:+.4f}."
    )
    return _figure(drawing, caption)


def _overfitting(result: Comparison) -> str:
    found = result.overfitting
    if not found:
        return ""
    names = [entry.system for entry in found]
    drawing = plots.slopes(
        names, [entry.train for entry in found], [entry.test for entry in found], result.primary, range(len(names))
    )
    worst = max(found, key=lambda entry: entry.drop)
    caption = (
        "A line that falls steeply has learnt its training queries by heart. The largest drop is "
        f"{escape(worst.system)}'s, {worst.drop:+.4f} (95% interval {worst.low:+.4f} to {worst.high:+.4f})."
    )
    return _figure(drawing, caption) + _html(result.overfitting_table())


def _relevant(qrels: Qrels) -> str:
    counts = [len(qrels.relevant(qid)) for qid in qrels.judgments]
    quartiles = np.quantile(counts, [0.25, 0.5, 0.75]).tolist()
    drawing = plots.histogram(counts, quartiles)
    spread = np.std(counts, ddof=min(1, len(counts) - 1))
    caption = (
        f"{len(counts)} queries; mean {np.mean(counts):.1f}, standard deviation {spread:.1f}, "
        f"quartiles {quartiles[0]:g}, {quartiles[1]:g} and {quartiles[2]:g}, largest {max(counts)}."
    )
    return _figure(drawing, caption)


def _html(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in (table.head, *table.columns))
    rows = []
    for (name, _), cells in zip(table.rows, table.cells(), strict=True):
        shown = "".join(f"<td{' class=best' if best else ''}>{escape(text)}</td>" for text, best in cells)
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{shown}</tr>')
    caption = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    body = f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    return f'<div class="wide" tabindex="0" role="region" aria-label="{escape(table.title or "figures")}">{body}</div>'


def _tables(result: Comparison) -> str:
    parts = [_html(result.figures())]
    if result.pairs:
        parts.append(_html(result.pair_table()))
        parts.append(
            '<p class="dim">A star at p Holm: the difference stands at 0.05 after correction for all pairs shown.</p>'
        )
    parts.append(f"<details><summary>Every query</summary>{_html(result.query_table())}</details>")
    made = "".join(f"<dt>{escape(s.name)}</dt><dd><code>{escape(s.made)}</code></dd>" for s in result.systems if s.made)
    if made:
        parts.append(f"<details><summary>How the runs were made</summary><dl>{made}</dl></details>")
    return "".join(parts)


def _missing(result: Comparison) -> str:
    lacking = [f"{escape(s.name)} ({len(s.official.missing)})" for s in result.systems if s.official.missing]
    return f"<p>Judged queries that a run lacks count 0: {', '.join(lacking)}.</p>" if lacking else ""


def _data(result: Comparison, labels: Sequence[str]) -> str:
    most = max(0.01, *(float(result.values(system).max()) for system in result.systems))
    document = {
        "primary": result.primary,
        "systems": [system.name for system in result.systems],
        "queries": list(labels),
        "values": [np.round(result.values(system), 5).tolist() for system in result.systems],
        "frame": {**_FRAME, "most": plots.top_tick(most)},
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
