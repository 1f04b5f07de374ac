"""Everyday English sentences: those with which WordNet shows how its words are used.

The plain training texts are news, encyclopedias, headlines and definitions; from them alone a model learns that whatever is said
plainly of a cat or a soup must be a joke. These are for training only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from rimshot.lexicon import synset, wordnet
from rimshot.lexicon.store import table
from rimshot.wordplay.labelled import words_of

__all__ = ["everyday"]

_FEWEST_WORDS = 4
_SENTENCE = re.compile(
    r"(?:i|he|she|it|we|they|the|a|my|our|his|her|this|that|you|there|don't|please|who|what|why|how) ", re.IGNORECASE
)
_QUOTED = re.compile(r'"([^"]+)"')


def everyday(part: int, most: int, apart_from: Iterable[str] = ()) -> list[str]:
    """Give `most` sentences of one part, 0 or 1, in random order, but always the same.

    No synset has sentences in both parts. Left out are those that a text of `apart_from` (a collection to be measured on)
    consists of or quotes.
    """
    known = {words_of(said) for text in apart_from for said in (text, *_QUOTED.findall(text))}
    net = wordnet("en")
    numbers = {sense.synset for lemma, _ in table("senses-en").items() for sense in net.senses(lemma)}
    found = sorted(
        {
            example
            for number in numbers
            if number % 2 == part
            for example in synset(number).examples
            if _SENTENCE.match(example) and len(example.split()) >= _FEWEST_WORDS and words_of(example) not in known
        }
    )
    return [found[at] for at in np.random.default_rng(1).permutation(len(found))[:most].tolist()]
