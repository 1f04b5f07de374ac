"""A joke encoder of miniature size learns to put tellings together, and is read beside its detector as it was trained."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs torch: install rimshot[train]")
for package in ("onnx", "safetensors"):
    pytest.importorskip(package, reason=f"training needs {package}: install rimshot[train]")

from rimshot.errors import InputError  # noqa: E402
from rimshot.retell.joke_encoder import LONGEST, OnnxJokeReader, hinge_map, joke_network  # noqa: E402
from rimshot.train.bases import read_folder  # noqa: E402
from rimshot.train.joke_batches import Batch, Source, batches, company_texts, hinges_of, labelled_source  # noqa: E402
from rimshot.train.joke_encoder import Recipe, embed, fit_joke_encoder, recipe_for, train_joke_encoder  # noqa: E402
from rimshot.train.joke_loss import Embedded, mislaid, missed, missed_among_kin  # noqa: E402
from rimshot.train.tellings import ToldJoke, constellations, retellings, told_jokes  # noqa: E402
from rimshot.train.word_codes import take_first  # noqa: E402

JOKES = [
    ToldJoke(("the baker took a toll", "toll took the baker", "a baker and a toll"), ("the bell took a toll",)),
    ToldJoke(("price of the road", "the road and the price", "on the road a price"), ("the fee of the road",)),
    ToldJoke(("a thing was a bell", "the bell was the thing", "thing and bell"), ("a thing was a fee",)),
    ToldJoke(("fee on fee", "the fee of a fee", "fee and fee"), ("bell on bell",)),
]
TINY = Recipe((0, 1), 80, batch=4, company=2, rate=5e-3, average=0.5, threads=1, max_tokens=16)


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
    read = OnnxJokeReader(reader).read([*texts, " "], "en")
    np.testing.assert_allclose(read.vectors[:-1], vectors, atol=1e-6)
    assert not read.vectors[-1].any() and not read.shares[-1].any()
    for row, text in enumerate(texts):
        wanted = {zlib.crc32(stem.encode()) for stem in hinges_of(JOKES, "en")[text]}
        found = hinge_map(read.hinges[row], read.shares[row])
        assert sum(share for code, share in found.items() if code in wanted) > 0.8


def test_a_joke_hangs_on_what_all_its_tellings_have_or_all_but_one():
    common = ToldJoke(("The baker took a toll.", "Tolls took the road.", "A bell and a toll"), ())
    nearly = ToldJoke(("one toll", "two tolls", "no toll", "three bells"), ())
    nothing = ToldJoke(("one toll", "two bells", "a road"), ())
    written = ToldJoke(("a frieze of bells", "Freeze, bell!"), (), ("friezes", "freeze"))
    found = hinges_of([common, nearly, nothing, written], "en")
    assert found["a frieze of bells"] == {"friez"} and found["Freeze, bell!"] == {"freez"}
    assert found["The baker took a toll."] == found["A bell and a toll"] == {"toll"}
    assert found["three bells"] == {"toll"}
    assert found["a road"] == frozenset()


def test_what_is_lost_where_the_hinge_is_not_found(base):
    owner, stems = torch.tensor([0, 0, 0, 1, 1, 2]), ["toll", "road", "toll", "bell", "fee", "fee"]
    read = Embedded(torch.zeros(3, 2), owner, stems, torch.tensor([1.0, 2.0, 0.0, 0.5, 0.5, 3.0]))
    first = (np.exp(1) + 1) / (np.exp(1) + np.exp(2) + 1)
    wanted = -(np.log(first) + np.log(0.5)) / 2
    assert float(mislaid(read, [{"toll"}, {"bell"}, {"bell"}])) == pytest.approx(wanted, rel=1e-5)
    assert float(mislaid(read, [set(), set(), set()])) == 0


def test_a_long_text_is_read_by_its_head_and_its_tail(base):
    loaded = read_folder(base)
    model = fit_joke_encoder(loaded, [Source(JOKES)], replace(TINY, epochs=0))
    short, other = "the baker took a toll", "price of the road"
    head, tail = (" ".join([part] * 4) for part in (short, other))
    long = f"{head} {head} {tail} {tail}"
    assert len(loaded.tokenizer.encode(long).ids) > 16
    with torch.no_grad():
        found = embed(model, loaded.tokenizer, [long, head, tail], "en", 16).vectors
    # Of each window 14 tokens are seen between the marks, of the whole text those that its head and its tail have too.
    together = found[1] + found[2]
    assert float(found[0] @ together / together.norm()) > 0.98


def test_the_same_seed_gives_the_same_encoder(base):
    def vectors(seed):
        loaded = read_folder(base)
        model = fit_joke_encoder(loaded, [Source(JOKES)], replace(TINY, epochs=3, seed=seed))
        with torch.no_grad():
            return embed(model, loaded.tokenizer, [JOKES[0].told[0]], "en", 16).vectors[0]

    assert torch.equal(vectors(1), vectors(1))
    assert not torch.equal(vectors(1), vectors(2))


def test_word_vectors_of_another_width_are_refused_and_a_missing_base_is_named(base):
    from rimshot.train.joke_encoder import joke_base
    from rimshot.wordplay.neural import shipped

    with pytest.raises(InputError, match="another vocabulary"):
        joke_base("en", (0, 1), shipped("en").folder, base)
    with pytest.raises(InputError, match="needs --base"):
        joke_base("en", (0, 1), shipped("en").folder)


def test_an_encoder_with_words_of_its_own_is_read_as_it_was_trained(train, base, tmp_path):
    from tokenizers import Tokenizer

    from rimshot.train.joke_encoder import write_joke_encoder
    from rimshot.wordplay.neural import OnnxDetector

    out, graph = tmp_path / "out", tmp_path / "joke.onnx.gz"
    train(out)
    loaded = replace(read_folder(base), tokenizer=Tokenizer.from_file(str(out / "tokenizer.json")))
    model = fit_joke_encoder(loaded, [Source(JOKES)], replace(TINY, epochs=20, width=8, frozen=1))
    texts = [text for joke in JOKES for text in joke.told]
    write_joke_encoder(model, loaded.tokenizer, texts, graph, TINY, from_words=True)
    read = OnnxJokeReader(replace(OnnxDetector(out), file=str(graph)))
    vectors = np.stack([row[0].values["vector"] for row in read.network.readings(texts, ["vector"])])
    with torch.no_grad():
        own = embed(model, loaded.tokenizer, texts, "en", 16).vectors.numpy()
    assert own.shape[1] == vectors.shape[1] == 8
    assert (own * vectors).sum(axis=1).min() > 0.97


def test_a_frozen_layer_stays_as_it_was_and_others_learn(base):
    before = read_folder(base).encoder.layers
    layers = fit_joke_encoder(read_folder(base), [Source(JOKES)], replace(TINY, epochs=2, frozen=1)).encoder.layers
    assert torch.equal(layers[0].up.weight, before[0].up.weight)
    assert not torch.equal(layers[1].up.weight, before[1].up.weight)


def test_a_batch_holds_jokes_of_one_source_with_its_company():
    import random

    sources = [Source(JOKES[:2], ["a", "b"]), Source(JOKES[2:], ["c", "d"])]
    found = batches(sources, 2, 1, random.Random(1))
    assert len(found) == 2
    for batch in found:
        assert set(batch.jokes) == set(batch.source.jokes)
        assert len(batch.company) == 1 and set(batch.company) <= set(batch.source.company)
    places = {"the baker took a toll": [1, 0], "price of the road": [0, 1], "a": [0.6, 0.8], "b": [1, 0]}
    look = batches(sources[:1], 2, 1, random.Random(1), lambda texts: np.array([places[t] for t in texts], np.float32))
    # "b" may be the first joke itself, and "a" the second; each is near to the other one.
    assert set(look[0].company) == {"a", "b"}


def test_jokes_on_one_word_stand_in_one_batch_and_a_share_of_the_others_beside_them():
    import random

    from rimshot.train.joke_encoder import _share

    jokes = [ToldJoke((f"joke {n}", f"again {n}"), (), (), "kin" if n in (2, 9, 17) else "") for n in range(20)]
    for seed in range(5):
        for look in (None, lambda texts: np.eye(20, dtype=np.float32)[: len(texts)]):
            found = batches([Source(jokes)], 4, 0, random.Random(seed), look)
            assert [sum(bool(joke.group) for joke in batch.jokes) in (0, 3) for batch in found] == [True] * len(found)
            told = [joke.told[0] for batch in found for joke in batch.jokes]
            assert len(set(told)) == len(told) > 15
    some = _share(jokes, 0.5, random.Random(1))
    assert sum(bool(joke.group) for joke in some) == 3 and len(some) == 3 + round(0.5 * 17)


def test_tellings_are_sought_among_all_texts_and_again_among_the_jokes_on_their_word():
    owner, groups = torch.tensor([0, 0, 1, 2]), ["a", "a", "a", ""]
    alike = torch.tensor([[9.0, 2, 1, 0, 3], [2, 9, 0, 0, 0], [1, 0, 9, 0, 0], [0, 0, 0, 9, 0]])
    first = np.log(np.exp(2) + np.exp(1) + np.exp(0) + np.exp(3)) - 2
    second = np.log(np.exp(2) + 3) - 2
    assert float(missed(alike, owner)) == pytest.approx((first + second) / 4, rel=1e-5)
    inside = (np.log(np.exp(2) + np.exp(1)) - 2, np.log(np.exp(2) + np.exp(0)) - 2, 0)
    assert float(missed_among_kin(alike, owner, groups)) == pytest.approx(sum(inside) / 3, rel=1e-5)
    assert float(missed_among_kin(alike, owner, ["", "", "", ""])) == 0


def test_an_encoder_goes_on_from_one_that_was_written(train, base, labelled, tmp_path):
    from tokenizers import Tokenizer

    from rimshot.train.joke_again import begin_from, written_numbers
    from rimshot.train.joke_encoder import write_joke_encoder

    out = tmp_path / "out"
    train(out)
    tokenizer = Tokenizer.from_file(str(out / "tokenizer.json"))
    texts = [text for joke in JOKES for text in joke.told]

    def read(model):
        with torch.no_grad():
            return embed(model, tokenizer, texts, "en", 16).vectors.numpy()

    for width, from_words in ((8, True), (0, False)):
        graph = tmp_path / f"joke{width}.onnx.gz"
        loaded = replace(read_folder(base), tokenizer=tokenizer)
        taught = fit_joke_encoder(loaded, [Source(JOKES)], replace(TINY, epochs=20, width=width))
        write_joke_encoder(taught, tokenizer, texts, graph, TINY, from_words=from_words)
        fresh = replace(read_folder(base), tokenizer=tokenizer)
        if not from_words:
            fresh.encoder.words, fresh.encoder.norm = loaded.encoder.words, loaded.encoder.norm
            fresh.encoder.positions, fresh.encoder.types = loaded.encoder.positions, loaded.encoder.types
        # Four bits are coarse for sixteen numbers; a fresh base is nowhere near.
        begun = fit_joke_encoder(fresh, [Source(JOKES)], replace(TINY, epochs=0, width=width), begin=graph)
        alike = (read(begun) * read(taught)).sum(axis=1)
        assert alike.min() > 0.95
        with pytest.raises(InputError, match="of this base"):
            begin_from(fit_joke_encoder(_cut(base), [Source(JOKES)], replace(TINY, epochs=0)), graph)
    # The halves of a network that has none would begin anywhere.
    with pytest.raises(InputError, match=r"(scene|word)"):
        fit_joke_encoder(fresh, [Source(JOKES)], replace(TINY, epochs=0, width=8), begin=graph)
    assert written_numbers(tmp_path / "joke8.onnx.gz").keys() - written_numbers(tmp_path / "joke0.onnx.gz").keys() == {
        "encoder.words.weight", "encoder.positions.weight", "encoder.norm.weight", "encoder.norm.bias", "scene.weight", "scene.bias",
        "word.weight", "word.bias",
    }  # fmt: skip


def test_what_is_no_written_encoder_is_refused_in_words(tmp_path):
    import gzip

    from rimshot.train.joke_again import written_numbers

    graph = tmp_path / "joke.onnx.gz"
    for content in (b"no gzip", gzip.compress(b"no graph"), gzip.compress(b"cut off")[:-9]):
        graph.write_bytes(content)
        with pytest.raises(InputError, match="cannot be read"):
            written_numbers(graph)


def _cut(base):
    """The miniature encoder without its second layer."""
    loaded = read_folder(base)
    del loaded.encoder.layers[1:]
    return loaded


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_networks_are_asked_for_as_much_as_they_learn_to_read(lang):
    assert recipe_for(lang).max_tokens == LONGEST[lang]
    assert recipe_for(lang).width == joke_network(lang).dim


def test_no_encoder_learns_from_constellations_that_are_kept_back():
    for lang in ("en", "pt"):
        every = constellations(lang)
        kept = {text for one in every if one.kept for told in (*one.jokes, one.others) for text in told}
        learnt = {text for joke in told_jokes(lang) for text in (*joke.told, *joke.others)}
        assert 0.05 < sum(one.kept for one in every) / len(every) < 0.3
        assert kept and not kept & learnt
        assert all(len(told) > 1 for one in every for told in one.jokes)


def test_jokes_of_another_language_are_read_in_translation(monkeypatch):
    from rimshot.train import joke_batches

    def shouted(texts, lang):
        return [text.upper() if len(text) < 400 else "" for text in texts]

    monkeypatch.setattr(joke_batches, "sentences_in_english", shouted)
    found = joke_batches.translated_source("pt")
    own = told_jokes("pt")
    assert len(found.jokes) == sum(sum(len(text) < 400 for text in joke.told) > 1 for joke in own)
    assert found.jokes[0].told == tuple(text.upper() for text in own[0].told if len(text) < 400)
    assert found.company and all(text == text.upper() for text in found.company)
    assert found.known(found.jokes[0].told[0]) == frozenset()


@pytest.mark.parametrize(("beside", "plain"), [(True, True), (False, False)])
def test_the_encoder_of_both_languages_learns_from_the_jokes_of_both(
    train, base, labelled, tmp_path, monkeypatch, beside, plain
):
    from rimshot.train import joke_encoder

    train(tmp_path / "out")
    loaded = read_folder(base)
    assert take_first(loaded.encoder, tmp_path / "out")
    seen = []
    monkeypatch.setattr(joke_encoder, "told_jokes", lambda lang: JOKES[:3] if lang == "pt" else JOKES[3:])
    fitted = joke_encoder.fit_joke_encoder

    def fit(base, sources, *given, **named):
        seen.extend(sources)
        return fitted(base, sources, *given, **named)

    monkeypatch.setattr(joke_encoder, "fit_joke_encoder", fit)
    about = train_joke_encoder(
        "pt", labelled, tmp_path / "joke.onnx.gz", beside=labelled if beside else None,
        recipe=replace(TINY, epochs=1), base=loaded, company=["a joke " * 4],
    )  # fmt: skip
    assert about["jokes"] == 4 and [source.lang for source in seen] == ["pt", "en"]
    assert [list(source.jokes) for source in seen] == [JOKES[:3], JOKES[3:]]
    assert any("was on the road" in text for text in seen[1].company) is plain
    assert "a joke " * 4 in seen[1].company and "a joke " * 4 not in seen[0].company


def test_words_are_those_of_the_language_of_a_batch(base):
    import random

    from rimshot.train.joke_encoder import _loss

    loaded = read_folder(base)
    model = fit_joke_encoder(loaded, [Source(JOKES)], replace(TINY, epochs=0))

    def loss(lang):
        # "a" is a stop word of both languages, "on" of English alone.
        known = {text: frozenset({"on"}) for joke in JOKES for text in joke.told}
        with torch.no_grad():
            batch = Batch(Source(JOKES, (), known, lang), JOKES, (), [""] * len(JOKES))
            return float(_loss(model, loaded.tokenizer, batch, TINY, random.Random(1)))

    assert loss("pt") > loss("en") + 0.1


def test_the_command_names_what_is_wrong(labelled, tmp_path, capsys):
    from rimshot.cli import main

    assert main(["train", "joke", "--lang", "en", "--data", str(labelled), "--out", str(tmp_path / "x")]) == 2
    assert "end in .onnx.gz" in capsys.readouterr().err
    given = ["train", "joke", "--lang", "pt", "--data", str(labelled), "--out", str(tmp_path / "x.onnx.gz")]
    assert main([*given, "--begin", str(tmp_path / "y.onnx.gz")]) == 2
    assert "y.onnx.gz: no such file; --begin is a graph" in capsys.readouterr().err


def test_company_is_plain_texts_and_jokes_and_no_twins(labelled):
    company = company_texts("en", labelled)
    assert any("was on the road" in text for text in company)
    assert any(text.endswith("took a toll") and hinges == {"toll"} for text, hinges in company.items())
    assert not any(text.endswith("took a fee") for text in company)
    others = ["a joke " * 4, "short", "long " * 60]
    assert set(labelled_source(JOKES, "en", labelled, others).company) == company.keys() | {others[0]}


def test_texts_near_a_joke_keep_it_company_unless_they_may_be_the_joke():
    from rimshot.train.joke_batches import _near

    turns = np.radians([10, 60, 80, 200])
    vectors = np.column_stack([np.cos(turns), np.sin(turns)]).astype(np.float32)
    assert _near(np.array([[1, 0]], np.float32), vectors, "abcd") == [["b", "c", "d"]]


def test_every_telling_looks_for_every_other_one(base):
    import random

    from rimshot.train.joke_encoder import _loss

    loaded = read_folder(base)
    model = fit_joke_encoder(loaded, [Source(JOKES)], replace(TINY, epochs=0))

    def loss(jokes, company=()):
        with torch.no_grad():
            batch = Batch(Source(jokes), jokes, company, [""] * len(jokes))
            return float(_loss(model, loaded.tokenizer, batch, TINY, random.Random(1)))

    alike = [replace(joke, told=(joke.told[0],) * 3) for joke in JOKES]
    assert loss(alike) < loss(JOKES)
    assert loss(JOKES, ["road and bell", "a price"]) > loss(JOKES)
    with torch.no_grad():
        texts = [text for joke in JOKES[:2] for text in (*joke.told, *joke.others)]
        vectors = embed(model, loaded.tokenizer, texts, "en", TINY.max_tokens).vectors.numpy()
    heat = np.exp(vectors @ vectors.T / TINY.heat)
    owner = np.array([0, 0, 0, -1, 1, 1, 1, -1])
    missed = [
        -np.log(heat[i, j] / (heat[i, j] + heat[i, owner != owner[i]].sum()))
        for i in range(8) for j in range(8) if i != j and owner[i] == owner[j] >= 0
    ]  # fmt: skip
    assert loss(JOKES[:2]) == pytest.approx(np.mean(missed), rel=0.02)


@pytest.mark.parametrize("lang", ["en", "pt"])
def test_no_telling_stands_twice_or_on_both_sides(lang):
    jokes = told_jokes(lang)
    assert len(jokes) > 1000
    assert all(len(set(joke.told)) == len(joke.told) > 1 and not set(joke.told) & set(joke.others) for joke in jokes)
    kept_apart = {row.joke for row in retellings() if row.lang == lang}
    assert len(kept_apart) == {"en": 341, "pt": 368}[lang]
    assert not kept_apart & {text for joke in jokes for text in joke.told}


def test_a_joke_brings_its_nearest_neighbour_into_the_batch_unless_it_is_the_same_joke():
    import random

    from rimshot.train.joke_batches import _numbers

    alone = [ToldJoke((f"joke {n}",), ()) for n in range(6)]
    turns = np.radians([0, 40, 120, 160, 240, 280])
    places = np.column_stack([np.cos(turns), np.sin(turns)]).astype(np.float32)
    found = list(_numbers(alone[:6], [""] * 6, 2, random.Random(1), places))
    assert sorted(map(sorted, found)) == [[0, 1], [2, 3], [4, 5]]
    apart = list(map(sorted, _numbers(alone[:4], [""] * 4, 2, random.Random(1), places[[0, 0, 2, 2]])))
    assert not any(pair in apart for pair in ([0, 1], [2, 3]))


def test_up_to_four_jokes_that_hang_on_one_word_stand_in_one_batch_unless_two_are_the_same_joke():
    import random

    from rimshot.train.joke_batches import _numbers

    alone, places = [ToldJoke((f"joke {n}",), ()) for n in range(8)], np.eye(8, dtype=np.float32)
    kin = ["bank"] * 6 + ["", ""]
    for seed in range(5):
        found = list(_numbers(alone, kin, 1, random.Random(seed), places))
        assert sorted(n for batch in found for n in batch) == list(range(8))
        assert sorted(sum(n < 6 for n in batch) for batch in found if min(batch) < 6) == [2, 4]
        twice = list(_numbers(alone, kin, 1, random.Random(seed), places[[0, 0, 2, 3, 4, 5, 6, 7]]))
        assert not any({0, 1} <= set(batch) for batch in twice)


def test_each_joke_of_a_batch_has_the_name_of_its_kin():
    import random

    jokes = [ToldJoke(("a bank", "the bank"), (), (), "rivers"), ToldJoke(("my bank", "a bank too"), ())]
    source = Source(jokes, (), {"my bank": frozenset({"bank"})})
    (batch,) = batches([source], 2, 0, random.Random(1))
    assert dict(zip(batch.jokes, batch.kin, strict=True)) == {jokes[0]: "rivers", jokes[1]: "bank"}
