"""What tests share: tiny collections, and the development data where it is present."""

import os
import sys
from pathlib import Path

import pytest

from rimshot.corpus import Doc
from rimshot.index import build_index, open_index

ROOT = Path(__file__).parent.parent
DATA = ROOT.parent / "shared" / "data"

TEXTS = [
    ("a", "The banker lost interest in the river bank."),
    ("b", "A river runs past the old bank, and past the new one."),
    ("c", "Bakers knead bread because they need the dough."),
    ("d", "He drew a blank at the bank, then drew the curtains."),
    ("e", "Night fell without breaking anything."),
    ("f", "Bread and butter, bread and jam."),
]


def pytest_sessionfinish(session, exitstatus):
    session.config.said = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Leave at once when all is said: a server or browser that is slow to stop must not keep a finished run from ending."""
    if hasattr(config, "said"):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.said)


@pytest.fixture
def docs():
    return [Doc(doc_id, text, "en") for doc_id, text in TEXTS]


@pytest.fixture
def index(tmp_path, docs):
    build_index(docs, tmp_path / "index")
    return open_index(tmp_path / "index")


@pytest.fixture(scope="session")
def data():
    if not DATA.is_dir():
        pytest.skip("the development data (../shared/data) is not here")
    return DATA
