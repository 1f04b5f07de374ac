import pytest

from rimshot.corpus.language import guess_language


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("Why did the baker quit? The hours were crumby.", "en"),
        ("Porque é que o padeiro desistiu? Não tinha massa.", "pt"),
        ("Qual é o cúmulo da paciência?", "pt"),
        ("An elephant never forgets", "en"),
        ("O elefante nunca esquece", "pt"),
        ("", "en"),
        ("12345 !!!", "en"),
    ],
)
def test_sentences(text, lang):
    assert guess_language(text) == lang


def test_development_collections(data):
    from rimshot.corpus import read_docs

    for lang in ("en", "pt"):
        guesses = [doc.lang == lang for doc in read_docs(data / lang / "dev" / "corpus.json")]
        assert sum(guesses) / len(guesses) > 0.99
