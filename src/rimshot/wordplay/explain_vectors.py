"""Make the short vectors that an explanation reads: of English words, of their senses, and of sentences with these.

    python -m rimshot.wordplay.explain_vectors glosses
    python -m rimshot.wordplay.explain_vectors examples
    python -m rimshot.wordplay.explain_vectors words --encoder FOLDER
    python -m rimshot.wordplay.explain_vectors associations --lang pt

`glosses` writes lexicon/glosses.npz with the shipped encoder, whose sentence vectors it is compared with: make it anew
when that encoder's space has changed, then `examples`, which writes explain_examples.npz in the directions of the glosses,
then fit again (docs/explain.md). `words` writes lexicon/vectors_en.npz; it needs
no space in common with anything, so a better encoder than the shipped one may make it (the shipped file was made with
all-MiniLM-L6-v2). All keep the directions in which their vectors differ most, rounded to bytes.
`associations` writes lexicon/associations_LANG.npz out of the lists of words that call each other up, and needs scipy.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.corpus.document import LANGUAGES
from rimshot.lexicon import glosses, vectors
from rimshot.lexicon.clues import listed
from rimshot.lexicon.frequency import zipf
from rimshot.lexicon.lemma import lemmas
from rimshot.lexicon.store import table
from rimshot.lexicon.wordnet import Synset, synset, wordnet
from rimshot.wordplay import explain_senses
from rimshot.wordplay.encoder import Encoder, choose_encoder

__all__ = ["main_directions", "make_associations", "make_examples", "make_glosses", "make_words"]

GLOSS_DIRECTIONS, WORD_DIRECTIONS, ASSOCIATIONS = 96, 80, 160
_CHUNK = 512
_EXAMPLES = 3
"""Example sentences of a sense that are kept."""
_TELLING = 4.0
"""Zipf frequency below which a word of a phrase calls it up."""
_RAREST = 1.5
"""Zipf frequency from which a word of the frequency list gets a vector; words of the wordnet all do."""


def main_directions(rows: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    """Give the `count` directions in which centred rows differ most, as columns.

    >>> rows = np.array([[2.0, 0.1], [-2.0, -0.1], [2.0, -0.1], [-2.0, 0.1]], np.float32)
    >>> np.round(np.abs(main_directions(rows, 1)), 3).ravel().tolist()
    [1.0, 0.0]
    """
    spread = (rows.T @ rows).astype(np.float64)
    _, directions = np.linalg.eigh(spread)
    kept: NDArray[np.float32] = directions[:, ::-1][:, :count].astype(np.float32)
    return kept


def _encoded(texts: Sequence[str], encoder: Encoder) -> NDArray[np.float32]:
    parts = []
    for start in range(0, len(texts), _CHUNK):
        parts.append(encoder.encode(texts[start : start + _CHUNK], "en"))
        sys.stderr.write(f"\r{min(start + _CHUNK, len(texts))} of {len(texts)}")
    sys.stderr.write("\n")
    return np.concatenate(parts)


def _as_bytes(rows: NDArray[np.float32]) -> NDArray[np.int8]:
    scale = np.abs(rows).max(axis=1, keepdims=True)
    found: NDArray[np.int8] = np.round(127 * rows / np.maximum(scale, 1e-9)).astype(np.int8)
    return found


def _told(here: Synset) -> str:
    return f"{', '.join(here.english)}: {here.gloss}"


def _ambiguous() -> list[int]:
    """The synsets of English words with two senses or more."""
    net = wordnet("en")
    found = (net.senses(lemma) for lemma, _ in table("senses-en").items())
    return sorted({sense.synset for senses in found if len(senses) > 1 for sense in senses})


def make_glosses(path: Path, encoder: Encoder, most: int | None = None) -> None:
    """Write the vectors of the senses of ambiguous English words, by the words and the definition of each."""
    numbers = _ambiguous()[:most]
    here = [synset(number) for number in numbers]
    rows = _encoded([_told(one) for one in here], encoder)
    # Texts and definitions lie in different parts of the space: each kind is centred by itself, texts by the examples.
    examples = [example for one in here for example in one.examples[:1]]
    centre = _encoded(examples[:: max(1, len(examples) // 4000)], encoder).mean(axis=0)
    rows -= rows.mean(axis=0)
    basis = main_directions(rows, GLOSS_DIRECTIONS)
    np.savez(
        path,
        rows=_as_bytes(rows @ basis),
        synsets=np.array(numbers, np.int32),
        basis=basis.astype(np.float16),
        text_mean=centre.astype(np.float32),
    )


def make_examples(path: Path, encoder: Encoder, most: int | None = None, told_by: Path = glosses.PATH) -> None:
    """Write the vectors of WordNet's examples for the senses of ambiguous English words, in the directions of glosses."""
    told = [(number, example) for number in _ambiguous()[:most] for example in synset(number).examples[:_EXAMPLES]]
    rows = _encoded([example for _, example in told], encoder)
    rows -= rows.mean(axis=0)
    numbers = np.array([number for number, _ in told], np.int32)
    with np.load(told_by, allow_pickle=False) as file:
        basis = file["basis"].astype(np.float32)
    np.savez(path, rows=_as_bytes(rows @ basis), synsets=numbers)


def make_words(path: Path, encoder: Encoder, most: int | None = None) -> None:
    """Write the vectors of English words, most usual first."""
    listed = [word for word, _ in table("words-en").items() if zipf(word, "en") >= _RAREST]
    known = [word for word, _ in table("senses-en").items() if " " not in word]
    words = sorted(dict.fromkeys([*listed, *known]), key=lambda word: (-zipf(word, "en"), word))[:most]
    rows = _encoded(words, encoder)
    rows -= rows.mean(axis=0)
    vectors.write_vectors(path, words, rows @ main_directions(rows, WORD_DIRECTIONS))


def make_associations(path: Path, lang: str, most: int | None = None) -> None:
    """Write the vectors of words by what calls them up: latent semantic analysis of the lists of ``rimshot.lexicon.clues``.

    Each meaning of a listed word is a little text: the word, for one of several its parts too, and its clues, and the
    lemmas of all at half weight.
    """
    from scipy.sparse import csr_array, diags_array
    from scipy.sparse.linalg import svds

    known = listed(lang)
    texts = [(word, *_parts(word, lang), *told) for word, groups in known.items() for told in groups][:most]
    where: dict[str, int] = {}
    cells: list[tuple[int, int, float]] = []
    for number, text in enumerate(texts):
        for word in text:
            for name, weight in ((word, 1.0), ((lemmas(word, lang) or (word,))[0], 0.5)):
                cells.append((where.setdefault(name, len(where)), number, weight))
    rows, columns, weights = zip(*cells, strict=True)
    table = csr_array((weights, (rows, columns)), shape=(len(where), len(texts)))
    rarity = np.log(len(texts) / np.maximum(1, (table > 0).sum(axis=1)))
    table = diags_array(rarity) @ table
    table = diags_array(1 / np.sqrt(np.maximum(1e-9, (table * table).sum(axis=1)))) @ table
    count = min(ASSOCIATIONS, len(where) - 1, len(texts) - 1)
    left, sizes, _ = svds(table, k=count, v0=np.ones(min(table.shape)))
    vectors.write_vectors(path, list(where), (left * sizes).astype(np.float32))


def _parts(word: str, lang: str) -> list[str]:
    """The words of a name or phrase that are rare enough to call it up."""
    return [part for part in word.split() if part != word and zipf(part, lang) < _TELLING]


def main() -> None:
    """Make one of the files."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("glosses", "examples", "words", "associations"))
    parser.add_argument(
        "--encoder", default="default", help="as for rimshot index --encoder (default: the shipped one)"
    )
    parser.add_argument("--lang", default="en", choices=LANGUAGES, help="of the associations (default: en)")
    parser.add_argument("--out", type=Path, help="file to write (default: in place, beside the lexicon)")
    parser.add_argument("--most", type=int, help="make only so many rows, to try it out")
    args = parser.parse_args()
    if args.what == "associations":
        make_associations(
            args.out or Path(vectors.__file__).with_name(f"associations_{args.lang}.npz"), args.lang, args.most
        )
        return
    encoder = choose_encoder(args.encoder)
    if args.what == "glosses":
        make_glosses(args.out or glosses.PATH, encoder, args.most)
    elif args.what == "examples":
        make_examples(args.out or explain_senses.PATH, encoder, args.most)
    else:
        make_words(args.out or Path(vectors.__file__).with_name("vectors_en.npz"), encoder, args.most)


if __name__ == "__main__":
    main()
