"""How good are the explanations? The table of docs/explain.md.

    python -m benchmarks.explain --data ../shared/data

Reads {en,pt}/dev: puns.jsonl (gold), corpus.json and labels.json (texts that must not be explained). The rows:

    gold word     the pun word is taken from the gold
    any text      the word is the detector's; every pun is explained, however improbable (--threshold 0)
    in JSON       what `rimshot explain --json` gives, readings of refused texts included
    told          what a person is told: a refused pun counts as wrong
"""

from __future__ import annotations

import argparse
import json
import random
import time
from pathlib import Path

import numpy as np

from rimshot.lexicon import lemmas, synset, wordnet
from rimshot.wordplay.choose import choose_detector
from rimshot.wordplay.explain import explain_at, explain_scored
from rimshot.wordplay.explain_fit import locate
from rimshot.wordplay.pun import Pun

SAMPLE = 2000


def coarse(key, golds):
    net = wordnet("en")
    mine = synset(net.sense(key).synset)
    for gold in golds:
        lemma = gold.split("%")[0].replace("_", " ")
        found = [sense for sense in net.senses(lemma) if sense.key == gold]
        for sense in found:
            other = synset(sense.synset)
            above = set(mine.targets("@", "@i")) & set(other.targets("@", "@i"))
            if mine.number == other.number or mine.lexname == other.lexname or above:
                return True
    return False


def both(test, pair, golds):
    (one, other), (a, b) = pair, golds
    return (test(one, a) and test(other, b)) or (test(one, b) and test(other, a))


def judge_en(puns, golds):
    tally = {name: [] for name in ("word", "kind", "alternative first", "alternative in 3", "senses", "senses coarse")}
    for pun, gold in zip(puns, golds, strict=True):
        record = pun.record()
        tally["word"].append((record["word"] or "").lower() == gold["word"].lower())
        tally["kind"].append(record["kind"] == gold["kind"])
        if gold["kind"] == "heterographic" and gold.get("senses"):
            targets = {key.split("%")[0].replace("_", " ").lower() for key in gold["senses"][1]}
            told = [name.lower() for name in record["alternatives"]]
            tally["alternative first"].append(bool(targets & set(told[:1])))
            tally["alternative in 3"].append(bool(targets & set(told[:3])))
        if gold["kind"] == "homographic" and gold.get("senses"):
            pair = record["senses"][0] if record["senses"] else None
            tally["senses"].append(bool(pair) and both(lambda key, keys: key in keys, pair, gold["senses"]))
            tally["senses coarse"].append(bool(pair) and both(coarse, pair, gold["senses"]))
    return tally


def judge_pt(puns, golds):
    tally = {name: [] for name in ("word", "kind", "sign first", "sign in 5")}
    for pun, gold in zip(puns, golds, strict=True):
        record = pun.record()
        signs = gold["signs"]
        word = (record["word"] or "").lower()
        tally["word"].append(bool(word) and any(word in sign["pun sign"].lower() for sign in signs))
        tally["kind"].append(
            any((record["kind"] == "homographic") == sign["homograph"] for sign in signs if record["kind"])
        )
        targets = {other.lower() for sign in signs for other in sign["alternative sign"]}
        targets |= {lemma for target in targets for lemma in lemmas(target, "pt")}
        told = [{name.lower(), *lemmas(name, "pt")} for name in record["alternatives"]]
        tally["sign first"].append(any(targets & names for names in told[:1]))
        tally["sign in 5"].append(any(targets & names for names in told[:5]))
    return tally


def show(title, tally):
    print(f"  {title}: " + ", ".join(f"{name} {np.mean(values):.3f}" for name, values in tally.items() if values))


def run(lang, data, detector):
    folder = data / lang / "dev"
    golds = [json.loads(line) for line in (folder / "puns.jsonl").read_text("utf-8").splitlines()]
    judge = judge_en if lang == "en" else judge_pt
    texts = [gold["text"] for gold in golds]
    print(f"{lang}: {len(golds)} puns")
    detector.score(texts[:2], lang)
    begin = time.process_time()
    scores = detector.score(texts, lang)
    judging = time.process_time() - begin
    begin = time.process_time()
    free = list(explain_scored(texts, [lang] * len(texts), scores, 0.0))
    took = time.process_time() - begin
    show("any text", judge(free, golds))
    print(
        f"  texts a second of one core: {len(texts) / took:.0f} explained, {len(texts) / (took + judging):.0f} in all"
    )
    spots = [locate(gold["text"], gold["word"] if lang == "en" else gold["signs"][0]["pun sign"]) for gold in golds]
    ideal = []
    for number, (gold, spot) in enumerate(zip(golds, spots, strict=True)):
        vector = None if scores.vectors is None else scores.vectors[number]
        start, end = spot or (int(scores.start[number]), int(scores.end[number]))
        ideal.append(explain_at(gold["text"], lang, start, end, vector=vector))
    show("gold word", judge(ideal, golds))
    shipped = list(explain_scored(texts, [lang] * len(texts), scores))
    show("in JSON", judge(shipped, golds))
    show("told", judge([pun if pun else Pun(pun.text, lang, pun.humour) for pun in shipped], golds))
    print(f"  explained: puns {np.mean([bool(pun) for pun in shipped]):.3f}", end="")
    labels = json.loads((folder / "labels.json").read_text("utf-8"))
    corpus = json.loads((folder / "corpus.json").read_text("utf-8"))
    edits = [doc["text"] for doc in corpus if labels["source"][str(doc["docid"])] == "edit"]
    plain = [
        doc["text"]
        for doc in corpus
        if not labels["humorous"][str(doc["docid"])] and labels["source"][str(doc["docid"])] != "edit"
    ]
    plain = random.Random(7).sample(plain, min(SAMPLE, len(plain)))
    for name, others in (("edits", edits), ("plain", plain)):
        if others:
            told = explain_scored(others, [lang] * len(others), detector.score(others, lang))
            print(f", {name} {np.mean([bool(pun) for pun in told]):.4f} of {len(others)}", end="", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lang", default="en,pt")
    args = parser.parse_args()
    detector = choose_detector()
    for lang in args.lang.split(","):
        run(lang, args.data, detector)


if __name__ == "__main__":
    main()
