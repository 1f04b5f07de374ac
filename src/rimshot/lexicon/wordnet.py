"""English WordNet 3.0 and OpenWordnet-PT behind one door.

Both languages share Princeton's synsets, so a Portuguese word reaches English words and back through the synset.
Look-ups take microseconds and nothing is loaded before the first one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from rimshot.errors import InputError
from rimshot.lexicon.portuguese_glosses import portuguese_gloss
from rimshot.lexicon.store import lexicon_folder, strings, table

__all__ = ["LEXFILES", "Sense", "Synset", "WordNet", "main_lemma", "synset", "synset_words", "wordnet"]

LEXFILES = tuple(
    """
    adj.all adj.pert adv.all noun.Tops noun.act noun.animal noun.artifact noun.attribute noun.body noun.cognition
    noun.communication noun.event noun.feeling noun.food noun.group noun.location noun.motive noun.object noun.person
    noun.phenomenon noun.plant noun.possession noun.process noun.quantity noun.relation noun.shape noun.state
    noun.substance noun.time verb.body verb.change verb.cognition verb.communication verb.competition verb.consumption
    verb.contact verb.creation verb.emotion verb.motion verb.perception verb.possession verb.social verb.stative
    verb.weather adj.ppl
    """.split()
)
"""Names of the lexicographer files, by number (lexnames(5WN))."""

_UP = ("@", "@i")
_DOWN = ("~", "~i")


@dataclass(frozen=True, slots=True)
class Synset:
    """A set of words for one concept, with its place in the net.

    `edges` are (pointer symbol, synset number, word of this synset or 0, word of the other or 0), as in wninput(5WN).
    """

    number: int
    id: str
    pos: str
    lexname: str
    english: tuple[str, ...]
    portuguese: tuple[str, ...]
    edges: tuple[tuple[str, int, int, int], ...]
    gloss: str
    examples: tuple[str, ...]
    count: int

    def targets(self, *symbols: str) -> list[int]:
        """Give the numbers of the synsets reached by these pointers."""
        return [to for symbol, to, _, _ in self.edges if symbol in symbols]

    def words(self, lang: str) -> tuple[str, ...]:
        """Give its words in a language."""
        return self.portuguese if lang == "pt" else self.english


_ENGLISH_WORDS, _PORTUGUESE_WORDS = 4, 5
"""The places of these fields in a compiled synset."""


@dataclass(frozen=True, slots=True)
class Sense:
    """One meaning of one word: `key` is the WordNet 3.0 sense key, or word#synset for Portuguese."""

    key: str
    lemma: str
    synset: int
    pos: str
    lexname: str
    rank: int
    count: int
    lang: str

    @property
    def gloss(self) -> str:
        """Its definition; that of a Portuguese sense is English where none has been written in Portuguese."""
        here = synset(self.synset)
        return (portuguese_gloss(here.id) if self.lang == "pt" else None) or here.gloss


@lru_cache(maxsize=1 << 16)
def synset(number: int) -> Synset:
    """Give a synset by its number."""
    id_, pos, lexfile, count, english, portuguese, edges, gloss = strings("synsets")[number].split("\t")
    definition, *examples = gloss.split('; "')
    return Synset(
        number,
        id_,
        pos,
        LEXFILES[int(lexfile)],
        tuple(english.split("|")),
        tuple(portuguese.split("|")) if portuguese else (),
        tuple(_edge(edge) for edge in edges.split(" ")) if edges else (),
        definition.strip('" '),
        tuple(example.strip('"; ') for example in examples),
        int(count),
    )


@lru_cache(maxsize=1 << 16)
def synset_words(number: int, lang: str) -> tuple[str, ...]:
    """Give the words of a synset in a language, without reading the rest of it.

    >>> synset_words(wordnet("en").senses("goose", "n")[0].synset, "pt")
    ('gansa', 'ganso')
    """
    fields = strings("synsets")[number].split("\t", _PORTUGUESE_WORDS + 1)
    listed = fields[_PORTUGUESE_WORDS if lang == "pt" else _ENGLISH_WORDS]
    return tuple(listed.split("|")) if listed else ()


def _edge(text: str) -> tuple[str, int, int, int]:
    symbol, to, here, there = text.split(",")
    return symbol, int(to), int(here), int(there)


class WordNet:
    """The words of one language over the shared synsets; get one with `wordnet(lang)`."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        lexicon_folder()

    def __contains__(self, lemma: str) -> bool:
        return bool(self.senses(lemma))

    def __len__(self) -> int:
        return len(table(f"senses-{self.lang}"))

    def senses(self, lemma: str, pos: str | None = None) -> tuple[Sense, ...]:
        """Give the senses of a lemma, most usual first; `pos` is one of n, v, a, r.

        >>> wordnet("en").senses("bank", "n")[0].gloss
        'sloping land (especially the slope beside a body of water)'
        """
        found = _senses(self.lang, lemma.lower())
        return found if pos is None else tuple(sense for sense in found if sense.pos == pos)

    def lemmas(self, form: str) -> tuple[str, ...]:
        """Give the lemmas that a form may belong to, itself first when it is one.

        >>> wordnet("en").lemmas("geese")
        ('goose',)
        """
        from rimshot.lexicon.lemma import lemmas

        return tuple(lemma for lemma in lemmas(form, self.lang) if self.senses(lemma))

    def readings(self, form: str) -> tuple[str, ...]:
        """Give the lemmas that a pun may play on: also verbs that a topic of that form would hardly mean.

        >>> wordnet("pt").lemmas("nada"), wordnet("pt").readings("nada")
        (('nada',), ('nada', 'nadar'))
        """
        from rimshot.lexicon.lemma import verbs_of

        return tuple(dict.fromkeys((*self.lemmas(form), *(verbs_of(form) if self.lang == "pt" else ()))))

    def senses_of(self, form: str, pos: str | None = None) -> tuple[Sense, ...]:
        """Give the senses of all readings of a form."""
        return tuple(sense for lemma in self.readings(form) for sense in self.senses(lemma, pos))

    def sense(self, key: str) -> Sense:
        """Give the sense of a sense key."""
        lemma = (key.split("%")[0] if self.lang == "en" else key.split("#")[0]).replace("_", " ")
        for sense in self.senses(lemma):
            if sense.key == key:
                return sense
        raise InputError(f'sense key "{key}" is not in WordNet 3.0; a key looks like bank%1:17:01::')

    def synonyms(self, lemma: str) -> list[str]:
        """Give the other words of its synsets, most usual sense first."""
        return list(
            dict.fromkeys(w for s in self.senses(lemma) for w in self.words(s.synset) if w.lower() != lemma.lower())
        )

    def words(self, number: int) -> tuple[str, ...]:
        """Give the words of a synset in this language."""
        return synset_words(number, self.lang)

    def hypernyms(self, number: int, depth: int = 1) -> list[tuple[int, int]]:
        """Give (synset, distance) of the concepts above one, nearest first."""
        return list(_walk(number, _UP, depth))

    def hyponyms(self, number: int, depth: int = 1) -> list[tuple[int, int]]:
        """Give (synset, distance) of the concepts below one, nearest first."""
        return list(_walk(number, _DOWN, depth))


def _walk(start: int, symbols: tuple[str, ...], depth: int) -> Iterator[tuple[int, int]]:
    seen = {start}
    front: Iterable[int] = (start,)
    for distance in range(1, depth + 1):
        reached = [to for number in front for to in synset(number).targets(*symbols) if to not in seen]
        front = list(dict.fromkeys(reached))
        seen.update(front)
        for number in front:
            yield number, distance


@lru_cache(maxsize=1 << 16)
def _senses(lang: str, lemma: str) -> tuple[Sense, ...]:
    raw = table(f"senses-{lang}").get(lemma)
    if raw is None:
        return ()
    found = []
    for rank, line in enumerate(raw.decode().split("\n"), 1):
        number, count, pos, lexfile, key = line.split(" ", 4)
        found.append(Sense(key, lemma, int(number), pos, LEXFILES[int(lexfile)], rank, int(count), lang))
    return tuple(found)


def main_lemma(form: str, lang: str) -> str:
    """Give the lemma of a form that is used most, the form itself when none is known.

    >>> main_lemma("selling", "en"), main_lemma("banks", "en")
    ('sell', 'bank')
    """
    net = wordnet(lang)
    return max(net.lemmas(form), key=lambda name: sum(sense.count for sense in net.senses(name)), default=form)


@lru_cache(maxsize=2)
def wordnet(lang: str) -> WordNet:
    """Give the wordnet of a language, "en" or "pt"."""
    if lang not in ("en", "pt"):
        raise InputError(f'language "{lang}" has no wordnet here; use en or pt')
    return WordNet(lang)
