import csv
import json
import re
from pathlib import Path

import pytest
from tests.serve.test_html import Reader


def test_a_card_shows_the_pun_the_bars_and_the_other_versions(service):
    page = service.ask("/?q=yeast&ui=en").text
    assert "<mark>yeast</mark>" in page and "what makes bread rise" in page
    assert "One other version of this joke" in page and page.count('class="card"') == 1
    assert re.search(r'class="meter topic".*?100%', page) and 'class="meter humour"' in page


def test_what_a_joke_contains_is_shown_and_not_run(service):
    page = service.ask("/?q=quotes").text
    assert "<script>alert" not in page
    assert "<script>alert('crumbs')</script> & \"quotes\"" in Reader(page).text


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/?q=bread",
        "/?q=bread&page=2",
        "/?q=nothingatall",
        "/?q=bread&kind=homographic&mix=80&lang=en",
        "/joke?id=j1",
        "/told",
        "/?q=bread&ui=pt&theme=dark",
    ],
)
def test_pages_are_whole_and_small(service, path):
    answer = service.ask(path)
    assert answer.status == 200 and answer.headers["content-type"] == "text/html; charset=utf-8"
    read = Reader(answer.text)
    sizes = [len(answer.body)]
    for name, attributes in read.elements:
        if name in ("link", "script"):
            asset = service.ask(attributes.get("href") or attributes["src"])
            assert asset.status == 200 and "immutable" in asset.headers["cache-control"]
            sizes.append(len(asset.body))
    assert len(sizes) == 4 and sum(sizes) < 100_000
    assert sum(name == "h1" for name, _ in read.elements) == 1
    ids = [attributes["id"] for _, attributes in read.elements if "id" in attributes]
    assert len(ids) == len(set(ids))


def links(page):
    return [attributes["href"] for name, attributes in Reader(page).elements if name == "a"]


def test_every_link_of_the_site_leads_somewhere(service):
    todo, seen = ["/", "/?q=bread&mix=80&lang=en", "/?q=yeast+loaf&ui=pt"], set()
    while todo and len(seen) < 150:
        path = todo.pop()
        if path in seen or path.startswith("#") or path.startswith("/random"):
            continue
        seen.add(path)
        answer = service.ask(path)
        assert answer.status == 200, path
        if answer.headers["content-type"].startswith("text/html"):
            todo += links(answer.text)
    assert len(seen) > 40


def test_languages_of_the_interface(service):
    assert 'lang="pt"' in service.ask("/", Accept_Language="pt-PT,pt;q=0.9").text
    assert "Procurar" in service.ask("/", Cookie="ui=pt", Accept_Language="en").text
    answer = service.ask("/?ui=en", Cookie="ui=pt")
    assert ">Search<" in answer.text and answer.headers["set-cookie"].startswith("ui=en")


def test_hits_in_any_language_are_one_link_away_and_back(service):
    page = service.ask("/?q=bread&kind=homographic&ui=en").text
    assert "In English, like the topic." in page and "massa" not in page
    target = "/?q=bread&kind=homographic&lang=any"
    assert target in links(page)
    page = service.ask(target + "&ui=pt").text
    assert "<mark>massa</mark>" in page and "qualquer língua" in page and "como o tema" not in page
    assert "/?q=bread&kind=homographic" in links(page), "the choice can be taken back"
    assert ("input", {"type": "hidden", "name": "lang", "value": "any"}) in Reader(page).elements
    assert "/random?q=bread&lang=any" in links(page)


def test_hits_in_another_language_than_the_topic(service):
    page = service.ask("/?q=bread&lang=pt&ui=en").text
    assert "<mark>massa</mark>" in page and "like the topic" not in page
    assert any(link == "/?q=bread&lang=en" for link in links(page)), "both languages can be chosen"


def test_reasons_follow_the_language_of_the_page(service):
    for ui, words in (("en", "90% likely to be wordplay"), ("pt", "90% de probabilidade de ser jogo de palavras")):
        assert words in service.ask(f"/?q=yeast&preset=bm25-humour&ui={ui}").text
        assert words in service.ask("/?q=yeast&preset=bm25-humour", Cookie=f"ui={ui}").text
        assert words in service.ask(f"/export?q=yeast&preset=bm25-humour&format=ndjson&ui={ui}").text


def test_themes(service):
    assert "data-theme" not in service.ask("/").text
    assert 'data-theme="dark"' in service.ask("/", Cookie="theme=dark").text
    assert 'data-theme="light"' in service.ask("/?theme=light", Cookie="theme=dark").text
    assert "data-theme" not in service.ask("/", Cookie='theme="><script>').text


def test_an_empty_list_says_what_to_try(service):
    page = service.ask("/?q=zzz+bread&kind=homographic&level=A1&ui=en").text
    assert "Nothing about" in page and 'href="/?q=bread"' in page and 'href="/?q=zzz+bread"' in page
    assert 'href="/?q=zzz"' not in page, "what no text has leads nowhere"
    page = service.ask("/?q=breaad&ui=en").text
    assert "Nothing about" in page and 'Perhaps you meant: <a href="/?q=bread">' in page
    page = service.ask("/?q=zzz+bread+yeastt&level=A1&ui=pt").text
    assert 'href="/?q=bread+yeast"' in page and 'href="/?q=yeast"' in page
    assert 'href="/?q=zzz+bread+yeastt&amp;level=A1&amp;lang=any"' in page


def test_a_list_with_an_unknown_word_says_what_may_be_meant(service):
    page = service.ask("/?q=bread+yeastt&lang=en&ui=en").text
    assert "Jokes about" in page and 'Perhaps you meant: <a href="/?q=bread+yeast">' in page
    assert "Perhaps" not in service.ask("/?q=bread+aardvark&ui=en").text, "a wordnet knows it"


def test_a_page_beyond_the_last_is_the_last(service):
    page = service.ask("/?q=bread&page=90&ui=en").text
    assert "3 / 3" in page and page.count('class="card"') > 0 and "/?q=bread&page=2" in links(page)


def test_mistakes_are_pages_too(service):
    answer = service.ask("/?q=bread&page=0&ui=en")
    assert answer.status == 400 and "page: 0 is not between 1 and" in answer.text
    assert service.ask("/joke?id=nobody").status == 404
    assert service.ask("/nothing").headers["content-type"].startswith("text/html")


def test_random_leads_to_a_joke_with_an_address(service):
    answer = service.ask("/random?q=yeast")
    assert answer.status == 303 and answer.headers["location"] in ("/joke?id=j1&q=yeast", "/joke?id=j2&q=yeast")
    page = service.ask(answer.headers["location"]).text
    assert '<details class="senses" open>' in page


def test_export(service):
    hits = service.ask("/api/v1/search?q=bread&k=1000&group=true").json()["hits"]
    lines = service.ask("/export?q=bread&format=csv").text.splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert [row["docid"] for row in rows] == [hit["docid"] for hit in hits]
    assert next(row for row in rows if row["docid"] == "p5")["text"].startswith("'=SUM")
    exported = json.loads(service.ask("/export?q=bread&format=json").text)
    assert [hit["docid"] for hit in exported["hits"]] == [hit["docid"] for hit in hits] and exported["query"][
        "pipeline"
    ]
    assert [json.loads(line) for line in service.ask("/export?q=bread&format=ndjson").text.splitlines()] == hits
    assert hits[0]["text"] in service.ask("/export?q=bread&format=txt").text
    assert service.ask("/export?q=bread&format=bibtex").text.count("@misc{") == len(hits)
    assert len(service.ask("/export?q=bread&format=csl").json()) == len(hits)
    assert (
        service.ask("/export?q=bread&format=csv").headers["content-disposition"] == 'attachment; filename="rimshot.csv"'
    )


def test_strong_language_is_left_out_unless_wanted(service):
    page = service.ask("/?q=loafs&ui=en").text
    assert (
        "damned" not in page
        and "Left out for strong language: 1." in page
        and 'href="/?q=loafs&amp;warned=true"' in page
    )
    assert "damned" in service.ask("/?q=loafs&warned=true").text
    assert service.ask("/api/v1/search?q=loafs").json()["hidden"] == 1
    assert service.ask("/api/v1/search?q=loafs&warned=true").json()["hits"][0]["docid"] == "w1"


def test_the_search_box_takes_conditions(service):
    found = service.ask("/api/v1/search?q=kind:heterographic+lang:en&k=50").json()
    assert {hit["docid"] for hit in found["hits"]} == {"j1", "j2", "j3"} and found["hits"][0]["topic"] is None
    mixed = service.ask("/api/v1/search?q=bread+kind:heterographic&k=50").json()["hits"]
    assert {hit["docid"] for hit in mixed} == {"j2", "j3"} and mixed[0]["topic"] is not None
    assert "sense:bank/money" in service.ask("/").text
    mistake = service.ask("/?q=kind:hetero&ui=en")
    assert mistake.status == 400 and "did you mean" in mistake.text
    mistake = service.ask("/?q=kind:hetero&ui=pt")
    assert "Há algo na pergunta que não se consegue ler." in mistake.text and "did you mean" in mistake.text


def test_both_languages_have_all_words():
    from rimshot.serve.words import WORDS

    assert set(WORDS["en"]) == set(WORDS["pt"])
    for name, words in WORDS["en"].items():
        assert re.findall(r"\{\w+\}", words) == re.findall(r"\{\w+\}", WORDS["pt"][name])


def test_every_fault_has_words():
    from rimshot.serve.problems import STATUSES
    from rimshot.serve.words import WORDS

    seen_by_people = {name for _, name, _ in STATUSES.values()} - {"wrong-method", "wrong-type"}
    assert seen_by_people == {name.removeprefix("fault_") for name in WORDS["en"] if name.startswith("fault_")}


def test_no_words_are_left_over():
    from rimshot.serve import words
    from rimshot.serve.traits import CHOICES

    folder = Path(words.__file__).parent
    written = "".join(file.read_text("utf-8") for file in folder.glob("*.py") if file.name != "words.py")
    named = {value for values in CHOICES.values() for value in values}
    made = ("theme_", "facet_", "part_", "in_", "fault_")
    unused = [n for n in words.WORDS["en"] if f'"{n}"' not in written and n not in named and not n.startswith(made)]
    assert unused == []
