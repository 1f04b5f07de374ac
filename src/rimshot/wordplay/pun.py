"""A pun, explained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rimshot.lexicon.idioms import Idiom
from rimshot.wordplay.sense_pair import SensePair
from rimshot.wordplay.sound_pun import SoundPun

__all__ = ["HETEROGRAPHIC", "HOMOGRAPHIC", "Pun"]

HOMOGRAPHIC = "homographic"
HETEROGRAPHIC = "heterographic"


@dataclass(frozen=True, slots=True)
class Pun:
    """What an explanation says of one text.

    `humour` is the probability that the text is wordplay. Where that is too low, the pun is false, `explained` is False
    and `sentence` says so: a text that is no pun is not explained as one; the other fields then hold what would have
    been the best reading. `confidence` is the probability that word and kind are right, given that the text is a pun.
    `start` and `end` are characters of the text; `word` is None where nothing at all was found.
    """

    text: str
    lang: str
    humour: float
    word: str | None = None
    start: int = -1
    end: int = -1
    kind: str | None = None
    confidence: float = 0.0
    pairs: tuple[SensePair, ...] = ()
    sounds: tuple[SoundPun, ...] = ()
    alternatives: tuple[str, ...] = ()
    idiom: Idiom | None = None
    patterns: tuple[str, ...] = ()
    sentence: str = ""
    explained: bool = False

    def __bool__(self) -> bool:
        return self.explained

    def marked(self, begin: str = "[", end: str = "]") -> str:
        """Give the text with the pun word between two marks.

        >>> Pun("I lost interest.", "en", 0.9, "interest", 7, 15, explained=True).marked()
        'I lost [interest].'
        """
        if not self.explained:
            return self.text
        return self.text[: self.start] + begin + self.text[self.start : self.end] + end + self.text[self.end :]

    def record(self) -> dict[str, Any]:
        """Give the explanation as a JSON object, as `rimshot explain --json` prints it and an index stores it."""
        if self.word is None:
            return {
                "humour": round(self.humour, 6), "word": None, "start": None, "end": None, "kind": None, "senses": [],
                "alternatives": [], "sentence": self.sentence, "confidence": 0.0, "patterns": list(self.patterns),
                "explained": False,
            }  # fmt: skip
        return {
            "humour": round(self.humour, 6),
            "word": self.word,
            "start": self.start,
            "end": self.end,
            "kind": self.kind,
            "senses": [[pair.first.key, pair.second.key] for pair in self.pairs],
            "alternatives": list(self.alternatives),
            "sentence": self.sentence,
            "explained": self.explained,
            "confidence": round(self.confidence, 4),
            "patterns": list(self.patterns),
            "lang": self.lang,
            "glosses": [[pair.first.gloss, pair.second.gloss] for pair in self.pairs[:1]],
            "support": [[list(words) for words in pair.support] for pair in self.pairs[:1]],
            "sounds": [
                {"lemma": sound.lemma, "form": sound.form, "distance": sound.distance, "like": sound.heard_from}
                for sound in self.sounds
            ],
            "idiom": self.idiom.phrase if self.idiom else None,
        }
