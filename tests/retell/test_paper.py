import argparse
import json
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from rimshot.commands import retell
from rimshot.errors import InputError
from rimshot.retell.document_model import ANNOTATIONS, BASELINE, PUNCH_LINE
from rimshot.retell.judged import read_families
from rimshot.retell.paper import THREE, Experiment, paired_p
from rimshot.retell.plots import curve, scatter

PEOPLE = ["lawyer", "nun", "farmer", "pilot", "baker", "drummer"]
THINGS = "ladder kettle violin parachute compass lantern hammock umbrella telescope saddle bucket trumpet".split()
ENDINGS = "melted sneezed vanished exploded whistled retired yodelled floated sulked sprouted hiccuped waltzed".split()


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """Twelve families of three, each about a thing and what it did, told of other people; and texts about neither."""
    folder = tmp_path_factory.mktemp("jokes")
    texts, families = [], []
    for at, (thing, ending) in enumerate(zip(THINGS, ENDINGS, strict=True)):
        ids = [f"j{at}-{n}" for n in range(3)]
        for n, doc in enumerate(ids):
            who = PEOPLE[(at + 2 * n) % 6]
            texts.append(
                {
                    "docid": doc,
                    "text": f"A {who} bought a {thing} on a rainy day. Nobody knew why the {thing} {ending}.",
                }
            )
        families.append({"family": thing, "ids": ids, "signal": "d"})
    rng = np.random.default_rng(5)
    words = "river window paper yellow engine market garden silver winter pocket letter bottle".split()
    for n in range(40):
        texts.append(
            {"docid": f"x{n}", "text": "A " + " ".join(rng.choice(words, 7)) + " was there. It rained on the day."}
        )
    (folder / "jokes.jsonl").write_text("\n".join(map(json.dumps, texts)))
    (folder / "families.jsonl").write_text("\n".join(map(json.dumps, families)))
    return folder


@pytest.fixture(scope="module")
def experiment(collection):
    rows = [json.loads(line) for line in (collection / "jokes.jsonl").read_text().splitlines()]
    families = read_families(collection / "families.jsonl")
    return Experiment([row["docid"] for row in rows], [row["text"] for row in rows], families)


def mean_precision(figures):
    return float(np.mean([row.average_precision for row in figures]))


def test_rankings_find_easy_families(experiment):
    for model in (BASELINE, ANNOTATIONS, PUNCH_LINE):
        assert mean_precision(experiment.ranking(model)) > 0.95
    for figures in (*experiment.reranked(), experiment.feedback(), experiment.symmetric()):
        assert mean_precision(figures) > 0.9
    recall = experiment.recall_curve(20)
    assert (np.diff(recall) >= 0).all()
    assert recall[-1] == pytest.approx(1.0)


def test_pairs_are_drawn_by_family_and_judged_unseen(experiment):
    pairs = experiment.pairs
    assert sum(pair.same for pair in pairs) == 36
    assert all((experiment.ids[pair.a][:3] == experiment.ids[pair.b][:3]) is pair.same for pair in pairs if pair.same)
    members = {doc for family in experiment.families for doc in family.ids}
    assert all(experiment.ids[pair.a] in members for pair in pairs)
    assert experiment.threshold(BASELINE).accuracy > 0.8
    three = experiment.classifier("three", THREE)
    assert three.features == 3
    assert three.accuracy > 0.8
    assert experiment.classifier("five", THREE, lengths=True).features == 5


def test_the_same_seed_gives_the_same_pairs(experiment):
    again = Experiment(experiment.ids, experiment.texts, experiment.families)
    assert again.pairs == experiment.pairs


def test_paired_test_by_hand():
    assert paired_p(np.array([1, 1, 0]), np.array([1, 1, 0])) == 1.0
    assert paired_p(np.ones(400), np.arange(400) % 2) < 0.001


def test_too_few_families_and_unknown_members_are_refused(experiment):
    with pytest.raises(InputError, match="families"):
        Experiment(experiment.ids, experiment.texts, experiment.families[:3])
    with pytest.raises(InputError, match="not in the collection"):
        Experiment(experiment.ids[1:], experiment.texts[1:], experiment.families)


def test_the_command_prints_all_tables_and_draws_all_figures(collection, capsys, tmp_path):
    parser = argparse.ArgumentParser()
    retell.configure(parser)
    words = [
        "evaluate",
        str(collection / "jokes.jsonl"),
        "--families",
        str(collection / "families.jsonl"),
        "--no-variants",
    ]
    assert retell.run(parser.parse_args([*words, "--figures", str(tmp_path / "plots"), "--json"])) == 0
    tables = json.loads(capsys.readouterr().out)["tables"]
    assert [table["title"][:7] for table in tables] == [f"Table {n}" for n in range(2, 8)]
    names = sorted(path.name for path in (tmp_path / "plots").iterdir())
    assert [name[:8] for name in names] == ["figure-4", "figure-4", "figure-5", "figure-6", "figure-6"]
    for path in (tmp_path / "plots").iterdir():
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    with pytest.raises(InputError, match="--families"):
        retell.run(parser.parse_args(["evaluate", str(collection / "jokes.jsonl")]))


def test_plots_escape_their_words():
    assert "&lt;b&gt;" in scatter("<b>", "x", "y", [(0.5, 0.5)])
    assert curve("recall", "x", "y", [0.1, 0.9]).count("polyline") == 1
