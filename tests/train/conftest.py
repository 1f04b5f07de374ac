"""A miniature of everything that training needs: a wordnet, labelled texts, an encoder, a recipe."""

from __future__ import annotations

import json
import zipfile

import pytest

NOUNS = """00000001 03 n 02 toll 0 fee 0 001 @ 00000003 n 0000 | a charge for using a road
00000002 03 n 02 bell 0 toll 0 001 @ 00000003 n 0000 | the sound of a bell
00000003 03 n 01 thing 0 000 | whatever there is
00000004 03 n 01 price 0 001 @ 00000003 n 0000 | what something costs
00000005 03 n 01 baker 0 001 @ 00000003 n 0000 | one who bakes
"""
INDEX = """toll n 2 1 @ 2 0 00000001 00000002
fee n 1 1 @ 1 0 00000001
bell n 1 1 @ 1 0 00000002
thing n 1 1 @ 1 0 00000003
price n 1 1 @ 1 0 00000004
baker n 1 1 @ 1 0 00000005
"""
PLAIN = ("the", "baker", "took", "a", "toll", "on", "price", "thing", "bell", "fee", "road", "was", "and", "of")
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", *PLAIN)


@pytest.fixture
def plain():
    """Give the words that the miniature encoder knows, its marks aside."""
    return PLAIN


@pytest.fixture
def wordnet(tmp_path):
    path = tmp_path / "wordnet.zip"
    with zipfile.ZipFile(path, "w") as bundle:
        for part in ("noun", "verb", "adj", "adv"):
            bundle.writestr(f"wordnet/data.{part}", NOUNS if part == "noun" else "")
            bundle.writestr(f"wordnet/index.{part}", INDEX if part == "noun" else "")
        bundle.writestr("wordnet/index.sense", "toll%1:21:00:: 00000001 1 0\n")
    return path


@pytest.fixture
def labelled(tmp_path):
    rows = []
    for number in range(24):
        words = " ".join(WORDS[4 + (number * step) % 14] for step in (3, 5, 7))
        pun = {"word": "toll", "pair": f"p{number}", "senses": [["toll%1:21:00::"], []]}
        rows.append({"text": f"the {words} took a toll", "humorous": 1, "source": "puns", **pun})
        rows.append({"text": f"the {words} took a fee", "humorous": 0, "source": "edit", "pair": f"p{number}"})
        rows.append({"text": f"{words} was on the road", "humorous": 0, "source": "wikipedia"})
    path = tmp_path / "texts.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def base(tmp_path):
    """Write a random BERT of two layers as a Hugging Face folder."""
    from safetensors.torch import save_file
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder = tmp_path / "tiny"
    folder.mkdir()
    sizes = {
        "vocab_size": len(WORDS), "hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 32, "max_position_embeddings": 32, "type_vocab_size": 2, "layer_norm_eps": 1e-12,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(sizes))
    save_file(_bert_weights(layers=2), folder / "model.safetensors")
    tokenizer = Tokenizer(models.WordLevel({word: i for i, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair=None, special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


def _bert_weights(layers):
    import torch

    make = torch.Generator().manual_seed(5)

    def some(*shape):
        return torch.randn(*shape, generator=make) * 0.2

    named = {
        "embeddings.word_embeddings.weight": some(len(WORDS), 16),
        "embeddings.position_embeddings.weight": some(32, 16),
        "embeddings.token_type_embeddings.weight": some(2, 16),
        "embeddings.LayerNorm.weight": torch.ones(16),
        "embeddings.LayerNorm.bias": torch.zeros(16),
    }
    for number in range(layers):
        for name, rows, columns in (
            ("attention.self.query", 16, 16), ("attention.self.key", 16, 16), ("attention.self.value", 16, 16),
            ("attention.output.dense", 16, 16), ("intermediate.dense", 32, 16), ("output.dense", 16, 32),
        ):  # fmt: skip
            named[f"encoder.layer.{number}.{name}.weight"] = some(rows, columns)
            named[f"encoder.layer.{number}.{name}.bias"] = torch.full((rows,), float(number))
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            named[f"encoder.layer.{number}.{name}.weight"] = torch.ones(16)
            named[f"encoder.layer.{number}.{name}.bias"] = torch.zeros(16)
    return named


@pytest.fixture
def bert_weights():
    """Give a function of the number of layers: weights of a random BERT by their usual names."""
    return _bert_weights


@pytest.fixture
def tiny():
    """Give a recipe that takes a second."""
    from rimshot.train.batches import Mix
    from rimshot.train.loop import Recipe

    return Recipe(
        epochs=3,
        batch=8,
        threads=1,
        bfloat16=False,
        rate=3e-3,
        max_tokens=16,
        shared_layers=1,
        mix=Mix(plain=6, everyday=6),
    )


@pytest.fixture
def train(labelled, base, wordnet, tiny):
    """Give a function that trains the miniature into a folder."""
    from rimshot.train.detector import train_detector

    def run(out, recipe=tiny, **options):
        given = {"base": base, "teacher": base, "wordnet": wordnet, "recipe": recipe, "alone": True}
        return train_detector("en", labelled, out, **{**given, **options})

    return run
