"""Lexical search against its peers, in one run on the same texts: python -m benchmarks.lexical.

80,000 short texts made with a seed (and ../shared/data/en/dev where it is present), 200 queries, the best 1000 hits. Peers:
bm25s with numba, and pyserini (Anserini) where it is installed. Ratios are ours divided by the peer's, so below 1 is better.
"""

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from rimshot.corpus import Doc, Query, read_docs, read_queries
from rimshot.index import build_index, open_index, write_index
from rimshot.rank import parse, search

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "en" / "dev"


def made_texts(count, seed=1):
    """Short texts whose words follow Zipf's law, and queries of one to three of the less common words."""
    rng = np.random.default_rng(seed)
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    words = ["".join(rng.choice(letters, rng.integers(3, 10))) for _ in range(60_000)]
    chance = 1 / (np.arange(len(words)) + 2.7) ** 1.05
    chance /= chance.sum()
    lengths = rng.integers(5, 25, count)
    drawn = rng.choice(len(words), lengths.sum(), p=chance)
    docs, at = [], 0
    for number, length in enumerate(lengths.tolist()):
        docs.append(Doc(str(number), " ".join(words[w] for w in drawn[at : at + length]), "en"))
        at += length
    queries = [
        Query(str(n), " ".join(words[w] for w in rng.integers(20, 3000, rng.integers(1, 4)))) for n in range(200)
    ]
    return docs, queries


def size(folder):
    return sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())


def timed(task):
    start = time.perf_counter()
    found = task()
    return time.perf_counter() - start, found


def ours(docs, queries, folder):
    build, _ = timed(lambda: build_index(docs, folder))
    index = open_index(folder)
    pipeline = parse("Bm25(k1=0.9, b=0.4) % 1000")
    for query in queries[:20]:
        search(pipeline, query, index)
    times = [timed(lambda q=query: search(pipeline, q, index))[0] for query in queries]
    return {"build": build, "query": statistics.median(times), "disk": size(folder)}


def bm25s(docs, queries, folder):
    import bm25s
    import Stemmer

    stemmer = Stemmer.Stemmer("english")

    def build():
        tokens = bm25s.tokenize([doc.text for doc in docs], stopwords=None, stemmer=stemmer, show_progress=False)
        retriever = bm25s.BM25(k1=0.9, b=0.4, method="lucene", backend="numba")
        retriever.index(tokens, show_progress=False)
        retriever.save(folder, corpus=[{"id": doc.id, "text": doc.text} for doc in docs])
        return retriever

    seconds, retriever = timed(build)
    retriever.activate_numba_scorer()
    k = min(1000, len(docs))

    def ask(query):
        tokens = bm25s.tokenize([query.text], stopwords=None, stemmer=stemmer, show_progress=False)
        return retriever.retrieve(tokens, k=k, show_progress=False, n_threads=0, backend_selection="numba")

    for query in queries[:20]:
        ask(query)
    times = [timed(lambda q=query: ask(q))[0] for query in queries]
    return {"build": seconds, "query": statistics.median(times), "disk": size(folder)}


def pyserini(docs, queries, folder):
    from pyserini.search.lucene import LuceneSearcher

    source = Path(folder) / "source"
    source.mkdir(parents=True)
    with (source / "docs.jsonl").open("w") as file:
        for doc in docs:
            file.write(json.dumps({"id": doc.id, "contents": doc.text}) + "\n")
    command = [sys.executable, "-m", "pyserini.index.lucene", "--collection", "JsonCollection", "--input", str(source)]
    command += [
        "--index",
        str(Path(folder) / "index"),
        "--generator",
        "DefaultLuceneDocumentGenerator",
        "--threads",
        "1",
    ]
    build, _ = timed(lambda: subprocess.run(command, check=True, capture_output=True))
    searcher = LuceneSearcher(str(Path(folder) / "index"))
    searcher.set_bm25(0.9, 0.4)
    for query in queries[:20]:
        searcher.search(query.text, 1000)
    times = [timed(lambda q=query: searcher.search(q.text, 1000))[0] for query in queries]
    return {"build": build, "query": statistics.median(times), "disk": size(Path(folder) / "index")}


def report(name, rows):
    mine = rows["rimshot"]
    print(f"\n{name}")
    print(f"{'system':10} {'build s':>9} {'query ms':>9} {'disk MB':>9}   ours / theirs: build, query, disk")
    for system, row in rows.items():
        ratios = (
            ""
            if row is mine
            else "   " + ", ".join(f"{mine[key] / row[key]:.2f}" for key in ("build", "query", "disk"))
        )
        print(f"{system:10} {row['build']:9.2f} {row['query'] * 1e3:9.3f} {row['disk'] / 1e6:9.1f} {ratios}")


def compare(name, docs, queries):
    rows = {}
    for system, measure in (("rimshot", ours), ("bm25s", bm25s), ("pyserini", pyserini)):
        folder = Path(tempfile.mkdtemp()) / "index"
        try:
            rows[system] = measure(docs, queries, folder)
        except ImportError as fault:
            print(f"{system}: not measured, {fault.name} is not installed")
        finally:
            shutil.rmtree(folder.parent)
    report(name, rows)


def appending(docs):
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "index"
        build, _ = timed(lambda: build_index(docs[:80_000], place))

        def append():
            with write_index(place) as writer:
                writer.add(Doc(f"new{n}", docs[n].text, "en") for n in range(1000))

        append_time, _ = timed(append)
    print(
        f"\nappend of 1,000 to 80,000: {append_time * 1e3:.0f} ms, a rebuild {build:.2f} s: {build / append_time:.0f} times cheaper"
    )


def growth():
    rows = []
    for count in (80_000, 800_000):
        docs, queries = made_texts(count)
        with tempfile.TemporaryDirectory() as folder:
            rows.append(ours(docs, queries, Path(folder) / "index"))
    build, query = (rows[1][key] / rows[0][key] for key in ("build", "query"))
    print(f"\ngrowth from 80 k to 800 k texts: build {build:.1f} times, query {query:.1f} times (linear is 10)")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--growth", action="store_true", help="also grow to 800,000 texts")
    args = parser.parse_args()
    docs, queries = made_texts(80_000)
    compare("80,000 made texts", docs, queries)
    if DATA.is_dir():
        real = list(read_docs(DATA / "corpus.json", "en"))
        compare("en/dev", real, read_queries(DATA / "queries.json"))
    appending(docs)
    if args.growth:
        growth()


if __name__ == "__main__":
    main()
