"""The service under load, from a second process on loopback: python -m benchmarks.service.

80,000 short texts made with a seed (or --index DIR), served by ``rimshot serve`` in one process; the load comes from
another, over kept-alive connections. Three parts: searches with BM25, searches with the default ranking, and a mix of
everything the service answers with bad requests among them, in which every answer is compared with what it must be.
Queries do not repeat within the first two, so that nothing is answered from memory. Bounded by --requests and by time.

The made texts get made annotations: vectors and probabilities drawn with a seed, which cost a search what real ones do;
what is thought funny is explained as ever, which takes most of the building (some minutes).
"server ms" is the processor time that the service itself used for a request, which other work on the machine changes
little; requests a second and latencies are only worth reading on a quiet machine.
"""

import argparse
import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

import numpy as np

from benchmarks.lexical import made_texts

CONNECTIONS = 8


def build(folder, count):
    """Build the collection, with made annotations where the ranking needs them."""
    from rimshot.index import build_index
    from rimshot.index.annotate import annotate_index
    from rimshot.index.complete import write_pun_senses
    from rimshot.index.explanations import explain_index
    from rimshot.wordplay.detector import Scores
    from rimshot.wordplay.encoder import choose_encoder

    docs, _ = made_texts(count)
    build_index(docs, folder)
    real = choose_encoder()
    dim = real.encode(["a text"], "en").shape[1]

    class Made:
        """Draws what a model would say; known by the name of the real encoder, which reads the queries."""

        name, digest, languages = "made", real.digest, ("en", "pt")

        def encode(self, texts, langs, progress=None):
            vectors = np.random.default_rng(len(texts)).standard_normal((len(texts), dim), dtype=np.float32)
            return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)

        def score(self, texts, langs, progress=None):
            rng = np.random.default_rng(len(texts))
            # One text in eleven is thought worth explaining, as in a mostly plain collection.
            humour = (rng.random(len(texts)) ** 40).astype(np.float32)
            ends = np.array([len(text) for text in texts], np.int32)
            starts = np.array([text.rfind(" ") + 1 for text in texts], np.int32)
            return Scores(humour, starts, ends, np.full(len(texts), 0.5, np.float32), self.encode(texts, langs))

    annotate_index(folder, Made(), Made())
    explain_index(folder)
    write_pun_senses(folder)


def topics(count, seed):
    """Queries of one to three words of the collection, all different."""
    _, queries = made_texts(1)
    words = sorted({word for query in queries for word in query.text.split()})
    rng = random.Random(seed)
    found = {" ".join(rng.sample(words, rng.randint(1, 3))) for _ in range(3 * count)}
    return sorted(found, key=lambda text: rng.random())[:count]


def get(path, **values):
    return f"GET {path}{'?' + urlencode(values) if values else ''} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()


def post(path, body):
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


async def answer(reader):
    """Read one answer: status and body."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    status = int(head.split(" ", 2)[1])
    length = re.search(r"content-length: (\d+)", head, re.I)
    if length:
        return status, await reader.readexactly(int(length[1]))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readexactly(2)
    return status, b"".join(parts)


async def load(port, requests, seconds):
    """Send requests over some connections; give (time, status, body) for each, None where the answer was lost."""
    found = [None] * len(requests)
    todo = iter(range(len(requests)))
    until = time.perf_counter() + seconds

    async def one():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for at in todo:
            if time.perf_counter() > until:
                break
            began = time.perf_counter()
            try:
                writer.write(requests[at])
                status, body = await answer(reader)
            except (OSError, asyncio.IncompleteReadError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
                continue
            found[at] = (time.perf_counter() - began, status, body)
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(CONNECTIONS)))
    return time.perf_counter() - began, found


def mixed(count, expected, seed=3):
    """Requests of every kind with what must come back: a status, and the documents where a list was asked for."""
    rng = random.Random(seed)
    known = list(expected)
    kinds = []
    for _ in range(count):
        topic, draw = rng.choice(known), rng.random()
        if draw < 0.5:
            kinds.append((get("/api/v1/search", q=topic, k=10, preset="bm25"), 200, expected[topic]))
        elif draw < 0.6:
            kinds.append((get("/", q=topic), 200, None))
        elif draw < 0.65:
            kinds.append((get("/api/v1/suggest", q=topic[:3]), 200, None))
        elif draw < 0.7:
            kinds.append((get(f"/api/v1/documents/{rng.randrange(1000)}"), 200, None))
        elif draw < 0.75:
            kinds.append((get("/api/v1/facets", q=topic, preset="bm25"), 200, None))
        elif draw < 0.8:
            kinds.append((get("/export", q=topic, format="csv"), 200, None))
        else:
            kinds.append(
                rng.choice(
                    [
                        (get("/api/v1/search", q=topic, k=0), 400, None),
                        (get("/api/v1/search", q=topic, preset="best"), 400, None),
                        (get("/api/v1/search", q="x" * 600), 400, None),
                        (get("/api/v1/search", q=topic, pipeline="Bm25() >> Rm3(terms=9999) >> Bm25()"), 400, None),
                        (get("/api/v1/search", q=topic, pipeline="__import__('os')"), 400, None),
                        (get("/api/v1/documents/nobody"), 404, None),
                        (get("/../../etc/passwd"), 404, None),
                        (get("/", q=topic, page=0), 400, None),
                        (post("/api/v1/detect", b"{"), 400, None),
                        (post("/api/v1/same", b'{"text": "\\ud800"}'), 400, None),
                        (post("/api/v1/search", b"{}"), 405, None),
                    ]
                )
            )
    return kinds


def judge(kinds, found):
    """Count answers that were lost, and those that were not what they must be."""
    lost = sum(one is None for one in found)
    wrong = 0
    for (_, status, docs), one in zip(kinds, found, strict=True):
        if one is not None:
            right = one[1] == status
            if right and docs is not None:
                right = [hit["docid"] for hit in json.loads(one[2])["hits"]] == docs
            wrong += not right
    return lost, wrong


def resident(pid):
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def start(index):
    """Start the service as a user would; give the process and its port."""
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "rimshot.cli",
            "serve",
            "--index",
            str(index),
            "--port",
            "0",
            "--quiet",
            "--rate",
            "100000",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    return process, int(re.search(r":(\d+)/", line)[1])


def worked(pid):
    """Give the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def described(name, seconds, found, pid, work):
    times = sorted(one[0] for one in found if one is not None)
    return {
        "part": name,
        "requests": len(times),
        "a second": round(len(times) / seconds, 1),
        "median ms": round(1000 * times[len(times) // 2], 1),
        "p95 ms": round(1000 * times[int(0.95 * len(times))], 1),
        "server ms": round(1000 * work / max(len(times), 1), 2),
        "resident MB": round(resident(pid)),
    }


def run(args):
    from rimshot.corpus import Query
    from rimshot.index import open_index
    from rimshot.rank import DEFAULT, preset, search

    folder = args.index
    if folder is None:
        folder = Path(tempfile.mkdtemp(prefix="rimshot-service-")) / "index"
        build(folder, args.docs)
    index = open_index(folder)
    asked = topics(args.requests, 5)
    expected = {}
    for topic in asked[:200]:
        ranking = search(preset("bm25"), Query("1", topic), index).take(slice(0, 10))
        expected[topic] = [int(index.id(n)) if index.integer_ids else index.id(n) for n in ranking.docs.tolist()]
    process, port = start(folder)
    rows = []
    try:
        asyncio.run(load(port, [get("/api/v1/search", q=topic) for topic in asked[-50:]], 120))
        default = repr(preset(DEFAULT)) if args.pipeline is None else args.pipeline
        for name, chosen, count in (("bm25", "Bm25() % 1000", args.requests), ("default", default, args.requests // 4)):
            sent = [get("/api/v1/search", q=topic, pipeline=chosen) for topic in asked[:count]]
            before = worked(process.pid)
            seconds, found = asyncio.run(load(port, sent, args.seconds))
            rows.append(described(f"{name}: {chosen}", seconds, found, process.pid, worked(process.pid) - before))
            assert all(one is None or one[1] == 200 for one in found), "a search failed"
        kinds = mixed(args.mixed, expected)
        memory = []
        lost = wrong = done = 0
        spent, everything, before = 0.0, [], worked(process.pid)
        for begin in range(0, len(kinds), max(1, len(kinds) // 10)):
            part = kinds[begin : begin + max(1, len(kinds) // 10)]
            seconds, found = asyncio.run(load(port, [kind[0] for kind in part], args.seconds))
            missed, bad = judge(part, found)
            lost, wrong, done = lost + missed, wrong + bad, done + len(part)
            spent += seconds
            everything += found
            memory.append(round(resident(process.pid)))
        rows.append(
            {
                **described("mixed", spent, everything, process.pid, worked(process.pid) - before),
                "lost": lost,
                "wrong": wrong,
                "memory MB": memory,
            }
        )
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()
    return {"documents": len(index), "cores": os.cpu_count(), "load before": os.getloadavg()[0], "parts": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--index", type=Path, help="an index to serve instead of made texts")
    parser.add_argument("--pipeline", help="the ranking of the second part (default: the default preset)")
    parser.add_argument("--docs", type=int, default=80_000)
    parser.add_argument(
        "--requests", type=int, default=2_000, help="searches of the first part; the second has a quarter"
    )
    parser.add_argument("--mixed", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=120, help="most time for one part")
    print(json.dumps(run(parser.parse_args()), indent=2))


if __name__ == "__main__":
    main()
