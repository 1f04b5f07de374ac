import json
import subprocess
import sys

import pytest

from rimshot.serve.answers import Desk
from rimshot.serve.limits import Limits
from rimshot.serve.mcp import McpServer
from rimshot.serve.shelf import Shelf

START = """
import sys, argparse
from rimshot.commands import mcp
parser = argparse.ArgumentParser()
mcp.configure(parser)
sys.exit(mcp.run(parser.parse_args()))
"""


def message(number, method, **params):
    return json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})


def test_an_assistant_speaks_with_the_process(jokes):
    spoken = [
        message(
            1, "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "test", "version": "1"}
        ),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        message(2, "tools/list"),
        message("three", "tools/call", name="search", arguments={"query": "pão", "k": 2, "lang": "pt"}),
        message(4, "ping"),
    ]
    done = subprocess.run(
        [sys.executable, "-c", START, "--index", str(jokes)],
        input="\n".join(spoken) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    answers = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert list(answers) == [1, 2, "three", 4] and done.stderr == ""
    assert (
        answers[1]["result"]["protocolVersion"] == "2025-06-18"
        and answers[1]["result"]["serverInfo"]["name"] == "rimshot"
    )
    assert [tool["name"] for tool in answers[2]["result"]["tools"]] == ["search", "explain", "same"]
    found = answers["three"]["result"]
    assert json.loads(found["content"][0]["text"]) == found["structuredContent"] and not found["isError"]
    assert all(hit["lang"] == "pt" for hit in found["structuredContent"]["hits"])
    assert answers[4]["result"] == {}


@pytest.fixture(scope="module")
def server(jokes):
    return McpServer(Desk(Shelf(jokes), Limits()))


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("{", -32700),
        ("[]", -32600),
        ('{"jsonrpc": "1.0", "id": 1, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
        ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}', -32602),
        (message(1, "resources/list"), -32601),
        (message(1, "tools/call", name="rm"), -32602),
    ],
)
def test_mistakes_of_the_protocol(server, line, code):
    assert server.answer(line)["error"]["code"] == code


def test_mistakes_of_a_call_are_told_to_the_assistant(server):
    for arguments, words in (
        ({}, "query is missing"),
        ({"query": "x", "k": 0}, "k: 0 is not"),
        ({"quer": "x"}, "unknown parameter"),
    ):
        result = server.answer(message(1, "tools/call", name="search", arguments=arguments))["result"]
        assert result["isError"] and words in result["content"][0]["text"]


def test_notifications_get_no_answer(server):
    assert server.answer('{"jsonrpc": "2.0", "method": "notifications/cancelled"}') is None


def test_an_unknown_version_gets_ours(server):
    assert (
        server.answer(message(1, "initialize", protocolVersion="1999-01-01"))["result"]["protocolVersion"]
        == "2025-11-25"
    )
