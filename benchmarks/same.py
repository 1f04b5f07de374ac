"""What asking for retellings costs beside BM25, in one run: python -m benchmarks.same [--index DIR] [--asked 100].

Texts of the index are asked, a word added so that none is known before; processor time, median and 95th percentile, once
twenty have been asked. Without --index, the embedded sample, where a Portuguese text is translated to be compared with
English ones.
"""

import argparse
import time
from pathlib import Path

import numpy as np

from rimshot.corpus import Query
from rimshot.index import open_index
from rimshot.index.sample import sample_index
from rimshot.rank import parse, search

WARM = 20


def milliseconds(pipeline, texts, lang, index):
    found = []
    for text in texts:
        begin = time.process_time()
        search(pipeline, Query("1", f"{text} {len(found)}", lang), index)
        found.append(1000 * (time.process_time() - begin))
    return np.array(found[WARM:])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--asked", type=int, default=100)
    args = parser.parse_args()
    index = open_index(args.index or sample_index())
    for lang in index.languages:
        mine = [number for number in range(index.size) if index.lang(number) == lang]
        texts = [index.text(number) for number in mine[:: max(1, len(mine) // (args.asked + WARM))]][
            : args.asked + WARM
        ]
        medians = []
        for name, text in (("same", "Same()"), ("bm25", "Bm25() % 60")):
            spent = milliseconds(parse(text), texts, lang, index)
            medians.append(float(np.median(spent)))
            print(
                f"{lang} {name:5} median {medians[-1]:6.2f} ms, 95th percentile {np.quantile(spent, 0.95):6.2f} ms, {len(spent)} asked"
            )
        print(f"{lang} same / bm25: {medians[0] / medians[1]:.0f}")


if __name__ == "__main__":
    main()
