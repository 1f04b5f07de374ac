"""How well retellings of short puns are found that no weight was fitted on: python -m benchmarks.retellings [--weights FILE] [--keep DIR].

`retellings.jsonl` has 180 English and 180 Portuguese puns out of those composed for training the detector, each told twice more, beside
another joke on the same word and another on the same topic; a language model wrote them, without a look at what the program finds. They are
sought in an index of all of these and of the composed puns, their word-swapped twins and the plain sentences on their words.
Prints a JSON object for each language: figures by family, and what stands above a retelling.
"""

import json
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from benchmarks.families_sample import asked, figures
from rimshot.corpus.document import LANGUAGES, Doc
from rimshot.index import open_index
from rimshot.index.annotate import annotate_index
from rimshot.index.families import add_families
from rimshot.index.writer import build_index
from rimshot.rank.same import asked_document, retellings
from rimshot.retell.judged import Family
from rimshot.train.own_texts import composed, key_of

TOLD = Path(__file__).with_name("retellings.jsonl")


def tellings():
    """The rows of the file, each with the name that its joke has in the index."""
    rows = [json.loads(line) for line in TOLD.read_text("utf-8").splitlines()]
    return [{**row, "id": f"{row['lang']}-{key_of(row['joke'])}"} for row in rows]


def documents(rows):
    """All texts, each once: composed ones, retellings, other jokes."""
    found = {}
    for lang in LANGUAGES:
        for example in composed(lang):
            name = f"{lang}-{key_of(example.text)}"
            kind = "joke" if example.humorous else "twin" if example.pair else "plain"
            found[name] = (kind, Doc(name, example.text, lang))
    for row in rows:
        texts = {kind: row[kind] for kind in ("other_word", "other_topic")}
        texts |= {f"told{at}": text for at, text in enumerate(row["told"])}
        for kind, text in texts.items():
            found[f"{row['id']}-{kind}"] = (kind.rstrip("01"), Doc(f"{row['id']}-{kind}", text, row["lang"]))
    return found


def build(folder, texts):
    if not folder.exists():
        build_index((doc for _, doc in texts.values()), folder)
        annotate_index(folder)
    return folder


def above(index, families, similarity, kinds):
    """What stands above the worst retelling of a joke, by kind, as a share of all that does."""
    found = Counter()
    for family in families:
        for doc in family.ids:
            docs, likeness = retellings(asked_document(index, index.number(doc)), index, similarity)
            names = [
                index.id(n) for n in docs[np.argsort(-likeness.order, kind="stable")].tolist() if index.id(n) != doc
            ]
            last = max((at for at, name in enumerate(names) if name in family.ids), default=0)
            found.update(kinds[name][0] for name in names[:last] if name not in family.ids)
    return {kind: round(count / max(1, found.total()), 3) for kind, count in found.most_common()}


def main():
    similarity, keep = asked(__doc__)
    rows = tellings()
    texts = documents(rows)
    with tempfile.TemporaryDirectory() as made:
        folder = build(keep or Path(made) / "index", texts)
        add_families(folder, similarity=similarity)
        index = open_index(folder)
        for lang in LANGUAGES:
            told = [row for row in rows if row["lang"] == lang]
            families = [Family(row["id"], (row["id"], *(f"{row['id']}-told{at}" for at in (0, 1)))) for row in told]
            found = figures(index, families, similarity)
            print(json.dumps({"told": lang, **found, "above": above(index, families, similarity, texts)}), flush=True)


if __name__ == "__main__":
    main()
