"""The judged families, twins and retellings of the embedded sample name texts that exist, and contradict neither each other."""

import json
from itertools import combinations

import pytest

from rimshot.commands.retell_sample import retold, sample_families
from rimshot.corpus.sample import SAMPLE_LANGUAGES, sample_path
from rimshot.retell.judged import read_families


def texts(lang):
    return {row["docid"]: row["text"] for row in json.loads((sample_path(lang) / "corpus.json").read_text("utf-8"))}


def jokes(lang):
    rows = map(json.loads, (sample_path(lang) / "labels.jsonl").read_text("utf-8").splitlines())
    return {row["docid"] for row in rows if row["humorous"]}


@pytest.mark.parametrize("lang", SAMPLE_LANGUAGES)
def test_families_are_of_jokes_and_disjoint(lang):
    families = read_families(sample_path(lang) / "families.jsonl")
    members = [doc for family in families for doc in family.ids]
    assert set(members) <= jokes(lang)
    assert len(members) == len(set(members))
    assert len(families) >= {"en": 30, "pt": 10}[lang]


@pytest.mark.parametrize("lang", SAMPLE_LANGUAGES)
def test_a_twin_is_never_a_version(lang):
    families = {
        doc: family.name for family in read_families(sample_path(lang) / "families.jsonl") for doc in family.ids
    }
    for row in map(json.loads, (sample_path(lang) / "twins.jsonl").read_text("utf-8").splitlines()):
        assert families.get(row["docid"], "none") != families.get(row["twin_of"], "")


def test_every_retelling_retells_a_joke():
    rows = retold()
    known = {row["docid"]: row for row in rows}
    assert len(known) == len(rows)
    sample = {lang: jokes(lang) for lang in SAMPLE_LANGUAGES}
    for row in rows:
        if row["retells"] in known:
            assert known[row["retells"]]["retells"] == row["docid"]
            assert known[row["retells"]]["lang"] != row["lang"]
        else:
            assert row["retells"] in sample[row["lang"]]
            assert row["text"] != texts(row["lang"])[row["retells"]]


def test_retellings_join_the_family_of_their_joke():
    groups = sample_families("en")
    members = [doc for group in groups for doc in group]
    assert len(members) == len(set(members))
    assert any("en-again13" in group and {"en867", "en1583"} <= set(group) for group in groups)
    assert ("en-again1", "en812") in groups


def judged_pairs():
    rows = map(json.loads, (sample_path("en").parent / "judged_pairs.jsonl").read_text("utf-8").splitlines())
    return {frozenset((row["a"], row["b"])): (row["first"], row["second"]) for row in rows}


def test_the_two_readers_agree_as_the_page_says():
    first, second = zip(*judged_pairs().values(), strict=True)
    count = len(first)
    agreed = sum(one == other for one, other in zip(first, second, strict=True)) / count
    both = sum(first) / count * sum(second) / count
    chance = both + (1 - sum(first) / count) * (1 - sum(second) / count)
    assert count == 208 and round(agreed, 2) == 0.95 and round((agreed - chance) / (1 - chance), 2) == 0.89


@pytest.mark.parametrize("lang", SAMPLE_LANGUAGES)
def test_a_family_is_what_both_readers_call_one_joke(lang):
    known = judged_pairs()
    for family in read_families(sample_path(lang) / "families.jsonl"):
        verdicts = [known[frozenset(pair)] == (1, 1) for pair in combinations(family.ids, 2)]
        assert sum(verdicts) > len(verdicts) / 2, family.name
