"""Evaluation against pytrec-eval-terrier itself, in one run on the same file: python -m benchmarks.evaluation.

A run of 219 queries with 1,000 documents each (the size of CLEF JOKER 2025 English) and the 2025 set of measures.
Ratios are ours divided by the peer's, so below 1 is better; times are of the processor, the best of several turns. Also
the memory of a report of 20 such runs, in a process of its own.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from rimshot.evaluate.measures import SETS, evaluate
from rimshot.evaluate.qrels import Qrels, read_qrels, write_qrels
from rimshot.evaluate.runs import make_run, read_run, write_run

QUERIES, DEPTH, DOCUMENTS = 219, 1000, 77_658


def made(folder):
    """Judgments and a run by chance, with a seed: about 30 relevant documents a query, some of them found."""
    rng = random.Random(2025)
    qrels = {f"qid_{n}": {str(rng.randrange(DOCUMENTS)): 1 for _ in range(30)} for n in range(QUERIES)}
    write_qrels(Qrels(qrels), folder / "qrels.json")
    rankings = []
    for qid, docs in qrels.items():
        found = dict.fromkeys([*rng.sample(sorted(docs), 15), *map(str, rng.sample(range(DOCUMENTS), DEPTH))])
        order = list(found)[:DEPTH]
        rng.shuffle(order)
        rankings.append((qid, order, sorted((rng.random() for _ in order), reverse=True)))
    return write_run(make_run("bench_task_1_0", rankings), folder / "run0.json")


def best(task, turns):
    times = []
    for _ in range(turns):
        start = time.process_time()
        task()
        times.append(time.process_time() - start)
    return min(times)


def peer_read(path):
    """What anybody does before calling pytrec_eval."""
    found = {}
    for row in json.loads(path.read_text(encoding="utf-8")):
        found.setdefault(row["qid"], {})[row["docid"]] = row["score"]
    return found


def peer_evaluate(run, qrels):
    import pytrec_eval

    names = {measure.trec for measure in SETS["joker2025"]} | {"gm_map"}
    found = pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run)
    return {name: pytrec_eval.compute_aggregated_measure(name, [v[name] for v in found.values()]) for name in names}


def report_memory(folder):
    """Peak memory in MB of a report of 20 systems."""
    code = (
        "import resource, sys\n"
        "from rimshot.cli import main\n"
        "code = main(sys.argv[1:])\n"
        "sys.stderr.write(str(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss))\n"
        "sys.exit(code)\n"
    )
    runs = [str(path) for path in sorted(folder.glob("run*.json"))]
    words = ["compare", *runs, "--qrels", str(folder / "qrels.json"), "--report", str(folder / "report"), "--json"]
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
    return int(done.stderr.split()[-1]) / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("--no-report", action="store_true", help="leave the report of 20 systems out")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = made(folder)
        qrels = read_qrels(folder / "qrels.json")
        judged = {qid: dict(docs) for qid, docs in qrels.judgments.items()}
        ours, theirs = read_run(path), peer_read(path)
        same = evaluate(ours, qrels).overall["MAP"], peer_evaluate(theirs, judged)["map"]
        assert abs(same[0] - same[1]) < 1e-9, same
        result = {
            "evaluate": best(lambda: evaluate(ours, qrels), args.turns),
            "pytrec_eval": best(lambda: peer_evaluate(theirs, judged), args.turns),
            "read and evaluate": best(lambda: evaluate(read_run(path), qrels), args.turns),
            "json and pytrec_eval": best(lambda: peer_evaluate(peer_read(path), judged), args.turns),
        }
        result["ratio"] = result["evaluate"] / result["pytrec_eval"]
        result["ratio with reading"] = result["read and evaluate"] / result["json and pytrec_eval"]
        result["memory MB"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        if not args.no_report:
            text = path.read_text(encoding="utf-8")
            for number in range(1, 20):
                other = text.replace("bench_task_1_0", f"bench_task_1_{number}")
                (folder / f"run{number}.json").write_text(other, encoding="utf-8")
            result["report of 20 systems MB"] = report_memory(folder)
    if args.json:
        print(json.dumps(result, indent=1))
        return 0
    for name, value in result.items():
        unit = "" if "ratio" in name else " MB" if "MB" in name else " s"
        print(f"{name.removesuffix(' MB'):<26} {value:8.3f}{unit}")
    return int(result["ratio"] > 1.5)


if __name__ == "__main__":
    sys.exit(main())
