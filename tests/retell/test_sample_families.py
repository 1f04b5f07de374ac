"""The judged families and twins of the embedded sample name texts that exist, and contradict neither each other."""

import json
from itertools import combinations

import pytest

from rimshot.commands.retell_told import bilingual, short_jokes
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
    assert len(families) >= {"en": 130, "pt": 75}[lang]
    assert len({family.name for family in families}) == len(families)


@pytest.mark.parametrize("lang", SAMPLE_LANGUAGES)
def test_a_twin_is_never_a_version(lang):
    families = {
        doc: family.name for family in read_families(sample_path(lang) / "families.jsonl") for doc in family.ids
    }
    for row in map(json.loads, (sample_path(lang) / "twins.jsonl").read_text("utf-8").splitlines()):
        assert families.get(row["docid"], "none") != families.get(row["twin_of"], "")


def test_every_joke_in_two_languages_names_its_other_telling():
    rows = bilingual()
    known = {row["docid"]: row for row in rows}
    assert len(known) == len(rows)
    for row in rows:
        assert known[row["retells"]]["retells"] == row["docid"]
        assert known[row["retells"]]["lang"] != row["lang"]


def test_short_jokes_to_fit_on_are_apart_from_the_sample():
    jokes = short_jokes()
    names = {doc.id for doc in jokes.docs}
    assert len(names) == len(jokes.docs)
    assert {name for ids in jokes.families for name in ids} <= names
    assert {name for pair in jokes.twins for name in pair} <= names
    sample = {text for lang in SAMPLE_LANGUAGES for text in texts(lang).values()}
    assert not sample & {doc.text for doc in jokes.docs}


def judged_pairs():
    rows = map(json.loads, (sample_path("en").parent / "judged_pairs.jsonl").read_text("utf-8").splitlines())
    return {frozenset((row["a"], row["b"])): row["verdicts"] for row in rows}


def test_readers_agree_as_the_page_says():
    judged = judged_pairs()
    twos = [verdicts[at : at + 2] for verdicts in judged.values() for at in range(0, len(verdicts), 2)]
    assert all(len(verdicts) == 2 for verdicts in twos)
    first, second = zip(*twos, strict=True)
    count = len(first)
    agreed = sum(one == other for one, other in zip(first, second, strict=True)) / count
    both = sum(first) / count * sum(second) / count
    chance = both + (1 - sum(first) / count) * (1 - sum(second) / count)
    assert len(judged) == 4019 and count == 4333
    assert round(agreed, 2) == 0.99 and round((agreed - chance) / (1 - chance), 2) == 0.97


@pytest.mark.parametrize("lang", SAMPLE_LANGUAGES)
def test_a_family_is_what_most_readers_call_one_joke(lang):
    known = judged_pairs()
    for family in read_families(sample_path(lang) / "families.jsonl"):
        pairs = [pair for pair in combinations(family.ids, 2) if frozenset(pair) in known]
        verdicts = [sum(known[frozenset(pair)]) * 2 > len(known[frozenset(pair)]) for pair in pairs]
        assert sum(verdicts) > len(verdicts) / 2, family.name
        joined = {family.ids[0]}
        for _ in family.ids:
            joined |= {
                doc for pair, same in zip(pairs, verdicts, strict=True) if same and joined & {*pair} for doc in pair
            }
        assert joined == set(family.ids), family.name
