"""A topic in one language finds jokes in the other: the embedded sample's bilingual topics."""

import json

import pytest

from rimshot.corpus.sample import sample_path
from rimshot.evaluate.bilingual import bilingual_map
from rimshot.evaluate.qrels import read_qrels
from rimshot.index import open_index
from rimshot.index.sample import sample_index
from rimshot.rank import DEFAULT, parse, preset
from rimshot.rank.translate import across


def test_every_bilingual_topic_has_jokes_in_the_other_language():
    folder = sample_path("en").parent / "bilingual"
    queries = json.loads((folder / "queries.json").read_text("utf-8"))
    qrels = read_qrels(folder / "qrels.json")
    assert len(queries) >= 48
    for query in queries:
        relevant = qrels.relevant(query["qid"])
        assert relevant and all(docid.startswith(query["target"]) for docid in relevant)


@pytest.mark.slow
def test_jokes_are_found_across_languages():
    index = open_index(sample_index())
    plain = bilingual_map(parse("Bm25() % 1000"), index)
    words = bilingual_map(across(parse("Bm25() % 1000")), index)
    best = bilingual_map(across(preset(DEFAULT)), index)
    for direction, figure in plain.items():
        assert words[direction] > 3 * figure
        assert best[direction] > 5 * figure and best[direction] > 0.15
