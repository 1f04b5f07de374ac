"""A joke encoder of miniature size learns to put tellings together, and is read beside its detector as it was trained."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: install rimshot[train]")
for package in ("onnx", "safetensors"):
    pytest.importorskip(package, reason=f"training needs {package}: install rimshot[train]")

from rimshot.errors import InputError  # noqa: E402
from rimshot.train.bases import read_folder  # noqa: E402
from rimshot.train.joke_encoder import Recipe, embed, fit_joke_encoder, plain_texts, train_joke_encoder  # noqa: E402
from rimshot.train.tellings import ToldJoke, retellings, told_jokes  # noqa: E402
from rimshot.train.word_codes import take_first  # noqa: E402

JOKES = [
    ToldJoke(("the baker took a toll", "toll took the baker", "a baker and a toll"), ("the bell took a toll",)),
    ToldJoke(("price of the road", "the road and the price", "on the road a price"), ("the fee of the road",)),
    ToldJoke(("a thing was a bell", "the bell was the thing", "thing and bell"), ("a thing was a fee",)),
    ToldJoke(("fee on fee", "the fee of a fee", "fee and fee"), ("bell on bell",)),
]
TINY = Recipe(2, 80, batch=4, plain=2, rate=5e-3, average=0.5, threads=1, max_tokens=16)


def apart(vectors):
    """How much nearer the tellings of a joke are to each other than to those of other jokes."""
    cosine = vectors @ vectors.T
    owner = np.repeat(np.arange(len(JOKES)), 3)
    same = (owner[:, None] == owner[None, :]) & ~np.eye(len(owner), dtype=bool)
    return float(cosine[same].mean() - cosine[owner[:, None] != owner[None, :]].mean())


def test_tellings_come_together_and_the_shipped_graph_says_so_too(train, base, labelled, tmp_path):
    from rimshot.wordplay.neural import OnnxDetector

    out, graph = tmp_path / "out", tmp_path / "jokes" / "joke.onnx.gz"
    train(out)
    loaded = read_folder(base)
    assert take_first(loaded.encoder, out)
    texts = [text for joke in JOKES for text in joke.told]
    reader = replace(OnnxDetector(out), file=str(graph))
    about = train_joke_encoder("en", labelled, graph, recipe=replace(TINY, epochs=0), base=loaded, jokes=JOKES)
    before = apart(reader.encode(texts, "en"))
    trained = train_joke_encoder("en", labelled, graph, recipe=TINY, base=loaded, jokes=JOKES)
    assert trained["sha256"] != about["sha256"] and trained["jokes"] == 4
    reader = replace(OnnxDetector(out), file=str(graph))
    vectors = reader.encode(texts, "en")
    assert apart(vectors) > before + 0.2
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    np.testing.assert_allclose(reader.encode(texts[:1], "en"), vectors[:1], atol=1e-4)
    assert reader.digest != OnnxDetector(out).digest


def test_a_long_text_is_read_by_its_head_and_its_tail(base):
    loaded = read_folder(base)
    model = fit_joke_encoder(loaded, JOKES, replace(TINY, epochs=0))
    short, other = "the baker took a toll", "price of the road"
    head, tail = (" ".join([part] * 4) for part in (short, other))
    long = f"{head} {head} {tail} {tail}"
    assert len(loaded.tokenizer.encode(long).ids) > 16
    with torch.no_grad():
        found = embed(model, loaded.tokenizer, [long, head, tail], 16)
    # Of each window 14 tokens are seen between the marks, of the whole text those that its head and its tail have too.
    together = found[1] + found[2]
    assert float(found[0] @ together / together.norm()) > 0.98


def test_the_same_seed_gives_the_same_encoder(base):
    def vectors(seed):
        loaded = read_folder(base)
        model = fit_joke_encoder(loaded, JOKES, replace(TINY, epochs=3, seed=seed))
        with torch.no_grad():
            return embed(model, loaded.tokenizer, [JOKES[0].told[0]], 16)[0]

    assert torch.equal(vectors(1), vectors(1))
    assert not torch.equal(vectors(1), vectors(2))


def test_turning_brings_vectors_to_others_and_keeps_their_cosines(base):
    loaded = read_folder(base)
    model = fit_joke_encoder(loaded, JOKES, replace(TINY, epochs=3))
    texts = [text for joke in JOKES for text in joke.told]
    with torch.no_grad():
        own = embed(model, loaded.tokenizer, texts, 16).numpy()
        angle, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(16, 16)))
        wanted = (own @ angle).astype(np.float32)
        model.turn_towards(own, wanted)
        turned = embed(model, loaded.tokenizer, texts, 16).numpy()
    assert (turned * wanted).sum(axis=1).min() > 0.99 > (own * wanted).sum(axis=1).max()
    np.testing.assert_allclose(turned @ turned.T, own @ own.T, atol=2e-2)


def test_word_vectors_of_another_vocabulary_are_refused(base, monkeypatch):
    from rimshot.train import joke_encoder
    from rimshot.wordplay.neural import shipped

    monkeypatch.setattr(joke_encoder, "minilm_folder", lambda: base)
    with pytest.raises(InputError, match="another vocabulary"):
        joke_encoder.joke_base("en", 2, shipped("en").folder)


def test_another_language_is_written_in_the_space_of_the_english_encoder(train, base, labelled, tmp_path, monkeypatch):
    from rimshot.train import joke_encoder
    from rimshot.wordplay.neural import OnnxDetector

    out, graph = tmp_path / "out", tmp_path / "jokes" / "joke.onnx.gz"
    train(out)
    loaded = read_folder(base)
    assert take_first(loaded.encoder, out)
    texts = [text for joke in JOKES for text in (*joke.told, *joke.others)]
    train_joke_encoder("pt", labelled, graph, recipe=replace(TINY, epochs=0), base=loaded, jokes=JOKES)
    plain = replace(OnnxDetector(out), file=str(graph)).encode(texts, "pt")
    angle, _ = np.linalg.qr(np.random.default_rng(5).normal(size=(16, 16)))
    wanted = (plain @ angle).astype(np.float32)

    class English:
        def encode(self, asked, langs):
            return wanted[[texts.index(text) for text in asked]]

    # What a text says in English is the text itself here; the last one has no translation and is passed over.
    monkeypatch.setattr(joke_encoder, "sentences_in_english", lambda asked, lang: [*asked[:-1], ""])
    train_joke_encoder("pt", labelled, graph, English(), recipe=replace(TINY, epochs=0), base=loaded, jokes=JOKES)
    turned = replace(OnnxDetector(out), file=str(graph)).encode(texts, "pt")
    assert (turned * wanted).sum(axis=1).min() > 0.95 > (plain * wanted).sum(axis=1).max()


def test_the_command_names_what_is_wrong(labelled, tmp_path, capsys):
    from rimshot.cli import main

    assert main(["train", "joke", "--lang", "en", "--data", str(labelled), "--out", str(tmp_path / "x")]) == 2
    assert "end in .onnx.gz" in capsys.readouterr().err


def test_company_is_plain_and_no_twin(labelled):
    company = plain_texts("en", labelled)
    assert any("was on the road" in text for text in company)
    assert not any(text.endswith("took a toll") or text.endswith("took a fee") for text in company)


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_no_telling_stands_twice_or_on_both_sides(lang):
    jokes = told_jokes(lang)
    assert len(jokes) > 1000
    assert all(len(joke.told) >= 3 and joke.others and not set(joke.told) & set(joke.others) for joke in jokes)
    kept_apart = {row.joke for row in retellings() if row.lang == lang}
    assert len(kept_apart) == 300
    assert not kept_apart & {text for joke in jokes for text in joke.told}


def test_a_joke_brings_its_nearest_neighbour_into_the_batch_unless_it_is_the_same_joke():
    import random

    from rimshot.train.joke_encoder import _batches

    jokes = [ToldJoke((str(n),), ()) for n in range(6)]
    turns = np.radians([0, 40, 120, 160, 240, 280])
    places = np.column_stack([np.cos(turns), np.sin(turns)]).astype(np.float32)
    found = [{joke.told[0] for joke in batch} for batch in _batches(jokes, 2, random.Random(1), places)]
    assert sorted(map(sorted, found)) == [["0", "1"], ["2", "3"], ["4", "5"]]
    apart = [
        {joke.told[0] for joke in batch} for batch in _batches(jokes[:4], 2, random.Random(1), places[[0, 0, 2, 2]])
    ]
    assert not any(pair in apart for pair in ({"0", "1"}, {"2", "3"}))
