"""No kind of text breaks a detector, and few plain ones alarm it."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.corpus.document import LANGUAGES
from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.neural import OnnxDetector, shipped
from rimshot.wordplay.robustness.report import main, report, unusual_texts
from rimshot.wordplay.tiny import load_tiny

# The dullest kinds: a detector that cries wolf here is of no use.
PLAIN = ("recipes", "legal text", "empty text", "emoji only")


def models():
    """Give the detectors that ship: the fallbacks, and the networks that are in the tree."""
    found = [pytest.param(load_tiny(lang), lang, id=f"tiny-{lang}") for lang in LANGUAGES]
    networks = [lang for lang in LANGUAGES if (shipped(lang).folder / "model.onnx").exists()]
    found += [pytest.param(shipped(lang), lang, id=f"network-{lang}") for lang in networks]
    return found + [pytest.param(choose_detector("default", (lang,)), lang, id=f"default-{lang}") for lang in networks]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_texts_are_many_and_of_each_kind(lang):
    kinds = unusual_texts(lang)
    assert len(kinds) == 11
    for kind, texts in kinds.items():
        assert len(texts) >= (20 if kind not in ("empty text", "10,000 words") else 5)
        assert len(set(texts)) == len(texts)
    assert any(len(text.split()) == 10_000 for text in kinds["10,000 words"])


@pytest.mark.parametrize(("detector", "lang"), models())
def test_nothing_breaks_and_the_dullest_kinds_raise_few_alarms(detector, lang):
    rows = {row.kind: row for row in report(detector, lang)}
    for row in rows.values():
        assert np.isfinite(row.mean) and 0 <= row.highest <= 1
    for kind in PLAIN:
        assert rows[kind].alarms <= 0.1 * rows[kind].texts
    assert rows["empty text"].highest == 0.0


def test_miniature_bears_everything(miniature):
    assert len(report(OnnxDetector(miniature), "en")) == 11


def test_command(capsys):
    assert main(["--lang", "en", "--model", "tiny"]) == 0
    assert "| en | recipes |" in capsys.readouterr().out
    assert main(["--lang", "pt", "--model", "tiny", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)[0]["lang"] == "pt"


SENTENCES = {
    lang: [text for texts in unusual_texts(lang).values() for text in texts if len(text) < 400] for lang in LANGUAGES
}
TAILS = st.sampled_from(["", " ", ".", "!", "!!!", " ?! ", "...", "…", "\n", "  \t"])


@pytest.mark.parametrize(("detector", "lang"), models())
@settings(deadline=None, max_examples=25)
@given(data=st.data(), tail=TAILS, shape=st.sampled_from([str, str.upper, str.lower, str.title]))
def test_case_marks_and_spaces_never_flip_a_verdict(detector, lang, data, tail, shape):
    text = data.draw(st.sampled_from(SENTENCES[lang]))
    changed = shape(text)
    if changed.lower() != text.lower():
        return  # a letter whose capital is another letter, such as ß
    first, second = detector.score([text, f" {changed}{tail}"], lang).humour
    assert first == pytest.approx(second, abs=1e-4)


@pytest.mark.parametrize(("detector", "lang"), models())
@settings(deadline=None, max_examples=25)
@given(text=st.text(max_size=200))
def test_any_text_gets_a_probability_and_a_span_inside(detector, lang, text):
    scores = detector.score([text], lang)
    assert 0 <= scores.humour[0] <= 1
    word = scores.word(0, text)
    assert word is None or word in text
