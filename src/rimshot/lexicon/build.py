"""Compile the lexicon: raw data files of installed packages into mapped tables in the cache folder.

`python -m rimshot.lexicon.build` does it beforehand so that nobody waits; the first look-up does it otherwise.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator
from math import log10
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from rimshot.lexicon import princeton
from rimshot.lexicon.heard import names, said
from rimshot.lexicon.phones import ARPABET, PHONES
from rimshot.lexicon.portuguese import pronounce
from rimshot.lexicon.skeleton import keys, numbers
from rimshot.lexicon.store import source
from rimshot.lexicon.table import Table, write_strings, write_table

__all__ = ["compile_lexicon"]


def compile_lexicon(folder: Path) -> None:
    """Write every table of the lexicon into a folder."""
    _compile_wordnets(folder)
    _compile_forms(folder)
    usual = {lang: _compile_frequencies(folder, lang) for lang in ("en", "pt")}
    _compile_pronunciations(folder, usual)
    _compile_pairs(folder)


def _compile_wordnets(folder: Path) -> None:
    with ZipFile(source("wordnet")) as zipped:
        entries = list(princeton.read_synsets(zipped))
        senses = list(princeton.read_senses(zipped))
        exceptions = princeton.read_exceptions(zipped)
    numbers = {entry.id: number for number, entry in enumerate(entries)}
    with ZipFile(source("omw")) as zipped:
        for id_, word in princeton.read_portuguese(zipped):
            if id_ in numbers:
                entries[numbers[id_]].portuguese.append(word)
    counts = [0] * len(entries)
    english: dict[str, list[princeton.SenseLine]] = defaultdict(list)
    for line in senses:
        counts[numbers[line.synset]] += line.count
        english[line.lemma].append(line)
    write_table(
        folder / "senses-en.tab",
        ((lemma, _packed(_ordered(lines), numbers, entries)) for lemma, lines in sorted(english.items())),
    )
    portuguese: dict[str, list[int]] = defaultdict(list)
    for number, entry in enumerate(entries):
        for word in {word.lower(): None for word in entry.portuguese}:
            portuguese[word].append(number)
    rows = ((word, _packed_pt(word, found, entries, counts)) for word, found in sorted(portuguese.items()))
    write_table(folder / "senses-pt.tab", rows)
    irregular = ((form, "|".join(found).encode()) for form, found in exceptions.items())
    write_table(folder / "exceptions-en.tab", irregular)
    write_strings(folder / "synsets.str", (_row(entry, counts[i], numbers) for i, entry in enumerate(entries)))


def _ordered(lines: list[princeton.SenseLine]) -> list[princeton.SenseLine]:
    # Parts of speech are ranked apart in index.sense; the tag count decides between them, the rank within one.
    order = {"n": 0, "v": 1, "a": 2, "r": 3}
    return sorted(lines, key=lambda line: (-line.count, line.rank, order[line.synset[-1]]))


def _packed(lines: list[princeton.SenseLine], numbers: dict[str, int], entries: list[princeton.Entry]) -> bytes:
    rows = []
    for line in lines:
        number = numbers[line.synset]
        rows.append(f"{number} {line.count} {line.synset[-1]} {entries[number].lexfile} {line.key}")
    return "\n".join(rows).encode()


def _packed_pt(word: str, found: list[int], entries: list[princeton.Entry], counts: list[int]) -> bytes:
    key = word.replace(" ", "_")
    rows = [
        f"{number} {counts[number]} {entries[number].id[-1]} {entries[number].lexfile} {key}#{entries[number].id}"
        for number in sorted(found, key=lambda number: (-counts[number], number))
    ]
    return "\n".join(rows).encode()


def _row(entry: princeton.Entry, count: int, numbers: dict[str, int]) -> str:
    edges = " ".join(f"{symbol},{numbers[to]},{here},{there}" for symbol, to, here, there in entry.edges)
    portuguese = "|".join(dict.fromkeys(entry.portuguese))
    parts = (entry.id, entry.pos, entry.lexfile, count, "|".join(entry.words), portuguese, edges, entry.gloss)
    return "\t".join(str(part).replace("\t", " ") for part in parts)


def _compile_forms(folder: Path) -> None:
    """Portuguese forms and their lemmas, from simplemma's front-coded dictionary."""
    from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

    found = DefaultDictionaryFactory().get_dictionary("pt")
    write_table(folder / "forms-pt.tab", ((form.lower(), lemma.lower().encode()) for form, lemma in found.items()))


def _compile_frequencies(folder: Path, lang: str) -> list[str]:
    """Write the Zipf frequencies and give the words worth sounding out."""
    counts: dict[str, int] = json.loads(gzip.decompress(source(f"words-{lang}").read_bytes()))
    scale = 9 - log10(sum(counts.values()))
    zipfs = {word: log10(count) + scale for word, count in counts.items() if count > 0}
    write_table(
        folder / f"words-{lang}.tab", ((word, str(round(100 * value)).encode()) for word, value in zipfs.items())
    )
    known = Table(folder / f"senses-{lang}.tab")
    extra = (word for word, _ in known.items() if " " not in word and word not in zipfs)
    floor = min(zipfs.values()) + 0.01
    return [word for word, value in zipfs.items() if value > floor or word in known] + list(extra)


def _compile_pronunciations(folder: Path, usual: dict[str, list[str]]) -> None:
    """The CMU dictionary in our letters, and for each language the words by their sounds."""
    found: dict[str, list[str]] = defaultdict(list)
    for line in source("cmudict").read_text(encoding="utf-8").splitlines():
        word, *names = line.partition("#")[0].split()
        sounds = "".join("@" if name == "AH0" else ARPABET[name.rstrip("012")] for name in names)
        word = word.partition("(")[0]
        if sounds not in found[word]:
            found[word].append(sounds)
    write_table(folder / "sounds-en.tab", ((word, " ".join(sounds).encode()) for word, sounds in found.items()))
    _compile_alike(folder, "en", [(word, sounds) for word in usual["en"] for sounds in found.get(word, ())[:2]])
    read = [*((word, word) for word in usual["pt"]), *_heard_in_portuguese(folder)]
    portuguese = dict.fromkeys((word, sounds) for word, spelled in read for sounds in pronounce(spelled, "pt"))
    _compile_alike(folder, "pt", list(portuguese))


def _heard_in_portuguese(folder: Path) -> Iterator[tuple[str, str]]:
    """What else Portuguese puns play on, each with how it is read: names, phrases, sayings, usual English words."""
    for name, spelled in names().items():
        for reading in (name, *spelled):
            yield name, reading
    for phrase in sorted(said()):
        yield phrase, phrase
    for word, _ in Table(folder / "senses-pt.tab").items():
        if 0 < word.count(" ") < 4:
            yield word, word
    for line in (Path(__file__).parent / "idioms_pt.txt").read_text(encoding="utf-8").splitlines():
        yield line.strip(), line.strip()
    for word, value in Table(folder / "words-en.tab").items():
        if int(value) >= _USUAL_ENGLISH:
            yield word, word


_USUAL_ENGLISH = 330
"""Zipf frequency, in hundredths, from which an English word may be heard in a Portuguese pun."""


def _compile_alike(folder: Path, lang: str, pairs: list[tuple[str, str]]) -> None:
    """Index words by consonant skeleton and its neighbours, and under "=" by the exact sounds."""
    pairs = [(word, sounds) for word, sounds in pairs if 1 < len(sounds) <= 24]
    where: dict[str, list[int]] = defaultdict(list)
    rows = np.full((len(pairs), 24), len(PHONES), np.uint8)
    for number, (_, sounds) in enumerate(pairs):
        rows[number, : len(sounds)] = numbers(sounds)
        for key in keys(sounds):
            where[key].append(number)
        where[f"={sounds}"].append(number)
    np.save(folder / f"alike-{lang}-phones.npy", rows)
    np.save(folder / f"alike-{lang}-lengths.npy", np.array([len(sounds) for _, sounds in pairs], np.uint8))
    write_strings(folder / f"alike-{lang}.str", (word for word, _ in pairs))
    write_table(folder / f"keys-{lang}.tab", ((key, np.array(v, np.uint32).tobytes()) for key, v in where.items()))


def _compile_pairs(folder: Path) -> None:
    """English pairs of words and the logarithm of their count, in hundredths."""
    rows = (line.rsplit(" ", 1) for line in source("pairs-en").read_text(encoding="utf-8-sig").splitlines() if line)
    write_table(folder / "pairs-en.tab", ((pair, str(round(100 * log10(int(count)))).encode()) for pair, count in rows))


def main() -> None:
    """Compile the lexicon unless it is already there."""
    from rimshot.lexicon.store import lexicon_folder

    lexicon_folder()


if __name__ == "__main__":
    main()
