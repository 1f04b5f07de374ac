import base64
import json
import logging

import pytest
from tests.serve.served import serving

from rimshot.errors import InputError
from rimshot.serve.gate import Access
from rimshot.serve.limits import Limits, check_exposure, is_loopback
from rimshot.serve.logs import LOG, JsonLines

KEY = "a-long-enough-key-for-tests"


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("::1", True),
        ("localhost", True),
        ("127.8.8.8", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.0.7", False),
        ("example.org", False),
    ],
)
def test_where_only_this_machine_reaches(host, local):
    assert is_loopback(host) is local


def test_others_are_let_in_only_by_a_key_or_a_word():
    check_exposure("127.0.0.1", public=False, key=None)
    check_exposure("0.0.0.0", public=True, key=None)
    check_exposure("0.0.0.0", public=False, key=KEY)
    with pytest.raises(InputError, match="--public"):
        check_exposure("0.0.0.0", public=False, key=None)
    with pytest.raises(InputError, match="16 characters"):
        check_exposure("127.0.0.1", public=False, key="short")


def test_a_key_is_asked_for(jokes):
    with serving(jokes, access=Access(key=KEY)) as address:
        refused = address.ask("/api/v1/search?q=bread")
        assert refused.status == 401 and refused.headers["www-authenticate"].startswith("Basic")
        assert address.ask("/").status == 401
        assert address.ask("/api/v1/search?q=bread", Authorization="Bearer wrong").status == 401
        assert address.ask("/api/v1/search?q=bread", Authorization="Basic ???").status == 401
        assert address.ask("/api/v1/search?q=bread", Authorization=f"Bearer {KEY}").status == 200
        assert address.ask("/api/v1/search?q=bread", X_API_Key=KEY).status == 200
        basic = base64.b64encode(f"me:{KEY}".encode()).decode()
        assert address.ask("/?q=bread", Authorization=f"Basic {basic}").status == 200
        assert address.ask("/api/v1/health").status == 200


def test_only_its_own_host_names_are_answered_for(jokes):
    with serving(jokes, access=Access(hosts=frozenset({"127.0.0.1"}))) as address:
        assert address.ask("/api/v1/search?q=bread").status == 200
        assert address.ask("/api/v1/search?q=bread", Host="evil.example:80").status == 403


def test_each_client_has_its_rate(jokes):
    with serving(jokes, limits=Limits(rate=0.001, burst=3), access=Access(proxy=True)) as address:
        statuses = [address.ask("/api/v1/presets", X_Forwarded_For="10.0.0.1").status for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        answer = address.ask("/api/v1/presets", X_Forwarded_For="10.0.0.1")
        assert answer.headers["retry-after"] and answer.json()["title"] == "Too many requests"
        assert address.ask("/api/v1/presets", X_Forwarded_For="10.0.0.2").status == 200
        assert address.ask("/api/v1/health", X_Forwarded_For="10.0.0.1").status == 200


def test_the_word_of_a_client_is_not_taken_without_a_proxy(jokes):
    with serving(jokes, limits=Limits(rate=0.001, burst=1)) as address:
        assert address.ask("/api/v1/presets", X_Forwarded_For="10.0.0.1").status == 200
        assert address.ask("/api/v1/presets", X_Forwarded_For="10.0.0.2").status == 429


def test_bodies_are_not_read_beyond_their_limit(service):
    large = json.dumps({"text": "x" * 70_000})
    answer = service.ask("/api/v1/same", "POST", large, Content_Type="application/json")
    assert answer.status == 413 and "at most 65536 are read" in answer.json()["detail"]
    chunks = iter([b'{"text": "'] + [b"x" * 10_000] * 10 + [b'"}'])
    answer = service.ask("/api/v1/same", "POST", chunks, Content_Type="application/json", Transfer_Encoding="chunked")
    assert answer.status == 413


@pytest.mark.parametrize(
    "path",
    ["/", "/?q=bread", "/api/v1/search?q=bread", "/api/v1/nothing", "/nothing", "/api/v1/search", "/api/v1/metrics"],
)
def test_every_answer_carries_its_policy(service, path):
    headers = service.ask(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers and headers["x-request-id"]


@pytest.mark.parametrize(
    "path",
    [
        "/static/x/rimshot.css",
        "/static/../app.py",
        "/static/..%2f..%2fapp.py",
        "/static/x/..%2fapp.py",
        "//etc/passwd",
        "/joke?id=../../etc/passwd",
    ],
)
def test_no_path_of_a_request_reaches_the_disk(service, path):
    assert service.ask(path).status == 404


class Kept(logging.Handler):
    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append(JsonLines().format(record))


@pytest.mark.parametrize("wanted", [False, True])
def test_logs_hold_what_was_asked_only_if_wanted(jokes, wanted):
    kept = Kept()
    LOG.addHandler(kept)
    LOG.setLevel(logging.INFO)
    try:
        with serving(jokes, access=Access(log_queries=wanted)) as address:
            answers = [
                address.ask("/api/v1/search?q=secretword&k=3"),
                address.ask("/?q=secretword"),
                address.ask("/api/v1/documents/secretword"),
                address.post("/api/v1/same", {"text": "secretword"}),
            ]
    finally:
        LOG.removeHandler(kept)
        LOG.setLevel(logging.NOTSET)
    # the service that other tests share may still log its last request here: only our own requests count
    asked = [answer.headers["x-request-id"] for answer in answers]
    lines = [line for line in map(json.loads, kept.lines) if line.get("id") in asked]
    assert [line["id"] for line in lines if line["event"] == "request"] == asked
    assert ("secretword" in "".join(kept.lines)) is wanted
    assert lines[0]["route"] == "/api/v1/search" and lines[0]["status"] == 200 and lines[0]["ms"] > 0
