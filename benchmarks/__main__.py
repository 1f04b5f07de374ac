"""All benchmarks, one after another: make bench (or name some: python -m benchmarks lexical ranking)."""

import subprocess
import sys

ALL = {
    "lexical": [],
    "ranking": [],
    "evaluation": [],
    "detector": ["--texts", "2000"],
    "families": [],
    "same": [],
    "service": [],
}


def main():
    failed = []
    for name in sys.argv[1:] or ALL:
        print(f"\n== {name}", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}", *ALL.get(name, [])]).returncode:
            failed.append(name)
    if failed:
        print(f"\nover a bound or broken: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
