"""What a punning word sounds like: the word or phrase that one hears behind it.

Candidates come from sound (whole words, words inside it, two words run together) and from spelling; a linear model with
few weights, fitted on puns with a known target (`rimshot.wordplay.explain_fit`), orders them by sound, by how usual
they are, by how they fit the words around, and by the idiom they complete (after Doogan et al. 2017, Idiom Savant).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.alike import Alike, alike, distance, pronounce
from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.idioms import Idiom, bent_idiom, phrase_fit
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.pairs import bond
from rimshot.lexicon.store import strings, table
from rimshot.lexicon.vectors import word_vectors
from rimshot.lexicon.wordnet import main_lemma, wordnet
from rimshot.wordplay.explain_text import TextView
from rimshot.wordplay.explain_weights import weights

__all__ = ["FEATURES", "SoundPun", "SoundReading", "read_sounds", "sound_features", "sound_puns", "swift"]

FEATURES = (
    "distance", "inside", "uncovered", "usual", "homophone", "context", "nearest", "gain", "idiom", "idiom_length",
    "phrase", "bond_before", "bond_after", "bond_gain", "spelling", "first", "last", "known", "swift_part", "part",
    "in_text", "rare", "short", "pos", "two_words", "wide", "overlap",
)  # fmt: skip
_KEPT = 60


@dataclass(frozen=True, slots=True)
class SoundPun:
    """A word heard behind the pun: form, lemma, distance in sound, probability, the idiom it completes."""

    form: str
    lemma: str
    distance: float
    probability: float
    idiom: Idiom | None
    heard_from: str


def swift(view: TextView) -> bool:
    """Whether somebody called Tom speaks, as in a Tom Swifty."""
    return "tom" in view.words or "swift" in view.words


@lru_cache(maxsize=1 << 13)
def _candidates(word: str, lang: str) -> tuple[Alike, ...]:
    own = {word, *lemmas(word, lang)}
    found: dict[str, Alike] = {}
    spoken = pronounce(word, lang)[:2]
    for phones in spoken:
        for near in alike(phones, lang, _KEPT):
            if near.word not in found or near.distance < found[near.word].distance:
                found[near.word] = near
    if spoken:
        for near in (*_starts(word, spoken[0], lang), *_two_words(spoken[0], lang), *_swapped(spoken[0], lang)):
            if near.word not in found or near.distance < found[near.word].distance:
                found[near.word] = near
    flat = word.replace(" ", "").replace("-", "")
    return tuple(
        near
        for name, near in found.items()
        if name not in own and name.replace(" ", "") != flat and not own.intersection(lemmas(name, lang))
    )


def _starts(word: str, phones: str, lang: str) -> list[Alike]:
    """Known words that the spelling begins with: "organ" in "organically"."""
    known = table(f"senses-{lang}")
    found = []
    for end in range(3, len(word) - 1):
        name = word[:end]
        if name in known and zipf(name, lang) > 2 and (sound := pronounce(name, lang)):
            cover = min(1.0, len(sound[0]) / max(1, len(phones)))
            found.append(Alike(name, sound[0], distance(phones, sound[0]), 0.1, cover))
    return found


def _swapped(phones: str, lang: str) -> list[Alike]:
    """Words with two neighbouring sounds the other way round: "fruto" for "furto"."""
    keys, words = table(f"keys-{lang}"), strings(f"alike-{lang}")
    found = []
    for at in range(len(phones) - 1):
        other = phones[:at] + phones[at + 1] + phones[at] + phones[at + 2 :]
        for number in np.frombuffer(keys.get(f"={other}") or b"", np.uint32) if other != phones else ():
            found.append(Alike(words[int(number)], other, _SWAPPED, _SWAPPED, 1.0))
    return found


_SWAPPED = 0.1
"""Distance of two words that differ by two sounds in the other order, which plain edit distance overrates."""


def _two_words(phones: str, lang: str) -> list[Alike]:
    """Two usual words run together: "let us" in "lettuce"."""
    keys, words = table(f"keys-{lang}"), strings(f"alike-{lang}")
    found = []
    for cut in range(1, len(phones)):
        parts = []
        for part in (phones[:cut], phones[cut:]):
            numbers = keys.get(f"={part}")
            names = [words[int(number)] for number in np.frombuffer(numbers, np.uint32)] if numbers else []
            if len(part) == 1:
                names = _SINGLE[lang].get(part, [])
            parts.append(max(names, key=lambda name: zipf(name, lang), default=""))
        if parts[0] and parts[1] and min(zipf(part, lang) for part in parts) > _PART_USUAL[lang]:
            found.append(Alike(" ".join(parts), phones, 0.0, 0.0, 1.0))
    return found


_PART_USUAL = {"en": 3.2, "pt": 2.6}
_SINGLE = {"en": {"@": ["a"], "2": ["i"]}, "pt": {"a": ["a"], "u": ["o"], "i": ["e"], "e": ["é"], "o": ["o"]}}


def _views(view: TextView) -> list[TextView]:
    """The spans that may carry the pun: the located word and, in Portuguese, it with neighbours.

    Portuguese puns often fill the whole answer to a question, or a run of words with capitals made to look like a name.
    """
    if view.lang != "pt" or view.size > 1:
        return [view]
    end = len(view.words)
    spots = [(view.place + shift, size) for shift, size in ((-1, 2), (0, 2), (-2, 3), (-1, 3), (0, 3))]
    spots += [_run(view, _capital), _run(view, _answer)]
    views = [view]
    for place, size in dict.fromkeys(spots):
        whole = place >= 0 and place + size <= end and 1 < size <= 5
        if whole and sum(map(len, view.words[place : place + size])) <= 22:
            views.append(view.at(place, size))
    return views


def _capital(view: TextView, number: int) -> bool:
    return view.text[view.spans[number][0]].isupper()


def _answer(view: TextView, number: int) -> bool:
    """Whether a word stands on the same side of the last question mark as the pun."""
    mark = view.text.rfind("?")
    return (view.spans[number][0] > mark) == (view.spans[view.place][0] > mark)


def _run(view: TextView, test: Callable[[TextView, int], bool]) -> tuple[int, int]:
    """Place and size of the unbroken run of words around the pun that pass a test."""
    first = last = view.place
    while first > 0 and test(view, first - 1):
        first -= 1
    while last + 1 < len(view.words) and test(view, last + 1):
        last += 1
    return first, last - first + 1


def sound_features(view: TextView) -> tuple[list[tuple[Alike, TextView, Idiom | None]], NDArray[np.float32]]:
    """Give the candidates for what a pun sounds like, and their features as rows."""
    found: list[tuple[Alike, TextView, Idiom | None]] = []
    rows: list[list[float]] = []
    seen: set[str] = set()
    for span in _views(view):
        for near, idiom, row in _span_features(span, wide=span.size - view.size):
            if near.word not in seen:
                seen.add(near.word)
                found.append((near, span, idiom))
                rows.append(row)
    return found, np.array(rows, np.float32).reshape(len(rows), len(FEATURES))


def _span_features(view: TextView, wide: int) -> list[tuple[Alike, Idiom | None, list[float]]]:
    word, lang = view.word, view.lang
    near_words = _candidates(word, lang)
    if wide:
        near_words = tuple(near for near in near_words if near.distance < 0.25 and near.cover > 0.8)
    if not near_words:
        return []
    vectors, net = word_vectors(lang), wordnet(lang)
    own_sound = (pronounce(word, lang) or ("",))[0]
    own_likeness, _ = view.context.likeness(vectors.get(word) if vectors else None)
    own_bond = bond(view.before, word, lang) + bond(word, view.after, lang)
    own_pos = {sense.pos for lemma in lemmas(word, lang) for sense in net.senses(lemma)}
    tom = swift(view)
    words = [*view.words[: view.place], word, *view.words[view.place + view.size :]]
    inside = set(words)
    out = []
    for near in near_words:
        name = near.word
        likeness, nearest = view.context.likeness(vectors.get(name) if vectors else None)
        idiom = bent_idiom(words, view.place, name, lang)
        before, after = bond(view.before, name, lang), bond(name, view.after, lang)
        usual = min(zipf(part, lang) for part in name.split())
        known = lemmas(name, lang)
        pos = {sense.pos for lemma in known for sense in net.senses(lemma)}
        part = near.cover < 0.99 and near.inside < near.distance - 0.1
        out.append(
            (
                near,
                idiom,
                [
                    near.distance,
                    near.inside,
                    1 - near.cover,
                    usual / 7,
                    float(near.distance < 0.005),
                    likeness,
                    nearest,
                    likeness - own_likeness,
                    idiom.kept if idiom else 0.0,
                    len(idiom.phrase.split()) / 6 if idiom else 0.0,
                    float(phrase_fit(words, view.place, name, lang) is not None),
                    before / 5,
                    after / 5,
                    (before + after - own_bond) / 5,
                    SequenceMatcher(None, name, word).ratio(),
                    float(near.phones[:1] == own_sound[:1]),
                    float(near.phones[-1:] == own_sound[-1:]),
                    float(bool(known)),
                    float(tom and part) * (1 - near.inside),
                    float(part and not tom) * (1 - near.inside),
                    float(name in inside),
                    max(0.0, 2.2 - usual),
                    float(len(near.phones) <= 2),
                    float(bool(pos & own_pos)),
                    float(" " in name),
                    min(2.0, float(wide)),
                    float(any(other != word and len(other) > 3 and other[:4] == name[:4] for other in words)),
                ],
            )
        )
    return out


@dataclass(frozen=True, eq=False, slots=True)
class SoundReading:
    """The candidates for what a pun sounds like, a row of features and a score for each."""

    found: list[tuple[Alike, TextView, Idiom | None]]
    rows: NDArray[np.float32]
    scores: NDArray[np.float32]

    def puns(self, view: TextView, limit: int = 10) -> list[SoundPun]:
        """Give the most probable candidates, one for each lemma."""
        if not self.found:
            return []
        probabilities = _softmax(self.scores)
        best: dict[str, SoundPun] = {}
        for number in np.argsort(-probabilities, kind="stable").tolist():
            near, span, idiom = self.found[number]
            lemma = near.word if " " in near.word else main_lemma(near.word, view.lang)
            if lemma not in best:
                gap = round(near.distance, 3)
                best[lemma] = SoundPun(near.word, lemma, gap, float(probabilities[number]), idiom, span.word)
            if len(best) == limit:
                break
        return list(best.values())


def read_sounds(view: TextView) -> SoundReading:
    """Give all candidates for what the pun at a view sounds like, scored."""
    found, rows = sound_features(view)
    return SoundReading(found, rows, rows @ weights(f"sound-{view.lang}"))


def sound_puns(view: TextView, limit: int = 10) -> list[SoundPun]:
    """Give the words that the pun at a view sounds like, most probable first, one for each lemma."""
    return read_sounds(view).puns(view, limit)


def _softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    raised: NDArray[np.float32] = np.exp(scores - scores.max())
    return raised / np.float32(raised.sum())
