"""A sheet for assessors: pooled texts out as CSV, judgments back in."""

from __future__ import annotations

import csv
import io
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rimshot.errors import InputError
from rimshot.evaluate.qrels import Qrels, read_bytes
from rimshot.evaluate.runs import Run

__all__ = ["Judged", "apply_judgments", "pool", "read_sheet", "write_sheet"]

COLUMNS = ("qid", "query", "docid", "text", "on_topic", "humorous", "note")
_YES = {"1", "yes", "y", "x", "true", "sim", "s"}
_NO = {"0", "no", "n", "false", "não", "nao"}


def pool(runs: Sequence[Run], qrels: Qrels, depth: int = 20) -> dict[str, list[str]]:
    """Give for each judged query the best ``depth`` texts of every run, and the texts judged relevant so far."""
    found: dict[str, dict[str, None]] = {}
    for qid in qrels.judgments:
        docs = dict.fromkeys(sorted(qrels.relevant(qid)))
        for run in runs:
            docs.update(dict.fromkeys(run.ranked(qid)[:depth]))
        found[qid] = docs
    return {qid: list(docs) for qid, docs in found.items()}


def write_sheet(
    pooled: Mapping[str, Sequence[str]], queries: Mapping[str, str], texts: Mapping[str, str], path: Path, seed: int = 0
) -> int:
    """Write the sheet and give its number of rows.

    Texts are shuffled, and neither their rank nor what is believed of them is shown, so that assessors judge the text.
    """
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    rng = random.Random(seed)
    count = 0
    for qid, docids in pooled.items():
        shuffled = sorted(docids)
        rng.shuffle(shuffled)
        for docid in shuffled:
            if docid not in texts:
                raise InputError(
                    f'a run has document "{docid}" for query "{qid}", which the collection lacks; wrong run?'
                )
            writer.writerow([qid, queries[qid], docid, texts[docid], "", "", ""])
            count += 1
    try:
        # with a byte order mark, or spreadsheets misread accents
        path.write_text(out.getvalue(), encoding="utf-8-sig")
    except OSError as fault:
        raise InputError(f"{path}: cannot be written ({fault.strerror}); choose another file") from None
    return count


def read_sheet(path: Path) -> dict[tuple[str, str], tuple[bool, bool]]:
    """Read a filled sheet: (on the topic, humorous) for each query and text; rows left empty are skipped."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        raise InputError(
            f"{path}: not UTF-8 (byte 0x{fault.object[fault.start]:02x}); save the sheet as UTF-8"
        ) from None
    delimiter = ";" if text.split("\n", 1)[0].count(";") > text.split("\n", 1)[0].count(",") else ","
    rows = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    absent = [name for name in ("qid", "docid", "on_topic", "humorous") if name not in (rows.fieldnames or ())]
    if absent:
        raise InputError(f'{path}, line 1: there is no column "{absent[0]}"; keep the header of the sheet')
    found: dict[tuple[str, str], tuple[bool, bool]] = {}
    for row in rows:
        where = f"{path}, line {rows.line_num}"
        answers = [(row[name] or "").strip().casefold() for name in ("on_topic", "humorous")]
        if not any(answers):
            continue
        for name, answer in zip(("on_topic", "humorous"), answers, strict=True):
            if answer not in _YES | _NO:
                what = f"{answer!r} is neither 1 nor 0" if answer else "is empty, though the other column is filled"
                raise InputError(f'{where}, column "{name}": {what}')
        pair = (row["qid"], row["docid"])
        value = (answers[0] in _YES, answers[1] in _YES)
        if found.setdefault(pair, value) != value:
            raise InputError(f'{where}: query "{pair[0]}", text "{pair[1]}" was judged otherwise further up')
    return found


@dataclass(frozen=True)
class Judged:
    """New judgments, and what assessors made of them.

    ``agreement`` is the share of pairs that all who judged them judged alike, ``kappa`` Cohen's for the first two
    sheets.
    """

    qrels: Qrels
    topical: Qrels
    pairs: int
    changed: int
    open: tuple[tuple[str, str], ...]
    agreement: float | None
    kappa: float | None


def apply_judgments(
    qrels: Qrels, topical: Qrels, sheets: Sequence[Mapping[tuple[str, str], tuple[bool, bool]]]
) -> Judged:
    """Put assessors' judgments in place of the old ones: the majority decides, and a tie leaves the pair as it was.

    A pair on the topic and humorous is relevant; on the topic only, it is judged non-relevant (0) officially.
    """
    votes: dict[tuple[str, str], list[tuple[bool, bool]]] = defaultdict(list)
    for sheet in sheets:
        for pair, answer in sheet.items():
            if pair[0] not in qrels.judgments:
                raise InputError(f'the sheet judges query "{pair[0]}", which the collection lacks; wrong sheet?')
            votes[pair].append(answer)
    official = {qid: dict(docs) for qid, docs in qrels.judgments.items()}
    on_topic = {qid: dict(docs) for qid, docs in topical.judgments.items()}
    still_open, changed = [], 0
    for (qid, docid), answers in votes.items():
        (best, count), *others = Counter(answers).most_common()
        if others and others[0][1] == count:
            still_open.append((qid, docid))
            continue
        grade = int(best[0] and best[1])
        changed += int((official[qid].get(docid, 0) > 0) != bool(grade))
        official[qid][docid] = grade
        on_topic.setdefault(qid, {})[docid] = int(best[0])
    several = [answers for answers in votes.values() if len(answers) > 1]
    agreement = sum(len(set(answers)) == 1 for answers in several) / len(several) if several else None
    return Judged(
        Qrels(official, qrels.name),
        Qrels(on_topic, topical.name),
        len(votes),
        changed,
        tuple(still_open),
        agreement,
        _kappa(sheets[0], sheets[1]) if len(sheets) > 1 else None,
    )


def _kappa(
    one: Mapping[tuple[str, str], tuple[bool, bool]], other: Mapping[tuple[str, str], tuple[bool, bool]]
) -> float | None:
    """Give Cohen's kappa of two assessors on whether a text is relevant: on the topic and humorous."""
    shared = [pair for pair in one if pair in other]
    if not shared:
        return None
    first, second = ([all(sheet[pair]) for pair in shared] for sheet in (one, other))
    same = sum(a == b for a, b in zip(first, second, strict=True)) / len(shared)
    yes = sum(first) / len(shared) * sum(second) / len(shared)
    no = (1 - sum(first) / len(shared)) * (1 - sum(second) / len(shared))
    chance = yes + no
    return 1.0 if chance == 1 else (same - chance) / (1 - chance)
