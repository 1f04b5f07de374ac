"""Explanations from a chat server: a small one on this machine speaks the protocol, and misbehaves on demand."""

import argparse
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from tests.rank.conftest import HashEncoder

from rimshot.commands import augment
from rimshot.corpus import Doc
from rimshot.errors import IndexFault, InputError, MissingPart
from rimshot.index import build_index, open_index
from rimshot.index import explained as explained_module
from rimshot.index.endpoint import Endpoint
from rimshot.index.explained import augment_by_own, augment_index, estimate, explanation_of, read_answer
from rimshot.index.writer import write_index
from rimshot.rank import parse, search


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen, self.faults, self.keys = [], [], []

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = body["messages"][-1]["content"]
        self.server.seen.append((self.path, body["model"], text))
        self.server.keys.append(self.headers.get("Authorization"))
        fault = self.server.faults.pop(0) if self.server.faults else 200
        said = json.dumps({"joke": "bank" in text, "explanation": "about money" if "bank" in text else "plain"})
        answer = {"choices": [{"message": {"content": f"```json\n{said}\n```"}}], "usage": {"total_tokens": 9}}
        raw = b"not JSON" if fault == "garbage" else json.dumps(answer).encode()
        self.send_response(200 if fault == "garbage" else fault)
        if fault == 429:
            self.send_header("Retry-After", "7")
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    made = Server()
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
    thread.join()


@pytest.fixture
def encoder(monkeypatch):
    monkeypatch.setattr("rimshot.index.further.choose_encoder", lambda model: HashEncoder())
    return HashEncoder()


@pytest.fixture
def path(tmp_path, docs):
    build_index(docs, tmp_path / "i")
    return tmp_path / "i"


def test_explanations_are_stored_and_searched(server, path, docs, encoder, tmp_path):
    endpoint = Endpoint(server.url, "m", key="secret")
    assert augment_index(path, endpoint, tmp_path / "cache", encoder) == len(docs)
    assert {(where, model) for where, model, _ in server.seen} == {("/v1/chat/completions", "m")}
    assert set(server.keys) == {"Bearer secret"}
    index = open_index(path)
    assert index.column("flagged").tolist() == [float("bank" in doc.text) for doc in docs]
    assert explanation_of(index, 0) == {"joke": True, "explanation": "about money"}
    found = search(parse("Nearest(depth=100000) >> AtLeast(column='flagged')"), "about money", index)
    assert {index.id(number) for number in found.docs.tolist()} == {"a", "b", "d"}


def test_nothing_is_asked_twice(server, path, docs, encoder, tmp_path):
    cache = tmp_path / "cache"
    augment_index(path, Endpoint(server.url, "m"), cache, encoder)
    assert augment_index(path, Endpoint(server.url, "m"), cache, encoder) == 0
    assert len(server.seen) == len(docs)
    assert augment_index(path, Endpoint(server.url, "other"), cache, encoder) == len(docs)


def test_an_interrupted_run_goes_on(server, path, docs, encoder, tmp_path):
    server.faults = [200, 200, 401]
    with pytest.raises(InputError, match="401"):
        augment_index(path, Endpoint(server.url, "m"), tmp_path / "cache", encoder)
    assert not open_index(path).has_column("flagged")
    before = len(server.seen)
    assert augment_index(path, Endpoint(server.url, "m"), tmp_path / "cache", encoder) == len(docs) - 2
    assert len(server.seen) - before == len(docs) - 2


def test_a_busy_server_is_asked_again_with_growing_pauses(server):
    pauses = []
    server.faults = [503, 429, 500]
    text, used = Endpoint(server.url, "m", sleep=pauses.append).ask("s", "bank")
    assert read_answer(text).joke and used == {"total_tokens": 9}
    assert pauses == [1.0, 7.0, 14.0] and len(server.seen) == 4


def test_giving_up_says_what_to_do(server):
    server.faults = [503] * 9
    with pytest.raises(MissingPart, match=r"no answer after 3 attempts \(503"):
        Endpoint(server.url, "m", attempts=3, sleep=lambda seconds: None).ask("s", "x")
    server.faults = ["garbage"]
    with pytest.raises(InputError, match="not that of a chat server"):
        Endpoint(server.url, "m").ask("s", "x")
    with pytest.raises(MissingPart, match="no answer"):
        Endpoint("http://127.0.0.1:9/v1", "m", attempts=2, sleep=lambda seconds: None).ask("s", "x")
    with pytest.raises(InputError, match="no address"):
        Endpoint("localhost", "m")


def test_the_rate_is_kept(server, monkeypatch):
    clock, pauses = [100.0], []
    monkeypatch.setattr("rimshot.index.endpoint.time.monotonic", lambda: clock[0])
    endpoint = Endpoint(server.url, "m", rate=30, sleep=pauses.append)
    for _ in range(3):
        endpoint.ask("s", "x")
    assert pauses == [2.0, 4.0]  # the clock stands still


def test_the_estimate_counts_what_is_missing(server, path, docs, encoder, tmp_path):
    cache = tmp_path / "cache"
    first = estimate(path, "m", server.url, cache, (1.0, 10.0))
    assert first.texts == first.missing == len(docs) and first.received == 60 * len(docs)
    assert first.price == pytest.approx((first.sent + 10 * first.received) / 1e6)
    augment_index(path, Endpoint(server.url, "m"), cache, encoder)
    assert estimate(path, "m", server.url, cache, (1.0, 1.0)).missing == 0


@pytest.mark.parametrize(
    ("answer", "joke", "text"),
    [
        ('{"joke": true, "explanation": " x "}', True, "x"),
        ('<think>hm</think> {"joke": false, "explanation": "y"} done', False, "y"),
        ("It is a joke.", False, "It is a joke."),
        ('{"joke": "yes"}', False, ""),
        ("{broken}", False, "{broken}"),
        ("", False, ""),
    ],
)
def test_answers_are_read_leniently(answer, joke, text):
    found = read_answer(answer)
    assert (found.joke, found.explanation) == (joke, text)


def test_the_command_asks_before_it_spends(server, path, tmp_path, capsys, monkeypatch):
    import argparse

    monkeypatch.setattr("rimshot.wordplay.encoder.choose_encoder", lambda *names: HashEncoder())
    parser = argparse.ArgumentParser()
    augment.configure(parser)
    words = [
        str(path),
        "--endpoint",
        server.url,
        "--model",
        "m",
        "--cache",
        str(tmp_path / "cache"),
        "--price",
        "1",
        "2",
    ]
    assert augment.run(parser.parse_args([*words, "--estimate", "--json"])) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["missing"] == 6 and facts["price"] > 0 and not server.seen
    with pytest.raises(InputError, match="--yes"):
        augment.run(parser.parse_args(words))
    assert not server.seen
    assert augment.run(parser.parse_args([*words, "--yes"])) == 0
    assert len(server.seen) == 6 and "6 of them now" in capsys.readouterr().out


def test_the_prompt_is_part_of_the_name(monkeypatch, server, path, docs, encoder, tmp_path):
    augment_index(path, Endpoint(server.url, "m"), tmp_path / "cache", encoder)
    monkeypatch.setattr(explained_module, "SYSTEM", "another prompt")
    assert augment_index(path, Endpoint(server.url, "m"), tmp_path / "cache", encoder) == len(docs)


def test_an_index_can_explain_itself(tmp_path, capsys):
    texts = ["The banker lost interest.", "The shop opens at nine."]
    build_index([Doc("1", texts[0], "en"), Doc("2", texts[1], "en")], tmp_path / "plain")
    with pytest.raises(IndexFault, match="rimshot annotate"):
        augment_by_own(tmp_path / "plain")
    with write_index(tmp_path / "plain") as writer:
        rows = [b'{"sentence": "interest: money, curiosity"}', b""]
        writer.attach(0, {"doc:humour": np.array([0.9, 0.1], np.float32)}, {"record:pun": rows})
    assert augment_by_own(tmp_path / "plain", HashEncoder()) == 1
    index = open_index(tmp_path / "plain")
    assert index.column("flagged").tolist() == [1, 0]
    assert explanation_of(index, 0) == {"joke": True, "explanation": "interest: money, curiosity"}
    assert explanation_of(index, 1) == {"joke": False, "explanation": ""}
    both = HashEncoder().encode(["The banker lost interest. interest: money, curiosity", texts[1]], "en")
    np.testing.assert_allclose(index.column("explained"), both, atol=1e-3)


def test_somebody_must_be_asked(tmp_path):
    parser = argparse.ArgumentParser()
    augment.configure(parser)
    with pytest.raises(InputError, match="--own"):
        augment.run(parser.parse_args([str(tmp_path / "index")]))
