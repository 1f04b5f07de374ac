"""Related words from WordNet 3.0 and OpenWordnet-PT, read straight from their archives."""

from __future__ import annotations

import zipfile
from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}


@dataclass
class Thesaurus:
    """Synsets by id ("n00001740"), each with its words, what stands above it and its gloss."""

    words: dict[str, list[str]] = field(default_factory=dict)
    above: dict[str, list[str]] = field(default_factory=dict)
    gloss: dict[str, str] = field(default_factory=dict)
    below: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    synsets: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    keys: dict[str, str] = field(default_factory=dict)

    def synonyms(self, word: str) -> set[str]:
        """Return the words that share a synset with `word`."""
        found = {w for s in self.synsets.get(word, ()) for w in self.words[s]}
        return found - {word}

    def broader(self, word: str) -> set[str]:
        """Return the words one step above `word`."""
        return {
            w for s in self.synsets.get(word, ()) for up in self.above.get(s, ()) for w in self.words.get(up, ())
        } - {word}

    def siblings(self, word: str) -> set[str]:
        """Return the words that share a broader synset with a sense of `word`."""
        return {
            w
            for s in self.synsets.get(word, ())[:2]
            for up in self.above.get(s, ())
            for down in self.below.get(up, ())[:40]
            for w in self.words.get(down, ())
        } - {word}

    def related_to_key(self, key: str) -> list[str]:
        """Return the words of the synset that a sense key ("toll%1:21:00::") names, and above it."""
        synset = self.keys.get(key)
        if synset is None:
            return []
        found = list(self.words.get(synset, ()))
        for up in self.above.get(synset, ()):
            found += self.words.get(up, ())
        return found

    def parts(self, word: str) -> set[str]:
        """Return the parts of speech that `word` can have: n, v, a, r."""
        return {s[0] for s in self.synsets.get(word, ())}

    def base(self, word: str) -> str:
        """Return the dictionary form of an English word, by WordNet's own suffix rules."""
        if word in self.synsets:
            return word
        for ending, new in _ENDINGS:
            if word.endswith(ending) and len(word) > len(ending) + 1:
                stem = word[: -len(ending)] + new
                if stem in self.synsets:
                    return stem
                if len(stem) > 3 and stem[-1] == stem[-2] and stem[:-1] in self.synsets:
                    return stem[:-1]
        return word


_ENDINGS = (
    ("ies", "y"), ("es", ""), ("s", ""), ("ied", "y"), ("ed", ""), ("ed", "e"),
    ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"), ("est", ""), ("est", "e"),
)  # fmt: skip


def read_wordnet(archive: Path) -> Thesaurus:
    """Return English WordNet from a zip holding data.noun ... data.adv, index.* and index.sense."""
    book = Thesaurus()
    with zipfile.ZipFile(archive) as bundle:
        names = {name.rsplit("/", 1)[-1]: name for name in bundle.namelist()}

        def lines(name: str) -> list[str]:
            text = bundle.read(names[name]).decode("utf-8")
            return [line for line in text.splitlines() if not line.startswith("  ")]

        for part, letter in _PARTS.items():
            for line in lines(f"data.{part}"):
                _read_synset(book, line, letter)
            for line in lines(f"index.{part}"):
                fields = line.split()
                offsets = fields[-int(fields[2]) :]
                book.synsets[_plain(fields[0])] += [letter + offset for offset in offsets]
        kinds = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
        for line in lines("index.sense") if "index.sense" in names else ():
            key, offset = line.split()[:2]
            book.keys[key] = kinds[key.split("%")[1][0]] + offset
    for synset, ups in book.above.items():
        for up in ups:
            book.below[up].append(synset)
    return book


def _read_synset(book: Thesaurus, line: str, letter: str) -> None:
    facts, _, gloss = line.partition(" | ")
    fields = facts.split()
    count = int(fields[3], 16)
    synset = letter + fields[0]
    book.words[synset] = [_plain(fields[4 + 2 * i]) for i in range(count)]
    book.gloss[synset] = gloss.split(";")[0].strip()
    pointers = fields[5 + 2 * count :]
    book.above[synset] = [
        _letter(pointers[i + 2]) + pointers[i + 1]
        for i in range(0, 4 * int(fields[4 + 2 * count]), 4)
        if pointers[i] in ("@", "@i", "&")
    ]


def _letter(part: str) -> str:
    return "a" if part == "s" else part


def _plain(lemma: str) -> str:
    return lemma.split("(")[0].replace("_", " ").lower()


def read_portuguese(archive: Path, english: Thesaurus) -> Thesaurus:
    """Return OpenWordnet-PT from an omw zip: its words in the structure of English WordNet."""
    book = Thesaurus(above=english.above, below=english.below, gloss=english.gloss)
    with zipfile.ZipFile(archive) as bundle:
        name = next(n for n in bundle.namelist() if n.endswith("wn-data-por.tab"))
        for line in bundle.read(name).decode("utf-8").splitlines():
            fields = line.split("\t")
            if len(fields) == 3 and fields[1] == "lemma" and not line.startswith("#"):
                offset, _, part = fields[0].partition("-")
                synset, word = _letter(part) + offset, fields[2].strip().lower()
                book.words.setdefault(synset, []).append(word)
                book.synsets[word].append(synset)
    return book
