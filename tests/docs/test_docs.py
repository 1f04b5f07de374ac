"""What the documents say is so: commands run, Python runs, named files exist, the reference is what --help prints."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tools.reference import reference

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "KNOWN.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))


def blocks(kind, page=ROOT / "README.md"):
    return re.findall(rf"```{kind}\n(.*?)```", page.read_text("utf-8"), re.DOTALL)


def readme_commands():
    lines = [line[2:] for block in blocks("console") for line in block.splitlines() if line.startswith("$ ")]
    return [line for line in lines if not line.startswith("make ")]


def test_readme_commands_run_in_order(tmp_path):
    for name in ("src", ".venv"):
        (tmp_path / name).symlink_to(ROOT / name)
    commands = readme_commands()
    assert len(commands) >= 8
    for command in commands:
        words = shlex.split(command)
        assert words[0] == ".venv/bin/rimshot"
        done = subprocess.run(
            [sys.executable, "-m", "rimshot.cli", *words[1:]],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env=os.environ,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        assert done.stdout.strip()


def test_readme_python_runs(tmp_path):
    found = blocks("python")
    assert found
    for block in found:
        done = subprocess.run([sys.executable, "-c", block], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert done.stdout.strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8")):
        if not target.startswith(("http://", "https://", "mailto:")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_make_targets_named_in_the_readme_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for page in PAGES:
        assert set(re.findall(r"`make ([a-z]+)`", page.read_text("utf-8"))) <= targets


def test_the_command_reference_is_what_help_prints():
    assert (ROOT / "docs" / "commands.md").read_text("utf-8") == reference(), "run: make docs"


def test_nothing_speaks_of_this_machine():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("this is not a git checkout, so there is no list of files to look through")
    home = str(Path.home())
    for name in tracked.stdout.split():
        path = ROOT / name
        if path.suffix in {".py", ".md", ".toml", ".json", ".txt"} and path.stat().st_size < 1 << 20:
            assert f"{home}/" not in path.read_text("utf-8") or home == "/", name


def test_the_results_of_the_readme_are_the_expected_ones():
    expected = json.loads((ROOT / "src/rimshot/evaluate/expected.json").read_text("utf-8"))
    rows = [
        line
        for line in (ROOT / "README.md").read_text("utf-8").splitlines()
        if line.startswith(("| English", "| Port"))
    ]
    names = [
        f"{part}-{lang}" if part == "sample" else f"{lang}-dev" for part in ("dev", "sample") for lang in ("en", "pt")
    ]
    assert len(rows) == 4
    for row, name in zip(rows, names, strict=True):
        wanted = [expected[name][preset] for preset in ("bm25", "bm25-humour", "jokes")]
        cells = [f"{figures['MAP']:.3f}, {figures['NDCG@5']:.3f}" for figures in wanted]
        assert [cell.strip() for cell in row.split("|")[2:5]] == cells
