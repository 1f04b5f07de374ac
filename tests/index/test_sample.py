"""The sample's index in the cache."""

import os
import time

from rimshot.index import sample


def test_what_killed_builds_left_long_ago_is_removed(tmp_path):
    for name, age in (("sample-old.new", 90_000), ("sample-young.new", 60), ("sample-abc", 90_000)):
        (tmp_path / name).mkdir()
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    sample._sweep(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sample-abc", "sample-young.new"]
