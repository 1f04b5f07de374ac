"""A Portuguese word or topic in English, through the synsets that the two wordnets share.

Good enough to place a word among meanings, not to translate a sentence: of the synonyms of its senses, the commonest words
of the commonest senses. A topic that is no entry of the wordnet ("redes sociais") is translated as a sentence is.
"""

from __future__ import annotations

from functools import lru_cache

from rimshot.corpus.query import ABOUT
from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.related import sense_weights, topic_lemmas
from rimshot.lexicon.sentences import sentences_in_english
from rimshot.lexicon.wordnet import synset, wordnet

__all__ = ["in_english", "known_topic", "topic_in_english"]


@lru_cache(maxsize=1 << 14)
def in_english(form: str, lang: str = "pt", limit: int = 3) -> tuple[str, ...]:
    """Give English words for a form of another language, the likeliest first; none for a form the net does not know.

    >>> in_english("matemática")[0], in_english("cão")[0]
    ('math', 'dog')
    """
    net = wordnet(lang)
    weights: dict[str, float] = {}
    for lemma in net.lemmas(form):
        senses = net.senses(lemma)
        for sense, share in zip(senses, sense_weights(senses), strict=True):
            for name in synset(sense.synset).words("en"):
                value = share * (0.3 + zipf(name.split()[0], "en") / 7)
                weights[name] = max(weights.get(name, 0.0), value)
    return tuple(sorted(weights, key=lambda name: (-weights[name], name))[:limit])


def topic_in_english(text: str, lang: str) -> str:
    """Give a topic in English words: its own text if it is English, the net's if it is an entry there, or a translation.

    >>> topic_in_english("animal doméstico", "pt")
    'domestic animal, domesticated animal'
    >>> topic_in_english("redes sociais", "pt")
    'social networks'
    """
    if lang == "en":
        return text
    names = [name for lemma in _entries(text, lang)[:2] for name in in_english(lemma, lang)]
    return ", ".join(dict.fromkeys(names)) or _translated(text, lang)


def known_topic(text: str, lang: str) -> tuple[str, str]:
    """Give a topic, and the language, in which a wordnet knows it best: its own, or English where only that has the entry.

    >>> known_topic("gatos", "pt"), known_topic("desporto", "pt")
    (('gatos', 'pt'), ('sport', 'en'))
    """
    if lang == "en" or _entries(text, lang):
        return text, lang
    english = _translated(text, lang)
    if _entries(english, "en") or not topic_lemmas(text, lang):
        return english, "en"
    return text, lang


def _entries(text: str, lang: str) -> tuple[str, ...]:
    return tuple(wordnet(lang).lemmas(" ".join(text.lower().split())))


@lru_cache(maxsize=1 << 12)
def _translated(text: str, lang: str) -> str:
    """Translate a topic within a sentence, since a word that stands alone is a riddle to a translator of sentences."""
    (whole,) = sentences_in_english([ABOUT[lang].format(text)], lang)
    start, end = ABOUT["en"].split("{}")
    if whole.startswith(start) and whole.endswith(end):
        return whole[len(start) : -len(end)]
    return text
