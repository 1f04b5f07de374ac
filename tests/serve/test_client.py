import pytest
from tests.serve.served import serving

from rimshot.errors import InputError
from rimshot.serve.client import Client, ServiceError
from rimshot.serve.gate import Access


def test_the_client_asks_everything(service):
    client = Client(service.url)
    found = client.search("bread", k=3, group=True, lang="en")
    assert len(found["hits"]) == 3 and found["query"] == "bread"
    assert [hit["docid"] for hit in client.stream("bread", k=3, group=True, lang="en")] == [
        h["docid"] for h in found["hits"]
    ]
    assert client.document("j1")["lang"] == "en" and client.family(1)["size"] == 2
    assert client.families()["total"] == 2 and client.facets("yeast")["total"] == 2
    assert "bread" in client.suggest("bre") and client.random("yeast")["family"] == 1
    assert client.ready()["documents"] == 36


def test_errors_keep_their_words_and_status(service):
    client = Client(service.url)
    with pytest.raises(ServiceError, match="k: 0 is not between 1 and 1000") as told:
        client.search("bread", k=0)
    assert told.value.status == 400
    with pytest.raises(ServiceError) as told:
        client.document("no/body & co?")
    assert told.value.status == 404 and "no/body & co?" in str(told.value)
    with pytest.raises(ServiceError, match=r"is rimshot serve running\?"):
        Client("http://127.0.0.1:9").ready()
    with pytest.raises(InputError, match="not the address of a service"):
        Client("ftp://x").ready()


def test_the_client_carries_a_key(jokes):
    with serving(jokes, access=Access(key="a-long-enough-key-for-tests")) as address:
        assert Client(address.url, key="a-long-enough-key-for-tests").search("bread")["hits"]
        with pytest.raises(ServiceError, match="API key"):
            Client(address.url).search("bread")
