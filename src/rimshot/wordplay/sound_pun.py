"""What a punning word sounds like: the word or phrase that one hears behind it.

Candidates come from sound (whole words, words inside it, two words run together) and from spelling; a linear model with
few weights, fitted on puns with a known target (`rimshot.wordplay.explain_fit`), orders them by sound, by how usual
they are, by how they fit the words around, and by the idiom they complete (after Doogan et al. 2017, Idiom Savant).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rimshot.lexicon.alike import Alike, alike, distance, pronounce
from rimshot.lexicon.frequency import known_word, zipf
from rimshot.lexicon.heard import names, said
from rimshot.lexicon.idioms import Idiom, bent_idiom, phrase_fits
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.pairs import bond
from rimshot.lexicon.store import strings, table
from rimshot.lexicon.vectors import word_vectors
from rimshot.lexicon.wordnet import main_lemma, wordnet
from rimshot.wordplay.explain_text import TextView
from rimshot.wordplay.explain_weights import units, weights

__all__ = ["FEATURES", "SoundPun", "SoundReading", "read_sounds", "sound_features", "sound_puns", "swift"]

FEATURES = (
    "distance", "inside", "uncovered", "usual", "homophone", "context", "nearest", "gain", "idiom", "idiom_length",
    "phrase", "bond_before", "bond_after", "bond_gain", "spelling", "first", "last", "known", "swift_part", "part",
    "in_text", "rare", "short", "pos", "two_words", "wide", "overlap",
    "name", "said",
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


def _candidates(word: str, lang: str, wide: bool) -> tuple[Alike, ...]:
    """The words that a word may stand for; for a wide span, those only that are near and fill it."""
    own = {word, *lemmas(word, lang)}
    found: dict[str, Alike] = {}
    spoken = pronounce(word, lang)[:2]
    for phones in spoken:
        for near in alike(phones, lang, _KEPT, parts=not wide):
            if near.word not in found or near.distance < found[near.word].distance:
                found[near.word] = near
    if spoken:
        cut = _cut(word, spoken[0]) if lang == "pt" else []
        for near in (*_starts(word, spoken[0], lang), *_two_words(spoken[0], lang), *_swapped(spoken[0], lang), *cut):
            if near.word not in found or near.distance < found[near.word].distance:
                found[near.word] = near
    flat = word.replace(" ", "").replace("-", "")
    return tuple(
        near
        for name, near in found.items()
        if not (wide and (near.distance >= 0.25 or near.cover <= 0.8))
        and name not in own
        and (lang == "pt" or name.replace(" ", "") != flat)
        and not own.intersection(lemmas(name, lang))
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


def _cut(word: str, phones: str) -> list[Alike]:
    """Two usual words written as one: "a cena" in "acena"; and one written as several: "demolição" in "demo lição"."""
    flat = word.replace(" ", "").replace("-", "")
    found = [
        f"{flat[:at]} {flat[at:]}" for at in range(1, len(flat)) if min(at, len(flat) - at) > 1 or flat[0] in "aeo"
    ]
    usual = [name for name in found if all(_usual_part(part) for part in name.split())]
    if flat != word and known_word(flat, "pt"):
        usual.append(flat)
    return [Alike(name, phones, 0.0, 0.0, 1.0) for name in usual if name != word]


def _usual_part(part: str) -> bool:
    return part in _LONE if len(part) == 1 else zipf(part, "pt") > _PART_USUAL["pt"] + (0.8 if len(part) < 4 else 0.0)


_LONE = frozenset("aeoé")
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


@lru_cache(maxsize=1 << 13)
def _alone(word: str, lang: str, wide: bool) -> tuple[tuple[Alike, ...], NDArray[np.float32]]:
    """The candidates for a word and those of their features that no context changes, 0 in the other columns."""
    near_words = _candidates(word, lang, wide)
    net = wordnet(lang)
    own_sound = (pronounce(word, lang) or ("",))[0]
    own_pos = {sense.pos for lemma in lemmas(word, lang) for sense in net.senses(lemma)}
    table = np.zeros((len(near_words), len(FEATURES)), np.float32)
    for row, near in zip(table, near_words, strict=True):
        name = near.word
        usual = min(zipf(part, lang) for part in name.split())
        known = lemmas(name, lang)
        row[:5] = near.distance, near.inside, 1 - near.cover, usual / 7, near.distance < 0.005
        row[_AT["spelling"]] = _spelled_alike(name, word)
        row[_AT["first"]] = near.phones[:1] == own_sound[:1]
        row[_AT["last"]] = near.phones[-1:] == own_sound[-1:]
        row[_AT["known"]] = bool(known)
        row[_AT["part"]] = (1 - near.inside) if near.cover < 0.99 and near.inside < near.distance - 0.1 else 0.0
        row[_AT["rare"]] = max(0.0, 2.2 - usual)
        row[_AT["short"]] = len(near.phones) <= 2
        row[_AT["pos"]] = any(sense.pos in own_pos for lemma in known for sense in net.senses(lemma))
        row[_AT["two_words"]] = " " in name
        row[_AT["name"]] = lang == "pt" and name in names()
        row[_AT["said"]] = lang == "pt" and name in said()
    table.flags.writeable = False
    return near_words, table


_AT = {name: number for number, name in enumerate(FEATURES)}


def _spelled_alike(one: str, other: str) -> float:
    """How much of two spellings is shared: Dice's coefficient over pairs of letters, the ends marked."""
    first, second = _letter_pairs(one), _letter_pairs(other)
    return 2 * len(first & second) / (len(first) + len(second))


@lru_cache(maxsize=1 << 14)
def _letter_pairs(word: str) -> frozenset[str]:
    marked = f"<{word}>"
    return frozenset(marked[at : at + 2] for at in range(len(marked) - 1)).union(word)


def _span_features(view: TextView, wide: int) -> list[tuple[Alike, Idiom | None, list[float]]]:
    word, lang = view.word, view.lang
    near_words, alone = _alone(word, lang, bool(wide))
    if not near_words:
        return []
    table, names = alone.copy(), [near.word for near in near_words]
    vectors = word_vectors(lang)
    if vectors is not None:
        own_likeness, _ = view.context.likeness(vectors.get(word))
        likeness, nearest = view.context.likenesses(vectors.rows(names))
        missing = np.array([name not in vectors for name in names])
        likeness[missing] = nearest[missing] = 0.0
        table[:, _AT["context"]], table[:, _AT["nearest"]] = likeness, nearest
        table[:, _AT["gain"]] = likeness - own_likeness
    own_bond = bond(view.before, word, lang) + bond(word, view.after, lang)
    if swift(view):
        table[:, _AT["swift_part"]], table[:, _AT["part"]] = table[:, _AT["part"]], 0.0
    words = [*view.words[: view.place], word, *view.words[view.place + view.size :]]
    starts = {other[:4] for other in words if other != word and len(other) > 3}
    idioms = [bent_idiom(words, view.place, name, lang) for name in names]
    phrases = phrase_fits(words, view.place, names, lang)
    for row, name, idiom, phrase in zip(table, names, idioms, phrases, strict=True):
        before, after = bond(view.before, name, lang), bond(name, view.after, lang)
        if idiom is not None:
            row[_AT["idiom"]], row[_AT["idiom_length"]] = idiom.kept, len(idiom.phrase.split()) / 6
        row[_AT["phrase"]] = phrase is not None
        row[_AT["bond_before"]], row[_AT["bond_after"]] = before / 5, after / 5
        row[_AT["bond_gain"]] = (before + after - own_bond) / 5
        row[_AT["in_text"]] = name in words
        row[_AT["overlap"]] = name[:4] in starts
    table[:, _AT["wide"]] = min(2.0, float(wide))
    return list(zip(near_words, idioms, table.tolist(), strict=True))


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
    name = f"sound-{view.lang}"
    scores, bent = rows @ weights(name), units(name)
    return SoundReading(found, rows, scores if bent is None else scores + bent.scores(rows))


def sound_puns(view: TextView, limit: int = 10) -> list[SoundPun]:
    """Give the words that the pun at a view sounds like, most probable first, one for each lemma."""
    return read_sounds(view).puns(view, limit)


def _softmax(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    raised: NDArray[np.float32] = np.exp(scores - scores.max())
    return raised / np.float32(raised.sum())
