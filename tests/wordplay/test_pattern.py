import pytest

from rimshot.wordplay.pattern import PATTERNS, patterns


@pytest.mark.parametrize(
    ("text", "lang", "name"),
    [
        ('"I dropped the toothpaste," said Tom, crestfallen.', "en", "tom-swifty"),
        ('"Pass me the shellfish," said Tom crabbily.', "en", "tom-swifty"),
        ("Knock, knock! Who's there? Lettuce. Lettuce who? Lettuce in!", "en", "knock-knock"),
        ("Old bankers never die, they just lose interest.", "en", "never-die"),
        ("Why did the banker leave? He lost interest.", "en", "question-answer"),
        ("Qual é o doce preferido do átomo? Pé-de-molécula.", "pt", "question-answer"),
        ("She was only a banker's daughter, but she knew how to save.", "en", "daughter"),
        ("I lost interest in banking.", "en", "one-liner"),
    ],
)
def test_moulds(text, lang, name):
    assert name in patterns(text, lang)
    assert set(patterns(text, lang)) <= set(PATTERNS)


def test_a_long_story_is_no_one_liner():
    assert patterns("word " * 80) == ()
