"""The real process: it starts, says where, finishes what it began when told to stop, and refuses what is unsafe."""

import argparse
import json
import signal
import subprocess
import sys
import threading

import pytest
from tests.serve.served import Address

from rimshot.commands import serve as command
from rimshot.errors import InputError

SLOW = """
import sys, time, argparse
from rimshot.commands import serve
from rimshot.rank.bm25 import Bm25

class Slow(Bm25):
    def apply(self, ranking, index):
        print("begun", file=sys.stderr, flush=True)
        time.sleep(1.5)
        return super().apply(ranking, index)

import rimshot.serve.answers as answers
known = answers.preset
answers.preset = lambda name: Slow() % 1000 if name == "tfidf" else known(name)
parser = argparse.ArgumentParser()
serve.configure(parser)
sys.exit(serve.run(parser.parse_args()))
"""

PLAIN = """
import sys, argparse
from rimshot.commands import serve
parser = argparse.ArgumentParser()
serve.configure(parser)
sys.exit(serve.run(parser.parse_args()))
"""


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_a_stopped_server_finishes_what_it_began(jokes, how):
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW, "--index", str(jokes), "--port", "0", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        address = Address(process.stdout.readline().split()[3].rstrip("/"))
        answers = []
        asking = threading.Thread(target=lambda: answers.append(address.ask("/api/v1/search?q=bread&preset=tfidf")))
        asking.start()
        assert process.stderr.readline() == "begun\n"
        process.send_signal(how)
        asking.join(60)
        assert answers[0].status == 200 and answers[0].json()["hits"]
        process.wait(60)
        assert process.returncode in (0, -how)
        with pytest.raises(OSError):
            address.ask("/api/v1/health")
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def arguments(*words):
    parser = argparse.ArgumentParser()
    command.configure(parser)
    return parser.parse_args(words)


def test_it_does_not_listen_to_others_by_mistake(jokes, monkeypatch):
    monkeypatch.delenv("RIMSHOT_API_KEY", raising=False)
    with pytest.raises(InputError, match="--public"):
        command.run(arguments("--index", str(jokes), "--host", "0.0.0.0"))
    with pytest.raises(InputError, match="a port lies between"):
        command.run(arguments("--index", str(jokes), "--port", "70000"))
    with pytest.raises(InputError, match="cannot be read"):
        command.run(arguments("--index", str(jokes), "--api-key-file", "/nowhere/key"))


def test_a_port_in_use_is_told(jokes, service):
    port = service.url.rpartition(":")[2]
    with pytest.raises(InputError, match="choose another with --port"):
        command.run(arguments("--index", str(jokes), "--port", port, "--quiet"))


def test_the_log_is_json(jokes, tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-c", PLAIN, "--index", str(jokes), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    address = Address(process.stdout.readline().split()[3].rstrip("/"))
    address.ask("/api/v1/search?q=secretword")
    process.send_signal(signal.SIGTERM)
    _, log = process.communicate(timeout=60)
    lines = [json.loads(line) for line in log.splitlines()]
    assert lines[0]["event"] == "request" and "secretword" not in log
