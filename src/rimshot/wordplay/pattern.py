"""The moulds that puns are cast in: Tom Swifty, knock-knock, question and answer, "never die", one-liner."""

from __future__ import annotations

import re

__all__ = ["PATTERNS", "patterns"]

PATTERNS = ("tom-swifty", "knock-knock", "never-die", "question-answer", "daughter", "dialogue", "one-liner")

_SAID = r"(?:said|says|asked|asks|replied|cried|exclaimed|remarked|admitted|declared|shouted|whispered|announced|\w+ed)"
_SWIFTY = re.compile(rf"[\"'”’»,.!?]\s*(?:{_SAID} tom\b|tom {_SAID}\b|{_SAID} \w+ly\b|he {_SAID} \w+ly\b)", re.I)
_TOM_LY = re.compile(rf"\btom {_SAID}?\s*\w+ly\b|\b{_SAID} tom\b", re.I)
_KNOCK = re.compile(r"\bknock[,\s!]+knock\b|\btoc[,\s!]+toc\b|\btruz[,\s-]+truz\b|\bwho'?s there\b|\bquem é\?", re.I)
_NEVER = re.compile(r"\bold\b.{1,60}\bnever\b.{1,30}\b(?:die|fade|lose|retire|grow)\b|\bnever die\b", re.I | re.S)
_DAUGHTER = re.compile(r"\b(?:she was|i'm|i am|he was) only an? .{1,40}'s (?:daughter|son)\b", re.I)
_ASKED = re.compile(r"^\s*[\"'“‘«¿-]*[^?]{3,200}\?\s*\S+.*$", re.S)
_ASKING_EN = re.compile(r"\b(?:what|why|how|who|where|when|which|did you|have you|do you|is it|can)\b", re.I)
_ASKING_PT = re.compile(
    r"\b(?:o que|que|qual|quais|quem|onde|quando|como|por ?qu[eê]|sabes?|sabem|quantos?|quantas?)\b", re.I
)
_SPEAKERS = re.compile(r"(?:^|\n)\s*[-–—]\s*\S.*\n\s*[-–—]\s*\S|\bdoctor,? doctor\b|\bwaiter,? waiter\b", re.I)


def patterns(text: str, lang: str = "en") -> tuple[str, ...]:
    """Give the moulds that a text fits, most telling first; a short text that fits none is a one-liner.

    >>> patterns('"I lost my trousers," said Tom expansively.'), patterns("Old bankers never die, they lose interest.")
    (('tom-swifty',), ('never-die',))
    """
    found = []
    if _SWIFTY.search(text) and (_TOM_LY.search(text) or re.search(r"\w+ly\W*$", text)):
        found.append("tom-swifty")
    if _KNOCK.search(text):
        found.append("knock-knock")
    if _NEVER.search(text):
        found.append("never-die")
    if _DAUGHTER.search(text):
        found.append("daughter")
    asking = _ASKING_PT if lang == "pt" else _ASKING_EN
    if _ASKED.match(text) and asking.search(text.split("?")[0]):
        found.append("question-answer")
    if _SPEAKERS.search(text):
        found.append("dialogue")
    if not found and len(text.split()) <= 40 and "\n" not in text.strip():
        found.append("one-liner")
    return tuple(found)
