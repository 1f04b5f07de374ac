"""A joke told in the other language is found by its translation."""

import numpy as np
import pytest

from rimshot.corpus import Doc, Query
from rimshot.index import build_index, open_index
from rimshot.index.annotate import annotate_index
from rimshot.index.english import vectors_in_english
from rimshot.index.families import add_families, material
from rimshot.rank import parse, search
from rimshot.rank.same import asked_document, asked_text, pair_probability

ENGLISH = [
    "My wife told me to stop acting like a flamingo, so I had to put my foot down.",
    "The baker went bankrupt because nobody needed his dough.",
    "A duck walks into a pharmacy and asks for lip balm: put it on my bill.",
]
PORTUGUESE = [
    "A minha mulher disse-me para deixar de imitar um flamingo, e tive de bater o pé.",
    "O padeiro foi à falência porque ninguém precisava da massa dele.",
    "Um pato entra na farmácia e pede batom para os lábios: ponha na conta do bico.",
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("across") / "i"
    docs = [
        Doc(f"{lang}{n}", text, lang)
        for lang, texts in (("en", ENGLISH), ("pt", PORTUGUESE))
        for n, text in enumerate(texts)
    ]
    build_index(docs, folder)
    annotate_index(folder)
    add_families(folder)
    return open_index(folder)


@pytest.mark.parametrize(("lang", "texts", "other"), [("en", ENGLISH, "pt"), ("pt", PORTUGUESE, "en")])
def test_the_other_telling_comes_first(index, lang, texts, other):
    for n, text in enumerate(texts):
        found = search(parse("Same()"), Query("1", text, lang), index)
        foreign = [index.id(int(doc)) for doc in found.docs if index.lang(int(doc)) == other]
        assert foreign[0] == f"{other}{n}"


def test_a_text_asked_is_read_as_a_document_is(index):
    for number in range(index.size):
        asked, kept = asked_text(index.text(number), index.lang(number), index), asked_document(index, number)
        assert np.allclose(asked.english, kept.english, atol=2e-3)
        assert asked.cosines(kept)[0, 0] == pytest.approx(1, abs=5e-3)


def test_texts_in_one_language_are_compared_by_both_vectors(index):
    one, other = (asked_document(index, index.number(name)) for name in ("pt0", "pt1"))
    own, english = float(one.meaning @ other.meaning), float(one.english @ other.english)
    assert own != pytest.approx(english, abs=0.01)
    assert one.cosines(other)[0, 0] == pytest.approx((own + english) / 2, abs=1e-4)
    found = material(index).cosines(*(np.array([index.number(name)]) for name in ("pt0", "pt1")))
    assert found[0, 0] == pytest.approx((own + english) / 2, abs=2e-3)
    english_pair = [asked_document(index, index.number(name)) for name in ("en0", "en1")]
    assert english_pair[0].cosines(english_pair[1])[0, 0] == pytest.approx(
        float(english_pair[0].meaning @ english_pair[1].meaning), abs=1e-6
    )


def test_pairs_in_two_languages_are_judged_by_translations(index):
    right = pair_probability(index, index.number("en0"), index.number("pt0"))
    assert right > pair_probability(index, index.number("en0"), index.number("pt1"))


def test_own_vectors_stay_as_they_are(index):
    before = index.column("meaning").copy()
    english = vectors_in_english(index)
    assert np.array_equal(index.column("meaning"), before)
    assert np.array_equal(english[:3], before[:3]) and not np.allclose(english[3:], before[3:], atol=0.05)
