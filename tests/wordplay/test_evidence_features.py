"""The rows of evidence: one for each text, told by the word that a detector points at."""

import numpy as np

from rimshot.wordplay.detector import Scores
from rimshot.wordplay.evidence_features import EVIDENCE, evidence

PUN = "She took a leave of absinthe."
TWIN = "She took a leave of brandy."


def located(texts, words):
    scores = Scores.blank(len(texts))
    for number, (text, word) in enumerate(zip(texts, words, strict=True)):
        start = text.find(word) if word else -1
        scores.start[number], scores.end[number] = start, start + len(word)
        scores.confidence[number] = 0.9
    return scores


def row(text, word):
    return dict(zip(EVIDENCE, evidence([text], "en", located([text], [word]))[0].tolist(), strict=True))


def test_a_bent_saying_is_seen_in_the_pun_and_not_in_its_twin():
    pun, twin = row(PUN, "absinthe"), row(TWIN, "brandy")
    assert pun["sound_best_idiom"] == 1.0 > twin["sound_best_idiom"]
    assert pun["sound_score"] > twin["sound_score"]
    assert pun["strength"] > twin["strength"]


def test_no_word_no_evidence():
    rows = evidence([PUN, ""], "en", located([PUN, ""], ["", ""]))
    assert rows.shape == (2, len(EVIDENCE))
    assert not rows.any()


def test_batch_is_one_by_one():
    texts, words = [PUN, "Old bankers never die, they lose interest."], ["absinthe", "interest"]
    together = evidence(texts, "en", located(texts, words))
    apart = [evidence([text], "en", located([text], [word]))[0] for text, word in zip(texts, words, strict=True)]
    assert np.array_equal(together, np.stack(apart))
    assert together[1][EVIDENCE.index("is_never-die")] == 1.0
    assert np.isfinite(together).all()


def test_portuguese_has_the_same_columns():
    text = "Qual a hortaliça que não vê? Acelga."
    rows = evidence([text], "pt", located([text], ["Acelga"]))
    assert rows.shape == (1, len(EVIDENCE))
    assert rows[0][EVIDENCE.index("bias")] == 1.0
