"""Everything that is worked out of the texts of an index, in order: humour and meaning, families, explanations, pun senses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from rimshot.corpus.document import LANGUAGES
from rimshot.index.ahead import explained_ahead
from rimshot.index.annotate import FLOOR, annotate_index
from rimshot.index.explanations import explain_index
from rimshot.index.families import add_families
from rimshot.index.reader import open_index
from rimshot.index.writer import write_index
from rimshot.lexicon import expansion, wordnet
from rimshot.wordplay.detector import Detector
from rimshot.wordplay.encoder import Encoder

__all__ = ["Steps", "complete_index", "enrich_index", "meaning_words", "pun_senses", "write_pun_senses"]

Steps = Callable[[str, int], None]
"""Told the name of a step and how many texts of it are done."""

_PAIRS = 2
_ALTERNATIVES = 2
_NEAR = 40
_OF_WORD = 80
_FINEST = 10


def complete_index(
    path: str | Path, detector: Detector | None = None, encoder: Encoder | None = None, steps: Steps | None = None
) -> int:
    """Do what has not been done yet; gives how many texts were scored. An interrupted call is taken up by the next."""
    count = _annotate(path, detector, encoder, steps)
    with explained_ahead(path):
        add_families(path, encoder, progress=_step(steps, "comparing jokes"))
        _explain(path, steps)
    return count


def enrich_index(
    path: str | Path, detector: Detector | None = None, encoder: Encoder | None = None, steps: Steps | None = None
) -> int:
    """Do what ranking by topic needs, which is everything but families."""
    count = _annotate(path, detector, encoder, steps)
    with explained_ahead(path):
        _explain(path, steps)
    return count


def _annotate(path: str | Path, detector: Detector | None, encoder: Encoder | None, steps: Steps | None) -> int:
    scoring, reading = _step(steps, "scoring texts"), _step(steps, "reading jokes in English")
    return annotate_index(path, detector, encoder, scoring, reading)


def _explain(path: str | Path, steps: Steps | None) -> None:
    explain_index(path, progress=_step(steps, "explaining puns"))
    write_pun_senses(path)


def _step(steps: Steps | None, name: str) -> Callable[[int], None] | None:
    return None if steps is None else lambda done: steps(name, done)


@lru_cache(maxsize=1 << 13)
def meaning_words(word: str, lang: str) -> tuple[str, ...]:
    """Give the words that a pun word stands for, each repeated by its weight (ten times for what is nearest).

    >>> meaning_words("bank", "en").count("deposit") > meaning_words("bank", "en").count("ridge") >= 1
    True
    """
    near = expansion(word.lower(), lang, _OF_WORD)
    return tuple(name for name, weight in near for _ in range(max(1, round(_FINEST * weight))))


def pun_senses(record: Mapping[str, Any]) -> list[str]:
    """Give the words that an explained pun stands for, repeated by weight: of its senses, or of what it sounds like."""
    lang = str(record.get("lang", "en"))
    near: list[tuple[str, float]] = []
    if record.get("kind") == "heterographic":
        for lemma in record["alternatives"][:_ALTERNATIVES]:
            near += [(lemma, 1.0), *expansion(lemma, lang, _NEAR)]
    else:
        net = wordnet(lang)
        for pair in record["senses"][:_PAIRS]:
            for key in pair:
                near += expansion(net.sense(key), lang, _NEAR)
    return [name for name, weight in near for _ in range(max(1, round(_FINEST * weight)))]


def write_pun_senses(path: str | Path) -> None:
    """Fill the field ``pun`` of the segments that have none yet."""
    with write_index(path) as writer:
        index = open_index(path)
        for at, (segment, base) in enumerate(zip(list(writer.segments), index.bases, strict=True)):
            if "pun.pointers" in segment.where:
                continue
            texts = []
            starts, ends = segment.array("doc:pun_start").tolist(), segment.array("doc:pun_end").tolist()
            langs, funny = segment.array("doc:lang").tolist(), (segment.array("doc:humour") >= FLOOR).tolist()
            for number in range(segment.size):
                words: list[str] = []
                if funny[number] and starts[number] >= 0:
                    form = segment.bodies[number][starts[number] : ends[number]]
                    words += meaning_words(form, LANGUAGES[langs[number]])
                record = index.record("pun", base + number)
                if record is not None:
                    words += pun_senses(record)
                texts.append(" ".join(words))
            writer.attach_field(at, "pun", texts)
