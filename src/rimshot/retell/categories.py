"""Words that a teller may change: ten categories, as word lists derived from WordNet and a list of first names.

Friedland and Allan (2008) tag "certain categories of words (e.g., professions and countries)" and treat those of one
category as interchangeable. Theirs were lists from the web and GATE's gazetteers; they say that WordNet would do. A word
belongs to the first category, in order of precedence, that covers enough of its usual senses, which settles homographs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files

from rimshot.lexicon.related import sense_weights
from rimshot.lexicon.wordnet import synset, wordnet

__all__ = ["CATEGORIES", "category", "first_names"]

_PEOPLE = (
    "worker%1:18:00:: professional%1:18:00:: serviceman%1:18:00:: clergyman%1:18:00:: official%1:18:01:: "
    "performer%1:18:00:: health_professional%1:18:00:: religious%1:18:00:: spiritual_leader%1:18:00:: scientist%1:18:00:: "
    "head_of_state%1:18:00:: athlete%1:18:00:: businessperson%1:18:00:: artist%1:18:00:: politician%1:18:00:: "
    "engineer%1:18:00:: educator%1:18:00:: criminal%1:18:00:: musician%1:18:00:: writer%1:18:00:: sailor%1:18:00:: "
    "creator%1:18:00:: leader%1:18:00:: mathematician%1:18:00:: guitarist%1:18:00:: student%1:18:00:: philosopher%1:18:01::"
)
_ROOTS: Mapping[str, tuple[str, float]] = {
    "number": ("number%1:23:00:: integer%1:23:00::", 0.25),
    "nation": (
        "country%1:15:00:: country%1:14:00:: state%1:15:01:: inhabitant%1:18:00:: continent%1:17:00:: "
        "European%1:18:00:: Asian%1:18:00:: American%1:18:00:: African%1:18:00:: natural_language%1:10:00::",
        0.4,
    ),
    "animal": ("animal%1:03:00::", 0.4),
    "profession": (_PEOPLE, 0.5),
    "person": ("person%1:03:00:: kin%1:18:01:: relative%1:18:00:: people%1:14:00:: deity%1:18:00::", 0.4),
    "food": ("food%1:03:00:: food%1:13:00:: beverage%1:13:00:: edible_fruit%1:13:00:: drink%1:13:04::", 0.4),
    "vehicle": ("vehicle%1:06:00:: conveyance%1:06:00::", 0.4),
    "body": ("body_part%1:08:00:: body_covering%1:08:00:: organ%1:08:00::", 0.4),
    "place": (
        "location%1:03:00:: structure%1:06:00:: room%1:06:00:: way%1:06:00:: body_of_water%1:17:00:: "
        "geological_formation%1:17:00:: land%1:17:00:: establishment%1:06:00:: school%1:14:00:: farm%1:06:00::",
        0.4,
    ),
    "time": ("time_period%1:28:00:: time_unit%1:28:00:: day%1:28:00:: clock_time%1:28:00::", 0.5),
}
CATEGORIES = tuple(_ROOTS)
"""The ten names, in order of precedence."""

_NOUN_ONLY = {"animal", "food", "vehicle"}
"""Judged among a word's nouns alone: jokes use "bear", "duck" and "drink" as nouns, tagged corpora as verbs."""

_SETTLED = {
    **dict.fromkeys(
        "one two three four five six seven eight nine ten eleven twelve twenty hundred thousand million".split(),
        "number",
    ),
    **dict.fromkeys("um dois duas três quatro cinco seis sete oito nove dez vinte cem mil milhão".split(), "number"),
    **dict.fromkeys("irish jewish scottish welsh polish".split(), "nation"),
    **dict.fromkeys("chicken chickens turkey parrot crab lobster galinha frango".split(), "animal"),
    **dict.fromkeys("god lord boss gal dude bloke buddy fella deus".split(), "person"),
    **dict.fromkeys("cop cops conductor detective waiter policial".split(), "profession"),
    **dict.fromkeys("bar pub tavern shop store tasca".split(), "place"),
    "redhead": "person",
    "redheads": "person",
    "redneck": "person",
}
"""Words whose usual sense in jokes is not the one that tagged corpora show."""

_FUNCTION_WORDS = frozenset(
    "a an the i me he she it we you they him her us them his its who what which that this these those one's is was be been are am"
    " do does did done have has had can could will would may might must shall should not no yes so as at by for from in into of"
    " off on onto out over to up with and or but if than then there here when where why how all any some such same other own way"
    " thing things something nothing anything everything like just get got make go went come said say tell back end time times"
    " line lines top head face point side part bit lot kind sort case right left second last first still even well"
    " o os as um uma de do da dos das em no na nos nas por com e que se ao aos para eu tu ele ela".split()
)


@lru_cache(maxsize=1)
def _roots() -> tuple[tuple[str, frozenset[int], float], ...]:
    net = wordnet("en")
    found = []
    for name, (keys, share) in _ROOTS.items():
        numbers = set()
        for key in keys.split():
            lemma = key.partition("%")[0].replace("_", " ")
            numbers |= {sense.synset for sense in net.senses(lemma) if sense.key.lower() == key.lower()}
        found.append((name, frozenset(numbers), share))
    return tuple(found)


@lru_cache(maxsize=1 << 15)
def _above(number: int) -> frozenset[int]:
    """A synset and everything above it; an adjective of a country counts as the country."""
    here = synset(number)
    up = here.targets("@", "@i") or here.targets("\\")
    return frozenset({number}).union(*(_above(to) for to in up if to != number))


@lru_cache(maxsize=1)
def first_names() -> frozenset[str]:
    """Give usual first names in English and Portuguese, in lower case."""
    text = files("rimshot.retell").joinpath("names.txt").read_text(encoding="utf-8")
    return frozenset(name.lower() for line in text.splitlines() if not line.startswith("#") for name in line.split())


@lru_cache(maxsize=1 << 16)
def category(word: str, lang: str = "en") -> str:
    """Give the category of a word form, '' for none.

    >>> [category(word) for word in ("lawyer", "snake", "Irishman", "road", "seven", "quickly")]
    ['profession', 'animal', 'nation', 'place', 'number', '']
    """
    low = word.lower().replace("’", "'").removesuffix("'s")
    if low in _FUNCTION_WORDS or (len(low) < 2 and not low.isdigit()):
        return ""
    if low in _SETTLED:
        return _SETTLED[low]
    if low.isdigit():
        return "number"
    if low in first_names() and word[:1].isupper():
        return "person"
    net = wordnet(lang)
    names = net.lemmas(low)
    if not names:
        return "person" if low in first_names() else ""
    senses = net.senses(names[0])
    weights = sense_weights(senses)
    nouns = sum(weight for sense, weight in zip(senses, weights, strict=True) if sense.pos == "n")
    for name, roots, share in _roots():
        covered = sum(
            weight for s, weight in zip(senses, weights, strict=True) if s.pos in "na" and _above(s.synset) & roots
        )
        if covered and covered >= share * (nouns if name in _NOUN_ONLY else 1.0):
            return name
    return ""
