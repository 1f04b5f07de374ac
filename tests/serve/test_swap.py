import shutil
import threading
import time

import pytest
from tests.serve.served import build, serving

from rimshot.corpus import Doc
from rimshot.errors import IndexFault
from rimshot.index import write_index
from rimshot.serve.answers import Ask, Desk
from rimshot.serve.limits import Limits
from rimshot.serve.shelf import Shelf


def test_a_new_version_is_taken_up_while_requests_go_on(tmp_path):
    path = build(tmp_path / "index")
    seen, wrong, done = set(), [], threading.Event()

    def keep_asking(address):
        while not done.is_set():
            answer = address.ask("/api/v1/search?q=marmalade+bread&k=100")
            if answer.status != 200:
                wrong.append(answer.text)
            seen.add(answer.json()["total"])

    with serving(path) as address:
        before = address.ask("/api/v1/search?q=marmalade+bread").json()["total"]
        threads = [threading.Thread(target=keep_asking, args=(address,)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for at in range(3):
            with write_index(path) as writer:
                writer.add([Doc(f"new{at}", "Fresh marmalade.", "en")])
            wait_until(lambda at=at: address.ask("/api/v1/ready").json()["documents"] == 37 + at)
        done.set()
        for thread in threads:
            thread.join()
        assert not wrong and max(seen) == before + 3
        assert address.ask("/api/v1/search?q=marmalade").json()["hits"][0]["docid"] == "new0"
        assert "rimshot_index_swaps_total 3" in address.ask("/api/v1/metrics").text


def wait_until(true, seconds=20):
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not happen"
        time.sleep(0.02)


def test_a_broken_version_leaves_the_old_one_in_place(tmp_path):
    path = build(tmp_path / "index")
    shelf = Shelf(path)
    old = shelf.index()
    assert shelf.refresh() is False
    (path / "manifest.json").write_text("{")
    with pytest.raises(IndexFault):
        shelf.refresh()
    assert shelf.index() is old and shelf.failures == 1 and shelf.refresh() is False
    shutil.rmtree(path)
    assert shelf.refresh() is False and shelf.index() is old
    assert old.text(0).startswith("The baker")
    build(path)
    assert shelf.refresh() is True and shelf.index() is not old


def test_what_strangers_make_the_index_remember_is_forgotten(tmp_path):
    shelf = Shelf(build(tmp_path / "index"))
    desk = Desk(shelf, Limits())
    for at in range(200):
        desk.search(Ask("bread", pipeline=f"Bm25(k1={at / 100})"))
    assert sum(map(len, shelf.index()._memo.values())) < 100
    assert desk.search(Ask("bread"))["hits"]
