"""The published record agrees with itself and, where the papers are at hand, with them."""

import re
from pathlib import Path

import pytest

from rimshot.errors import InputError
from rimshot.evaluate.leaderboard import choose, own_entry, published, standing
from rimshot.evaluate.measures import evaluate
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.runs import Run

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
TABLES = {table.id: table for table in published()}
LAB = [table for table in published() if table.year < 2026]
ROWS = [(table, entry) for table in LAB for entry in table.entries]


def test_every_table_is_there_with_all_its_rows():
    sizes = {name: len(table.entries) for name, table in TABLES.items()}
    assert sizes == {
        "2024-3": 11,
        "2024-4": 11,
        "2024-5": 17,
        "2024-6": 17,
        "2025-4": 39,
        "2025-5": 19,
        "2025-6": 39,
        "2025-7": 21,
        "2026-best": 4,
    }
    assert all(table.source["paper"] and table.source["published"] for table in published())


def faults(table, entry):
    """What arithmetic says about a row: relations that hold for any run, with room for rounding."""
    f = {name.casefold(): value for name, value in entry.figures.items()}
    step = 0.0051 if table.year == 2024 else 0.000051
    found = set()
    if table.year == 2024:
        if not f["r@5"] <= f["r@10"] <= f["r@100"] <= f["r@1000"]:
            found.add("recall falls with depth")
        if f["bpref"] > f["r@1000"] + 2 * step:
            found.add("bpref")
        if f["map"] > f["r@1000"] + 2 * step or f["p@1"] > f["mrr"] + 2 * step:
            found.add("map or P@1 too high")
        if f["p@10"] * 10 < f["p@5"] * 5 - 15 * step or f["p@5"] * 5 < f["p@1"] - 6 * step:
            found.add("precision")
        return found
    if abs(f["#rel"] / table.queries / 1000 - f["p@1000"]) > step:
        found.add("P@1000")
    if f["#ret"] > table.queries * 1000:
        found.add("#ret")
    # five ranks: a relevant document adds at least 0.387 of at most 2.948, and at most all of the ideal gain
    if not 0.656 * f["p@5"] - 2 * step <= f["ndcg@5"] <= 5 * f["p@5"] + 6 * step:
        found.add("NDCG@5")
    if f["gmap"] is None or f["gmap"] > f["map"] + 2 * step:
        found.add("GMAP")
    if f["mrr"] < f["p@5"] - 2 * step:
        found.add("MRR")
    for shallow, deep, factor in (("p@5", "p@10", 2), ("p@10", "p@100", 10), ("p@100", "p@1000", 10)):
        if f[deep] * factor < f[shallow] - (factor + 1) * step:
            found.add(deep)
    return found


@pytest.mark.parametrize(("table", "entry"), ROWS, ids=[f"{table.id}-{n}" for n, (table, _) in enumerate(ROWS)])
def test_a_row_adds_up_or_says_why_not(table, entry):
    found = faults(table, entry)
    assert not found or entry.doubt, (entry.run, found)
    if entry.doubt:
        assert set(entry.doubtful) <= {*table.columns, "all"}


def test_topical_training_rows_that_repeat_the_official_ones_are_marked():
    official = {entry.run: entry.figures for entry in TABLES["2024-5"].entries}
    for entry in TABLES["2024-6"].entries:
        assert (entry.figures == official[entry.run]) == ("all" in entry.doubtful)


@pytest.mark.parametrize(
    ("table", "run", "measure", "value"),
    [
        ("2024-3", "UAms_rm3_T5_Filter2", "map", 0.12),
        ("2024-3", "jokester_TFIDF_LogRegr", "P@1", 0.44),
        ("2024-5", "Arampatzis_DecisionTree", "map", 0.40),
        ("2025-4", "pjmathematician_Q14-Q8-Q32", "MAP", 0.3501),
        ("2025-4", "UAms_RM3RoBERTa_drop60", "NDCG@5", 0.0152),
        ("2025-5", "UAms_pt_bm25", "MAP", 0.0789),
        ("2025-6", "Rasion_SenTransF+Roberta", "MAP", 0.5928),
        ("2026-best", "VANGUARD_IROH, three judges", "MAP", 0.635),
    ],
)
def test_figures_that_the_text_of_the_papers_quotes(table, run, measure, value):
    entry = next(entry for entry in TABLES[table].entries if entry.run == run)
    assert entry.figures[measure] == pytest.approx(value)


def seed_rows(table):
    year, number = table.id.split("-")
    path = SEEDS / f"joker-{year}-task1-overview.md"
    if not path.is_file():
        pytest.skip("the papers are not at hand (../shared/seeds)")
    text = path.read_text(encoding="utf-8")
    start = text.index(f"**Table {number}**") if year == "2024" else text.index(f"\nTable {number}: Results")
    rows = []
    for line in text[start:].splitlines()[2:]:
        cells = [cell.strip() for cell in re.sub(r"</?b>", "", line).strip("|").split("\t" if year == "2024" else "|")]
        if len(cells) != len(table.columns) + 1:
            if rows:
                break
            continue
        if not (set(cells[0]) <= set("- ") or cells[0].casefold() in ("run id", "run_id")):
            rows.append(cells)
    return rows


@pytest.mark.parametrize("table", LAB, ids=[table.id for table in LAB])
def test_every_figure_and_name_is_the_papers(table):
    rows = seed_rows(table)
    assert len(rows) == len(table.entries)
    for cells, entry in zip(rows, table.entries, strict=True):
        assert cells[0] == (entry.scan or entry.run)
        for name, text in zip(table.columns, cells[1:], strict=True):
            value = entry.figures[name]
            if text == "NaN":
                assert value is None
            else:
                scale = 100 if table.percent and not name.startswith("#") else 1
                assert value * scale == pytest.approx(float(text)), (entry.run, name)


QRELS = Qrels({"a": {"1": 1}, "b": {"2": 1}})
RUN = Run("mine", {"a": {"1": 0.9}, "b": {"5": 0.9, "6": 0.8, "7": 0.7, "2": 0.6}})


def test_an_own_run_stands_in_its_place_and_is_marked():
    table = choose(2025, "en", "test")
    own = own_entry(evaluate(RUN, QRELS, "joker2025"), table)
    shown = standing(table, [own])
    assert shown.entries[0].run == "mine" and shown.entries[0].elsewhere and shown.entries[0].place == 1
    assert "> mine †" in shown.table().markdown()
    assert standing(table, [own], by="P@100").entries[-1].run != "mine"


def test_top_keeps_own_runs_and_their_places():
    table = choose(2024, "en", "test")
    poor = own_entry(evaluate(Run("poor", {"a": {"9": 0.5}}), QRELS, "joker2024"), table)
    shown = standing(table, [poor], top=3)
    assert [entry.place for entry in shown.entries] == [1, 2, 3, 12]


def test_the_ratio_to_bm25_is_there_though_bm25_is_cut_off():
    rows = dict(standing(choose(2025), top=1).table().rows)
    assert rows[" 1  pjmathematician_Q14-Q8-Q32"][-1] == "2.94"


def test_official_judgments_must_have_the_number_of_queries_of_the_lab():
    with pytest.raises(InputError, match="2 judged queries are not the 207"):
        own_entry(evaluate(RUN, QRELS, "joker2025"), choose(2025), official=True)


def test_a_table_or_column_that_is_not_there_is_refused():
    with pytest.raises(InputError, match="no table for 2026 pt"):
        choose(2026, "pt")
    with pytest.raises(InputError, match='"ndcg" is not a column'):
        standing(choose(2025), by="ndcg")
