"""What the default ranking costs beside BM25 alone, in one run: python -m benchmarks.ranking [--index DIR --queries FILE].

Median and 95th percentile of a query in process, each query asked for the first time (its vectors are not remembered), and
the start of a cold `rimshot search`. Without --index, the embedded sample.
"""

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from rimshot.corpus import read_queries
from rimshot.corpus.sample import sample_path
from rimshot.index import open_index
from rimshot.index.sample import sample_index
from rimshot.rank import DEFAULT, preset, search


def times(pipeline, queries, index):
    for query in queries[:5]:
        search(pipeline, query, index)
    found = []
    for query in queries[5:]:
        start = time.perf_counter()
        search(pipeline, query, index)
        found.append(time.perf_counter() - start)
    return sorted(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--queries", type=Path, default=sample_path("en") / "queries.json")
    args = parser.parse_args()
    index = open_index(args.index or sample_index())
    queries = read_queries(args.queries)
    medians = {}
    for name in ("bm25", DEFAULT):
        found = times(preset(name), queries, index)
        medians[name] = statistics.median(found)
        tail = found[int(0.95 * len(found))]
        print(
            f"{name:6} median {medians[name] * 1e3:7.2f} ms, 95th percentile {tail * 1e3:7.2f} ms, {len(index):,} texts"
        )
    print(f"{DEFAULT} / bm25: {medians[DEFAULT] / medians['bm25']:.0f}")
    command = [sys.executable, "-m", "rimshot.cli", "search", queries[0].text, "--index", str(index.path), "--json"]
    cold = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        cold.append(time.perf_counter() - start)
    print(f"a cold search: {min(cold):.2f} s")


if __name__ == "__main__":
    main()
