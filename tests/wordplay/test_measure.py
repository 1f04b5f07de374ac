"""The figures, against values worked out by hand and against scikit-learn."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.errors import InputError
from rimshot.wordplay.labelled import read_collection, read_labelled
from rimshot.wordplay.measure import (
    auc,
    average_precision,
    calibration_error,
    main,
    measure,
    names_pun_word,
    reliability,
    table,
)
from rimshot.wordplay.prior import calibrate, collection_weights, folds, sigmoid

PAIRS = st.lists(st.tuples(st.booleans(), st.sampled_from([0.0, 0.1, 0.3, 0.5, 0.9, 1.0])), min_size=2, max_size=40)


def test_average_precision_by_hand():
    # ranks 1 and 3 are humorous: (1/1 + 2/3) / 2
    assert average_precision([1, 0, 1], [0.9, 0.5, 0.1]) == pytest.approx(5 / 6)
    # a tie of a humorous and a plain text: both at precision 1/2
    assert average_precision([1, 0], [0.5, 0.5]) == 0.5
    assert average_precision([0, 0], [0.5, 0.1]) == 0.0


@settings(deadline=None)
@given(PAIRS)
def test_average_precision_and_auc_agree_with_scikit_learn(pairs):
    metrics = pytest.importorskip("sklearn.metrics", reason="compares with scikit-learn")
    truth = np.array([humorous for humorous, _ in pairs])
    scores = np.array([score for _, score in pairs])
    if truth.any():
        assert average_precision(truth, scores) == pytest.approx(metrics.average_precision_score(truth, scores))
    if truth.any() and not truth.all():
        assert auc(scores[truth], scores[~truth]) == pytest.approx(metrics.roc_auc_score(truth, scores))


def test_auc_without_twins_is_undefined():
    assert np.isnan(auc([0.5], []))


def test_calibration_error_by_hand():
    # bin of 0.2: two texts, mean 0.2, share 0.5; bin of 1.0: one text, right
    assert calibration_error([1, 0, 1], [0.2, 0.2, 1.0]) == pytest.approx(2 / 3 * 0.3)
    assert reliability([1], [1.0]) == [(1, 1.0, 1.0)]


def test_any_word_of_the_sign_counts():
    assert names_pun_word("Interest", ["interest"])
    assert names_pun_word("te", ["amar-te"])
    assert not names_pun_word(None, ["interest"])
    assert not names_pun_word("lost", ["interest"])


def test_calibration_finds_the_sigmoid_that_made_the_labels():
    rng = np.random.default_rng(3)
    logits = rng.normal(size=20_000)
    truth = rng.random(20_000) < sigmoid(2.0 * logits - 1.0)
    slope, shift = calibrate(logits, truth, np.ones(20_000))
    assert (slope, shift) == (pytest.approx(2.0, abs=0.1), pytest.approx(-1.0, abs=0.1))


def test_calibration_of_separable_texts_stays_finite():
    slope, shift = calibrate(np.array([-1.0, 1.0]), np.array([False, True]), np.ones(2))
    assert np.isfinite([slope, shift]).all() and slope > 0


def test_weights_add_up_to_the_prior():
    truth = np.array([True, True, False, False, False])
    twin = np.array([False, False, True, False, False])
    weights = collection_weights(truth, twin, 0.04)
    assert weights.sum() == pytest.approx(1.0) and weights[truth].sum() == pytest.approx(0.04)
    assert weights[twin].sum() == pytest.approx(0.032)


def test_pairs_share_a_fold():
    assert folds(["a", "b", "a"], 5)[0] == folds(["a", "b", "a"], 5)[2]
    assert set(folds([str(i) for i in range(200)], 5)) == set(range(5))


def write_collection(folder: Path):
    folder.mkdir(parents=True)
    texts = {"1": "The banker lost interest", "2": "The banker lost money", "3": "It rained on Monday"}
    corpus = [{"docid": name, "text": text} for name, text in texts.items()]
    labels = {"humorous": {"1": 1, "2": 0, "3": 0}, "source": {"1": "own", "2": "edit", "3": "own"}}
    (folder / "corpus.json").write_text(json.dumps(corpus))
    (folder / "labels.json").write_text(json.dumps(labels))
    (folder / "puns.jsonl").write_text(json.dumps({"docid": "1", "word": "interest"}) + "\n")


class LastWord:
    name, digest, languages = "last-word", "1", ("en",)

    def score(self, texts, langs, progress=None):
        from rimshot.wordplay.detector import Scores

        scores = Scores.blank(len(texts))
        for number, text in enumerate(texts):
            scores.start[number], scores.end[number] = len(text) - len(text.split()[-1]), len(text)
            scores.humour[number] = 0.9 if "interest" in text else 0.1
        return scores


def test_measure_of_a_small_collection(tmp_path):
    write_collection(tmp_path / "en" / "dev")
    gold = read_collection(tmp_path / "en" / "dev")
    figures, scores = measure(LastWord(), "en", gold.documents, gold.humorous, gold.twins, gold.signs)
    assert (figures.ap, figures.auc_twins, figures.pun_word, figures.texts) == (1.0, 1.0, 1.0, 3)
    assert figures.ece == pytest.approx(0.1)
    assert len(scores) == 3
    assert "| last-word | en | 3 | 1.000 | 1.000 | 0.100 | 1.000 |" in table([figures.row()])


def test_command_prints_the_table(tmp_path, capsys):
    write_collection(tmp_path / "en" / "dev")
    assert main(["--data", str(tmp_path), "--lang", "en", "--model", "tiny"]) == 0
    assert "| tiny-en | en | 3 |" in capsys.readouterr().out
    assert main(["--data", str(tmp_path), "--lang", "en", "--model", "tiny", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["lang"] == "en"


def test_labelled_files_say_what_is_wrong_where(tmp_path):
    path = tmp_path / "texts.jsonl"
    for content, message in (
        ("", "holds no texts"),
        ('{"text": "a", "humorous": 2}', 'line 1: field "humorous" is 2'),
        ('{"text": 1, "humorous": 1}', 'line 1: field "text"'),
        ("[]", "line 1: not a JSON object"),
        ("{", "not JSON"),
    ):
        path.write_text(content)
        with pytest.raises(InputError, match=message):
            read_labelled(path)
    with pytest.raises(InputError, match="does not exist"):
        read_labelled(tmp_path / "none.jsonl")
    with pytest.raises(InputError, match=r"corpus\.json is missing"):
        read_collection(tmp_path)


def test_labelled_reads_words_and_signs(tmp_path):
    path = tmp_path / "texts.jsonl"
    rows = [
        {"text": "a", "humorous": 1, "word": "a", "pair": "p"},
        {"text": "b", "humorous": 0, "source": "edit", "pair": "p"},
        {"text": "c", "humorous": 1, "signs": [{"pun sign": "c"}, {"pun sign": "d"}]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    first, second, third = read_labelled(path)
    assert first.group == second.group == "p" and first.signs == ("a",)
    assert third.signs == ("c", "d") and third.group == "line 3"
