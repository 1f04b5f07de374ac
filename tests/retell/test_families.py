import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.retell import families as module
from rimshot.retell.candidates import by_cells, by_keys, spelling_code, telling_keys
from rimshot.retell.cluster import components, families
from rimshot.retell.families import Material, Partition, apply_edits, find_families
from rimshot.retell.similarity import shipped_similarity
from rimshot.retell.telling import read_letters, read_rarities, read_telling

TEXTS = [
    "A nun walks into a bakery and asks for a halo. The baker says they only sell them plain or holy.",
    "A cowboy walks into a bakery and asks for a bagel. The baker says they only sell them plain or holy.",
    "a nun walks into a BAKERY, and asks for a halo; the baker says they only sell them plain or holy",
    "My dentist has started a choir. So far it is all molar and no bass.",
    "My dentist has startd a choir. So far it is all molar and no bass.",
    "The gardener wrote a thriller. The plot thickens in spring.",
    "Why did the lamp blush? It saw the naked bulb.",
]


def partition(texts):
    material = Material(lambda n: texts[n], ["en"] * len(texts))
    return find_families(range(len(texts)), material, shipped_similarity())


def groups(texts):
    found = partition(texts)
    return {frozenset(texts[n] for n in np.flatnonzero(found.family == label)) for label in np.unique(found.family)}


def test_families_of_a_few_texts():
    found = partition(TEXTS)
    assert found.family.tolist() == [0, 0, 0, 3, 3, 5, 6]
    assert [int(found.leads[found.family == label].sum()) for label in (0, 3, 5, 6)] == [1, 1, 1, 1]


@settings(max_examples=10, deadline=None)
@given(st.permutations(TEXTS))
def test_the_order_of_input_is_irrelevant(texts):
    assert groups(texts) == groups(TEXTS)


def test_appending_keeps_families_and_their_names():
    before = partition(TEXTS)
    after = partition([*TEXTS, "Something else entirely: the moon is out.", TEXTS[5].upper()])
    assert after.family[: len(TEXTS)].tolist() == before.family.tolist()
    assert after.family[-2:].tolist() == [7, 5]


def test_a_collection_that_is_not_kept_whole_has_the_same_families(monkeypatch):
    before = partition(TEXTS)
    monkeypatch.setattr(module, "_KEPT", 2)
    after = partition(TEXTS)
    assert (after.family.tolist(), after.leads.tolist()) == (before.family.tolist(), before.leads.tolist())


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_the_order_of_comparing_makes_no_difference(monkeypatch, lang):
    drawn = np.random.default_rng(5).normal(size=(len(TEXTS), 8)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    drawn[1] = drawn[2] = drawn[0]
    material = Material(lambda n: TEXTS[n], [lang, "en", "en", lang, "en", "en", lang], drawn, drawn)
    asked = []

    def backwards(numbers, known):
        asked.extend(numbers.tolist())
        return np.arange(len(numbers))[::-1]

    before = find_families(range(len(TEXTS)), material, shipped_similarity())
    monkeypatch.setattr(module, "_side_by_side", backwards)
    after = find_families(range(len(TEXTS)), material, shipped_similarity())
    assert asked and len(set(before.family.tolist())) < len(TEXTS)
    assert (after.family.tolist(), after.leads.tolist()) == (before.family.tolist(), before.leads.tolist())


@pytest.mark.parametrize("text", [*TEXTS, "", "word " * 900])
def test_a_part_of_a_reading_says_what_the_whole_says(text):
    whole = read_telling(text)
    assert telling_keys(read_rarities(text, "en")).tolist() == telling_keys(whole).tolist()
    assert read_letters(text, "en").spelling == whole.spelling


def test_copies_without_number_are_one_family():
    assert set(partition([TEXTS[0]] * 300 + [TEXTS[5]]).family.tolist()) == {0, 300}


def test_texts_that_no_one_takes_for_jokes_are_families_only_as_copies():
    def labels(humour):
        material = Material(lambda n: TEXTS[n], ["en"] * len(TEXTS), humour=np.array(humour))
        return find_families(range(len(TEXTS)), material, shipped_similarity()).family.tolist()

    assert labels([0.5] * len(TEXTS)) == [0, 0, 0, 3, 3, 5, 6]
    assert labels([1e-6] * len(TEXTS)) == [0, 1, 0, 3, 3, 5, 6]
    assert labels([1e-6, 0.5, 1e-6, *[1e-6] * 4]) == [0, 0, 0, 3, 3, 5, 6]


def test_short_jokes_that_turn_on_the_same_word_are_one_family():
    texts = [
        "The drummer left the band to become a constable because he wanted his own beat.",
        "Why did the percussionist join the police? He was promised a beat.",
        "The police found the stolen car near the river.",
    ]
    vectors = np.array([[1.0, 0.0, 0.0], [0.7, 0.714, 0.0], [0.0, 1.0, 0.0]])
    apart = np.array([vectors[0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])

    def labels(humour, puns, vectors=vectors):
        material = Material(
            texts.__getitem__,
            ["en"] * 3,
            vectors,
            vectors,
            lambda n: (puns[n], 0.9 if puns[n] else 0.0),
            humour,
        )
        return find_families(range(3), material, shipped_similarity()).family.tolist()

    puns = ["beat", "beat", ""]
    assert labels(np.array([0.5, 0.5, 0.01]), puns) == [0, 0, 2]
    assert labels(np.array([0.001, 0.001, 0.001]), puns) == [0, 1, 2]
    # Where no detector was asked, what knows free retellings is not asked either; nor could it say that the third text is plain.
    assert labels(None, puns, apart) == [0, 1, 2]


def test_plain_texts_of_few_words_are_still_found_as_copies():
    texts = ["Hello wrold", "Hello world", "Good evening"]
    assert not set(telling_keys(read_telling(texts[0]))) & set(telling_keys(read_telling(texts[1])))
    vectors = np.array([[1.0, 0.0], [0.99, 0.14], [0.0, 1.0]])
    plain = np.full(3, 1e-6)
    material = Material(texts.__getitem__, ["en"] * 3, vectors, vectors, humour=plain)
    assert find_families(range(3), material, shipped_similarity()).family.tolist() == [0, 0, 2]


def test_no_texts():
    assert len(partition([]).family) == 0


def chain(values):
    """Nodes in a row: neighbours alike, the rest not."""

    def compare(node, others):
        return np.array([values.get((min(node, o), max(node, o)), -5.0) for o in others])

    pairs = np.array(sorted(values))
    return families(6, pairs, np.array([values[tuple(p)] for p in pairs.tolist()]), 1.0, compare, list("abcdef"))


def test_unlike_texts_are_not_chained_together():
    assert chain({(0, 1): 5.0, (1, 2): 2.0, (2, 3): 5.0}) == [[0, 1], [2, 3]]


def test_alike_on_average_is_enough():
    assert chain({(0, 1): 5.0, (1, 2): 5.0, (0, 2): 0.0}) == [[0, 1, 2]]


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.floats(-5, 5)), max_size=25))
def test_families_are_a_partition(rows):
    values = {(min(a, b), max(a, b)): v for a, b, v in rows if a != b}
    pairs = np.array(sorted(values), dtype=int).reshape(-1, 2)
    logits = np.array([values[tuple(p)] for p in pairs.tolist()])
    found = families(
        10,
        pairs,
        logits,
        1.0,
        lambda n, others: np.array([values.get((min(n, o), max(n, o)), -5.0) for o in others]),
        range(10),
    )
    members = [node for group in found for node in group]
    assert len(members) == len(set(members))
    assert all(len(group) > 1 for group in found)
    parts = [set(part) for part in components(10, pairs[logits >= 1.0])]
    assert all(any(set(group) <= part for part in parts) for group in found)


def test_pairs_by_keys_and_cells():
    keys = [telling_keys(read_telling(text)) for text in TEXTS]
    pairs = {tuple(pair) for pair in by_keys(keys).tolist()}
    assert {(0, 1), (0, 2), (3, 4)} <= pairs
    assert all(a < b for a, b in pairs)
    assert by_keys([]).shape == (0, 2)
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(200, 16)).astype(np.float32)
    vectors[100:] = vectors[:100] + 0.05 * rng.normal(size=(100, 16))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = {tuple(pair) for pair in by_cells(vectors, list(range(200)), 5, 0.5).tolist()}
    assert sum((n, n + 100) in found for n in range(100)) >= 97
    assert by_cells(vectors[:1], [1], 5, 0.5).shape == (0, 2)


def test_spelling_ignores_case_and_marks():
    assert spelling_code(read_telling(TEXTS[0])) == spelling_code(read_telling(TEXTS[2]))


START = Partition(np.array([0, 0, 2, 2, 4], dtype=np.int32), np.array([1, 0, 0, 1, 1], dtype=np.uint8))


def number(doc):
    return "abcde".find(doc)


def test_merge_and_split_by_hand():
    merged = apply_edits(START, [{"action": "merge", "ids": ["b", "c"]}], number)
    assert merged.family.tolist() == [0, 0, 0, 0, 4]
    assert merged.leads.tolist() == [1, 0, 0, 0, 1]
    split = apply_edits(merged, [{"action": "split", "ids": ["a"], "from": ["b", "c", "d"]}], number)
    assert split.family.tolist() == [0, 1, 1, 1, 4]
    assert split.leads.sum() == 3


def test_an_edit_about_texts_that_are_gone_changes_nothing():
    edits = [{"action": "merge", "ids": ["x", "y"]}, {"action": "split", "ids": ["x"], "from": ["a"]}]
    assert apply_edits(START, edits, number).family.tolist() == START.family.tolist()


def test_a_split_that_is_already_so_changes_nothing():
    edit = {"action": "split", "ids": ["a"], "from": ["c"]}
    assert apply_edits(START, [edit], number).family.tolist() == START.family.tolist()


@pytest.mark.parametrize("family", [[7, 7, 2, 2, 4], [9, 9, 1, 1, 0]])
def test_stale_names_are_renewed_before_an_edit(family):
    stale = Partition(np.array(family, dtype=np.int32), START.leads)
    assert apply_edits(stale, [{"action": "merge", "ids": ["a", "b"]}], number).family.tolist() == [0, 0, 2, 2, 4]


def test_texts_in_two_languages_have_candidates_of_their_own():
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(40, 8))
    vectors[20:] = vectors[:20] + 0.2 * rng.normal(size=(20, 8))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    sides = np.arange(40) < 20
    found = by_cells(vectors, list(range(40)), 2, 0.5, sides)
    assert (sides[found[:, 0]] != sides[found[:, 1]]).all()
    assert {(n, n + 20) for n in range(20)} <= {tuple(pair) for pair in found.tolist()}
