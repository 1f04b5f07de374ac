"""What asking for retellings costs beside BM25, in one run: python -m benchmarks.same [--index DIR] [--asked 100].

Texts of the index are asked, a word added so that none is known before; median and 95th percentile on the clock, and the
median of processor time ("cpu"), once twenty have been asked. Without --index, the embedded sample, where a Portuguese text is
translated to be compared with English ones.
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
    """Give milliseconds on the clock and of processor time, [asked, 2]."""
    found = []
    for text in texts:
        begin, before = time.perf_counter(), time.process_time()
        search(pipeline, Query("1", f"{text} {len(found)}", lang), index)
        found.append((1000 * (time.perf_counter() - begin), 1000 * (time.process_time() - before)))
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
            clock, worked = np.median(spent, axis=0)
            medians.append(clock)
            slowest = np.quantile(spent[:, 0], 0.95)
            print(
                f"{lang} {name:5} median {clock:6.2f} ms (cpu {worked:6.2f}), 95th percentile {slowest:6.2f} ms, {len(spent)} asked"
            )
        print(f"{lang} same / bm25: {medians[0] / medians[1]:.0f}")


if __name__ == "__main__":
    main()
