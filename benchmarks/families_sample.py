"""How well retellings are found in the embedded sample: python -m benchmarks.families_sample [--weights FILE] [--keep DIR].

Three sets, in both languages: the families of the sample, in its own index; the same with the retellings of its retold.jsonl added to
the index (jokes drawn at random from the sample and told again in other words); jokes told once in each language, where the other
telling is sought among all texts. Also the share of word-swapped twins in the family of their joke, and what the groups found in the
sample hold. Prints a JSON object for each.
"""

import argparse
import json
import shutil
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from rimshot.commands.retell_sample import retold, retold_index, sample_families
from rimshot.corpus.records import read_records
from rimshot.corpus.sample import SAMPLE_LANGUAGES, sample_path
from rimshot.index import open_index
from rimshot.index.families import add_families
from rimshot.index.sample import sample_index
from rimshot.rank.ranking import best
from rimshot.rank.same import asked_document, retellings
from rimshot.retell.judged import Family, bcubed, judge_rankings, read_families
from rimshot.retell.similarity import read_similarity, shipped_similarity


def judged_families(lang):
    return read_families(sample_path(lang) / "families.jsonl")


def with_retold(lang):
    """The sample's families and those that the retellings make or enlarge."""
    return [Family(ids[0], ids) for ids in sample_families(lang)]


def figures(index, families, similarity):
    def rank(doc):
        docs, found = retellings(asked_document(index, index.number(doc)), index, similarity)
        return [index.id(n) for n in best(docs, found.order, len(docs))[1].tolist()]

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
    for row in retold():
        if "again" in row["docid"]:
            continue
        docs, found = retellings(asked_document(index, index.number(row["docid"])), index, similarity)
        other = docs != index.number(row["docid"])
        docs, order, logits = docs[other], found.order[other], found.logits[other]
        order = [index.id(n) for n in docs[np.argsort(-order, kind="stable")].tolist()]
        ranks.append(order.index(row["retells"]) + 1 if row["retells"] in order else 1000)
        odds.append(
            float(logits[[index.id(n) for n in docs.tolist()].index(row["retells"])]) if ranks[-1] < 1000 else -99
        )
    ranks, column = np.array(ranks), index.column("family")
    rows = [row for row in retold() if "again" not in row["docid"]]
    together = [column[index.number(row["docid"])] == column[index.number(row["retells"])] for row in rows]
    return {
        "tellings": len(ranks),
        "first": round(float((ranks == 1).mean()), 3),
        "among 10": round(float((ranks <= 10).mean()), 3),
        "more likely than not": round(float((np.array(odds) > 0).mean()), 3),
        "in one family": round(float(np.mean(together)), 3),
    }


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
        folder = retold_index(keep or Path(made) / "index")
        add_families(folder, similarity=similarity)
        own = Path(shutil.copytree(sample_index(), Path(made) / "own"))
        add_families(own, similarity=similarity)
        sample, index = open_index(own), open_index(folder)
        print(json.dumps({"sample": "en and pt", **groups(sample)}))
        for lang in SAMPLE_LANGUAGES:
            print(json.dumps({"sample": lang, **figures(sample, judged_families(lang), similarity)}))
            print(json.dumps({"with retellings": lang, **figures(index, with_retold(lang), similarity)}))
            print(json.dumps({"sample": lang, **twins(sample, lang)}), flush=True)
        print(json.dumps({"across languages": "en and pt", **across(index, similarity)}))


if __name__ == "__main__":
    main()
