"""Finding the manner of jokes: python -m rimshot.wordplay.manner_fit --data ../shared/data.

Logistic regression of the sentence vectors of training puns and their twins against plain sentences: in English those with which
WordNet shows how words are used, since the training texts have no everyday ones (and without those that stand in the development
collection, where there is one); in Portuguese the plain training texts. The figures printed are of a direction that was fitted
without half of the plain ones (in English without those of every second synset), the one written is fitted on all.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rimshot.wordplay.everyday import everyday
from rimshot.wordplay.labelled import read_collection
from rimshot.wordplay.manner import PATH
from rimshot.wordplay.measure import auc
from rimshot.wordplay.stack_fit import fit_weights

__all__ = ["main"]

_PULL = 0.1
_MOST = 3000
TWINS = ("edit", "punnypattern")
"""Sources whose texts that are no jokes are jokes with a word swapped."""


def main(argv: Sequence[str] | None = None) -> int:
    """Encode, fit, print, write."""
    from rimshot.wordplay.encoder import choose_encoder

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with en/train and pt/train, and maybe en/dev")
    args = parser.parse_args(argv)
    encoder = choose_encoder()
    known = {}
    for lang in ("en", "pt"):
        lines = (args.data / lang / "train" / "texts.jsonl").read_text(encoding="utf-8").splitlines()
        records = [json.loads(line) for line in lines]
        jokes = [record["text"] for record in records if record["humorous"] or record["source"] in TWINS]
        others = [record["text"] for record in records if not record["humorous"] and record["source"] not in TWINS]
        plain, apart = others[::2], others[1::2]
        if lang == "en":
            folder = args.data / lang / "dev"
            measured = list(read_collection(folder).documents.values()) if folder.exists() else []
            plain, apart = (everyday(part, _MOST, measured) for part in (0, 1))
        funny, dull, unseen = (encoder.encode(texts, lang) for texts in (jokes, plain, apart))
        half = _direction(funny, dull)
        told = auc(funny @ half[:-1], unseen @ half[:-1])
        whole = np.concatenate([dull, unseen])
        sys.stdout.write(
            f"{lang}: {len(funny)} jokes and twins, {len(whole)} plain, unseen plain ones told with AUC {told:.3f}\n"
        )
        known[lang] = _direction(funny, whole)
    np.savez(PATH, en=known["en"], pt=known["pt"])
    return 0


def _direction(funny: NDArray[np.float32], dull: NDArray[np.float32]) -> NDArray[np.float32]:
    truth = np.arange(len(funny) + len(dull)) < len(funny)
    return fit_weights(np.concatenate([funny, dull]).astype(np.float64), truth, _PULL).astype(np.float32)


if __name__ == "__main__":
    sys.exit(main())
