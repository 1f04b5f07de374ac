"""Kill a writer at random moments and look at the index each time: python -m benchmarks.crash --kills 200.

A child process appends and deletes in a loop, writing down each version it has committed; it is killed with SIGKILL after a
random pause. The index must then open, verify, and hold either the last version written down or the one after it.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from rimshot.corpus import Doc
from rimshot.errors import RimshotError
from rimshot.index import build_index, open_index, write_index

BATCH = 40


@dataclass
class Report:
    kills: int = 0
    before: int = 0
    after: int = 0
    broken: list = field(default_factory=list)


def batch(step):
    return [Doc(f"{step}-{n}", f"step {step} text {n} about bank {n % 7} river {step % 5}", "en") for n in range(BATCH)]


def work(folder, step):
    """Commit for ever: at each step 40 texts more, and at every third step the texts of the step before gone."""
    while True:
        step += 1
        with write_index(folder) as writer:
            writer.add(batch(step))
            if not step % 3:
                writer.delete(doc.id for doc in batch(step - 1))
        print(step, flush=True)


def state(folder):
    """Give the step an index is at, having checked that everything of that step, and nothing else, is there."""
    index = open_index(folder)
    index.verify()
    ids = {doc.id for doc in index}
    steps = {int(doc_id.split("-")[0]) for doc_id in ids}
    step = max(steps)
    wanted = set(range(step + 1)) - {s - 1 for s in range(1, step + 1) if not s % 3}
    if steps != wanted or len(ids) != BATCH * len(wanted):
        raise RimshotError(f"step {step} holds {sorted(steps)}")
    field_ = index.field("text")
    if field_.df("step") != len(index) or len(field_.postings("step")[0]) != len(index):
        raise RimshotError(f"step {step}: statistics differ from the documents")
    return step


def soak(folder, kills, seed=0):
    rng, report = random.Random(seed), Report()
    place, step = Path(folder) / "index", 0
    build_index(batch(0), place)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    while report.kills < kills:
        command = [sys.executable, "-m", "benchmarks.crash", "--work", str(place), "--from", str(step)]
        child = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env=environment, cwd=Path(__file__).parent.parent
        )
        first = child.stdout.readline()
        time.sleep(rng.random() * 0.06)
        child.send_signal(signal.SIGKILL)
        told = [int(line) for line in (first + child.stdout.read()).split()]
        child.wait()
        child.stdout.close()
        report.kills += 1
        last = max(told, default=step)
        try:
            step = state(place)
        except RimshotError as fault:
            report.broken.append(str(fault))
            return report
        if step not in (last, last + 1):
            report.broken.append(f"step {step} where {last} or {last + 1} was expected")
            return report
        report.before += step == last
        report.after += step == last + 1
        if step > 60:
            for path in place.iterdir():
                path.unlink()
            place.rmdir()
            build_index(batch(0), place)
            step = 0
    return report


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--from", dest="start", type=int, default=0)
    args = parser.parse_args()
    if args.work:
        work(args.work, args.start)
    with tempfile.TemporaryDirectory() as folder:
        report = soak(folder, args.kills, args.seed)
    print(f"{report.kills} kills: {report.before} as before, {report.after} as after, {len(report.broken)} broken")
    for fault in report.broken:
        print(fault)
    return 1 if report.broken else 0


if __name__ == "__main__":
    sys.exit(main())
