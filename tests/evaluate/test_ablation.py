"""What each part adds, on the embedded sample."""

from rimshot.corpus.sample import sample_path
from rimshot.evaluate.ablation import PARTS, WHOLE, ablate, page
from rimshot.evaluate.collections import Collection
from rimshot.index import open_index
from rimshot.index.sample import sample_index
from rimshot.rank.jokes import Jokes


def test_every_part_is_taken_away_once_and_its_share_is_told():
    collection = Collection("sample-en", sample_path("en"), "en")
    chosen = {name: PARTS[name] for name in (WHOLE, "without the vector of the text", "BM25 alone")}
    found = ablate(collection, open_index(sample_index()), chosen)
    whole, _, words = found.systems
    assert whole.name == WHOLE
    assert whole.official.overall["MAP"] > words.official.overall["MAP"]
    rows = [
        line.split("|") for line in page({"sample-en": found}).splitlines() if line.startswith(("| with", "| BM25"))
    ]
    for row, system in zip(rows, found.systems[1:], strict=True):
        difference = system.official.overall["MAP"] - whole.official.overall["MAP"]
        low, high = (float(end) for end in row[5].split(" to "))
        assert abs(float(row[4]) - difference) < 0.001 and low <= difference <= high


def test_the_whole_is_the_default_ranking():
    assert PARTS[WHOLE] == Jokes()
    weights = ("word", "kind", "sense", "meaning", "near", "humour")
    gone = {
        name for stage in PARTS.values() if isinstance(stage, Jokes) for name in weights if getattr(stage, name) == 0
    }
    assert gone == set(weights)
