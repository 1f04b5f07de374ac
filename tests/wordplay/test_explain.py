import numpy as np
import pytest

from rimshot.wordplay.detector import Scores
from rimshot.wordplay.explain import explain_at, explain_scored
from rimshot.wordplay.pun import HETEROGRAPHIC, HOMOGRAPHIC, Pun


def at(text, word, lang="en"):
    start = text.index(word)
    return explain_at(text, lang, start, start + len(word))


def scored(texts, words, humour=0.9):
    starts = [text.index(word) if word else -1 for text, word in zip(texts, words, strict=True)]
    ends = [start + len(word) if word else -1 for start, word in zip(starts, words, strict=True)]
    some = np.full(len(texts), humour, np.float32)
    return Scores(some, np.array(starts), np.array(ends), some)


def test_a_sound_alike_is_heard_with_the_idiom_it_bends():
    pun = at("She took a leave of absinthe.", "absinthe")
    assert pun.kind == HETEROGRAPHIC
    assert pun.alternatives[0] == "absence"
    assert pun.idiom.phrase == "leave of absence"
    assert "absence" in pun.sentence and "leave of absence" in pun.sentence


@pytest.mark.parametrize(
    ("text", "word", "target"),
    [
        (
            "The butcher backed into the meat grinder and got a little behind in his work, so he had to meat the deadline.",
            "meat",
            "meet",
        ),
        ("The gas company used profanity when the propane ran out.", "propane", "profane"),
        ("Two ropes met at the weak end of the week.", "weak", "week"),
        ('"I need a haircut," said Tom barbarously.', "barbarously", "barber"),
    ],
)
def test_targets_are_among_the_first(text, word, target):
    assert target in at(text, word).alternatives[:5]


def test_two_senses_with_the_words_that_support_them():
    pun = at("I used to be a banker, but I lost interest.", "interest")
    assert pun.kind == HOMOGRAPHIC
    keys = [key for pair in pun.record()["senses"] for key in pair]
    assert keys and all(key.startswith("interest%") for key in keys[:2])
    assert pun.record()["glosses"][0][0] in pun.sentence or ";" in pun.record()["glosses"][0][0]


def test_inflected_pun_words_are_understood():
    assert any(
        "peddle" in name or "pedal" in name for name in at("The cyclist peddled his goods.", "peddled").alternatives[:5]
    )


def test_portuguese_is_explained_in_portuguese():
    pun = at("Porque é que o ladrão é rico? É furto do seu trabalho.", "furto", "pt")
    assert "fruto" in pun.alternatives[:5] or pun.idiom is not None
    assert "soa" in pun.sentence or "duas maneiras" in pun.sentence


def test_the_record_has_the_promised_fields():
    record = at("Old bankers never die, they just lose interest.", "interest").record()
    assert {"humour", "word", "start", "end", "kind", "senses", "alternatives", "sentence"} <= set(record)
    assert record["word"] == "interest" and record["patterns"] == ["never-die"]
    assert all(len(pair) == 2 for pair in record["senses"])


def test_a_text_that_is_no_pun_is_not_explained():
    texts = ["The meeting begins at noon.", ""]
    puns = list(explain_scored(texts, ["en", "en"], scored(texts, ["", ""], 0.9)))
    assert not any(puns)
    assert all("no wordplay" in pun.sentence and pun.record()["word"] is None for pun in puns)
    (low,) = explain_scored(texts[:1], ["en"], scored(texts[:1], ["noon"], 0.001))
    assert not low and low.record()["explained"] is False and low.marked() == texts[0]


def test_order_and_company_do_not_matter():
    texts = ["She took a leave of absinthe.", "I used to be a banker, but I lost interest."]
    words = ["absinthe", "interest"]
    together = [pun.record() for pun in explain_scored(texts, ["en", "en"], scored(texts, words))]
    alone = [next(explain_scored([t], ["en"], scored([t], [w]))).record() for t, w in zip(texts, words, strict=True)]
    assert together == alone


@pytest.mark.parametrize("text", ["?!", "😀 haha", "a", "x" * 500, "Ünïcödé wörds ȁre hęre", "no\nlines\n\n\there"])
def test_odd_texts_do_no_harm(text):
    pun = explain_at(text, "en", 0, len(text))
    assert isinstance(pun, Pun) and isinstance(pun.record(), dict)
