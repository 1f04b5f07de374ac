"""Dictionary forms of inflected words.

Princeton's morphy for English; a dictionary of forms and a few endings for Portuguese.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product

from rimshot.lexicon.store import table

__all__ = ["lemmas", "verbs_of"]


def _rules(text: str) -> tuple[tuple[str, str], ...]:
    return tuple((ending, instead) for ending, _, instead in (rule.partition(">") for rule in text.split()))


def _by_last_letter(text: str) -> dict[str, tuple[tuple[str, str], ...]]:
    rules = _rules(text)
    letters = {ending[-1] for ending, _ in rules}
    return {letter: tuple(rule for rule in rules if rule[0][-1] == letter) for letter in letters}


# morphy(7WN); doubled consonants, which morphy leaves to its exception lists, are undone below.
_ENGLISH = {
    "n": _by_last_letter("ses>s xes>x zes>z ches>ch shes>sh men>man ies>y ves>f s>"),
    "v": _by_last_letter("ies>y es>e es> s> ied>y ed>e ed> ying>ie ing>e ing>"),
    "a": _by_last_letter("iest>y ier>y er> est> er>e est>e"),
    "r": {},
}
_PORTUGUESE = _by_last_letter(
    "ões>ão ães>ão ãos>ão ais>al éis>el óis>ol uis>ul is>il ns>m res>r zes>z ses>s s> as>o a>o zinho> zinha> inho>o "
    "inha>a íssimo>o íssima>o ando>ar endo>er indo>ir ado>ar ada>ar ido>er ido>ir ou>ar eu>er iu>ir "
    "aram>ar ava>ar ia>er ia>ir"
)
_PRESENT = _by_last_letter("a>ar e>er e>ir o>ar o>er o>ir as>ar es>er es>ir am>ar em>er em>ir")
_FEMININE = frozenset(("a", "as"))
"""Endings by which an adjective agrees; "casa" is no form of "caso"."""
_CLITICS = tuple(f"-{word}" for word in "me te se nos vos lhe lhes o a os as lo la los las no na".split())


@lru_cache(maxsize=1)
def _exceptions() -> dict[str, dict[str, tuple[str, ...]]]:
    """The irregular forms of English, each with its lemmas by part of speech."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for key, value in table("exceptions-en").items():
        pos, form = key.split(" ", 1)
        found.setdefault(form, {})[pos] = tuple(value.decode().split("|"))
    return found


def _is(name: str, pos: str, lang: str) -> bool:
    """Whether an entry of a wordnet is of a part of speech: "flower" is no comparative, since "flow" is no adjective."""
    listed = table(f"senses-{lang}").get(name)
    return listed is not None and f" {pos} ".encode() in listed


def _english(form: str) -> Iterator[str]:
    known = table("senses-en")
    if form in known:
        yield form
    irregular = _exceptions().get(form, {})
    for pos, endings in _ENGLISH.items():
        if pos in irregular:
            yield from irregular[pos]
            continue
        for ending, instead in endings.get(form[-1:], ()):
            if form.endswith(ending) and len(form) > len(ending) + 1:
                stem = form[: len(form) - len(ending)]
                if _is(stem + instead, pos, "en"):
                    yield stem + instead
                elif (
                    not instead and pos in "va" and len(stem) > 3 and stem[-1] == stem[-2] and _is(stem[:-1], pos, "en")
                ):
                    yield stem[:-1]
    if form.endswith(("'s", "s'", "’s")):
        yield from _english(form.rstrip("s").rstrip("'’"))
    if " " in form or "-" in form:
        joint = " " if " " in form else "-"
        first, *middle, last = form.split(joint)
        for whole in [joint.join([first, *middle, head]) for head in _english(last)] + [
            joint.join([head, *middle, last]) for head in _english(first)
        ]:
            if whole != form and whole in known:
                yield whole
        if joint == "-":
            for other in (form.replace("-", " "), form.replace("-", "")):
                if other in known:
                    yield other


def _portuguese(form: str) -> Iterator[str]:
    known = table("senses-pt")
    if form in known:
        yield form
    listed = table("forms-pt").get(form)
    if listed is not None:
        yield from listed.decode().split("|")
    parts = form.split(" ")
    if 1 < len(parts) < 5:
        for whole in product(*((part, *lemmas(part, "pt")[:3]) for part in parts)):
            if (name := " ".join(whole)) != form and name in known:
                yield name
    if form.endswith(_CLITICS):
        yield from _portuguese(form[: form.rindex("-")])
    for ending, instead in _PORTUGUESE.get(form[-1:], ()):
        if form.endswith(ending) and len(form) > len(ending) + 1:
            name = form[: len(form) - len(ending)] + instead
            if _is(name, "a", "pt") if ending in _FEMININE else name in known:
                yield name


@lru_cache(maxsize=1 << 16)
def lemmas(form: str, lang: str) -> tuple[str, ...]:
    """Give the dictionary forms that a word form may belong to, most likely first; empty when none is known.

    >>> lemmas("leaves", "en")
    ('leaf', 'leave')
    """
    low = " ".join(form.lower().split())
    return tuple(dict.fromkeys(_portuguese(low) if lang == "pt" else _english(low)))


def verbs_of(form: str) -> tuple[str, ...]:
    """Give the Portuguese verbs that a form may be the present of, which a dictionary with one lemma a form leaves out.

    >>> verbs_of("nada"), verbs_of("sofá")
    (('nadar',), ())
    """
    low = form.lower()
    rules = [rule for rule in _PRESENT.get(low[-1:], ()) if low.endswith(rule[0])]
    found = (low[: len(low) - len(ending)] + instead for ending, instead in rules)
    return tuple(name for name in found if len(name) > 3 and _is(name, "v", "pt"))
