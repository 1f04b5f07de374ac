"""Twins: a pun with one word changed so that it is no longer one.

A detector trained on puns against plain text learns how jokes are phrased. Twins share the
phrasing, so only the wordplay is left to learn. They are made afresh each epoch and in several
ways, because a single way of making them would itself be learnt.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections import Counter
    from collections.abc import Sequence

    from rimshot.train.examples import Example, Span
    from rimshot.train.thesaurus import Thesaurus

# Weights were set by hand from what people and scripts do when they spoil a pun.
WAYS = {
    "synonym": 0.34,
    "neighbour": 0.18,
    "written out": 0.14,
    "other pun": 0.12,
    "common word": 0.12,
    "sound-alike": 0.04,
    "context": 0.06,
}


@dataclass
class TwinMaker:
    """Makes twins of puns, and word swaps in plain texts, from a thesaurus and a word list."""

    thesaurus: Thesaurus
    counts: Counter[str]
    english: bool = True
    pun_words: list[str] = field(default_factory=list)
    _by_ending: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _by_sound: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _content: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Sort the word list by ending and by sound, once."""
        for word, count in self.counts.items():
            if len(word) > 3 and count > 1 and self._meaningful(word):
                self._content.append(word)
                self._by_ending[word[-2:]].append(word)
                self._by_sound[sound(word)].append(word)

    def learn_puns(self, examples: Sequence[Example]) -> None:
        """Remember the pun words of `examples`, to be put where they do not belong."""
        self.pun_words = [e.text[a:b] for e in examples for a, b in e.spans]

    def twin(self, example: Example, rng: random.Random) -> str | None:
        """Return a twin of a pun, or None if its pun word is not known."""
        if not example.spans:
            return None
        ways = list(WAYS)
        for way in rng.choices(ways, [WAYS[w] for w in ways], k=4):
            text = self._make(way, example, rng)
            if text is not None and text.lower() != example.text.lower():
                return text
        return self.swap(example.text, rng, at=example.spans[-1])

    def swap(self, text: str, rng: random.Random, at: Span | None = None) -> str | None:
        """Return `text` with one content word replaced by an unrelated one of the same ending."""
        spans = [at] if at else self._content_spans(text)
        if not spans:
            return None
        start, end = rng.choice(spans)
        word = text[start:end].lower()
        options = self._by_ending.get(word[-2:]) or self._content
        if not options:
            return None
        return put(text, (start, end), rng.choice(options))

    def _make(self, way: str, example: Example, rng: random.Random) -> str | None:
        start, end = span = example.spans[-1]
        word = example.text[start:end].lower()
        options: list[str]
        if way == "context":
            return self._spoil_context(example, rng)
        if way == "synonym":
            options = [w for key in example.senses for w in self.thesaurus.related_to_key(key)]
            options += self.thesaurus.synonyms(word)
            options += self.thesaurus.synonyms(self._base(word))
        elif way == "neighbour":
            options = [*self.thesaurus.broader(self._base(word)), *self.thesaurus.siblings(self._base(word))]
        elif way == "written out":
            options = list(example.alternatives) or self._other_lemmas(example, word)
        elif way == "other pun":
            options = rng.choices(self.pun_words, k=8) if self.pun_words else []
            options = [o for o in options if o[-1:] == word[-1:]] or options
        elif way == "sound-alike":
            options = self._by_sound.get(sound(word), [])
        else:
            options = self._by_ending.get(word[-2:]) or self._content
        options = sorted({o for o in options if o.lower() != word and o.lower() != self._base(word)})
        if not options:
            return None
        choice = rng.choice(options)
        if self.english and way in ("synonym", "neighbour", "written out") and rng.random() < 0.75:
            choice = inflect_like(word, choice)
        return put(example.text, span, choice)

    def _other_lemmas(self, example: Example, word: str) -> list[str]:
        lemmas = {key.split("%")[0].replace("_", " ") for key in example.senses}
        return sorted(lemmas - {word, self._base(word)})

    def _spoil_context(self, example: Example, rng: random.Random) -> str | None:
        taken = example.spans
        spans = [s for s in self._content_spans(example.text) if all(s[1] <= a or s[0] >= b for a, b in taken)]
        named = [s for s in spans if any(example.text[s[0] : s[1]].lower() in c for c in example.context)]
        spans = named or spans
        if not spans:
            return None
        text = example.text
        for start, end in sorted(rng.sample(spans, min(2, len(spans))), reverse=True):
            options = self._by_ending.get(text[start:end].lower()[-2:]) or self._content
            text = put(text, (start, end), rng.choice(options)) if options else text
        return text

    def _content_spans(self, text: str) -> list[Span]:
        words = (m.span() for m in re.finditer(r"[^\W\d_]{4,}", text))
        return [(a, b) for a, b in words if self._meaningful(text[a:b].lower())]

    def _meaningful(self, word: str) -> bool:
        return word in self.thesaurus.synsets or self._base(word) in self.thesaurus.synsets

    def _base(self, word: str) -> str:
        return self.thesaurus.base(word) if self.english else word


def put(text: str, span: Span, word: str) -> str:
    """Return `text` with `word` in place of the span, in the case that stood there.

    >>> put("A Toll road", (2, 6), "price")
    'A Price road'
    """
    start, end = span
    old = text[start:end]
    word = word.lower() if not old.isupper() or len(old) < 2 else word.upper()
    if old[:1].isupper():
        word = word[:1].upper() + word[1:]
    return text[:start] + word + text[end:]


def inflect_like(model: str, word: str) -> str:
    """Return `word` with the regular English ending that `model` has.

    >>> inflect_like("stopped", "end"), inflect_like("dogs", "fox"), inflect_like("madly", "happy")
    ('ended', 'foxes', 'happily')
    """
    if " " in word or len(word) < 3:
        return word
    final = word[-1]
    if model.endswith("ing") and not word.endswith("ing"):
        return (word[:-1] if final == "e" else word) + "ing"
    if model.endswith("ed") and not word.endswith("ed"):
        return word + "d" if final == "e" else (word[:-1] + "ied" if final == "y" else word + "ed")
    if model.endswith("ly") and not word.endswith("ly"):
        return word[:-1] + "ily" if final == "y" else word + "ly"
    if model.endswith("s") and not model.endswith("ss") and final != "s":
        if final == "y" and word[-2] not in "aeiou":
            return word[:-1] + "ies"
        return word + ("es" if word.endswith(("x", "ch", "sh")) else "s")
    return word


def sound(word: str) -> str:
    """Return a rough key that words of like consonants share, English or Portuguese.

    >>> sound("knight") == sound("night"), sound("passo") == sound("paço")
    (True, True)
    """
    word = word.lower()
    for spelling, key in _SPELLINGS:
        word = re.sub(spelling, key, word)
    key = re.sub(r"(.)\1+", r"\1", word)
    return key[:1] + re.sub(r"[aeiouyáéíóúâêôãõàh]", "", key[1:])


_SPELLINGS = (
    (r"^kn", "n"), (r"^wr", "r"), (r"ght", "t"), (r"ph", "f"), (r"ck|qu|q|c(?=[aou])", "k"),
    (r"ç|c(?=[eiyéí])|ss|z", "s"), (r"^h", ""), (r"g(?=[ei])", "j"), (r"x|ch", "sh"),
)  # fmt: skip
