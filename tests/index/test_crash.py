"""Killed at any moment, an index opens as it was before or after. ``make soak`` does this many more times."""

from benchmarks.crash import soak


def test_twelve_kills(tmp_path):
    report = soak(tmp_path, kills=12, seed=7)
    assert report.kills == 12
    assert report.broken == []
    assert report.before + report.after == 12
