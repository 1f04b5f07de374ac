"""The network's runtime, on a miniature built here and on the shipped models where they are."""

import json
import shutil
import sys
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.corpus.analyser import words
from rimshot.corpus.document import LANGUAGES
from rimshot.errors import InputError, MissingPart
from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.encoder import EncoderByLanguage, OnnxEncoder, SentenceTransformer, choose_encoder
from rimshot.wordplay.network import Network, Reading
from rimshot.wordplay.neural import CLOSER, OnnxDetector, shipped, word_chances

PUN = {
    "en": ["I used to be a banker, but I lost interest.", "A boiled egg in the morning is hard to beat."],
    "pt": ["O que diz um zero para um oito? Belo cinto!", "Qual é o cúmulo da paciência? Ver uma corrida de caracóis."],
}


def models():
    """Give the languages whose shipped model is in the tree."""
    return [lang for lang in LANGUAGES if (shipped(lang).folder / "model.onnx").exists()]


@pytest.fixture(params=["miniature", *LANGUAGES])
def model(request):
    if request.param == "miniature":
        return OnnxDetector(request.getfixturevalue("miniature")), "en"
    if request.param not in models():
        pytest.skip(f"the shipped model for {request.param} is not in this tree")
    return shipped(request.param), request.param


def test_contract(model, check_detector):
    detector, lang = model
    check_detector(detector, lang, tolerance=1e-5)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_default_keeps_the_contract(lang, check_detector):
    if lang not in models():
        pytest.skip(f"the shipped model for {lang} is not in this tree")
    check_detector(choose_detector("default", (lang,)), lang, tolerance=1e-5)


def test_long_company_changes_nothing(model):
    detector, lang = model
    texts = [f"{PUN[lang][n % 2]} {'egg ' * (n % 37)}" for n in range(90)]
    together = detector.score(texts, lang)
    alone = [detector.score([text], lang) for text in texts[:12]]
    assert np.allclose(together.humour[:12], [part.humour[0] for part in alone], rtol=0, atol=1e-5)
    assert together.start[:12].tolist() == [int(part.start[0]) for part in alone]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_case_marks_and_spaces_never_flip_the_shipped_verdict(lang):
    if lang not in models():
        pytest.skip(f"the shipped model for {lang} is not in this tree")
    for text in PUN[lang]:
        bare = text.rstrip(".!?")
        forms = [text, bare, bare + "!!!", bare + " ...", text.upper(), text.lower(), f"  {text}\n"]
        forms += [text.replace(" ", "  "), text.replace(" ", "\n"), bare + "  ?!"]
        scores = shipped(lang).score(forms, lang)
        assert np.allclose(scores.humour, scores.humour[0], atol=1e-5)
        named = [scores.word(n, form).lower() for n, form in enumerate(forms)]
        assert len(set(named)) == 1


TAILS = st.sampled_from(["", " ", ".", "!!!", " ?! ", "…", "\n", " - "])


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(["a", "banker", "lost", "Egg", "hard", "Why"]), max_size=12), TAILS, st.booleans())
def test_case_marks_and_spaces_never_flip_the_miniature_verdict(parts, tail, loud):
    text = " ".join(parts)
    shown = "  " + (text.upper() if loud else text) + tail
    first, second = MINIATURE[0].score([text, shown], "en").humour
    assert first == pytest.approx(second, abs=1e-6)


MINIATURE = []


@pytest.fixture(autouse=True, scope="module")
def _remember(miniature):
    MINIATURE.append(OnnxDetector(miniature))


def test_pun_word_is_a_word_of_the_text(miniature):
    text = "The BANKER's egg?"
    scores = OnnxDetector(miniature).score([text], "en")
    assert (int(scores.start[0]), int(scores.end[0])) in {(start, end) for _, start, end in words(text)}
    assert 0 < scores.confidence[0] <= 1


def test_wordless_texts_are_no_wordplay(miniature):
    scores = OnnxDetector(miniature).score(["😀😀", "?!", "", "—"], "en")
    assert scores.humour.tolist() == [0, 0, 0, 0] and scores.start.tolist() == [-1] * 4


def test_calibration_is_applied(miniature, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(miniature, other)
    about = json.loads((other / "model.json").read_text())
    (other / "model.json").write_text(json.dumps(about | {"calibration": {"a": 0.0, "b": 0.0}}))
    scores = OnnxDetector(other).score(["a banker"], "en")
    assert scores.humour.tolist() == [0.5]
    assert OnnxDetector(other).digest != OnnxDetector(miniature).digest


def test_long_text_is_read_at_head_and_tail(miniature):
    network = Network(miniature)
    text = "banker " + "egg " * 500 + "interest"
    ((head, tail),) = network.read([text], ["humour", "pun"])
    assert len(head.offsets) == len(tail.offsets) == 24
    assert head.offsets[1] == (0, 6) and text[slice(*tail.offsets[-2])] == "interest"
    logit = (float(head.values["humour"]) + float(tail.values["humour"])) / 2
    score = float(OnnxDetector(miniature).score([text], "en").humour[0])
    assert score == pytest.approx(1 / (1 + np.exp(-(2.0 * logit - 0.5))), abs=1e-6)


def test_word_chances_sum_the_tokens_of_a_word():
    logits = np.log(np.array([0.1, 0.2, 0.3, 0.4], np.float32))
    reading = Reading([(0, 0), (0, 3), (3, 6), (7, 10)], {"pun": logits})
    chances = word_chances([reading], [("banker", 0, 6), ("egg", 7, 10)])
    assert chances == pytest.approx([0.5 / 0.9, 0.4 / 0.9])


def test_prefix_moves_no_span(miniature, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(miniature, other)
    about = json.loads((other / "model.json").read_text())
    (other / "model.json").write_text(json.dumps(about | {"prefix": "the egg: "}))
    text = "banker lost interest"
    scores = OnnxDetector(other).score([text], "en")
    assert scores.word(0, text) in text.split()


def test_progress_only_grows_and_ends_at_all(miniature):
    told = []
    OnnxDetector(miniature).score(["a banker lost interest"] * 100, "en", told.append)
    assert told == sorted(told) and told[-1] == 100 and len(told) > 1


def test_interruption_leaves_at_once(miniature):
    def stop(done):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        OnnxDetector(miniature).score(["a banker lost interest"] * 1000, "en", stop)


def test_vectors_are_the_detectors_and_the_encoders(miniature):
    detector = OnnxDetector(miniature)
    texts = ["a banker", "", "the egg is hard to beat"]
    vectors = detector.score(texts, "en").vectors
    assert np.allclose(vectors, detector.encode(texts, "en"))
    assert not vectors[1].any()
    assert detector.encode([], "en").shape == (0, 8)


def test_no_model_says_how_to_get_one(tmp_path):
    with pytest.raises(MissingPart, match="--model tiny"):
        OnnxDetector(tmp_path).score(["a"], "en")
    (tmp_path / "model.json").write_text('{"max_tokens": 5}')
    with pytest.raises(InputError, match='"languages" is missing'):
        choose_detector(tmp_path).score(["a"], "en")


def test_broken_graph_is_named(miniature, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(miniature, other)
    (other / "model.onnx").write_bytes(b"no graph")
    with pytest.raises(InputError, match="cannot be opened"):
        OnnxDetector(other).score(["a"], "en")


def test_without_onnxruntime_the_way_out_is_named(miniature, monkeypatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingPart, match="--model tiny"):
        OnnxDetector(miniature).score(["a"], "en")


def test_encoder_of_another_export(miniature, build_graph, tmp_path):
    """A sentence-transformers export: token states under onnx/, pooling settings beside."""
    shutil.copy(miniature / "tokenizer.json", tmp_path)
    (tmp_path / "onnx").mkdir()
    build_graph(tmp_path / "onnx" / "model.onnx", vocabulary=4 + 20 + 26, outputs=("states",))
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 16}')
    encoder = choose_encoder(tmp_path)
    assert isinstance(encoder, OnnxEncoder) and encoder.dim == 8
    vectors = encoder.encode(["a banker", " ", "a banker"], "en")
    assert np.allclose(np.linalg.norm(vectors, axis=1), [1, 0, 1])
    assert np.allclose(vectors[0], vectors[2])
    assert np.allclose(vectors[0], OnnxDetector(miniature).encode(["a banker"], "en")[0], atol=1e-5)
    (tmp_path / "1_Pooling").mkdir()
    (tmp_path / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    first = OnnxEncoder(tmp_path).encode(["a banker", "the egg"], "en")
    assert np.allclose(first[0], first[1])


def test_encoder_by_language(miniature):
    both = EncoderByLanguage({"en": OnnxDetector(miniature), "pt": OnnxDetector(miniature)})
    vectors = both.encode(["a banker", "the egg"], ["pt", "en"])
    assert np.allclose(vectors, OnnxDetector(miniature).encode(["a banker", "the egg"], "en"))
    with pytest.raises(InputError, match='no language "fr"'):
        both.encode(["a"], "fr")


def test_folder_of_languages(miniature, tmp_path):
    for lang in LANGUAGES:
        shutil.copytree(miniature, tmp_path / lang)
    assert choose_detector(tmp_path).languages == LANGUAGES
    assert choose_encoder(tmp_path).dim == 8


def test_hub_name_goes_to_sentence_transformers(monkeypatch):
    class Library:
        def __init__(self, name, device):
            self.name = name

        def get_sentence_embedding_dimension(self):
            return 3

        def encode(self, texts, normalize_embeddings, show_progress_bar):
            return np.tile([1.0, 0.0, 0.0], (len(texts), 1))

    monkeypatch.setitem(sys.modules, "sentence_transformers", SimpleNamespace(SentenceTransformer=Library))
    encoder = choose_encoder("someone/model")
    assert isinstance(encoder, SentenceTransformer)
    assert encoder.encode(["a", ""], "en").tolist() == [[1, 0, 0], [0, 0, 0]]
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(MissingPart, match="pip install sentence-transformers"):
        choose_encoder("someone/model").encode(["a"], "en")


def test_the_models_take_no_more_room_than_was_allowed():
    folder = Path(str(files("rimshot.wordplay")))
    shipped_files = [*folder.glob("models/*/*"), *folder.glob("fallback/*")]
    assert sum(path.stat().st_size for path in shipped_files) <= 70e6


def test_weights_that_are_missing_are_named(tmp_path):
    for name in ("model.json", "tokenizer.json", "model.onnx"):
        shutil.copy(shipped("pt").folder / name, tmp_path)
    with pytest.raises(InputError, match=r"model\.onnx cannot be opened \(model\.weights\.npz is missing beside it\)"):
        OnnxDetector(tmp_path).score(["a"], "pt")


def test_a_torn_closer_reader_is_named(tmp_path):
    source = Path(str(files("rimshot.wordplay"))) / "models" / "pt"
    for name in ("model.json", "tokenizer.json", "model.onnx"):
        shutil.copy(source / name, tmp_path / name)
    (tmp_path / CLOSER).write_bytes((source / CLOSER).read_bytes()[:1000])
    with pytest.raises(InputError, match="cannot be opened"):
        OnnxDetector(tmp_path, vectors=False, file=CLOSER).score(["Um texto."], "pt")


def test_a_closer_reader_gets_its_word_vectors_without_the_layers():
    network = shipped("pt")._network
    ids = np.array([[0, 70, 900, 41, 2, 1]], np.int64)
    mask = np.array([[1, 1, 1, 1, 1, 0]], np.int64)
    asked = {"input_ids": ids, "attention_mask": mask, "want_layers": np.array(True)}
    humour, first = network.session.run(["humour", "first"], asked)
    assert humour.shape == (1,)
    np.testing.assert_array_equal(network.first(ids, mask), first)
    (nothing,) = network.session.run(["humour"], asked | {"want_layers": np.array(False)})
    assert nothing.size == 0
