"""What tests share: tiny collections, and the development data where it is present."""

import faulthandler
import os
import sys
import threading
import time
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
    """Show what keeps a finished run from ending, and end it: once, a run of all tests had passed and stood still."""

    def leave():
        time.sleep(30)
        sys.stderr.write("all tests are done, but threads are still at work:\n")
        faulthandler.dump_traceback(file=sys.__stderr__)
        os._exit(config.said)

    if hasattr(config, "said"):
        threading.Thread(target=leave, daemon=True).start()


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
