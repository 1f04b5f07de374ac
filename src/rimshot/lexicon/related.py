"""Words near a word in the wordnet, for widening a query or a document.

A topic names a kind of thing ("colours", "animais domésticos") and a joke names one of them; the net's hyponyms bridge
that gap better than synonyms do (Voorhees 1994 found synonyms of little use for long queries, hyponyms of some use for
short ones).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.offensive import marked, polite
from rimshot.lexicon.wordnet import Sense, synset, wordnet

__all__ = ["expansion", "knowing_languages", "related", "sense_weights", "topic_lemmas"]

_STEP_UP = 0.4
_STEP_DOWN = 0.75
_DERIVED = 0.8
_LOOK_EVERY = 50
_ASIDE = {
    "&": 0.6,
    "^": 0.5,
    "=": 0.5,
    "\\": 0.8,
    "*": 0.4,
    ">": 0.4,
    "$": 0.6,
    ";c": 0.3,
    "-c": 0.3,
    "%p": 0.4,
    "#p": 0.3,
    "#m": 0.3,
    "%s": 0.3,
}
"""Pointers followed one step: similar, also see, attribute, pertains, entails, causes, verb group, domain, parts and
members."""

_LINKERS = {
    "en": {"of", "in", "for", "with", "on", "at", "to", "from", "about"},
    "pt": {"de", "do", "da", "dos", "das", "em", "no", "na", "com", "para", "a", "ao", "à"},
}


def sense_weights(senses: tuple[Sense, ...]) -> list[float]:
    """Give each sense its share of use: tag counts smoothed by the rank.

    >>> sense_weights(())
    []
    """
    # Half of the synset's own count: "colour" was hardly tagged, its synonym "color" was.
    raw = [max(sense.count, synset(sense.synset).count / 2) + 2.0 / sense.rank for sense in senses]
    total = sum(raw)
    return [value / total for value in raw]


def topic_lemmas(text: str, lang: str) -> list[tuple[str, float]]:
    """Give the entries of the wordnet that a topic phrase names, with how much of the phrase each one covers.

    The longest multiword entries are taken first; of a phrase the net does not know, the head noun counts most: the
    last word in English ("domestic animal"), the first in Portuguese ("animal doméstico").

    >>> topic_lemmas("domestic animals", "en")[0]
    ('domestic animal', 1.0)
    """
    words = _topic_words(text)
    found = [(start, name) for start, _, names in _named(words, lang) for name in names]
    places = sorted({place for place, _ in found if words[place] not in _LINKERS[lang]})
    if not places:
        return []
    linker = next((i for i, word in enumerate(words) if word in _LINKERS[lang] and i > places[0]), len(words))
    before = [place for place in places if place < linker] or places
    head = before[-1] if lang == "en" else before[0]
    return sorted(
        ((name, 1.0 if place == head else 0.4) for place, name in found if place in places), key=lambda pair: -pair[1]
    )


def knowing_languages(text: str, langs: Sequence[str]) -> list[str]:
    """Give the languages whose wordnet knows all words of a topic, or else those that know some; none where none does.

    >>> knowing_languages("redes sociais", ["en", "pt"]), knowing_languages("animal", ["en", "pt"])
    (['pt'], ['en', 'pt'])
    >>> knowing_languages("bread and pão", ["en", "pt"])
    ['en', 'pt']
    """
    words = _topic_words(text)
    some = [lang for lang in langs if topic_lemmas(text, lang)]
    return [lang for lang in some if not _unknown(words, lang)] or some


def _unknown(words: Sequence[str], lang: str) -> set[str]:
    named = {at for start, end, _ in _named(words, lang) for at in range(start, end)}
    return {word for at, word in enumerate(words) if at not in named} - set(_LINKERS[lang])


def _topic_words(text: str) -> list[str]:
    words = (word.strip(".,;:!?\"'()").lower() for word in text.split())
    return [word for word in words if word]


def _named(words: Sequence[str], lang: str) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Give the entries of a wordnet that stand in words, the longest first from each place: where, and the entries."""
    net, start = wordnet(lang), 0
    while start < len(words):
        for end in range(min(len(words), start + 4), start, -1):
            names = tuple(net.lemmas(" ".join(words[start:end])))
            if names:
                yield start, end, names
                start = end
                break
        else:
            start += 1


def related(
    text: str, lang: str, up: int = 1, down: int = 3, limit: int = 400, to: str | None = None
) -> list[tuple[str, float]]:
    """Give (word, weight) for words near a word or topic phrase, heaviest first, the topic's own words at 1.

    `up` and `down` are steps along hypernyms and hyponyms; `to` asks for words of the other language.

    >>> words = dict(related("colours", "en"))
    >>> words["red"] > 0.1 and words["dye"] > 0.01
    True
    """
    return list(_related(" ".join(text.split()), lang, up, down, limit, to or lang))


@lru_cache(maxsize=4096)
def _related(text: str, lang: str, up: int, down: int, limit: int, to: str) -> tuple[tuple[str, float], ...]:
    net = wordnet(lang)
    weights: dict[str, float] = {}
    senses: list[tuple[float, int]] = []
    for lemma, part in topic_lemmas(text, lang):
        if to == lang:
            weights[lemma] = max(weights.get(lemma, 0.0), part)
        known = net.senses(lemma)
        senses += [
            (part * share, sense.synset)
            for sense, share in zip(known, sense_weights(known), strict=True)
            if not marked(sense.synset, lemma)
        ]
    # A word weighs at most what its sense and its synset do, so what is lighter than the last to be given is left out.
    senses.sort(key=lambda pair: -pair[0])
    for share, start in senses:
        least = _least(weights, limit)
        if share < least:
            break
        for at, (number, weight) in enumerate(_near(start, up, down), 1):
            if share * weight < least:
                break
            for word, name_weight in _names(number, to):
                value = share * weight * name_weight
                if value > weights.get(word, 0.0):
                    weights[word] = value
            if at % _LOOK_EVERY == 0:
                least = _least(weights, limit)
    return tuple(polite(sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:limit], to, text))


def _least(weights: dict[str, float], limit: int) -> float:
    """Give the weight of the last word that would be given now, 0 while there are too few."""
    return sorted(weights.values())[-limit] if 0 < limit <= len(weights) else 0.0


@lru_cache(maxsize=1 << 16)
def _names(number: int, lang: str) -> tuple[tuple[str, float], ...]:
    """Words of a synset with how likely a joke is to use them: rare ones count less.

    The head of a compound stands for it when it names a concept above ("house cat": "cat").
    """
    here = synset(number)
    names = {word.lower(): 1.0 for word in here.words(lang)}
    compounds = [word for word in names if " " in word]
    if compounds:
        above = {word.lower() for to in here.targets("@", "@i") for word in synset(to).words(lang)}
        for word in compounds:
            head = word.split()[-1 if lang == "en" else 0]
            if head in above:
                names.setdefault(head, 0.9)
    return tuple(
        (word, weight * (0.1 + min(0.9, min(zipf(part, lang) for part in word.split()) / 5)))
        for word, weight in names.items()
    )


@lru_cache(maxsize=1 << 14)
def _near(number: int, up: int, down: int) -> tuple[tuple[int, float], ...]:
    """Give the synsets near one with their weights, heaviest first."""
    net = wordnet("en")
    near = {number: 1.0}
    for to, distance in net.hyponyms(number, down):
        near[to] = max(near.get(to, 0.0), _STEP_DOWN**distance)
    for to, distance in net.hypernyms(number, up):
        near[to] = max(near.get(to, 0.0), _STEP_UP**distance)
    for symbol, to, _, _ in synset(number).edges:
        weight = _DERIVED if symbol == "+" else _ASIDE.get(symbol, 0.0)
        if weight > near.get(to, 0.0):
            near[to] = weight
    return tuple(sorted(near.items(), key=lambda pair: -pair[1]))


def expansion(word: str | Sense, lang: str = "en", limit: int = 30) -> list[tuple[str, float]]:
    """Give (word, weight) for what a pun word stands for: synonyms, hypernyms two steps up, derived and similar words.

    For a `Sense`, of that sense alone; for a form, of all its senses by their share of use. The word itself is left
    out.
    """
    if isinstance(word, Sense):
        chosen, lang = [(word, 1.0)], word.lang
        own = {word.lemma}
    else:
        chosen, own = [], {word.lower(), *lemmas(word, lang)}
        for lemma in wordnet(lang).readings(word):
            senses = wordnet(lang).senses(lemma)
            chosen += list(zip(senses, sense_weights(senses), strict=True))
    weights: dict[str, float] = {}
    for sense, share in chosen:
        for number, weight in _near(sense.synset, 2, 0):
            for name in synset(number).words(lang):
                if name.lower() not in own:
                    weights[name.lower()] = max(weights.get(name.lower(), 0.0), share * weight)
    asked = word.lemma if isinstance(word, Sense) else word
    return list(polite(sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:limit], lang, asked))
