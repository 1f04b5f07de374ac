"""What the default ranking costs beside BM25 alone, in one run: python -m benchmarks.ranking [--index DIR --queries FILE].

Median and 95th percentile of a query in process, each query asked for the first time (its vectors are not remembered), a
batch of 219 queries with 1000 results each, the memory held then, and the start of a cold `rimshot search`. Without --index,
the embedded sample. "cpu" is processor time, which other work on the machine changes less than the time on the clock.
"""

import argparse
import resource
import statistics
import subprocess
import sys
import time
from itertools import chain, islice
from pathlib import Path

from rimshot.corpus import read_queries
from rimshot.corpus.sample import sample_path
from rimshot.index import open_index
from rimshot.index.sample import sample_index
from rimshot.rank import DEFAULT, preset, search

BATCH = 219


def times(pipeline, queries, index):
    """Give seconds on the clock, rising, and the median of processor seconds."""
    for query in queries[:5]:
        search(pipeline, query, index)
    found, worked = [], []
    for query in queries[5:]:
        start, before = time.perf_counter(), time.process_time()
        search(pipeline, query, index)
        found.append(time.perf_counter() - start)
        worked.append(time.process_time() - before)
    return sorted(found), statistics.median(worked)


def batch(pipeline, queries, index):
    """Give the seconds that a run of 219 queries takes, the later ones being pairs of the earlier."""
    several = [query.text for query in queries]
    pairs = (
        f"{one} {other}" for step in range(1, len(several)) for one, other in zip(several, several[step:], strict=False)
    )
    start, before = time.perf_counter(), time.process_time()
    for text in islice(chain(several, pairs), BATCH):
        search(pipeline, text, index)
    return time.perf_counter() - start, time.process_time() - before


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--index", type=Path)
    parser.add_argument("--queries", type=Path, default=sample_path("en") / "queries.json")
    args = parser.parse_args()
    index = open_index(args.index or sample_index())
    queries = read_queries(args.queries)
    medians = {}
    for name in ("bm25", DEFAULT):
        found, worked = times(preset(name), queries, index)
        medians[name] = statistics.median(found)
        tail = found[int(0.95 * len(found))]
        print(
            f"{name:6} median {medians[name] * 1e3:7.2f} ms (cpu {worked * 1e3:.2f} ms), "
            f"95th percentile {tail * 1e3:7.2f} ms, {len(index):,} texts"
        )
    print(f"{DEFAULT} / bm25: {medians[DEFAULT] / medians['bm25']:.0f}")
    seconds, worked = batch(preset(DEFAULT), queries, index)
    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"{BATCH} queries x 1000: {seconds:.2f} s (cpu {worked:.2f} s); at most {held:.0f} MB resident")
    command = [sys.executable, "-m", "rimshot.cli", "search", queries[0].text, "--index", str(index.path), "--json"]
    cold = []
    for _ in range(3):
        start = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        cold.append(time.perf_counter() - start)
    print(f"a cold search: {min(cold):.2f} s")


if __name__ == "__main__":
    main()
