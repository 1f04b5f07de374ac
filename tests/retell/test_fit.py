from dataclasses import replace

import numpy as np
import pytest

from rimshot.commands.retell_told import short_jokes
from rimshot.retell.families import Material
from rimshot.retell.fit import FOLDS, Judged, Near, Whole, fit_similarity, fold_of_texts, judged_rows, weights_dict
from rimshot.retell.likeness import LEXICAL, VECTORS
from rimshot.retell.similarity import NAMES, Similarity

ANIMALS = "otter badger heron walrus beetle stork lizard panther gibbon marmot".split()
THINGS = "trampoline accordion wheelbarrow periscope chandelier typewriter hammock kaleidoscope lantern anvil".split()


@pytest.fixture(scope="module")
def judged():
    """Ten families of three, made of one animal and one thing each, with vectors that agree."""
    rng = np.random.default_rng(3)
    texts, vectors = [], []
    for animal, thing in zip(ANIMALS, THINGS, strict=True):
        centre = rng.normal(size=16)
        for frame in ("The {} sold a {}.", "A {} bought himself a {}.", "Why did the {} hide? Because of the {}."):
            texts.append(frame.format(animal, thing))
            vectors.append(centre + 0.3 * rng.normal(size=16))
    unit = np.array(vectors) / np.linalg.norm(vectors, axis=1, keepdims=True)
    families = [list(range(at, at + 3)) for at in range(0, 30, 3)]
    material = Material(texts.__getitem__, ["en"] * 30, unit, unit)
    empty = Near(np.empty(0, int), np.empty((0, len(NAMES))), np.empty(0, bool), np.empty(0, bool))
    return Judged(material, families, [(0, 3), (6, 9)], dict.fromkeys(range(30), empty))


def whole(families=2):
    features = np.zeros((4, len(NAMES)))
    features[:, NAMES.index("late")] = [6.0, 5.0, 1.0, 0.0]
    yes, no = np.zeros(4, bool), np.zeros(4, bool)
    groups = [list(range(at, at + 3)) for at in range(0, 3 * families, 3)]
    near = {
        n: Near(np.array([m for m in group if m != n] + [9000, 9001]), features, yes, no)
        for group in groups
        for n in group
    }
    twins = np.zeros((5, len(NAMES)))
    twins[:, NAMES.index("edited")] = 0.6
    across = np.zeros((3, len(NAMES)))
    across[0, NAMES.index("meaning")] = 0.6
    told = [(across, np.array([True, False, False]))] * 12
    scales = {"en": np.array([[0.1] * 4, [0.5] * 4]), "pt": np.array([[0.2] * 4, [0.7] * 4])}
    langs = ["en", "pt"] * (families // 2)
    return Whole(groups, langs, np.zeros((3 * families, len(NAMES))), twins, near, told, scales)


def test_no_text_and_no_judged_pair_lies_in_two_folds():
    fold = fold_of_texts([[1, 2, 3], [4, 5], [6, 7]], [(3, 4), (8, 9)])
    assert len({fold[n] for n in (1, 2, 3, 4, 5)}) == 1
    assert fold[8] == fold[9]
    assert set(fold.values()) <= set(range(FOLDS))


def test_rows_hold_judged_pairs_and_pairs_across_families(judged):
    rows = judged_rows(judged)
    assert rows.features.shape[1] == len(LEXICAL) + len(VECTORS)
    assert int(rows.same.sum()) == 30
    assert int((rows.judged & ~rows.same).sum()) == 2
    owner = rows.pairs // 3
    assert ((owner[:, 0] == owner[:, 1]) == rows.same).all()
    assert len({tuple(pair) for pair in rows.pairs.tolist()}) == len(rows.pairs)


def test_a_model_that_has_not_seen_a_fold_tells_its_pairs(judged):
    rows = judged_rows(judged)
    for fold in range(FOLDS):
        model = fit_similarity(rows, judged, whole(), fold)
        unseen = ~rows.outside(fold)
        logits = model.judge(rows.features, *(np.full(len(rows.same), flag) for flag in (True, False, False))).logits
        assert ((logits >= 0) == rows.same)[unseen].mean() > 0.9


def test_weights_survive_writing(judged):
    model = fit_similarity(judged_rows(judged), judged, whole())
    again = Similarity.from_dict(weights_dict(model, note="x"))
    assert again.models["edited"].weights == pytest.approx(model.models["edited"].weights, abs=1e-4)
    assert again.models["edited"].logit(np.array([[0.6]]))[0] > 0 > again.models["edited"].logit(np.array([[0.0]]))[0]
    assert set(again.models) == set(model.models)
    assert again.scales["pt"].tolist() == [[0.2] * 4, [0.7] * 4]


def test_a_joke_in_another_language_is_told_by_its_meaning(judged):
    model = fit_similarity(judged_rows(judged), judged, whole(), 0).models["across"]
    assert model.logit(np.array([[0.6, 0.0, 0.0, 0.0]]))[0] > 0 > model.logit(np.array([[0.0, 0.0, 0.0, 0.0]]))[0]


def test_the_order_is_learnt_from_the_candidates_of_texts_outside_the_fold(judged):
    rows = judged_rows(judged)
    many = whole(60)
    late = many.near[0].features
    for fold in (-1, 0):
        found = fit_similarity(rows, judged, many, fold).ranks.logit(late)
        assert found[:2].min() > 1 > -1 > found[2:].max()


def test_without_rows_to_learn_from_the_order_is_flat(judged):
    found = fit_similarity(judged_rows(judged), judged, whole()).ranks.logit(whole().near[0].features)
    assert len(set(found.tolist())) == 1


def test_jokes_told_once_say_what_is_near_and_yet_another_joke(judged):
    rows, many = judged_rows(judged), whole(60)
    late = many.near[0].features
    lone = [Near(np.array([9002]), late[1:2], np.zeros(1, bool), np.zeros(1, bool))] * 60
    before = fit_similarity(rows, judged, many).free.logit(late)
    after = fit_similarity(rows, judged, replace(many, lone=lone)).free.logit(late)
    assert before[1] > 1 and after[1] < before[1] - 1


def test_jokes_on_one_word_share_a_fold_and_are_learnt_from(judged):
    many = whole(60)
    kin = [at // 2 for at in range(60)]
    assert {replace(many, kin=kin).fold(at) for at in (0, 1)} == {0} and many.fold(1) == 1
    late = many.near[0].features
    # The last twenty families are three jokes on a word each; without any other only they can tell what comes first.
    few = replace(many, families=many.families[40:], kin=[at // 3 for at in range(20)])
    found = fit_similarity(judged_rows(judged), judged, few).ranks.logit(late)
    assert found[:2].min() > found[2:].max()


def test_jokes_on_one_word_that_are_kept_back_are_fitted_on_with_their_tellings():
    jokes = short_jokes()
    assert len(jokes.kin) == len(jokes.families)
    together = {kin: [f for f, own in zip(jokes.families, jokes.kin, strict=True) if own == kin] for kin in jokes.kin}
    several = [families for families in together.values() if len(families) > 1]
    assert len(several) > 200 and all(len(family) > 1 for families in several for family in families)
    members = [name for family in jokes.families for name in family]
    assert len(members) == len(set(members))


def test_jokes_told_once_have_no_other_telling():
    jokes = short_jokes()
    members = {name for family in jokes.families for name in family}
    assert len(jokes.lone) > 1000 and not members & set(jokes.lone)
    assert set(jokes.lone) <= {doc.id for doc in jokes.docs}
