"""Train the classical field on the training texts, measure it on the development collections, write the table.

    python -m benchmarks.classical --data ../shared/data --out docs/classical.json

Each learner's row is written as soon as it is known; rows of others stay. The page docs/classical.md is made from it.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

from rimshot.corpus.document import LANGUAGES
from rimshot.wordplay.choose import open_detector
from rimshot.wordplay.classical.field import FIELD, LSTM
from rimshot.wordplay.classical.train import train_classical
from rimshot.wordplay.labelled import read_collection, read_labelled
from rimshot.wordplay.measure import measure, table

ORDER = (*FIELD, LSTM)
HEAD = """# The classical field

TF-IDF of words and word pairs beside the counted signs of wordplay (`src/rimshot/wordplay/features.py`), under the
learners that the JOKER papers ran; the LSTM reads the words alone. Trained on `../shared/data/LANG/train`, measured on
`../shared/data/LANG/dev`: average precision of P(humour) over the whole collection, AUC of puns against their
word-swapped twins, expected calibration error in 15 bins. None of them names the pun word. Texts a second were taken on
two busy cores.

Train one with `rimshot train classical NAME --lang LANG --data ../shared/data --out DIR`; use it with `--model DIR`.
This page is written by `python -m benchmarks.classical`; a learner without a row has not been measured yet.

"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lang", action="append", choices=LANGUAGES)
    parser.add_argument("--name", action="append", choices=ORDER)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    for lang in options.lang or LANGUAGES:
        texts = read_labelled(options.data / lang / "train" / "texts.jsonl")
        gold = read_collection(options.data / lang / "dev")
        known = {}
        for name in options.name or ORDER:
            with tempfile.TemporaryDirectory() as folder:
                begun = time.perf_counter()
                if name == LSTM:
                    from rimshot.train.lstm import train_lstm

                    train_lstm(texts, lang, Path(folder))
                else:
                    train_classical(name, texts, lang, Path(folder), known=known)
                seconds = round(time.perf_counter() - begun, 1)
                detector = open_detector(Path(folder))
                figures, _ = measure(detector, lang, gold.documents, gold.humorous, gold.twins, gold.signs)
                keep(options.out, {**figures.row(), "training_seconds": seconds})
                print(table([figures.row()]).splitlines()[-1], flush=True)


def keep(path, row):
    rows = json.loads(path.read_text("utf-8")) if path.exists() else []
    rows = [old for old in rows if (old["detector"], old["lang"]) != (row["detector"], row["lang"])]
    rows.append(row)
    rows.sort(key=lambda kept: (kept["lang"], ORDER.index(kept["detector"])))
    path.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")
    path.with_suffix(".md").write_text(HEAD + table(rows), "utf-8")


if __name__ == "__main__":
    main()
