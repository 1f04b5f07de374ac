"""A larger model of miniature size: it is asked as a mentor, shortened, and put beside the detector as a closer reader."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: install rimshot[train]")
for package in ("onnx", "safetensors"):
    pytest.importorskip(package, reason=f"training needs {package}: install rimshot[train]")

from rimshot.errors import InputError  # noqa: E402
from rimshot.train.batches import Mix  # noqa: E402
from rimshot.train.encoder import WordplayModel  # noqa: E402
from rimshot.train.examples import Example, read_examples  # noqa: E402
from rimshot.train.loop import Recipe  # noqa: E402


def test_a_mentor_says_something_of_every_planned_text_and_is_learnt_from(
    tiny, train, labelled, base, wordnet, tmp_path
):
    from rimshot.train.detector import read_mentor
    from rimshot.train.mentor import Ground, train_mentor

    path = tmp_path / "mentor.jsonl"
    about = train_mentor(Ground("en", labelled, base, wordnet, alone=True), path, recipe=tiny, planned=tiny)
    said = read_mentor(path)
    assert about["texts"] == len(said) > 40
    with_mentor = train(tmp_path / "out", mentor=path)
    assert with_mentor["sha256"] != train(tmp_path / "alone")["sha256"]


def test_a_closer_reader_is_shortened_taught_and_put_beside_the_detector(
    tiny, train, labelled, base, wordnet, tmp_path
):
    from rimshot.train.closer import Following, train_closer
    from rimshot.train.mentor import Ground
    from rimshot.wordplay.neural import CLOSER, OnnxDetector

    out = tmp_path / "out"
    ground = Ground("en", labelled, base, wordnet, alone=True)
    train(out)
    with pytest.raises(InputError, match="train the detector first"):
        train_closer(ground, tmp_path / "nothing")
    about = train_closer(ground, out, recipe=tiny, planned=[(tiny, 0)], following=Following(), kept=[1])
    assert about["layers"] == 1 and json.loads((out / "model.json").read_text())["closer"] == about
    reader = replace(OnnxDetector(out), vectors=False, file=CLOSER)
    texts = ["the baker took a toll", "a thing of the road"]
    together, alone = reader.score(texts, "en"), reader.score(texts[:1], "en")
    assert together.vectors is None and (together.humour > 0).all()
    np.testing.assert_allclose(alone.humour, together.humour[:1], rtol=1e-4)


def test_a_closer_reader_takes_the_word_vectors_of_its_detector(train, base, tmp_path):
    from rimshot.train.bases import read_folder
    from rimshot.train.word_codes import take_first
    from rimshot.wordplay.network import open_graph

    train(tmp_path)
    encoder = read_folder(base).encoder
    with torch.no_grad():
        for table in (encoder.words, encoder.positions, encoder.types, encoder.norm):
            table.weight.zero_()
    assert take_first(encoder, tmp_path)
    ids = torch.tensor([[2, 5, 6, 3]])
    mask = torch.ones_like(ids)
    session = open_graph(tmp_path / "model.onnx")
    flags = {entry.name: np.array(True) for entry in session.get_inputs() if entry.name.startswith("want_")}
    wanted = session.run(["first"], {"input_ids": ids.numpy(), "attention_mask": mask.numpy(), **flags})[0]
    np.testing.assert_allclose(encoder.eval().first(ids, mask)[0].detach().numpy(), wanted, atol=1e-5)
    wider = WordplayModel(replace(encoder.shape, vocabulary=encoder.shape.vocabulary + 1)).encoder
    assert not take_first(wider, tmp_path)


def test_another_language_is_read_along_in_the_first_epochs_only(labelled):
    from rimshot.train.loop import plan

    own = [Example("a toll", True, "user"), Example("a road", False, "user")]
    along = Recipe(company=(1.0,), mix=Mix(plain=0, fresh_twins=0))

    def read(epoch):
        return {item.text for unit in plan(own, None, along, epoch, read_examples(labelled)) for item in unit}

    assert {"a toll", "a road"} < read(0)
    assert read(1) == {"a toll", "a road"}


def test_own_puns_are_read_along_by_their_share():
    from rimshot.train.loop import plan

    train = [Example("a toll", True, "user"), Example("a road", False, "user")]
    mine = [Example(f"pun {number}", True, "composed") for number in range(10)]
    along = Recipe(own=(1.0, 0.3), mix=Mix(plain=0, fresh_twins=0))

    def read(epoch):
        return {item.text for unit in plan(train, None, along, epoch, (), mine) for item in unit} - {"a toll", "a road"}

    assert [len(read(epoch)) for epoch in range(3)] == [10, 3, 0]


def test_with_nothing_held_out_the_last_epoch_is_kept(tiny, labelled, base, wordnet, tmp_path):
    from rimshot.train.mentor import Ground, fit_mentor

    mentor = fit_mentor(
        Ground("en", labelled, base, wordnet, whole=True, alone=True), tmp_path, tiny, lambda _text, _share: None
    )
    assert mentor.texts.held == [] and mentor.history["best_epoch"] == tiny.epochs - 1
    assert "ap" not in mentor.history["curves"][-1]


def test_shortened_layers_are_those_kept(base):
    from rimshot.train.bases import read_folder
    from rimshot.train.closer import shorten

    loaded = read_folder(base)
    model = WordplayModel(loaded.encoder.shape, 1)
    model.start_from(loaded.encoder)
    whole = shorten(model, range(loaded.encoder.shape.layers))
    ids = torch.ones(2, 5, dtype=torch.long)
    model.eval()
    torch.testing.assert_close(whole.judge(ids, ids), model.judge(ids, ids))
    short = shorten(model, [0])
    assert len(short.encoder.layers) == len(short.tower) == 1


def test_a_missing_companion_is_named(labelled, tmp_path, capsys):
    from rimshot.cli import main

    given = ["--data", str(labelled), "--company", str(tmp_path / "none.jsonl"), "--out", str(tmp_path / "out")]
    assert main(["train", "closer", "--lang", "pt", *given]) == 2
    assert "none.jsonl: no such file; --company" in capsys.readouterr().err
