import json
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rimshot.errors import InputError
from rimshot.retell.align import align
from rimshot.retell.context import CONTEXT, context_features
from rimshot.retell.gist import centre
from rimshot.retell.likeness import LEXICAL, VECTORS, common_in_order, lexical_likeness, near_copies
from rimshot.retell.similarity import MODELS, read_similarity, shipped_similarity
from rimshot.retell.telling import read_telling

NUN = "A nun walks into a bakery and asks for a halo. The baker says they only sell them plain or holy."
COWBOY = "A cowboy walks into a bakery and asks for a bagel. The baker says they only sell them plain or holy."
OTHER = "My dentist has started a choir. So far it is all molar and no bass."


def test_features_are_symmetric_and_named():
    for a, b in ((NUN, COWBOY), (NUN, OTHER)):
        there, back = (
            lexical_likeness(read_telling(a), read_telling(b)),
            lexical_likeness(read_telling(b), read_telling(a)),
        )
        assert len(there) == len(LEXICAL)
        assert there == pytest.approx(back)


def test_a_retelling_is_more_alike_than_another_joke():
    same = dict(zip(LEXICAL, lexical_likeness(read_telling(NUN), read_telling(COWBOY)), strict=True))
    other = dict(zip(LEXICAL, lexical_likeness(read_telling(NUN), read_telling(OTHER)), strict=True))
    for name in ("words", "ending_words", "rare", "phrases", "order"):
        assert same[name] > other[name]


def test_equal_texts_are_wholly_alike():
    found = dict(zip(LEXICAL, lexical_likeness(read_telling(NUN), read_telling(NUN)), strict=True))
    assert found["words"] == found["order"] == pytest.approx(1.0)
    assert found["ending_words"] > 0.8


def test_texts_in_two_languages_share_no_words():
    assert not any(lexical_likeness(read_telling("Total animal", "en"), read_telling("Total animal", "pt")))


def test_the_pun_word_counts_where_the_other_text_has_it():
    a = read_telling("The lynx on the page is broken.", pun="lynx", certainty=0.8)
    b = read_telling("Follow no strange lynx.", pun="strange", certainty=0.5)
    assert dict(zip(LEXICAL, lexical_likeness(a, b), strict=True))["pun"] == pytest.approx(0.4)


def test_common_words_in_order():
    a, b = read_telling("alpha beta gamma delta"), read_telling("beta alpha gamma delta")
    assert len(common_in_order(a, b)) == 3
    assert common_in_order(a, read_telling("zeta")) == []


@pytest.mark.parametrize(
    ("a", "b", "near"),
    [
        (NUN, NUN.upper() + "!!", True),
        (NUN, NUN.replace("bakery", "bakrey"), True),
        (NUN, NUN.replace("bakery", "bakry"), True),
        (NUN, COWBOY, False),
        ("cat", "dog", False),
        ("", "", False),
    ],
)
def test_near_copies(a, b, near):
    assert near_copies(read_telling(a), read_telling(b)) is near


@given(st.text(alphabet="abc", min_size=3, max_size=30), st.integers(0, 28))
def test_one_lost_letter_is_a_near_copy(text, at):
    at %= len(text)
    assert near_copies(read_telling(text), read_telling(text[:at] + text[at + 1 :]))


@given(st.text(max_size=60), st.text(max_size=60))
def test_anything_can_be_compared(a, b):
    values = lexical_likeness(read_telling(a), read_telling(b))
    assert np.isfinite(values).all()


def test_weights_ship_with_all_features():
    data = json.loads(files("rimshot.retell").joinpath("weights.json").read_text(encoding="utf-8"))
    assert {
        name: set(row["features"] if "features" in row else row["weights"]) for name, row in data["models"].items()
    } == {name: set(features) for name, features in MODELS.items()}


def test_words_late_in_both_texts_count_most():
    late = read_telling("He asked the baker for a trampoline.")
    found = [
        dict(zip(LEXICAL, lexical_likeness(late, read_telling(text)), strict=True))["late"]
        for text in ("My brother fell off a trampoline.", "A trampoline hurt my brother on Monday.")
    ]
    assert found[0] > found[1] > 0


def test_what_a_teller_may_change_is_told_from_what_stays():
    a = read_telling("A lawyer met a snake and polished his harmonica.")
    character = dict(zip(LEXICAL, lexical_likeness(a, read_telling("A snake slept.")), strict=True))
    thing = dict(zip(LEXICAL, lexical_likeness(a, read_telling("The harmonica was polished.")), strict=True))
    assert character["kinds"] > thing["kinds"]
    assert thing["fixed"] > character["fixed"]


def likeness(a, b):
    return dict(zip(LEXICAL, lexical_likeness(read_telling(a), read_telling(b)), strict=True))


def test_phrases_stay_the_same_when_characters_change():
    found = likeness("The lawyer met the snake on Monday.", "The nun met the otter on Friday.")
    assert found["plain"] > 0 == found["phrases"]
    assert likeness("The lawyer met the snake.", "She whistles all day long.")["plain"] == 0


def test_another_answer_to_the_same_question_is_noticed():
    question = "How many gardeners does it take to change a bulb?"
    answers = "Two, and one of them complains about daffodils.", "Only one, but he waters it every evening."
    other = likeness(f"{question} {answers[0]}", f"{question} {answers[1]}")
    same = likeness(f"{question} {answers[0]}", f"How many nuns replace a lamp? {answers[0]}")
    assert other["contrast"] > 0.5
    assert same["contrast"] == 0
    assert other["asks"] == 1.0
    assert likeness(question, answers[0])["asks"] == 0.0


def test_cosines_of_every_language_are_put_on_one_scale():
    scales = {"en": [[0.1] * 4, [0.5] * 4], "pt": [[0.2] * 4, [1.0] * 4], "across": [[0.0] * 4, [0.4] * 4]}
    model = replace(shipped_similarity(), scales={name: np.array(rows) for name, rows in scales.items()})
    cosines = np.array([[0.3, 0.3, 0.0, 0.1], [0.2, 1.0, 0.6, 0.2], [0.4, 0.0, 0.2, 0.0], [0.0, 0.2, 0.4, 0.2]])
    found = model.scaled(cosines, ["en", "pt", "pt", "en"], ["en", "pt", "en", "pt"])
    wanted = [[0.3, 0.3, 0.0, 0.1], [0.1, 0.5, 0.3, 0.1], [0.5, 0.1, 0.3, 0.1], [0.1, 0.3, 0.5, 0.3]]
    assert found == pytest.approx(np.array(wanted))
    assert len(model.scaled(np.empty((0, 4)), [], [])) == 0


def test_a_joke_without_its_pun_word_is_no_retelling():
    model = shipped_similarity()
    joke = "The potter lost his temper in the workshop, and then he was fired."
    one = read_telling(joke, pun="fired", certainty=0.95)
    twin = read_telling(joke.replace("fired", "promoted"), pun="temper", certainty=0.4)
    other = read_telling(joke.replace("workshop", "studio"), pun="fired", certainty=0.95)
    found = model.compare(one, [twin, other], np.array([[0.9, 0.85, 0.7, 0.7], [0.9] * 4])).probabilities
    assert found[0] < 0.5 < found[1]


def test_a_pun_undone_by_one_letter_is_no_typo():
    model = shipped_similarity()
    one = read_telling("The wool merchant is not afraid of dyeing.", pun="dyeing", certainty=0.9)
    plain = read_telling("The wool merchant is not afraid of dying.", pun="afraid", certainty=0.3)
    typo = read_telling("The wool merchnt is not afraid of dyeing.", pun="dyeing", certainty=0.9)
    found = model.compare(one, [plain, typo], np.array([[0.95] * 4] * 2)).probabilities
    assert found[0] < 0.5
    assert found[1] > 0.99


def test_hardly_alike_texts_are_ranked_by_the_word_they_turn_on():
    model = shipped_similarity()
    one = read_telling("Half the pages of the zoo led nowhere: broken lynx.", pun="lynx", certainty=0.9)
    turn = read_telling("She never follows a suspicious lynx.", pun="lynx", certainty=0.9)
    topic = read_telling("The zoo has a new page for its visitors.", pun="page", certainty=0.2)
    found = model.compare(one, [turn, topic], np.array([[0.4, 0.3, 0.3, 0.3]] * 2))
    assert found.order[0] > found.order[1]


def test_the_common_direction_is_that_of_the_sample():
    from rimshot.corpus.readers import DocReader
    from rimshot.corpus.sample import sample_path

    stories = [read_telling(doc.text).story for doc in list(DocReader([sample_path("en") / "corpus.json"], "en"))[:600]]
    assert abs(float(np.mean(stories, axis=0) @ centre("en"))) < 0.05
    assert np.linalg.norm(centre("en")) == pytest.approx(1.0, abs=0.01)


def test_what_neighbours_say():
    names = dict(zip(CONTEXT, context_features(-1.0, 1, {2: -1.0, 3: 4.0}, 2, {1: -1.0, 3: 2.0, 4: -3.0}), strict=True))
    assert names["pair"] == -1.0
    assert names["bridge"] == 2.0
    assert names["bridges"] == pytest.approx(np.log1p(np.exp(2.0)))
    assert (names["nearer"], names["nearest"]) == (5.0, 3.0)
    assert names["before"] == pytest.approx(np.log1p(1))
    # Text 1 has the near text 3, which is near text 2 as well; text 2 has no other.
    assert (names["kin"], names["stranger"], names["kinned"]) == (4.0, 2.0, 2.0)
    assert (names["crowd"], names["alone"]) == (pytest.approx(np.log1p(2)), pytest.approx(np.log1p(2)))
    assert 0.5 < names["shared"] < 1.0
    apart = dict(zip(CONTEXT, context_features(1.0, 1, {3: 4.0}, 2, {4: 5.0}), strict=True))
    assert (apart["kin"], apart["shared"], apart["kinned"]) == (-6.0, 0.0, 2.0)
    lonely = dict(zip(CONTEXT, context_features(0.0, 1, {}, 2, {}), strict=True))
    assert (lonely["kin"], lonely["kinned"], lonely["shared"]) == (0.0, 0.0, 0.0)
    assert lonely["bridge"] == -6.0
    assert lonely["bridges"] == lonely["before"] == 0.0


def test_weights_of_ones_own(tmp_path):
    path = tmp_path / "weights.json"
    path.write_text(files("rimshot.retell").joinpath("weights.json").read_text(encoding="utf-8"))
    assert read_similarity(path).family == shipped_similarity().family
    path.write_text('{"models": {}}')
    with pytest.raises(InputError, match="retell fit"):
        read_similarity(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_similarity(tmp_path / "none.json")


def test_probability_with_and_without_vectors():
    model, one = shipped_similarity(), read_telling(NUN)
    others = [read_telling(COWBOY), read_telling(OTHER), read_telling(NUN.lower())]
    for cosines in (None, np.array([[0.9, 0.95, 0.9, 0.9], [0.1, 0.0, 0.0, 0.0], [1.0] * 4])):
        found = model.compare(one, others, cosines)
        assert found.probabilities[0] > 0.5 > found.probabilities[1]
        assert found.probabilities[2] > 0.99
    assert set(found.parts(0)) == {*LEXICAL, *VECTORS}


def test_across_languages_vectors_decide():
    model = shipped_similarity()
    one, others = read_telling("The bank.", "en"), [read_telling("O banco.", "pt")] * 2
    found = model.compare(one, others, np.array([[0.95] * 4, [0.1] * 4]))
    assert found.probabilities[0] > 0.9 > 0.1 > found.probabilities[1]
    assert model.compare(one, others, None).probabilities[0] < 0.5


def test_comparing_with_nothing():
    assert len(shipped_similarity().compare(read_telling(NUN), [], None).logits) == 0


def test_alignment_says_what_stayed_and_what_changed():
    found = align(NUN, COWBOY)
    assert ("nun", "cowboy") in found.changed["characters"]
    assert "ending" not in found.changed
    assert any("plain or holy" in phrase for phrase in found.stayed)
    assert " ".join(piece.a for piece in found.pieces).split()[:3] == ["A", "nun", "walks"]


def test_alignment_notices_ending_length_and_language():
    assert "ending" in align(NUN, "A nun walks into a bakery and asks for a halo. Sorry, replies the cat.").changed
    assert "length" in align("Short joke.", NUN).changed
    assert "language" in align("The bank.", "O banco.", "en", "pt").changed


@pytest.mark.parametrize(
    ("humours", "expected"),
    [((None, None), 2.0), ((0.5, None), 0.0), ((0.9, 0.2), np.log(0.25)), ((0.0, 0.9), -7.0), ((1.0, 1.0), 2.0)],
)
def test_a_pair_is_as_funny_as_the_plainer_of_the_two(humours, expected):
    a, b = (read_telling(text, humour=humour) for text, humour in zip((NUN, OTHER), humours, strict=True))
    for pair in ((a, b), (b, a)):
        found = dict(zip(LEXICAL, lexical_likeness(*pair), strict=True))
        assert found["funny"] == pytest.approx(expected)
