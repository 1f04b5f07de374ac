"""The kind of a pun: one word with two senses (homographic), or two words that sound alike (heterographic)."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.wordnet import wordnet
from rimshot.wordplay.explain_text import TextView
from rimshot.wordplay.explain_weights import weights
from rimshot.wordplay.sense_pair import SensePair
from rimshot.wordplay.sound_pun import SoundPun, swift

__all__ = ["FEATURES", "heterographic", "heterographic_score", "kind_features"]

FEATURES = (
    "bias", "unknown", "one_sense", "senses", "usual", "sound", "homophone", "sound_usual", "sound_gain", "idiom",
    "pair", "overlap", "swift", "adverb", "length", "capital", "final", "second_sound", "phrase", "hyphen",
)  # fmt: skip


def kind_features(view: TextView, sounds: Sequence[SoundPun], pairs: Sequence[SensePair]) -> list[float]:
    """Give what speaks for two words (a sound-alike that is near, usual and fits) and for one (senses that fit)."""
    word, lang = view.word, view.lang
    senses = wordnet(lang).senses_of(word)
    best = sounds[0] if sounds else None
    usual = zipf(word, lang)
    start, end = view.spans[view.place][0], view.spans[view.place + view.size - 1][1]
    shown = view.text[start:end]
    heard = min(zipf(part, lang) for part in best.form.split()) if best else 0.0
    return [
        1.0,
        float(not senses),
        float(len(senses) == 1),
        min(3.0, len(senses) / 8),
        usual / 7,
        best.probability if best else 0.0,
        float(best is not None and best.distance < 0.02),
        heard / 7,
        (heard - usual) / 7,
        best.idiom.kept if best and best.idiom else 0.0,
        pairs[0].probability if pairs else 0.0,
        float(sum(bool(words) for words in pairs[0].support)) if pairs else 0.0,
        float(swift(view)),
        float(word.endswith("ly") or word.endswith("mente")),
        len(word) / 10,
        float(shown[:1].isupper() and view.place > 0),
        float(view.place + view.size == len(view.words)),
        1 - best.distance if best else 0.0,
        float(any(" " in sense.lemma for pair in pairs[:1] for sense in (pair.first, pair.second))),
        float("-" in word or " " in word or not lemmas(word, lang)),
    ]


def heterographic_score(view: TextView, sounds: Sequence[SoundPun], pairs: Sequence[SensePair]) -> float:
    """Give the log-odds that the pun is heterographic."""
    values = kind_features(view, sounds, pairs)
    return float(
        sum(value * weight for value, weight in zip(values, weights(f"kind-{view.lang}").tolist(), strict=True))
    )


def heterographic(view: TextView, sounds: Sequence[SoundPun], pairs: Sequence[SensePair]) -> float:
    """Give the probability that the pun is heterographic."""
    return 1 / (1 + exp(-max(-30.0, min(30.0, heterographic_score(view, sounds, pairs)))))
