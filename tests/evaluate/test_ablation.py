"""What each part adds, on the embedded sample."""

from rimshot.corpus.sample import sample_path
from rimshot.evaluate.ablation import PARTS, WHOLE, ablate, page
from rimshot.evaluate.collections import Collection
from rimshot.index import open_index
from rimshot.index.sample import sample_index
from rimshot.rank.jokes import Jokes


def test_every_part_is_taken_away_once_and_its_share_is_told():
    collection = Collection("sample-pt", sample_path("pt"), "pt")
    chosen = {name: PARTS[name] for name in (WHOLE, "without P(humour)", "BM25 alone")}
    found = ablate(collection, open_index(sample_index()), chosen)
    whole, *others = found.systems
    assert whole.name == WHOLE
    assert all(whole.official.overall["MAP"] > other.official.overall["MAP"] for other in others)
    text = page({"sample-pt": found})
    rows = [line for line in text.splitlines() if line.startswith(("| with", "| BM25"))]
    assert len(rows) == 2 and all(row.split("|")[4].strip().startswith("-") for row in rows)


def test_the_whole_is_the_default_ranking():
    assert PARTS[WHOLE] == Jokes()
    weights = ("word", "kind", "sense", "meaning", "near", "humour")
    gone = {
        name for stage in PARTS.values() if isinstance(stage, Jokes) for name in weights if getattr(stage, name) == 0
    }
    assert gone == set(weights)
