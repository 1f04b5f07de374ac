"""rimshot detect and rimshot train, by the functions that the command line calls."""

import argparse
import json
from pathlib import Path

import pytest

from rimshot.commands import detect, train
from rimshot.errors import InputError, MissingPart
from rimshot.wordplay import tiny_train
from rimshot.wordplay.labelled import read_labelled
from rimshot.wordplay.tiny_train import EVERYDAY


def call(module, *words):
    parser = argparse.ArgumentParser()
    module.configure(parser)
    args = parser.parse_args(words)
    return module.run(args)


def detect_json(capsys, *words):
    assert call(detect, "--model", "tiny", "--json", *words) == 0
    return json.loads(capsys.readouterr().out)["results"]


def test_texts(capsys):
    first, second = detect_json(capsys, "I used to be a banker, but I lost interest.", "")
    assert first["id"] == 1 and 0 < first["humour"] < 1
    assert "I used to be a banker, but I lost interest."[first["start"] : first["end"]] == first["word"]
    assert second["humour"] == 0.0 and second["word"] is None and second["start"] is None


@pytest.mark.parametrize("lines", [True, False])
def test_file(capsys, tmp_path, lines):
    records = [{"docid": "a", "text": "Time flies like an arrow."}, {"docid": "b", "text": "O tempo voa."}]
    path = tmp_path / "docs"
    path.write_text("\n".join(map(json.dumps, records)) if lines else json.dumps(records))
    assert [row["id"] for row in detect_json(capsys, "--file", str(path))] == ["a", "b"]


def test_file_with_integer_ids_and_an_empty_text(capsys, tmp_path):
    path = tmp_path / "docs.json"
    path.write_text(json.dumps([{"docid": 7, "text": ""}, {"docid": 8, "text": "😀"}]))
    rows = detect_json(capsys, "--file", str(path), "--lang", "pt")
    assert [row["id"] for row in rows] == [7, 8] and rows[0]["humour"] == 0.0


def test_with_more_jokes_to_expect_each_is_likelier_and_their_order_stays(capsys):
    texts = ["I used to be a banker, but I lost interest.", "The council met on Monday.", ""]
    usual, funny = detect_json(capsys, *texts), detect_json(capsys, "--share", "0.5", *texts)
    assert [row["humour"] for row in detect_json(capsys, "--share", "0.03", *texts)] == pytest.approx(
        [row["humour"] for row in usual], abs=1e-5
    )
    assert all(more["humour"] > less["humour"] for more, less in zip(funny[:2], usual[:2], strict=True))
    assert funny[0]["humour"] > funny[1]["humour"] > funny[2]["humour"] == 0.0
    for share in ("0", "1", "half"):
        with pytest.raises(SystemExit):
            call(detect, "--share", share, "a")


def test_for_people(capsys):
    assert call(detect, "--model", "tiny", "A dull text [bold]about nothing[/bold].") == 0
    assert "A dull text [bold]about nothing[/bold]." in capsys.readouterr().out


def test_complaints(tmp_path):
    for words in (["a", "--file", "b"], []):
        with pytest.raises(InputError, match="either texts or --file"):
            call(detect, *words)
    with pytest.raises(InputError, match="unknown language"):
        call(detect, "a", "--lang", "fr")
    path = tmp_path / "docs.jsonl"
    path.write_text('{"docid": 1, "text": 3}\n')
    with pytest.raises(InputError, match='line 1: field "text" is not a text'):
        call(detect, "--file", str(path))


@pytest.fixture
def labelled(tmp_path):
    folder = tmp_path / "en" / "train"
    folder.mkdir(parents=True)
    nouns = ["banker", "baker", "sailor", "farmer", "golfer", "pilot", "miner", "tailor"]
    rows = [{"text": f"Old {noun}s never die", "humorous": 1, "word": "die"} for noun in nouns]
    rows += [{"text": f"The {noun} met the council", "humorous": 0, "source": "edit"} for noun in nouns]
    (folder / "texts.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_train_tiny_then_use_it(labelled, tmp_path, capsys):
    pytest.importorskip("sklearn", reason="training the tiny model needs scikit-learn")
    out = tmp_path / "mine.npz"
    composed = len(read_labelled(Path(tiny_train.__file__).parents[1] / "train" / "composed_en.jsonl"))
    asked = ("tiny", "--lang", "en", "--data", str(labelled), "--out", str(out), "--json")
    assert call(train, *asked) == 0
    assert json.loads(capsys.readouterr().out)["texts"] == 16 + EVERYDAY + 2 * composed
    assert call(train, *asked, "--alone") == 0
    assert json.loads(capsys.readouterr().out)["texts"] == 16
    assert call(detect, "Old cooks never die", "--lang", "en", "--model", str(out), "--json") == 0
    assert json.loads(capsys.readouterr().out)["detector"] == "tiny-en"


def test_train_classical_then_use_it(labelled, tmp_path, capsys):
    pytest.importorskip("sklearn", reason="the classical field needs scikit-learn")
    out = tmp_path / "mine"
    file = labelled / "en" / "train" / "texts.jsonl"
    assert call(train, "classical", "logistic", "--lang", "en", "--data", str(file), "--out", str(out)) == 0
    assert f"--model {out}" in capsys.readouterr().out
    assert call(detect, "Old cooks never die", "--lang", "en", "--model", str(out), "--json") == 0
    assert json.loads(capsys.readouterr().out)["detector"] == "logistic"


def test_train_complaints(labelled, tmp_path, monkeypatch):
    where = ["--lang", "en", "--out", str(tmp_path / "out")]
    with pytest.raises(InputError, match="no such file"):
        call(train, "tiny", *where, "--data", str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"end in \.npz"):
        call(train, "tiny", *where, "--data", str(labelled))
    with pytest.raises(InputError, match="no classical learner"):
        call(train, "classical", "forrest", *where, "--data", str(labelled))
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    monkeypatch.delitem(__import__("sys").modules, "rimshot.train.lstm", raising=False)
    with pytest.raises(MissingPart, match=r"rimshot\[train\]"):
        call(train, "classical", "lstm", *where, "--data", str(labelled))
