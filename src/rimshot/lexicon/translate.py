"""A Portuguese word in English, through the synsets that the two wordnets share.

Good enough to place a word among meanings, not to translate a sentence: of the synonyms of its senses, the commonest words
of the commonest senses.
"""

from __future__ import annotations

from functools import lru_cache

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.related import sense_weights, topic_lemmas
from rimshot.lexicon.wordnet import synset, wordnet

__all__ = ["in_english", "topic_in_english"]


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
    """Give a topic in English words: its own text if it is English, or if the net knows none of it.

    >>> topic_in_english("animal doméstico", "pt")
    'domestic animal, domesticated animal'
    """
    if lang == "en":
        return text
    names = [name for lemma, _ in topic_lemmas(text.lower(), lang)[:2] for name in in_english(lemma, lang)]
    return ", ".join(dict.fromkeys(names)) or text
