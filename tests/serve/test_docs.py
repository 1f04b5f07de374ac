"""What docs/service.md says is done, as it stands there."""

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from rimshot.serve.limits import Limits
from rimshot.serve.openapi import describe

TEXT = (Path(__file__).parents[2] / "docs" / "service.md").read_text("utf-8")
COMMANDS = re.findall(r"^\$ (curl .+)$", TEXT, re.M)
ADDRESS = "http://127.0.0.1:8765"


@pytest.mark.parametrize("command", COMMANDS)
def test_the_examples_with_curl(service, command):
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed here")
    words = shlex.split(command.replace(ADDRESS, service.url))
    said = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60).stdout
    if "metrics" in command:
        assert "rimshot_requests_total" in said
    elif "ndjson" in command:
        assert len([json.loads(line) for line in said.splitlines()]) > 10
    elif "bm52" in command:
        assert json.loads(said)["detail"] in TEXT.replace('\\"', '"')
    else:
        assert "detail" not in json.loads(said)


def test_the_example_in_python(service, capsys):
    code = re.search(r"```python\n(.+?)```", TEXT, re.S)[1].replace(ADDRESS, service.url)
    exec(compile(code, "docs/service.md", "exec"), {})
    assert "bread" in capsys.readouterr().out.lower()


def test_the_table_names_every_address():
    for path in describe(Limits())["paths"]:
        assert path in TEXT


def test_the_limits_are_those_of_the_program():
    limits = Limits()
    assert (limits.rate, limits.burst, limits.seconds, limits.body, limits.query) == (20, 60, 10, 65_536, 500)
    assert (limits.text, limits.k, limits.pipeline, limits.stages, limits.cost, limits.waiting) == (
        5_000,
        1_000,
        1_000,
        12,
        30,
        64,
    )
