"""Bars of long work."""

from contextlib import contextmanager

from rimshot.commands import terminal


def test_a_step_that_comes_again_has_a_bar_again(monkeypatch):
    seen = []

    @contextmanager
    def bar(name, total=None):
        seen.append(("open", name, total))
        yield lambda done: seen.append((name, done))
        seen.append(("close", name))

    monkeypatch.setattr(terminal, "progress", bar)
    with terminal.steps(20) as tell:
        for name, done in (("scoring", 5), ("scoring", 10), ("reading", 9), ("scoring", 20)):
            tell(name, done)
    assert seen == [
        ("open", "scoring", 20), ("scoring", 5), ("scoring", 10), ("close", "scoring"),
        ("open", "reading", None), ("reading", 9), ("close", "reading"),
        ("open", "scoring", 20), ("scoring", 20), ("close", "scoring"),
    ]  # fmt: skip
