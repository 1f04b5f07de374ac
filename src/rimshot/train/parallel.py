"""Portuguese texts beside their English translation, for the vectors of the Portuguese model."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from rimshot.lexicon.sentences import translator

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rimshot.train.thesaurus import Thesaurus

Translate = Callable[[str, str], str]
"""A text and the way, "pt-en" or "en-pt"."""


def translations(texts: Sequence[str], way: str, kept: Path, translate: Translate | None = None) -> dict[str, str]:
    """Return each text's translation; done ones are kept in a JSONL file, so a killed run goes on."""
    found: dict[str, str] = {}
    if kept.exists():
        for line in kept.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found[row["text"]] = row["other"]
    missing = [text for text in dict.fromkeys(texts) if text not in found]
    if missing:
        translate = translate or translator().translate
        with kept.open("a", encoding="utf-8") as lines:
            for text in missing:
                found[text] = translate(text, way)
                lines.write(json.dumps({"text": text, "other": found[text]}, ensure_ascii=False) + "\n")
    return {text: found[text] for text in texts}


def topic_pairs(english: Thesaurus, portuguese: Thesaurus, count: int, seed: int = 0) -> list[tuple[str, str, str]]:
    """Return (Portuguese word, English word, English gloss) of synsets that both wordnets name."""
    rng = random.Random(seed)
    shared = sorted(s for s in portuguese.words if s[0] in "nv" and s in english.words)
    chosen = rng.sample(shared, min(count, len(shared)))
    return [(word, english.words[s][0], english.gloss[s]) for s in chosen for word in portuguese.words[s][:2]]
