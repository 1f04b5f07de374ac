"""Collections are built by the rule of the lab's papers, split without a leak, and checked by people."""

import csv
import json

import pytest

from rimshot.corpus.sample import sample_path
from rimshot.errors import InputError
from rimshot.evaluate.building import Item, build_collection, read_items, write_collection
from rimshot.evaluate.building.card import crossing, data_card, facts
from rimshot.evaluate.building.duplicates import families, near_duplicates
from rimshot.evaluate.building.expansions import expand, read_expansions, wordnet_related, write_expansions
from rimshot.evaluate.building.sheet import apply_judgments, pool, read_sheet, write_sheet
from rimshot.evaluate.building.split import split_queries
from rimshot.evaluate.building.statistics import describe, source_table
from rimshot.evaluate.building.words import TextWords
from rimshot.evaluate.collections import open_collection
from rimshot.evaluate.qrels import Qrels, read_qrels
from rimshot.evaluate.runs import make_run

NET = {
    ("bank", "bank%m"): ("lender",),
    ("bank", "bank%r"): ("shore", "water"),
    ("interest", "interest%m"): ("percentage",),
    ("interest", "interest%w"): ("curiosity",),
}


def related(word, sense, lang):
    return NET.get((word, sense[0] if sense else ""), ())


def forms(word, lang):
    return tuple(dict.fromkeys((word, word.removesuffix("s"), word.removesuffix("er"))))


def item(docid, text, word=None, senses=(), **more):
    return Item(docid, text, more.pop("humorous", word is not None), more.pop("source", "test"), word, senses, **more)


ITEMS = [
    item("1", "The fish work at the bank.", "bank", (("bank%m",), ("bank%r",))),
    item("2", "I lost interest as a banker.", "interest", (("interest%m",), ("interest%w",))),
    item("3", "A lender on the shore of debt.", "shore"),
    item("4", "Two banks of the river.", source="wiki"),
    item("5", "A percentage is a share.", source="wiki"),
    item("6", "Nothing to see here.", source="wiki"),
]


def build(items=ITEMS, **more):
    more = {"least": 1, "train": 0, "common": 1.0} | more
    return build_collection(items, "en", related=related, forms=forms, **more)


def test_a_query_is_the_pun_word_with_the_synonyms_of_both_meanings():
    built = build()
    assert built.expansions["bank"] == ("lender", "shore", "water")
    assert built.expansions["interest"] == ("percentage", "curiosity")


def test_relevant_is_what_contains_the_query_or_an_expansion_and_is_humorous():
    built = build()
    qids = {query.text: query.qid for query in built.queries}
    assert built.qrels.relevant(qids["bank"]) == {"1", "2", "3"}
    assert built.topical.relevant(qids["bank"]) == {"1", "2", "3", "4"}
    assert built.qrels.relevant(qids["interest"]) == {"2"}
    assert built.topical.relevant(qids["interest"]) == {"2", "5"}


def test_a_query_needs_enough_relevant_texts():
    assert [query.text for query in build(least=2).queries] == ["bank"]
    assert [query.text for query in build(most=1).queries] == ["bank"]
    with pytest.raises(InputError, match="no query has 9 relevant texts"):
        build(least=9)


def test_an_expansion_that_too_many_texts_have_is_left_out():
    items = [*ITEMS, *(item(f"w{n}", f"Cold water number {n}.") for n in range(20))]
    built = build(items, common=0.2)
    assert built.common == ("water",) and "water" not in built.expansions["bank"]


def test_people_mend_the_expansions_and_give_them_back(tmp_path):
    built = build()
    write_expansions(built.expansions, tmp_path / "expansions.json")
    mended = read_expansions(tmp_path / "expansions.json") | {"bank": ("lender",)}
    del mended["interest"]
    again = build(expansions=mended)
    assert again.expansions["bank"] == ("lender",) and "interest" not in again.expansions
    (tmp_path / "broken.json").write_text('{"bank": "lender"}')
    with pytest.raises(InputError, match='query "bank": not a list of words'):
        read_expansions(tmp_path / "broken.json")


def test_topics_make_queries_and_keep_their_ids():
    items = [
        item("1", "a", "a", topics=("sea", "fish")),
        item("2", "b", topics=("Sea",)),
        item("3", "c", "c", topics=("sea",)),
    ]
    built = build(items, words=False, given=[("en_q1", "sea"), ("en_q2", "moon")])
    assert [(query.qid, query.text) for query in built.queries] == [("en_q1", "sea"), ("en_q2", "moon")]
    assert built.qrels.judgments == {"en_q1": {"1": 1, "3": 1}, "en_q2": {}}
    assert built.topical.relevant("en_q1") == {"1", "2", "3"}
    assert [query.text for query in build(items, words=False).queries] == ["fish", "sea"]


def test_phrases_match_word_by_word_in_any_form():
    texts = TextWords([item("1", "All river banks flood."), item("2", "The bank of the river.")], "en", forms)
    assert texts.having("river_bank") == {"1"} and texts.having("bank") == {"1", "2"} and texts.having("?") == set()


def test_a_heterographic_pun_brings_what_it_sounds_like():
    pun = Item("1", "sacred to the propane", True, "x", "propane", (), ("profane",))
    assert expand(pun, "en", lambda word, sense, lang: {"propane": ("gas",), "profane": ("vulgar",)}[word]) == (
        ("gas",),
        ("profane", "vulgar"),
    )


def test_wordnet_gives_synonyms_of_the_sense_or_hypernyms():
    bank = wordnet_related("bank", ("bank%1:14:00::",), "en")
    assert "banking company" in bank and "bank" not in bank
    assert "slope" in wordnet_related("bank", ("bank%1:17:01::",), "en")
    assert "banking company" in wordnet_related("bank", ("a financial institution that accepts deposits",), "en")
    assert wordnet_related("xyzzy", (), "en") == ()
    assert wordnet_related("banco", (), "pt")


def test_near_duplicates_are_found_whatever_the_punctuation():
    items = [
        item("1", "I used to be a banker but then I lost interest in it."),
        item("2", "I used to be a banker, but then I lost interest in it!"),
        item("3", "I used to be a banker but then I lost patience in it."),
        item("4", "A completely different joke about fish and chips."),
        item("5", "Fish and chips are a dish.", pair="p"),
        item("6", "Chips and fish.", pair="p"),
    ]
    pairs = near_duplicates(items)
    assert [(pair.one, pair.other) for pair in pairs] == [("1", "2"), ("1", "3"), ("2", "3")]
    assert pairs[0].alike == 1.0 and 0.6 <= pairs[1].alike < 1
    family = families(items, pairs)
    assert family["1"] == family["3"] and family["5"] == family["6"] != family["4"]


def test_the_split_shares_no_query_word_no_text_and_no_near_duplicate():
    qrels = Qrels({"a": {"1": 1, "2": 1, "9": 1}, "b": {"3": 1, "2": 1}, "c": {"4": 1, "5": 1}, "d": {"6": 1, "10": 1}})
    terms = {
        "a": frozenset({"bank", "shore"}),
        "b": frozenset({"shore"}),
        "c": frozenset({"cat"}),
        "d": frozenset({"dog"}),
    }
    family = {str(n): str(n) for n in range(1, 11)} | {"9": "4", "10": "5"}
    for seed in range(6):
        split = split_queries(qrels, terms, family, 2, seed=seed)
        assert ("a" in split.train) == ("b" in split.train)
        train = {family[d] for qid in split.train for d in split.train_qrels.relevant(qid)}
        test = {family[d] for qid in split.test for d in split.test_qrels.relevant(qid)}
        assert not train & test
        assert set(split.train) | set(split.test) == set("abcd")
    with pytest.raises(InputError, match="leave none for the test"):
        split_queries(qrels, terms, family, 4)


def test_a_training_query_without_enough_left_moves_to_the_test():
    qrels = Qrels({"a": {"1": 1}, "b": {"1": 1}, "c": {"2": 1}})
    split = split_queries(qrels, {}, {"1": "1", "2": "2"}, 2, least=1, seed=0)
    assert not {"a", "b"} & set(split.train) or {"a", "b"} <= set(split.train)


def test_queries_are_named_by_their_side_and_nothing_crosses():
    built = build(train=1)
    assert built.split and all(qid.startswith("qid_train_") for qid in built.split.train)
    assert {query.qid for query in built.queries} == {*built.split.train, *built.split.test}
    assert crossing(built) == []


def test_statistics_are_those_of_the_papers():
    found = describe(Qrels({"a": {"1": 1, "2": 1, "3": 0}, "b": {"1": 1}, "c": {str(n): 1 for n in range(9)}}))
    assert (found["count"], found["mean"], found["50%"], found["max"]) == (3, 4, 2, 9)
    assert found["std"] == pytest.approx(19**0.5)
    table = source_table(ITEMS)
    assert table.rows[-1] == ("total", (3, 3, 6))


def test_a_written_collection_opens_and_tells_its_story(tmp_path):
    built = build(train=1)
    known = facts(built, "jokes", "CC0")
    write_collection(built, tmp_path / "jokes", data_card(built, "jokes", "CC0"), known)
    collection = open_collection(tmp_path / "jokes")
    assert collection.lang == "en" and len(collection.queries) == len(built.queries)
    assert collection.qrels.judgments == built.qrels.judgments
    assert read_qrels(tmp_path / "jokes" / "qrels_test.json").judgments == built.split.test_qrels.judgments
    card = (tmp_path / "jokes" / "CARD.md").read_text()
    assert (
        "6 texts, 3 of them" in card and "## Known limits" in card and "CC0" in card and "| wiki | 3 | 0 | 3 |" in card
    )
    assert json.loads((tmp_path / "jokes" / "collection.json").read_text())["documents"] == 6


def saved(path, *records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_files_are_joined_by_docid(tmp_path):
    texts = saved(tmp_path / "corpus.jsonl", {"docid": 1, "text": "a  bank"}, {"docid": "2", "text": "plain"})
    puns = saved(
        tmp_path / "puns.jsonl", {"docid": "1", "word": "bank", "senses": [["bank%1:14:00::"], ["bank%1:17:01::"]]}
    )
    labels = saved(tmp_path / "labels.jsonl", {"docid": "2", "humorous": 0, "source": "wiki", "topics": ["sea"]})
    first, second = read_items([texts, puns, labels])
    assert first == Item("1", "a bank", True, "unknown", "bank", (("bank%1:14:00::",), ("bank%1:17:01::",)))
    assert second == Item("2", "plain", False, "wiki", topics=("sea",))


def test_signs_of_portuguese_puns_are_read(tmp_path):
    sign = {"pun sign": "religião", "alternative sign": ["legião"], "homograph": False}
    (found,) = read_items([saved(tmp_path / "puns.jsonl", {"docid": "1", "text": "Religião Urbana.", "signs": [sign]})])
    assert (found.word, found.alternative, found.humorous) == ("religião", ("legião",), True)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({"docid": "1", "word": "x"}, 'document "1" has no text in any file'),
        ({"docid": "1", "text": "a", "humorous": "maybe"}, '"humorous": .maybe. is neither 0 nor 1'),
        ({"docid": "1", "text": "a", "senses": 5}, '"senses"'),
        ({"docid": "1", "text": "a", "topics": [1]}, '"topics"'),
        ({"docid": True, "text": "a"}, '"docid": True is not an identifier'),
    ],
)
def test_broken_annotations_are_refused_with_the_place(tmp_path, record, message):
    with pytest.raises(InputError, match=message) as fault:
        read_items([saved(tmp_path / "x.jsonl", record)])
    assert "x.jsonl, line 1" in str(fault.value)


def test_texts_that_disagree_are_refused(tmp_path):
    path = saved(tmp_path / "x.jsonl", {"docid": "1", "text": "a"}, {"docid": "1", "text": "b"})
    with pytest.raises(InputError, match='line 2, field "text": document "1" has another value at'):
        read_items([path])


TEXTS = {"1": "one; with, commas", "2": "dois é", "3": "three"}


def sheet(path, answers):
    rows = list(csv.reader(path.read_text(encoding="utf-8-sig").splitlines()))
    place = {name: number for number, name in enumerate(rows[0])}
    for row in rows[1:]:
        on_topic, humorous = answers.get((row[place["qid"]], row[place["docid"]]), ("", ""))
        row[place["on_topic"]], row[place["humorous"]] = on_topic, humorous
    with path.open("w", newline="", encoding="utf-8") as out:
        csv.writer(out).writerows(rows)
    return read_sheet(path)


def test_a_sheet_goes_out_shuffled_and_blind_and_comes_back(tmp_path):
    qrels = Qrels({"q": {"1": 1}})
    runs = [make_run("r", [("q", ["2", "3"], [2, 1])])]
    pooled = pool(runs, qrels, depth=1)
    assert pooled == {"q": ["1", "2"]}
    path = tmp_path / "sheet.csv"
    assert write_sheet(pooled, {"q": "sea"}, TEXTS, path) == 2
    assert path.read_text(encoding="utf-8-sig").splitlines()[0] == "qid,query,docid,text,on_topic,humorous,note"
    judged = apply_judgments(qrels, qrels, [sheet(path, {("q", "1"): ("1", "0"), ("q", "2"): ("sim", "yes")})])
    assert judged.qrels.judgments == {"q": {"1": 0, "2": 1}}
    assert judged.topical.judgments == {"q": {"1": 1, "2": 1}}
    assert (judged.pairs, judged.changed, judged.open) == (2, 2, ())


def test_assessors_who_disagree_leave_the_pair_open_and_are_measured():
    qrels = Qrels({"q": {"1": 1, "2": 1}})
    ana = {("q", "1"): (True, True), ("q", "2"): (True, False), ("q", "3"): (False, False), ("q", "4"): (True, True)}
    bob = {("q", "1"): (True, True), ("q", "2"): (True, True), ("q", "3"): (False, False)}
    judged = apply_judgments(qrels, qrels, [ana, bob])
    assert judged.open == (("q", "2"),) and judged.qrels.judgments["q"] == {"1": 1, "2": 1, "3": 0, "4": 1}
    assert judged.agreement == pytest.approx(2 / 3)
    # they agree on 2 of 3; by chance on 1/3 * 2/3 + 2/3 * 1/3
    assert judged.kappa == pytest.approx((2 / 3 - 4 / 9) / (1 - 4 / 9))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("qid,docid,on_topic,humorous\nq,1,2,1\n", r"line 2, column \"on_topic\": '2' is neither 1 nor 0"),
        ("qid,docid,on_topic,humorous\nq,1,1,\n", r"line 2, column \"humorous\": is empty"),
        ("qid,docid,on_topic\nq,1,1\n", r'line 1: there is no column "humorous"'),
        ("qid,docid,on_topic,humorous\nq,1,1,1\nq,1,0,1\n", r"line 3: .* judged otherwise further up"),
    ],
)
def test_a_sheet_that_cannot_be_read_is_refused_with_the_line(tmp_path, text, message):
    (tmp_path / "sheet.csv").write_text(text)
    with pytest.raises(InputError, match=message):
        read_sheet(tmp_path / "sheet.csv")


def test_a_foreign_sheet_or_run_is_refused(tmp_path):
    with pytest.raises(InputError, match="which the collection lacks; wrong sheet"):
        apply_judgments(Qrels({"q": {}}), Qrels({"q": {}}), [{("z", "1"): (True, True)}])
    with pytest.raises(InputError, match='document "77" for query "q", which the collection lacks'):
        write_sheet({"q": ["77"]}, {"q": "sea"}, TEXTS, tmp_path / "x.csv")


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_the_judgments_of_the_embedded_sample_are_rebuilt_exactly(lang):
    folder = sample_path(lang)
    items = read_items([folder / "corpus.json", folder / "labels.jsonl", folder / "puns.jsonl"])
    queries = [
        (entry["qid"], entry["query"]) for entry in json.loads((folder / "queries.json").read_text(encoding="utf-8"))
    ]
    built = build_collection(items, lang, words=False, given=queries, train=0)
    assert built.qrels.judgments == read_qrels(folder / "qrels.json").judgments
    assert built.topical.judgments == read_qrels(folder / "topical.json").judgments
