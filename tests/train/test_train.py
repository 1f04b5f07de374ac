"""A miniature is trained, interrupted, resumed and exported; twins and figures are checked by hand."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: install rimshot[train]")
for package in ("onnx", "safetensors"):
    pytest.importorskip(package, reason=f"training needs {package}: install rimshot[train]")

from rimshot.errors import InputError  # noqa: E402
from rimshot.train.batches import Item, Mix, epoch_units, leave_out  # noqa: E402
from rimshot.train.detector import training_file  # noqa: E402
from rimshot.train.encoder import EncoderShape, WordplayModel, load_bert  # noqa: E402
from rimshot.train.examples import Example, fold, parse_example, read_examples  # noqa: E402
from rimshot.train.export import run_onnx  # noqa: E402
from rimshot.train.fork import WAYS  # noqa: E402
from rimshot.train.judge import run  # noqa: E402
from rimshot.train.thesaurus import read_wordnet  # noqa: E402
from rimshot.train.twins import TwinMaker, inflect_like, put  # noqa: E402


def weights_of(out):
    return torch.load(out / "work" / "checkpoint.pt", weights_only=False)["model"]


def test_miniature_learns_and_ships_what_the_contract_names(tiny, train, tmp_path):
    from tokenizers import Tokenizer

    from rimshot.wordplay.network import open_graph

    about = train(tmp_path / "out", replace(tiny, epochs=24, head_rate=1e-2, patience=30))
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"model.onnx", "tokenizer.json", "model.json", "CARD.md", "report.html"} <= files
    assert json.loads((tmp_path / "out" / "model.json").read_text()) == about
    assert about["figures"]["held out"]["auc_twins"] > 0.9
    assert about["calibration"]["a"] > 0
    session = open_graph(tmp_path / "out" / "model.onnx")
    assert [i.name for i in session.get_inputs()] == ["input_ids", "attention_mask", *WAYS]
    assert [o.name for o in session.get_outputs()] == ["humour", "pun", "vector", "first"]
    tokenizer = Tokenizer.from_file(str(tmp_path / "out" / "tokenizer.json"))
    texts = ["the baker took a toll", "toll", "", "the road was a thing of the price and the bell"]
    humour, best, vectors = run_onnx(tmp_path / "out" / "model.onnx", tokenizer, texts, 16)
    assert humour.shape == (4,)
    assert best[0] == (17, 21)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-4)
    alone, _, _ = run_onnx(tmp_path / "out" / "model.onnx", tokenizer, texts[:1], 16)
    assert alone[0] == pytest.approx(humour[0], abs=1e-5)
    loud, _, _ = run_onnx(tmp_path / "out" / "model.onnx", tokenizer, ["THE baker  took a TOLL!! "], 16)
    assert loud[0] == pytest.approx(humour[0], abs=1e-5)


def test_a_killed_run_goes_on_to_the_same_weights(train, tmp_path, monkeypatch):
    train(tmp_path / "whole")
    import rimshot.train.loop as loop

    real = loop._epoch

    def dies(bench, recipe, epoch, *rest):
        if epoch == 1:
            raise KeyboardInterrupt
        return real(bench, recipe, epoch, *rest)

    monkeypatch.setattr(loop, "_epoch", dies)
    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "broken")
    monkeypatch.setattr(loop, "_epoch", real)
    train(tmp_path / "broken")
    whole, broken = weights_of(tmp_path / "whole"), weights_of(tmp_path / "broken")
    for name, weight in whole.items():
        torch.testing.assert_close(broken[name], weight, rtol=0, atol=0)


def test_another_recipe_does_not_take_over_a_checkpoint(tiny, train, tmp_path):
    train(tmp_path / "out", replace(tiny, epochs=1))
    with pytest.raises(InputError, match="another recipe"):
        train(tmp_path / "out", replace(tiny, epochs=2))


def test_export_says_what_torch_says(base, tmp_path):
    from rimshot.train.bases import read_folder
    from rimshot.train.export import export_onnx
    from rimshot.train.teacher import mean_vectors

    loaded = read_folder(base)
    torch.manual_seed(3)
    model = WordplayModel(loaded.encoder.shape, 1)
    model.start_from(loaded.encoder)
    texts = ["the baker took a toll", "price", "a thing of the road and the bell was a fee"]
    export_onnx(model, tmp_path / "plain.onnx", 16, exact=True)
    theirs = run_onnx(tmp_path / "plain.onnx", loaded.tokenizer, texts, 16)
    ours = run(model, loaded.tokenizer, texts, 16)
    np.testing.assert_allclose(theirs[0], ours[0], atol=2e-2)
    np.testing.assert_allclose(theirs[2], mean_vectors(loaded, texts), atol=2e-2)


def test_fewer_layers_are_taken_from_the_first_to_the_last(plain, bert_weights):
    encoder = load_bert(bert_weights(layers=4), EncoderShape(len(plain) + 4, 16, 2, 2, 32, 32))
    assert [layer.out.bias[0].item() for layer in encoder.layers] == [0.0, 3.0]


def test_twins_change_the_text_and_are_the_same_for_the_same_seed(wordnet):
    maker = TwinMaker(read_wordnet(wordnet), Counter({"price": 3, "baker": 2, "bell": 2}))
    pun = parse_example({"text": "It took its Toll", "humorous": 1, "word": "toll", "senses": [["toll%1:21:00::"]]})
    twins = [maker.twin(pun, random.Random(seed)) for seed in range(30)]
    assert all(twin and twin != pun.text for twin in twins)
    assert "It took its Fee" in twins
    assert twins == [maker.twin(pun, random.Random(seed)) for seed in range(30)]
    assert maker.twin(Example("no word is named", True, "puns"), random.Random(1)) is None


def test_swaps_keep_case_and_inflection():
    assert put("TOLL road", (0, 4), "fee") == "FEE road"
    assert inflect_like("tolling", "charge") == "charging"
    assert inflect_like("ladies", "box") == "boxes"


def test_an_epoch_pairs_each_pun_with_its_edit_and_a_fresh_twin(labelled, wordnet):
    examples = read_examples(labelled)
    maker = TwinMaker(read_wordnet(wordnet), Counter({"price": 3, "baker": 2, "bell": 2}))
    units = epoch_units(examples, maker, Mix(plain=5, swapped_plain=0.0), random.Random(1))
    puns = [unit for unit in units if unit[0].label == 1.0]
    assert len(puns) == 24
    assert all([item.partner for item in unit] == [-1, 0, 0] for unit in puns)
    assert len(units) - len(puns) == 5


def test_dropped_marks_move_the_span():
    item = Item("Oh, oh, a toll", 1.0, spans=((10, 14),))
    leave_out(item, ",")
    assert item.text[slice(*item.spans[0])] == "toll"


def test_a_pun_and_its_twin_share_a_fold():
    assert len({fold(Example(text, True, "x", "pair 7"), 9) for text in "abcdefgh"}) == 1
    assert fold(Example("Same, text!", True, "x"), 9) == fold(Example("same text", True, "x"), 9)


def test_bad_lines_are_named(tmp_path):
    path = tmp_path / "own.jsonl"
    path.write_text('{"text": "a", "humorous": 1}\n{"words": "b"}\n')
    with pytest.raises(InputError, match="line 2"):
        read_examples(path)
    path.write_text('{"text": "a", "humorous": 1}\n')
    with pytest.raises(InputError, match="humorous and plain"):
        read_examples(path)
    with pytest.raises(InputError, match="no labelled texts"):
        training_file(tmp_path, "en")


def test_a_head_set_by_regression_lands_on_a_turned_space(plain, base):
    from rimshot.train.bases import read_folder
    from rimshot.train.teacher import Teacher, align, mean_vectors

    loaded = read_folder(base)
    model = WordplayModel(loaded.encoder.shape, 1)
    model.start_from(loaded.encoder)
    rng = np.random.default_rng(4)
    texts = [" ".join(rng.choice(plain, 5)) for _ in range(60)]
    turn = np.linalg.qr(rng.normal(size=(16, 16)))[0].astype(np.float32)
    teacher = Teacher(16)
    teacher.add(texts, mean_vectors(loaded, texts) @ turn)
    assert align(model, loaded.tokenizer, teacher, texts) > 0.99


def test_four_bit_blocks_are_unpacked_low_halves_first():
    from rimshot.train.bases import _tensor

    halves = bytes([0x08 | (0x9 << 4)] * 16)
    block = np.float16(0.5).tobytes() + halves
    assert _tensor(block, 0, 18).tolist() == [0.0] * 16 + [0.5] * 16


def test_only_the_tower_learns_to_judge(bert_weights, tiny, train, tmp_path):
    train(tmp_path / "out", replace(tiny, epochs=1))
    weights = weights_of(tmp_path / "out")
    before = bert_weights(layers=2)
    for number in (0, 1):
        torch.testing.assert_close(
            weights[f"encoder.layers.{number}.up.weight"], before[f"encoder.layer.{number}.intermediate.dense.weight"]
        )
    assert not torch.equal(weights["tower.0.up.weight"], before["encoder.layer.1.intermediate.dense.weight"])


def test_vectors_learn_the_space_of_the_teacher_and_go_on_after_a_kill(plain, tiny, base, tmp_path):
    from rimshot.train.bases import read_folder
    from rimshot.train.teacher import Teacher
    from rimshot.train.vectors import fit_vectors

    loaded = read_folder(base)
    rng = np.random.default_rng(4)
    texts = sorted({" ".join(rng.choice(plain, 5)) for _ in range(600)})
    turned = rng.normal(size=(len(plain), 16)).astype(np.float32)
    wanted = np.stack([sum(turned[plain.index(word)] for word in text.split()) for text in texts])
    teacher = Teacher(16)
    teacher.add(texts, wanted / np.linalg.norm(wanted, axis=1, keepdims=True))

    def fitted(folder, epochs):
        folder.mkdir(exist_ok=True)
        torch.manual_seed(2)
        model = WordplayModel(loaded.encoder.shape, 1)
        model.start_from(loaded.encoder)
        recipe = replace(tiny, vector_epochs=epochs)
        return fit_vectors(model, loaded.tokenizer, teacher, folder, recipe), model.vector.weight

    before, _ = fitted(tmp_path / "none", 0)
    after, whole = fitted(tmp_path / "whole", 4)
    assert after > before + 0.1
    again, kept = fitted(tmp_path / "whole", 4)
    assert again == after
    torch.testing.assert_close(kept, whole)


def test_distances_fall_into_buckets_by_direction_and_nearness():
    from rimshot.train.encoder import distance_buckets

    buckets = distance_buckets(200, 32)
    assert buckets[5, 5] == 0 and buckets[5, 4] == 1 and buckets[4, 5] == 17
    assert buckets[7, 0] == 7 and buckets[199, 0] == 15 and buckets[0, 199] == 31
    assert len({int(b) for b in buckets[:, 0]}) == 16


def test_a_lower_cased_vocabulary_keeps_names_whole():
    from rimshot.train.bases import caseless

    pieces = [("<S>", 0.0), ("▁Ana", -3.0), ("▁a", -1.0), ("▁A", -2.0), ("▁B", -4.0), ("▁b", -3.0)]
    found, places = caseless(pieces, {0})
    assert found[:3] == [("<S>", 0.0), ("▁ana", -3.0), ("▁a", -1.0)]
    assert "▁A" not in found[3][0] and found[3][1] < -50
    assert found[4:] == [("▁b", -3.0)] and places == [0, 1, 2, 3, 5]


def test_jokes_near_a_measured_collection_are_left_out(tmp_path):
    from rimshot.train.examples import read_jokes

    path = tmp_path / "jokes.jsonl"
    path.write_text('{"text": "Well, the baker took a toll on price"}\n{"text": "A bell took the road!"}\n' * 2)
    kept = read_jokes(path, apart_from=["The baker took a toll on the road"])
    assert [joke.text for joke in kept] == ["A bell took the road!"]


def test_jokes_take_part_in_the_margin_alone(tmp_path, wordnet):
    from rimshot.train.examples import read_jokes

    path = tmp_path / "jokes.jsonl"
    path.write_text('{"text": "So it took its toll."}\n{"text": "a b c"}\n')
    jokes = read_jokes(path)
    assert [joke.text[slice(*joke.spans[0])] for joke in jokes] == ["toll"]
    maker = TwinMaker(read_wordnet(wordnet), Counter({"price": 3, "baker": 2, "bell": 2}))
    (unit,) = epoch_units(jokes, maker, Mix(), random.Random(1))
    assert [item.weight for item in unit] == [0.0, 0.0]
    assert unit[1].partner == 0


@pytest.mark.parametrize(("bits", "levels", "most"), [(8, 256, 0.01), (4, 16, 0.12), (4, 8, 0.3)])
def test_blocks_of_weights_come_back_nearly_as_they_were(bits, levels, most):
    from rimshot.train.quantise import Steps, blocks

    weight = np.random.default_rng(3).normal(size=(128, 8)).astype(np.float32)
    codes, scales = blocks(weight, Steps(bits, levels, 64))
    back = (codes.astype(np.float32) - 2 ** (bits - 1)) * scales.astype(np.float32).reshape(8, 2, 1)
    error = np.linalg.norm(back.reshape(8, 128).T - weight) / np.linalg.norm(weight)
    assert error < most
    assert len(np.unique(codes)) <= levels


def test_rounding_with_feedback_keeps_what_the_layer_says():
    from rimshot.train.quantise import Steps, blocks
    from rimshot.train.rounding import Met

    rng = np.random.default_rng(4)
    inputs = (rng.normal(size=(400, 12)) @ rng.normal(size=(12, 64)) + 0.1 * rng.normal(size=(400, 64))).astype(
        np.float32
    )
    weight = rng.normal(size=(64, 16)).astype(np.float32)

    def error(met):
        codes, scales = blocks(weight, Steps(4, 8, 64, met))
        whole = codes.reshape(16, 64).astype(np.float32) - 8
        return np.linalg.norm(inputs @ ((whole * scales.astype(np.float32)).T - weight))

    assert error(Met(inputs.T @ inputs, np.abs(inputs).max(axis=0))) < 0.5 * error(None)
