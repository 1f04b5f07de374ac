"""Why is it a pun? The word, the kind, the two senses or the sound-alike, the idiom, and a sentence that says so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.detector import Detector, Scores, spread_languages
from rimshot.wordplay.explain_belief import belief, belief_features
from rimshot.wordplay.explain_columns import columns
from rimshot.wordplay.explain_sentence import (
    heterographic_sentence,
    homographic_sentence,
    no_wordplay,
    unknown_sentence,
)
from rimshot.wordplay.explain_signs import second_signs
from rimshot.wordplay.explain_text import TextView, view
from rimshot.wordplay.kind import heterographic, heterographic_score
from rimshot.wordplay.pattern import patterns
from rimshot.wordplay.pun import HETEROGRAPHIC, HOMOGRAPHIC, Pun
from rimshot.wordplay.sense_pair import read_senses
from rimshot.wordplay.sound_pun import SoundPun, read_sounds

__all__ = ["FLOOR", "THRESHOLD", "explain", "explain_at", "explain_scored"]

THRESHOLD = 0.5
"""Probability of wordplay from which a text is explained: one edited twin in ten at most reaches it."""
FLOOR = 0.005
"""The detector's probability below which nothing is even looked for."""


def explain(
    texts: Sequence[str],
    langs: str | Sequence[str],
    detector: Detector | None = None,
    threshold: float = THRESHOLD,
    progress: Callable[[int], None] | None = None,
) -> list[Pun]:
    """Give the explanation of each text, found by the shipped detector unless another is given.

    A text is explained when the probability that it is a pun, by the detector and by how well the explanation holds
    together, reaches `threshold`. Below it the result is false, says that there is no wordplay, and keeps what would
    have been the reading for those who know better.
    """
    if detector is None:
        from rimshot.wordplay.choose import choose_detector

        detector = choose_detector()
    each = spread_languages(texts, langs)
    return list(explain_scored(texts, each, detector.score(texts, each), threshold, progress))


def explain_scored(
    texts: Sequence[str],
    langs: Sequence[str],
    scores: Scores,
    threshold: float = THRESHOLD,
    progress: Callable[[int], None] | None = None,
) -> Iterator[Pun]:
    """Give the explanations of texts that a detector has already judged, one by one."""
    for number, (text, lang) in enumerate(zip(texts, langs, strict=True)):
        humour = float(scores.humour[number])
        if scores.start[number] < 0 or humour < min(FLOOR, threshold):
            yield Pun(text, lang, humour, sentence=no_wordplay(lang))
        else:
            span, sure = (int(scores.start[number]), int(scores.end[number])), float(scores.confidence[number])
            vector = None if scores.vectors is None else scores.vectors[number]
            pun, believed = _explained(text, lang, span, sure, vector, humour)
            told = believed >= threshold
            sentence = pun.sentence if told else no_wordplay(lang)
            yield replace(pun, humour=believed, explained=told, sentence=sentence)
        if progress is not None:
            progress(number + 1)


def explain_at(
    text: str,
    lang: str,
    start: int,
    end: int,
    humour: float = 1.0,
    confidence: float = 1.0,
    vector: NDArray[np.float32] | None = None,
) -> Pun:
    """Give the explanation of a pun whose word is known to stand at text[start:end]; `vector` is the text's meaning.

    >>> pun = explain_at("She took a leave of absinthe.", "en", 20, 28)
    >>> pun.kind, pun.alternatives[0], pun.idiom.phrase
    ('heterographic', 'absence', 'leave of absence')
    """
    return _explained(text, lang, (start, end), confidence, vector, humour)[0]


def _explained(
    text: str, lang: str, span: tuple[int, int], confidence: float, vector: NDArray[np.float32] | None, humour: float
) -> tuple[Pun, float]:
    """The explanation of a text, and the belief that it is a pun."""
    start, end = span
    seen = view(text, lang, start, end, vector)
    if seen is None:
        return Pun(text, lang, humour, sentence=no_wordplay(lang)), 0.0
    shown = text[start:end].lower()
    heard, senses = read_sounds(seen), read_senses(seen)
    sounds = [sound for sound in heard.puns(seen) if sound.form != shown]
    pairs = senses.pairs(seen)
    known = columns(seen, heard, senses)
    two_words = heterographic(known, lang, confidence)
    kind = HETEROGRAPHIC if two_words >= 0.5 else HOMOGRAPHIC
    word = text[start:end]
    best = sounds[0] if sounds else None
    idiom = best.idiom if best and kind == HETEROGRAPHIC else None
    if kind == HETEROGRAPHIC and best is not None:
        sentence = heterographic_sentence(word, best, idiom, lang)
    elif pairs:
        sentence = homographic_sentence(word, pairs[0], lang)
    else:
        sentence = unknown_sentence(word, lang)
    believed = belief(humour, confidence, belief_features(known, heterographic_score(known, lang)), lang)
    pun = Pun(
        text,
        lang,
        humour,
        word,
        start,
        end,
        kind,
        confidence * max(two_words, 1 - two_words),
        tuple(pairs),
        tuple(sounds[:5]),
        _alternatives(seen, sounds, two_words),
        idiom,
        patterns(text, lang),
        sentence,
        True,
    )
    return pun, believed


def _alternatives(seen: TextView, sounds: Sequence[SoundPun], two_words: float) -> tuple[str, ...]:
    """The second signs, most probable first: lemmas in English, forms in Portuguese."""
    if seen.lang == "pt":
        return second_signs(seen, sounds, two_words)
    return tuple(dict.fromkeys(sound.lemma for sound in sounds))
