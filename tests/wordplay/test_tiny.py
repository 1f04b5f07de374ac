"""The fallback: small, without onnxruntime, the same from the same texts."""

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.corpus.document import LANGUAGES
from rimshot.errors import InputError, MissingPart
from rimshot.wordplay.labelled import Labelled
from rimshot.wordplay.tiny import TinyDetector, load_tiny

PUNS = ["the {} lost interest in the bank", "a {} joke is hard to beat", "old {}s never die, they just lose it"]
PLAIN = ["the {} met the council on Monday", "{} is a town in the north of the county", "the minister spoke of {}"]
NOUNS = ["banker", "baker", "sailor", "painter", "farmer", "golfer", "dentist", "plumber", "pilot", "miner"]


def labelled():
    found = []
    for noun in NOUNS:
        for number, text in enumerate(PUNS):
            found.append(Labelled(text.format(noun), True, "own", f"{noun}{number}", (text.split()[-1],)))
        for number, text in enumerate(PLAIN):
            found.append(Labelled(text.format(noun), False, "edit" if number == 0 else "own", f"{noun}{number}"))
    return found


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    pytest.importorskip("sklearn", reason="training the tiny model needs scikit-learn")
    from rimshot.wordplay.tiny_train import train_tiny

    path = tmp_path_factory.mktemp("tiny") / "en.npz"
    report = train_tiny(labelled(), "en", path, text_bits=12, word_bits=10)
    return path, report


def test_learns(trained):
    path, report = trained
    assert report.ap > 0.9 and report.pun_word > 0.9 and report.bytes == path.stat().st_size
    model = TinyDetector(path)
    scores = model.score(["The cook lost interest in the bank!", "The cook met the council on Monday."], "en")
    assert scores.humour[0] > scores.humour[1]
    assert scores.word(0, "The cook lost interest in the bank!") == "bank"


def test_the_same_texts_give_the_same_model(trained, tmp_path):
    from rimshot.wordplay.tiny_train import train_tiny

    path, _ = trained
    train_tiny(labelled(), "en", tmp_path / "again.npz", text_bits=12, word_bits=10)
    assert TinyDetector(tmp_path / "again.npz").digest == TinyDetector(path).digest


def test_trained_keeps_the_contract(trained, check_detector):
    check_detector(TinyDetector(trained[0]), "en")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_shipped_keeps_the_contract(lang, check_detector):
    check_detector(load_tiny(lang), lang)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_shipped_is_small(lang):
    assert load_tiny(lang).path.stat().st_size <= 1_000_000


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=80), st.sampled_from(["", " ", ".", "!!!", " ?! ", "…", "\n"]), st.booleans())
def test_case_marks_and_spaces_never_flip_the_verdict(text, tail, loud):
    shown = text.upper() if loud and text.upper().lower() == text.lower() else text
    first, second = load_tiny("en").score([text, shown + tail], "en").humour
    assert first == second


def test_missing_and_foreign_files_are_named(tmp_path):
    with pytest.raises(MissingPart, match="rimshot train tiny"):
        TinyDetector(tmp_path / "none.npz").score(["a"], "en")
    (tmp_path / "odd.npz").write_bytes(b"not a model")
    with pytest.raises(InputError, match="not a tiny model"):
        TinyDetector(tmp_path / "odd.npz").score(["a"], "en")


def test_needs_no_onnxruntime():
    program = (
        "import sys; sys.modules['onnxruntime'] = None; sys.modules['sklearn'] = None; sys.modules['scipy'] = None\n"
        "from rimshot.wordplay.choose import choose_detector\n"
        "print(choose_detector('tiny').score(['a pun', 'um trocadilho'], ['en', 'pt']).humour.shape)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "(2,)"


def test_without_places_the_verdicts_are_the_same():
    texts = ["The baker kneads the dough.", "", "Time flies like an arrow."]
    whole, humour = load_tiny("en").score(texts, "en"), load_tiny("en", places=False).score(texts, "en")
    np.testing.assert_array_equal(whole.humour, humour.humour)
    assert whole.start.max() >= 0 and set(humour.start.tolist()) == {-1}


def test_probability_of_a_dull_text_is_low():
    dull = ["The committee approved the annual report of the ministry on Tuesday."] * 2
    assert np.all(load_tiny("en").score(dull, "en").humour < 0.05)
