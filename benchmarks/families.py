"""What finding families costs, and how it grows: python -m benchmarks.families [--sizes 20000 40000 80000].

Short texts made with a seed: words by Zipf's law, every tenth text a retelling of an earlier one (a third of its words changed),
vectors of 384 numbers (as jokes 640) in 400 topics, so that every text has many neighbours of like meaning that are other jokes.
Reported for each size: seconds, seconds of one core (what counts on a busy machine), peak memory of the process, families, and the share of
retellings in the family of their original. With --index DIR, also the median and the 95th percentile of `rimshot same` on it, warm, in
milliseconds on the clock and of one core.
"""

import argparse
import json
import resource
import subprocess
import sys
import time

import numpy as np

from benchmarks.lexical import made_texts
from rimshot.retell.families import Material, find_families
from rimshot.retell.similarity import shipped_similarity


def made_collection(count, seed=1):
    """Texts, vectors of meaning, of endings and of jokes, and for each text the one it retells (or itself)."""
    rng = np.random.default_rng(seed)
    texts = [doc.text for doc in made_texts(count, seed)[0]]
    topics = rng.normal(size=(400, 384)).astype(np.float32)
    meaning = topics[rng.integers(0, 400, count)] + 1.1 * rng.normal(size=(count, 384)).astype(np.float32)
    ending = 0.5 * meaning + rng.normal(size=(count, 384)).astype(np.float32)
    origin = np.arange(count)
    for number in range(10, count, 10):
        source = int(rng.integers(0, number))
        source = int(origin[source])
        words, other = texts[source].split(), texts[number].split()
        for at in range(0, len(words), 3):
            words[at] = other[at % len(other)]
        texts[number], origin[number] = " ".join(words), source
        meaning[number] = meaning[source] + 0.5 * rng.normal(size=384)
        ending[number] = ending[source] + 0.4 * rng.normal(size=384)
    for vectors in (meaning, ending):
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    meaning, ending = meaning.astype(np.float16), ending.astype(np.float16)
    joke = np.hstack([meaning, meaning[:, :256]]) + 0.04 * rng.normal(size=(count, 640)).astype(np.float32)
    joke += (origin != np.arange(count))[:, None] * (joke[origin] - joke) * 0.7
    joke /= np.linalg.norm(joke, axis=1, keepdims=True)
    return texts, meaning, ending, joke.astype(np.float16), origin


def measure(count):
    texts, meaning, ending, joke, origin = made_collection(count)
    start, cpu = time.perf_counter(), time.process_time()
    # Every text may be a joke: the dearest case.
    material = Material(texts.__getitem__, ["en"] * count, meaning, ending, humour=np.full(count, 0.5), joke=joke)
    found = find_families(range(count), material, shipped_similarity())
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    told = np.flatnonzero(origin != np.arange(count))
    sizes = np.bincount(found.family)
    return {
        "texts": count,
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu, 1),
        "cpu_seconds_per_10000": round(cpu / count * 10_000, 2),
        "peak_megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "families": int((sizes > 1).sum()),
        "retellings_found": round(float((found.family[told] == found.family[origin[told]]).mean()), 3),
    }


def measure_same(path, count=100):
    from rimshot.corpus import Query
    from rimshot.index import open_index
    from rimshot.rank import search
    from rimshot.rank.same import Same

    index = open_index(path)
    numbers = np.random.default_rng(1).choice(index.numbers(), count, replace=False)
    taken = []
    for number in numbers.tolist():
        text = index.text(number) + " Again."
        start, cpu = time.perf_counter(), time.process_time()
        search(Same(copies=True), Query("1", text, index.lang(number)), index)
        taken.append((1000 * (time.perf_counter() - start), 1000 * (time.process_time() - cpu)))
    clock, core = np.quantile(np.array(taken[10:]), [0.5, 0.95], axis=0).T.round(1).tolist()
    return {
        "index": str(path),
        "documents": len(index),
        **dict(zip(("median_ms", "p95_ms", "median_cpu_ms", "p95_cpu_ms"), [*clock, *core], strict=True)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[20_000, 40_000, 80_000])
    parser.add_argument("--one", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--index", help="an index to ask `same` of")
    args = parser.parse_args()
    if args.one:
        print(json.dumps(measure(args.one)))
        return
    # Each size in a process of its own, so that peak memory is its own.
    for count in args.sizes:
        command = [sys.executable, "-m", "benchmarks.families", "--one", str(count)]
        print(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip(), flush=True)
    if args.index:
        print(json.dumps(measure_same(args.index)))


if __name__ == "__main__":
    main()
