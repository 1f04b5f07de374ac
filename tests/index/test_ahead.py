"""Puns are explained once, by whichever process gets there first."""

import shutil
import time
from pathlib import Path

import numpy as np
import pytest

from rimshot.corpus import Doc
from rimshot.index import ahead, build_index, explanations, open_index, write_index
from rimshot.index.ahead import explained_ahead
from rimshot.index.explanations import explain_backwards, explain_index, unexplained

PUNS = {
    "I used to be a banker, but I lost interest.": "interest",
    "She took a leave of absinthe.": "absinthe",
    "Old soldiers never dye.": "dye",
}
PLAIN = "The shop opens at nine."


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An index judged by hand, whose chunks are of one text each."""
    monkeypatch.setattr(explanations, "_CHUNK", 1)
    texts = [*PUNS, PLAIN]
    build_index((Doc(str(n), text, "en") for n, text in enumerate(texts)), tmp_path / "i")
    starts = np.array([text.index(PUNS[text]) if text in PUNS else -1 for text in texts], np.int32)
    ends = np.array([at + len(PUNS.get(text, "")) for text, at in zip(texts, starts, strict=True)], np.int32)
    sure = np.where(starts >= 0, 0.99, 0.0).astype(np.float32)
    with write_index(tmp_path / "i") as writer:
        columns = {"humour": sure, "pun_start": starts, "pun_end": ends, "pun_confidence": sure}
        writer.attach(0, {f"doc:{name}": column for name, column in columns.items()})
    return tmp_path / "i"


def kept(folder):
    return sorted((folder / "partial-puns").glob("*.jsonl"))


def records(folder):
    index = open_index(folder)
    return [index.record("pun", number) for number in range(len(index))]


def never(*_):
    raise AssertionError("explained twice")


def test_what_was_explained_ahead_is_not_explained_again(folder, monkeypatch):
    assert unexplained(open_index(folder)) == 3
    explain_backwards(open_index(folder))
    assert len(kept(folder)) == 3 and not open_index(folder).has_records("pun")

    monkeypatch.setattr(explanations, "explain_scored", never)
    count = explain_index(folder)
    monkeypatch.undo()
    assert count == sum(record is not None for record in records(folder)) > 0
    assert unexplained(open_index(folder)) == 0 and not list(folder.glob("partial*"))


def test_no_more_is_explained_than_is_wanted(folder):
    answers = iter([True, False])
    explain_backwards(open_index(folder), wanted=lambda: next(answers))
    assert len(kept(folder)) == 1


def test_the_second_process_explains_what_the_builder_would(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(explanations, "_CHUNK", 512)  # as in a process of its own
    monkeypatch.setattr(ahead, "_WORTH", 1)
    alone = Path(shutil.copytree(folder, tmp_path / "alone"))
    explain_index(alone)
    with explained_ahead(folder):
        patience = time.monotonic() + 60
        while not kept(folder) and time.monotonic() < patience:
            time.sleep(0.05)
        with monkeypatch.context() as within:
            within.setattr(explanations, "explain_scored", never)
            explain_index(folder)
    assert records(folder) == records(alone) and any(records(alone))
    assert not list(folder.glob("partial*"))


def test_a_few_texts_need_no_second_process(folder, monkeypatch):
    monkeypatch.setattr(ahead, "_begin", lambda _path: pytest.fail("a process for three texts"))
    with explained_ahead(folder):
        assert explain_index(folder) > 0
