"""Texts a second of a detector, by the clock and by the processor.

    python -m benchmarks.detector [--model tiny|DIR] [--lang en] [--data ../shared/data] [--texts 3000]

On a busy machine the clock says little; texts per processor second, times the cores, is what a free one would do.
Without --data the texts of the robustness report are read again and again.
"""

import argparse
import time
from itertools import cycle, islice
from pathlib import Path

from rimshot.corpus.document import LANGUAGES
from rimshot.wordplay.annotate import annotate
from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.labelled import read_collection
from rimshot.wordplay.network import cores
from rimshot.wordplay.robustness.report import unusual_texts


def short_texts(lang, data, count):
    if data is not None:
        return list(islice(read_collection(data / lang / "dev").documents.values(), count))
    written = [text for texts in unusual_texts(lang).values() for text in texts if text.strip() and len(text) < 400]
    return list(islice(cycle(written), count))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="default")
    parser.add_argument("--lang", action="append", choices=LANGUAGES)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--texts", type=int, default=3000)
    parser.add_argument("--vectors", action="store_true", help="sentence vectors too, as an index needs them")
    options = parser.parse_args()
    print("| detector | lang | texts | words each | texts/s | texts per processor second | cores |")
    print("|---|---|---|---|---|---|---|")
    for lang in options.lang or LANGUAGES:
        texts = short_texts(lang, options.data, options.texts)
        detector = choose_detector(options.model, (lang,), vectors=options.vectors)
        detector.score(texts[:64], lang)
        clock, processor = time.perf_counter(), time.process_time()
        annotate(texts, lang, detector)
        clock, processor = time.perf_counter() - clock, time.process_time() - processor
        words = sum(len(text.split()) for text in texts) / len(texts)
        speeds = f"{len(texts) / clock:.0f} | {len(texts) / processor:.0f}"
        print(f"| {detector.name} | {lang} | {len(texts)} | {words:.1f} | {speeds} | {cores()} |", flush=True)


if __name__ == "__main__":
    main()
