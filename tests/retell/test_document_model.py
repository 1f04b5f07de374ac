import pytest
from hypothesis import given
from hypothesis import strategies as st

from rimshot.errors import InputError
from rimshot.retell.abstract import abstracted
from rimshot.retell.categories import CATEGORIES, category
from rimshot.retell.document_model import PARTS, SELECTIONS, TREATMENTS, DocumentModel, variants

JOKE = "Two nuns pass a dead snake on the road in Ireland. The snake was driving a taxi."


def test_there_are_ten_categories():
    assert len(CATEGORIES) == 10


@pytest.mark.parametrize(
    ("word", "name"),
    [
        ("lawyers", "profession"),
        ("rabbi", "profession"),
        ("grandmother", "person"),
        ("Kevin", "person"),
        ("bear", "animal"),
        ("pigs", "animal"),
        ("Frenchman", "nation"),
        ("Brazil", "nation"),
        ("kitchen", "place"),
        ("taxi", "vehicle"),
        ("seven", "number"),
        ("42", "number"),
        ("knee", "body"),
        ("whisky", "food"),
        ("Tuesday", "time"),
        ("bill", ""),
        ("quickly", ""),
        ("the", ""),
    ],
)
def test_category(word, name):
    assert category(word) == name


@pytest.mark.parametrize(
    ("word", "name"),
    [("advogado", "profession"), ("vaca", "animal"), ("três", "number"), ("Joana", "person"), ("cerveja", "food")],
)
def test_category_in_portuguese(word, name):
    assert category(word, "pt") == name


def test_abstraction_keeps_the_rest_of_the_text():
    assert abstracted("The nun hit Kevin!") == "The person hit person!"
    assert abstracted("A freira viu o cão.", "pt") == "A pessoa viu o animal."


def test_tokens_of_each_treatment():
    def tokens(model):
        return DocumentModel.parse(model).tokens(JOKE)

    assert tokens("punch") == ["snake", "drive", "taxi"]
    assert tokens("punch:tags") == ["#animal", "drive", "#vehicle"]
    assert tokens("punch:tags(animal)") == ["#animal", "drive", "taxi"]
    assert tokens("punch:drop") == ["drive"]
    assert tokens("punch:only") == ["snake", "taxi"]
    assert tokens("punch:both") == ["snake", "#animal", "drive", "taxi", "#vehicle"]
    assert tokens("punch:kinds") == ["#annotated", "#plain", "#annotated"]
    assert tokens("marked") == [*tokens("body"), "snake!", "drive!", "taxi!"]
    assert tokens("whole") == [*tokens("body"), *tokens("punch")]


def test_the_108_variants_are_distinct_and_written():
    names = [str(model) for model in variants()]
    assert len(set(names)) == 108
    assert [DocumentModel.parse(name) for name in names] == variants()


@given(
    st.builds(
        DocumentModel,
        st.sampled_from(PARTS),
        st.sampled_from(TREATMENTS[1:]),
        st.tuples(st.sampled_from(sorted(SELECTIONS))),
    )
)
def test_written_form_round_trips(model):
    assert DocumentModel.parse(str(model)) == model


@pytest.mark.parametrize("text", ["", "hole", "whole:tag", "whole:tags(animals)", "whole tags", "whole:tags()"])
def test_other_forms_are_refused(text):
    with pytest.raises(InputError):
        DocumentModel.parse(text)
