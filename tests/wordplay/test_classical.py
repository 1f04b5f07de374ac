"""Every learner of the field trains, keeps the detector's contract and comes back from its folder."""

import json

import numpy as np
import pytest

from rimshot.errors import InputError, MissingPart
from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.classical.field import FIELD, LSTM, TextMatrix, build_learner
from rimshot.wordplay.classical.lstm import lstm_logits, pieces
from rimshot.wordplay.labelled import Labelled

pytest.importorskip("sklearn", reason="the classical field needs scikit-learn (pip install 'rimshot[classical]')")

NOUNS = ["banker", "baker", "sailor", "painter", "farmer", "golfer", "dentist", "plumber", "pilot", "miner", "tailor"]
FUNNY = ["The {} lost interest in the bank.", "Old {}s never die, they just fade.", "A {} who sews is so-so, said Tom."]
DULL = ["The {} met the council.", "The {} lives in a town near the river.", "In 1950 the {} moved to the north."]


def labelled():
    found = [Labelled(text.format(n), True, "own", f"{n}{i}") for n in NOUNS * 3 for i, text in enumerate(FUNNY)]
    dull = [(text.format(n), f"{n}{i}", i) for n in NOUNS * 4 for i, text in enumerate(DULL)]
    return found + [Labelled(text, False, "own" if i else "edit", group) for text, group, i in dull]


@pytest.fixture(scope="module")
def known():
    return {}


@pytest.mark.parametrize("name", FIELD)
def test_learner(name, known, tmp_path, check_detector, monkeypatch):
    from rimshot.wordplay.classical import field
    from rimshot.wordplay.classical.train import train_classical

    for library in ("xgboost", "lightgbm"):
        if name == library:
            pytest.importorskip(library, reason=f"{library} is not installed")
    monkeypatch.setattr(field, "_DIMS", 8)
    about = train_classical(name, labelled(), "en", tmp_path, known=known)
    assert about["name"] == name and json.loads((tmp_path / "model.json").read_text())["kind"] == "classical"
    detector = choose_detector(tmp_path)
    check_detector(detector, "en", tolerance=1e-5)
    scores = detector.score(["The cook lost interest in the bank!", "The cook met the council."], "en")
    assert scores.humour[0] > scores.humour[1]
    assert scores.start.tolist() == [-1, -1]


def test_unknown_learner_and_missing_file(tmp_path):
    with pytest.raises(InputError, match='did you mean "xgboost"'):
        build_learner("xgbost", 0)
    (tmp_path / "model.json").write_text('{"kind": "classical", "name": "svm", "lang": "en"}')
    with pytest.raises(MissingPart, match="rimshot train classical svm"):
        choose_detector(tmp_path).score(["a"], "en")


def test_matrix_does_not_see_case_and_closing_marks():
    matrix = TextMatrix("en", smallest=1)
    matrix.fit(["The cat sat.", "A dog, a cat!"])
    first, second = (matrix.rows([text]).toarray() for text in ("the cat", "THE CAT!!!"))
    assert np.array_equal(first, second)


def test_lstm_reads_the_end_of_a_long_text():
    assert pieces("egg " * 500 + "beat")[-2:] == ["beat", "."]


def test_lstm(tmp_path, check_detector):
    torch = pytest.importorskip("torch", reason="training the LSTM needs torch (pip install 'rimshot[train]')")
    from rimshot.train.lstm import _Reader, train_lstm

    torch.manual_seed(1)
    model = _Reader(9, 4, 3).eval()
    weights = {name: value.numpy() for name, value in model.state_dict().items()}
    rows = [[2, 3, 4, 8], [5, 1]]
    ids = torch.tensor([[2, 3, 4, 8], [5, 1, 0, 0]])
    with torch.no_grad():
        expected = model(ids, torch.tensor([4, 2])).numpy()
    assert np.allclose(lstm_logits(weights, rows), expected, atol=1e-6)

    train_lstm(labelled(), "en", tmp_path, epochs=3, dim=8, units=8)
    detector = choose_detector(tmp_path)
    check_detector(detector, "en", tolerance=1e-5)
    assert detector.name == LSTM
    scores = detector.score(["The cook lost interest in the bank!", "The cook met the council."], "en")
    assert scores.humour[0] > scores.humour[1]
