"""Reader of the WordNet 3.0 database files and of the Open Multilingual Wordnet's Portuguese table.

Formats: wndb(5WN), senseidx(5WN) and morphy(7WN) of Princeton WordNet 3.0 (Fellbaum 1998); OpenWordnet-PT (de Paiva,
Rademaker and de Melo 2012) as lines of `offset-pos TAB lemma TAB word`. Both are read from the zip files of a data
package and compiled once; see `rimshot.lexicon.build`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from zipfile import ZipFile

__all__ = ["Entry", "SenseLine", "read_exceptions", "read_portuguese", "read_senses", "read_synsets"]

_FILES = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_NUMBER_POS = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "s"}


@dataclass(slots=True)
class Entry:
    """One synset as the database has it: `id` is offset-pos with pos in n, v, a, r (satellites count as a)."""

    id: str
    pos: str
    lexfile: int
    words: list[str]
    edges: list[tuple[str, str, int, int]]
    gloss: str
    portuguese: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class SenseLine:
    """One line of index.sense: the sense key, its synset, its rank for the lemma and how often it was tagged."""

    key: str
    lemma: str
    synset: str
    rank: int
    count: int


def _lines(zipped: ZipFile, name: str) -> Iterator[str]:
    for line in zipped.read(f"wordnet/{name}").decode("utf-8").splitlines():
        if not line.startswith("  "):
            yield line


def read_synsets(zipped: ZipFile) -> Iterator[Entry]:
    """Give every synset of the data files, nouns first."""
    for pos, name in _FILES.items():
        for line in _lines(zipped, f"data.{name}"):
            head, _, gloss = line.partition(" | ")
            parts = head.split(" ")
            count = int(parts[3], 16)
            # Adjectives carry a syntactic marker in brackets, "galore(ip)", that is no part of the word.
            words = [parts[4 + 2 * i].partition("(")[0].replace("_", " ") for i in range(count)]
            place = 4 + 2 * count
            edges = []
            for i in range(int(parts[place])):
                symbol, offset, target, ends = parts[place + 1 + 4 * i : place + 5 + 4 * i]
                edges.append(
                    (symbol, f"{offset}-{'a' if target == 's' else target}", int(ends[:2], 16), int(ends[2:], 16))
                )
            yield Entry(f"{parts[0]}-{pos}", parts[2], int(parts[1]), words, edges, gloss.strip())


def read_senses(zipped: ZipFile) -> Iterator[SenseLine]:
    """Give every line of index.sense."""
    for line in _lines(zipped, "index.sense"):
        key, offset, rank, count = line.split(" ")
        lemma, _, rest = key.partition("%")
        pos = _NUMBER_POS[rest[0]]
        yield SenseLine(key, lemma.replace("_", " "), f"{offset}-{'a' if pos == 's' else pos}", int(rank), int(count))


def read_exceptions(zipped: ZipFile) -> dict[str, list[str]]:
    """Give the irregular forms: "n geese" -> ["goose"]."""
    found: dict[str, list[str]] = defaultdict(list)
    for pos, name in _FILES.items():
        for line in _lines(zipped, f"{name}.exc"):
            form, *lemmas = (part.replace("_", " ") for part in line.split(" "))
            found[f"{pos} {form}"] += [lemma for lemma in lemmas if lemma not in found[f"{pos} {form}"]]
    return dict(found)


def read_portuguese(zipped: ZipFile) -> Iterator[tuple[str, str]]:
    """Give (synset id, Portuguese word) pairs."""
    for line in zipped.read("omw-1.4/por/wn-data-por.tab").decode("utf-8").splitlines():
        if not line.startswith("#"):
            synset, _, word = line.split("\t")[:3]
            yield synset.replace("-s", "-a"), " ".join(word.replace("_", " ").split())
