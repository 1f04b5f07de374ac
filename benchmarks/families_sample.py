"""How well retellings are found in the embedded sample: python -m benchmarks.families_sample [--weights FILE] [--keep DIR].

In both languages: the families of the sample, in its own index, all together and by where they come from; jokes told once in each
language (its retold.jsonl), where the other telling is sought among all texts. Also the share of word-swapped twins in the family of
their joke, and what the groups found in the sample hold. Prints a JSON object for each.
"""

import argparse
import json
import shutil
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from rimshot.commands.retell_told import bilingual
from rimshot.corpus.document import Doc
from rimshot.corpus.records import read_records
from rimshot.corpus.sample import SAMPLE_LANGUAGES, sample_path
from rimshot.index import open_index
from rimshot.index.annotate import annotate_index
from rimshot.index.families import add_families
from rimshot.index.sample import sample_index
from rimshot.index.writer import write_index
from rimshot.rank.ranking import best
from rimshot.rank.same import asked_document, retellings, standing
from rimshot.retell.judged import bcubed, judge_rankings, read_families
from rimshot.retell.similarity import read_similarity, shipped_similarity

FIRST = {"en": 3107, "pt": 1460}
"""The number of the last text of the sample before retellings were added to it."""


def judged_families(lang):
    return read_families(sample_path(lang) / "families.jsonl")


def sources(families):
    """The families by where they come from: found among jokes on one word, told again, composed as families."""
    found = defaultdict(list)
    for family in families:
        numbers = sorted(int(doc[2:]) for doc in family.ids)
        first = FIRST[family.ids[0][:2]]
        kind = "told again" if family.name.startswith("told-again") else "composed" if numbers[0] > first else "found"
        found[kind].append(family)
    return found


def figures(index, families, similarity):
    def rank(doc):
        asked = asked_document(index, index.number(doc))
        docs, found = retellings(asked, index, similarity, copies=False)
        return [index.id(n) for n in best(docs, standing(docs, found, index), len(docs))[1].tolist()]

    found = judge_rankings(families, rank)
    column = index.column("family")
    precision, recall, f1 = bcubed(families, {d: int(column[index.number(d)]) for f in families for d in f.ids})
    return {
        "families": len(families),
        "texts": sum(len(family.ids) for family in families),
        "MAP": round(float(np.mean([row.average_precision for row in found])), 3),
        "recall at 10": round(float(np.mean([row.recall_10 for row in found])), 3),
        "B-cubed precision": round(precision, 3),
        "recall": round(recall, 3),
        "F1": round(f1, 3),
    }


def across(index, similarity):
    """Each joke told in both languages, asked in either: the rank of the other telling."""
    ranks, odds = [], []
    for row in bilingual():
        docs, found = retellings(asked_document(index, index.number(row["docid"])), index, similarity)
        other = docs != index.number(row["docid"])
        docs, order, logits = docs[other], found.order[other], found.logits[other]
        order = [index.id(n) for n in docs[np.argsort(-order, kind="stable")].tolist()]
        ranks.append(order.index(row["retells"]) + 1 if row["retells"] in order else 1000)
        odds.append(
            float(logits[[index.id(n) for n in docs.tolist()].index(row["retells"])]) if ranks[-1] < 1000 else -99
        )
    ranks, column = np.array(ranks), index.column("family")
    rows = bilingual()
    together = [column[index.number(row["docid"])] == column[index.number(row["retells"])] for row in rows]
    return {
        "tellings": len(ranks),
        "first": round(float((ranks == 1).mean()), 3),
        "among 10": round(float((ranks <= 10).mean()), 3),
        "more likely than not": round(float((np.array(odds) > 0).mean()), 3),
        "in one family": round(float(np.mean(together)), 3),
    }


def with_bilingual(folder):
    """A copy of the sample's index to which the jokes told in both languages are added."""
    if not folder.exists():
        shutil.copytree(sample_index(), folder)
        with write_index(folder) as writer:
            writer.add(Doc(row["docid"], row["text"], row["lang"]) for row in bilingual())
        annotate_index(folder)
    return folder


def twins(index, lang):
    column = index.column("family")
    rows = [row for _, row in read_records(sample_path(lang) / "twins.jsonl")]
    same = [column[index.number(row["docid"])] == column[index.number(row["twin_of"])] for row in rows]
    return {"twins": len(same), "in their joke's family": round(float(np.mean(same)), 3)}


def groups(index):
    """How many of the groups found hold versions of one judged joke, and what the others hold."""
    owner = {doc: family for lang in SAMPLE_LANGUAGES for family in judged_families(lang) for doc in family.ids}
    twin, funny = {}, {}
    for lang in SAMPLE_LANGUAGES:
        twin |= {row["docid"]: row["twin_of"] for _, row in read_records(sample_path(lang) / "twins.jsonl")}
        funny |= {row["docid"]: row["humorous"] for _, row in read_records(sample_path(lang) / "labels.jsonl")}
    members = defaultdict(list)
    for number in index.numbers().tolist():
        members[int(index.column("family")[number])].append(index.id(number))

    def kind(ids):
        if len({owner[i].name if i in owner else i for i in ids}) == 1:
            return "one joke"
        if not any(funny[i] for i in ids):
            return "plain texts"
        if any(twin.get(i) in ids for i in ids):
            return "a joke and its twin"
        return "several jokes" if all(funny[i] for i in ids) else "jokes and other texts"

    found = Counter(kind(ids) for ids in members.values() if len(ids) > 1)
    return {"groups": sum(found.values()), **dict(sorted(found.items()))}


def asked(about):
    """The similarity that was asked for, and where the index is kept."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weights", help="weights of one's own")
    parser.add_argument("--keep", type=Path, help="where the index is kept, or found")
    args = parser.parse_args()
    return read_similarity(args.weights) if args.weights else shipped_similarity(), args.keep


def main():
    similarity, keep = asked(__doc__)
    with tempfile.TemporaryDirectory() as made:
        own = Path(shutil.copytree(sample_index(), Path(made) / "own"))
        add_families(own, similarity=similarity)
        sample = open_index(own)
        print(json.dumps({"sample": "en and pt", **groups(sample)}))
        for lang in SAMPLE_LANGUAGES:
            families = judged_families(lang)
            print(json.dumps({"sample": lang, **figures(sample, families, similarity)}), flush=True)
            for name, some in sources(families).items():
                print(json.dumps({name: lang, **figures(sample, some, similarity)}), flush=True)
            print(json.dumps({"sample": lang, **twins(sample, lang)}), flush=True)
        folder = with_bilingual(keep or Path(made) / "index")
        add_families(folder, similarity=similarity)
        print(json.dumps({"across languages": "en and pt", **across(open_index(folder), similarity)}))


if __name__ == "__main__":
    main()
