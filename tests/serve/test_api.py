import argparse
import json

import pytest
from tests.serve.served import serving

from rimshot.commands import search as search_command
from rimshot.corpus import Doc
from rimshot.index import build_index


def printed(capsys, path, query, *more):
    parser = argparse.ArgumentParser()
    search_command.configure(parser)
    search_command.run(parser.parse_args([query, "--index", str(path), "--json", *more]))
    return json.loads(capsys.readouterr().out)


def test_search_has_the_fields_of_the_command_line(service, jokes, capsys):
    there = printed(capsys, jokes, "bread", "-k", "5", "--preset", "bm25")
    here = service.ask("/api/v1/search?q=bread&k=5").json()
    assert there["query"] == here["query"] and there["pipeline"] == here["pipeline"]
    for ours, theirs in zip(here["hits"], there["hits"], strict=True):
        assert {name: ours[name] for name in theirs} == theirs


def test_the_answer_tells_what_is_known_of_a_hit(service):
    hit = next(h for h in service.ask("/api/v1/search?q=yeast").json()["hits"] if h["docid"] == "j1")
    assert hit["pun"]["word"] == "yeast" and hit["family"] == 1
    assert [version["docid"] for version in hit["versions"]] == ["j2"]
    assert hit["humour"] == pytest.approx(0.9, abs=1e-6) and 0 < hit["topic"] <= 1


def test_k_and_offset_walk_through_the_list(service):
    whole = service.ask("/api/v1/search?q=bread&k=12").json()["hits"]
    part = service.ask("/api/v1/search?q=bread&k=5&offset=4").json()["hits"]
    assert part == whole[4:9] and [hit["rank"] for hit in part] == [5, 6, 7, 8, 9]


def test_grouping_shows_one_version(service):
    apart = [h["docid"] for h in service.ask("/api/v1/search?q=yeast").json()["hits"]]
    grouped = [h["docid"] for h in service.ask("/api/v1/search?q=yeast&group=true").json()["hits"]]
    assert sorted(apart) == ["j1", "j2"] and grouped == apart[:1]


@pytest.mark.parametrize(
    ("wish", "found"),
    [
        ("kind=heterographic", {"j1", "j2", "j3", "j9"}),
        ("pattern=question-answer", {"j4", "j9"}),
        ("level=C1", {"j3", "j9"}),
        ("family=2", {"j6", "j7"}),
        ("lang=pt", {"j8", "j9", "p4"}),
        ("lang=pt&told=once&kind=homographic", {"j8"}),
    ],
)
def test_filters(service, wish, found):
    hits = service.ask(f"/api/v1/search?q=bread+bank+yeast+p%C3%A3o&k=100&{wish}").json()["hits"]
    assert {hit["docid"] for hit in hits} == found


def test_facets_count_what_a_filter_would_find(service):
    q = "bread+bank+yeast+p%C3%A3o"
    facets = service.ask(f"/api/v1/search?q={q}&facets=true").json()["facets"]
    assert set(facets) == {"lang", "kind", "pattern", "level", "told"}
    for name, values in facets.items():
        for value, count in values.items():
            assert service.ask(f"/api/v1/search?q={q}&{name}={value}").json()["total"] == count
    assert service.ask(f"/api/v1/facets?q={q}").json()["facets"] == facets
    assert service.ask("/api/v1/facets").json()["facets"]["lang"] == {"en": 33, "pt": 3}


def test_facets_of_a_grouped_list_count_what_a_filter_would_show(service):
    q = "bread+bank+yeast+p%C3%A3o"
    whole = service.ask(f"/api/v1/search?q={q}&group=true&facets=true").json()
    assert whole["facets"]["told"]["again"] == 2, "two families, whatever the number of their versions"
    for name, values in whole["facets"].items():
        for value, count in values.items():
            assert service.ask(f"/api/v1/search?q={q}&group=true&{name}={value}").json()["total"] == count


def languages(service, wish):
    answer = service.ask(f"/api/v1/search?k=100&{wish}").json()
    return {hit["lang"] for hit in answer["hits"]}, answer["lang"]


def test_hits_are_in_the_language_of_the_query_or_in_any(service):
    assert languages(service, "q=bread") == ({"en"}, "en")
    assert languages(service, "q=bread&lang=any") == ({"en", "pt"}, None)
    assert languages(service, "q=bread&lang=pt") == ({"pt"}, "pt"), "the query is carried over"
    assert languages(service, "q=bread&lang=en") == ({"en"}, "en")
    assert languages(service, "q=kind:homographic") == ({"en", "pt"}, None)
    assert service.ask("/api/v1/search?q=bread&lang=any").json()["pipeline"].startswith("Translate() >> ")
    assert service.ask("/api/v1/search?q=bread&lang=xx").json()["detail"].startswith('unknown lang "xx"')


def test_any_language_is_that_of_the_command_line(service, jokes, capsys):
    there = printed(capsys, jokes, "bread", "-k", "20", "--preset", "bm25", "--lang", "any")
    here = service.ask("/api/v1/search?q=bread&k=20&lang=any&warned=true").json()
    assert there["pipeline"] == here["pipeline"]
    assert [hit["docid"] for hit in there["hits"]] == [hit["docid"] for hit in here["hits"]]


def test_reasons_are_in_the_language_of_the_reader(service):
    def because(ui):
        hits = service.ask(f"/api/v1/search?q=yeast&preset=bm25-humour{ui}").json()["hits"]
        return hits[0]["why"]["because"], [{**hit, "why": {**hit["why"], "because": []}} for hit in hits]

    english, hits = because("")
    assert english == ["90% likely to be wordplay"] and because("&ui=en") == (english, hits)
    assert because("&ui=pt") == (["90% de probabilidade de ser jogo de palavras"], hits)
    assert service.ask("/api/v1/search?q=yeast&ui=fr").status == 400


def test_the_slider_moves_between_topic_and_humour(service):
    def humours(mix):
        return [h["humour"] for h in service.ask(f"/api/v1/search?q=bread&k=100&mix={mix}").json()["hits"]]

    def order(mix):
        return [h["docid"] for h in service.ask(f"/api/v1/search?q=bread&k=100&mix={mix}").json()["hits"]]

    assert order(50) == order("50") and sorted(order(100)) == sorted(order(0)) == sorted(order(50))
    assert sum(humours(100)[:5]) > sum(humours(50)[:5])
    assert min(humours(100)[:5]) > 0.5


def test_streaming_gives_the_same_hits_one_a_line(service):
    whole = service.ask("/api/v1/search?q=bread&k=1000").json()["hits"]
    answer = service.ask("/api/v1/search?q=bread&k=1000", Accept="application/x-ndjson")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert [json.loads(line) for line in answer.text.splitlines()] == whole


def test_a_ranking_that_the_index_is_not_ready_for_is_refused_in_words(service, jokes):
    assert service.ask("/api/v1/presets").json()["default"] == "bm25"
    answer = service.ask("/api/v1/search?q=bread&preset=jokes")
    assert answer.status == 503 and "the index is not annotated" in answer.json()["detail"]
    assert str(jokes) not in answer.text


def test_presets_and_pipelines(service):
    named = service.ask("/api/v1/search?q=bread&preset=rm3").json()
    written = service.ask(
        "/api/v1/search?q=bread&pipeline=Bm25()%20%3E%3E%20Rm3()%20%3E%3E%20Bm25()%20%25%201000"
    ).json()
    assert named["hits"] == written["hits"]
    assert service.ask("/api/v1/presets").json()["presets"]["rm3"] == named["pipeline"]


def test_documents_and_families(service):
    assert service.ask("/api/v1/documents/j6").json()["versions"][0]["docid"] == "j7"
    listed = service.ask("/api/v1/families").json()
    assert [(row["family"], row["size"]) for row in listed["families"]] == [(1, 2), (2, 2)] and listed["total"] == 2
    assert [v["docid"] for v in service.ask("/api/v1/families/2").json()["versions"]] == ["j6", "j7"]
    for path in ("/api/v1/documents/nobody", "/api/v1/families/77", "/api/v1/documents/..%2F..%2Fetc%2Fpasswd"):
        answer = service.ask(path)
        assert answer.status == 404 and answer.headers["content-type"] == "application/problem+json"


def test_suggestions_complete_the_last_word(service):
    assert "bread" in service.ask("/api/v1/suggest?q=bre").json()["suggestions"]
    assert "secret bread" in service.ask("/api/v1/suggest?q=secret%20bre").json()["suggestions"]
    assert service.ask("/api/v1/suggest?q=xqz").json()["suggestions"] == []
    assert service.ask("/api/v1/suggest?q=bread+kind:h").json()["suggestions"] == [
        "bread kind:homographic",
        "bread kind:heterographic",
    ]


def test_suggestions_are_topics():
    from rimshot.serve.suggestions import _topical

    assert all(_topical(word, "en") for word in ("bread", "dogs", "mathematics")) and _topical("matemática", "pt")
    assert not any(_topical(word, "en") for word in ("made", "can", "bastard")) and not _topical("mais", "pt")


def test_suggestions_in_the_language_of_the_reader_come_first(tmp_path):
    texts = [("en", "The bank is shut."), ("en", "A bank by the river."), ("en", "My bank is open.")]
    texts += [("pt", "O banco fechou."), ("pt", "Um banco de jardim.")]
    build_index([Doc(str(at), text, lang) for at, (lang, text) in enumerate(texts)], tmp_path / "banks")
    with serving(tmp_path / "banks") as address:
        for wish, found in (("", ["bank", "banco"]), ("&lang=en", ["bank", "banco"]), ("&lang=pt", ["banco", "bank"])):
            assert address.ask(f"/api/v1/suggest?q=ba{wish}").json()["suggestions"] == found


def test_random_is_funny_and_about_the_topic(service):
    for _ in range(3):
        assert service.ask("/api/v1/random").json()["humour"] > 0.5
        assert service.ask("/api/v1/random?q=yeast").json()["docid"] in ("j1", "j2")
        assert service.ask("/api/v1/random?lang=pt").json()["docid"] in ("j8", "j9")
        assert service.ask("/api/v1/random?q=bread&lang=pt").json()["lang"] == "pt"
    assert service.ask("/api/v1/random?q=qzx").status == 404


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/api/v1/search", 'q is missing; send e.g. q=bank'),
        ("/api/v1/search?q=%20", "q is empty; send e.g. bank"),
        ("/api/v1/search?q=a&q=b", "q is given twice; give it once"),
        ("/api/v1/search?q=a&k=0", "k: 0 is not between 1 and 1000"),
        ("/api/v1/search?q=a&k=ten", 'k: "ten" is not a whole number'),
        ("/api/v1/search?q=a&k=1_0", 'k: "1_0" is not a whole number'),
        ("/api/v1/search?q=a&preset=bm52", 'unknown preset "bm52"; did you mean "bm25"?'),
        ("/api/v1/search?q=a&pipeline=Bm52()", 'unknown stage "Bm52"; did you mean "Bm25"?'),
        ("/api/v1/search?q=a&preset=bm25&pipeline=Bm25()", "preset and pipeline are both given; give one of them"),
        ("/api/v1/search?q=a&kk=1", 'unknown parameter "kk"; did you mean "k"?'),
        ("/api/v1/search?q=a&group=yes", 'group: "yes" is neither true nor false'),
        ("/api/v1/search?q=" + "a" * 501, "q: 501 characters; at most 500 are read"),
    ],
)  # fmt: skip
def test_mistakes_are_told_in_words(service, path, words):
    answer = service.ask(path)
    assert answer.status == 400
    assert answer.headers["content-type"] == "application/problem+json"
    problem = answer.json()
    assert problem["detail"] == words and problem["status"] == 400
    assert problem["instance"].endswith(answer.headers["x-request-id"])


def test_a_pipeline_error_has_the_words_of_the_command_line(service, jokes):
    from rimshot.errors import PipelineError
    from rimshot.rank import parse

    with pytest.raises(PipelineError) as told:
        parse("Humour() >> Nothing()")
    answer = service.ask("/api/v1/search?q=a&pipeline=Humour()%20%3E%3E%20Nothing()")
    assert answer.json()["detail"] == str(told.value)


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ("{", 400, "the body is not JSON"),
        ("[" * 50_000, 400, "the body is not JSON"),
        ("[]", 400, "the body must be a JSON object, got a list"),
        ("{}", 400, "text is missing"),
        ('{"text": 7}', 400, "text: expected a text, got a number"),
        ('{"text": "\\ud800"}', 400, "text: holds half a character (a lone surrogate); send valid Unicode"),
        ('{"text": "x", "k": true}', 400, "k: expected a whole number, got true or false"),
        ('{"text": "x", "path": "/etc/passwd"}', 400, 'unknown parameter "path"'),
    ],
)
def test_bodies(service, body, status, words):
    answer = service.ask("/api/v1/same", "POST", body, Content_Type="application/json")
    assert answer.status == status and answer.json()["detail"].startswith(words)


def test_only_json_is_posted(service):
    assert service.ask("/api/v1/same", "POST", "text=x", Content_Type="application/x-www-form-urlencoded").status == 415


def test_methods(service):
    answer = service.ask("/api/v1/search?q=a", "DELETE")
    assert answer.status == 405 and "GET" in answer.headers["allow"]
    assert service.ask("/api/v1/same").status == 405
    assert service.ask("/api/v1/search?q=bread", "HEAD").body == b""


def test_state_and_metrics(service):
    assert service.ask("/api/v1/health").json() == {"status": "alive"}
    ready = service.ask("/api/v1/ready").json()
    assert ready["documents"] == 36 and ready["status"] == "ready"
    service.ask("/api/v1/nothing-here/at-all")
    text = service.ask("/api/v1/metrics").text
    assert 'rimshot_requests_total{method="GET",route="/api/v1/search",status="200"}' in text
    assert "nothing-here" not in text
    for line in text.splitlines():
        assert line.startswith("#") or float(line.rpartition(" ")[2]) >= 0


def test_an_index_without_annotations_is_served_too(tmp_path, docs):
    build_index(docs, tmp_path / "plain")
    with serving(tmp_path / "plain") as address:
        hit = address.ask("/api/v1/search?q=bread&group=true&mix=90&facets=true").json()["hits"][0]
        assert (hit["humour"], hit["pun"], hit["family"], hit["versions"]) == (None, None, None, [])
        assert address.ask("/api/v1/search?q=bread&kind=homographic").json()["total"] == 0
        page = address.ask("/?q=bread").text
        assert 'type="range"' not in page and "<mark>" not in page and address.ask("/").status == 200


def test_an_empty_index_is_served_too(tmp_path):
    build_index([], tmp_path / "empty")
    with serving(tmp_path / "empty") as address:
        assert address.ask("/api/v1/search?q=bread").json()["hits"] == []
        assert address.ask("/").status == 200 and address.ask("/?q=bread").status == 200
        assert address.ask("/random").status == 404 and address.ask("/api/v1/families").json()["total"] == 0


def test_integer_ids_stay_integers(tmp_path):
    class Numbered(list):
        integer_ids = True

    build_index(Numbered([Doc("7", "Bread again.", "en")]), tmp_path / "numbered")
    with serving(tmp_path / "numbered") as address:
        assert address.ask("/api/v1/search?q=bread").json()["hits"][0]["docid"] == 7
        assert address.ask("/api/v1/documents/7").json()["docid"] == 7
