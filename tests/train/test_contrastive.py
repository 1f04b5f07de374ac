"""The losses by hand, and a miniature encoder and cross-encoder trained, exported and used."""

import pytest

torch = pytest.importorskip("torch", reason="training needs torch: install rimshot[train]")
pytest.importorskip("onnx", reason="training needs onnx: install rimshot[train]")
pytest.importorskip("safetensors", reason="training needs safetensors: install rimshot[train]")

from tokenizers import Tokenizer, models, pre_tokenizers, processors  # noqa: E402

from rimshot.errors import InputError  # noqa: E402
from rimshot.train.bases import Base  # noqa: E402
from rimshot.train.contrastive import adaptive_margin, cosine_loss, multiple_negatives, train_encoder  # noqa: E402
from rimshot.train.encoder import Encoder, EncoderShape  # noqa: E402
from rimshot.train.reranker import train_reranker  # noqa: E402
from rimshot.wordplay.topics import Asked  # noqa: E402

WORDS = [
    "[PAD]",
    "[CLS]",
    "[SEP]",
    "[UNK]",
    "bank",
    "money",
    "river",
    "bread",
    "dough",
    "baker",
    "cash",
    "vault",
    "the",
    "a",
]
PAIRS = [
    *(Asked("money", text, 1.0, "m") for text in ("the bank", "cash a vault", "a bank vault")),
    *(Asked("bread", text, 1.0, "b") for text in ("the baker", "dough a baker", "a dough")),
    *(Asked("money", text, 0.0, "r") for text in ("the river", "a river the")),
]


def base():
    torch.manual_seed(1)
    tokenizer = Tokenizer(models.WordLevel({word: n for n, word in enumerate(WORDS)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    shape = EncoderShape(vocabulary=len(WORDS), dim=64, layers=1, heads=2, inner=64, positions=96, dropout=0.0)
    return Base(Encoder(shape), tokenizer, "mini")


def test_losses_by_hand():
    queries, texts = torch.eye(2), torch.eye(2)
    one = torch.ones(2)
    expected = -torch.log(torch.exp(torch.tensor(20.0)) / (torch.exp(torch.tensor(20.0)) + 1))
    assert float(multiple_negatives(queries, texts, one)) == pytest.approx(float(expected), abs=1e-6)
    assert float(multiple_negatives(queries, texts.flip(0), one)) == pytest.approx(20.0, abs=1e-3)
    assert float(adaptive_margin(queries, texts, one)) == 0.0
    assert float(adaptive_margin(queries, texts.flip(0), one, margin=0.4)) == pytest.approx(1.4)
    alike = torch.tensor([[1.0, 0.0], [1.0, 0.0]])
    assert float(adaptive_margin(alike, alike, one)) == 0.0  # equal texts need no margin
    assert float(cosine_loss(queries, texts, torch.tensor([1.0, 0.0]))) == pytest.approx(0.5)


@pytest.mark.parametrize("loss", ["mnrl", "margin", "cosine"])
def test_an_encoder_learns_and_is_used(loss, tmp_path):
    from rimshot.wordplay.encoder import choose_encoder

    about = train_encoder(PAIRS, base(), tmp_path / "e", loss=loss, epochs=30, batch=8, rate=3e-3)
    assert about["history"][-1] < about["history"][0]
    encoder = choose_encoder(tmp_path / "e")
    vectors = encoder.encode(["money", "the bank", "the baker", " "], "en")
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2]
    assert vectors.shape == (4, 64) and not vectors[3].any()


def test_a_cross_encoder_learns_and_is_used(tmp_path):
    from rimshot.rank.reranker import pair_scores
    from rimshot.wordplay.network import Network

    about = train_reranker(PAIRS, base(), tmp_path / "r", epochs=40, batch=8, rate=3e-3)
    assert about["history"][-1] < about["history"][0]
    scores = pair_scores(Network(tmp_path / "r"), "money", ["a bank vault", "a river the"])
    assert scores[0] > 0.5 > scores[1]


def test_an_unknown_loss_is_refused(tmp_path):
    with pytest.raises(InputError, match="did you mean"):
        train_encoder(PAIRS, base(), tmp_path, loss="margn")
