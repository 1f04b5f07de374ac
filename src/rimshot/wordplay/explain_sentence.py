"""The mechanism of a pun in a sentence a learner understands, in English or Portuguese."""

from __future__ import annotations

from collections.abc import Sequence

from rimshot.lexicon.idioms import Idiom
from rimshot.lexicon.portuguese_glosses import portuguese_gloss
from rimshot.lexicon.wordnet import Sense, synset, wordnet
from rimshot.wordplay.sense_pair import SensePair
from rimshot.wordplay.sound_pun import SoundPun

__all__ = ["heterographic_sentence", "homographic_sentence", "no_wordplay", "unknown_sentence"]

_NONE = {"en": "I see no wordplay here.", "pt": "Não vejo aqui nenhum jogo de palavras."}
_AND = {"en": " and ", "pt": " e "}


def no_wordplay(lang: str) -> str:
    """Say that there is nothing to explain."""
    return _NONE[lang]


def _meaning(sense: Sense, lang: str) -> str:
    """A short gloss; what has none in Portuguese is told by other words of the same concept."""
    if sense.lang == "en" and lang == "en":
        return sense.gloss.split(";")[0].strip()
    here = synset(sense.synset)
    told = portuguese_gloss(here.id)
    if told:
        return told
    words = [word for word in here.words("pt") if word.lower() != sense.lemma][:3]
    if not words:
        words = [word for to in here.targets("@", "@i") for word in synset(to).words("pt")][:2]
    return ", ".join(words) if words else here.gloss.split(";")[0].strip()


def _listed(words: Sequence[str], lang: str) -> str:
    quoted = [f"“{word}”" for word in words]
    return quoted[0] if len(quoted) == 1 else ", ".join(quoted[:-1]) + _AND[lang] + quoted[-1]


def homographic_sentence(word: str, pair: SensePair, lang: str) -> str:
    """Say which two senses of one word a pun plays on, and what in the text calls for each."""
    first, second = _meaning(pair.first, lang), _meaning(pair.second, lang)
    hints = list(pair.support)
    if lang == "pt":
        told = f"“{word}” lê-se de duas maneiras: {first}{_hint(hints[0], lang)}; ou {second}{_hint(hints[1], lang)}."
    else:
        told = f"“{word}” can be read in two ways: {first}{_hint(hints[0], lang)}; or {second}{_hint(hints[1], lang)}."
    return told


def _hint(words: Sequence[str], lang: str) -> str:
    if not words:
        return ""
    if lang == "pt":
        return f" (por causa de {_listed(words, lang)})"
    return f" (as {_listed(words, lang)} {'suggests' if len(words) == 1 else 'suggest'})"


def _heard(sound: SoundPun, lang: str) -> str:
    senses = wordnet(lang).senses(sound.lemma) if " " not in sound.lemma else ()
    return f" ({_meaning(senses[0], lang)})" if senses else ""


def heterographic_sentence(word: str, sound: SoundPun, idiom: Idiom | None, lang: str) -> str:
    """Say what a word sounds like, how nearly, and which saying it bends."""
    same = sound.distance < 0.02
    if lang == "pt":
        how = "soa como" if same else "soa quase como"
        inside = word.lower() != sound.heard_from and " " in sound.heard_from
        if inside:
            how = f"em “{sound.heard_from}” " + how
        tail = f", como em “{idiom.phrase}”" if idiom else ""
        return f"“{word}” {how} “{sound.form}”{_heard(sound, lang)}{tail}."
    how = "sounds the same as" if same else "sounds like"
    tail = f", as in “{idiom.phrase}”" if idiom else ""
    return f"“{word}” {how} “{sound.form}”{_heard(sound, lang)}{tail}, and both words fit the text."


def unknown_sentence(word: str, lang: str) -> str:
    """Say that the pun hangs on a word whose second reading is not known."""
    if lang == "pt":
        return f"O trocadilho está em “{word}”, mas não encontro a segunda leitura."
    return f"The pun is on “{word}”, but I cannot tell its second reading."
