from html.parser import HTMLParser

from hypothesis import given, settings
from hypothesis import strategies as st

from rimshot.serve.cards import card, marked
from rimshot.serve.frame import Frame
from rimshot.serve.html import el, href, join
from rimshot.serve.pages import fault_page, home_page, joke_page, told_page
from rimshot.serve.results import results_page
from rimshot.serve.state import Look, State

# What HTML cannot carry (controls) and half characters are another matter: the index holds none of the latter.
LETTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\ufffe\uffff")
NASTY = st.sampled_from(
    [
        "<script>alert(1)</script>",
        '"><img src=x onerror=alert(1)>',
        "'",
        "&amp;",
        "</p>",
        "<!--",
        "]]>",
        "{q}",
        "javascript:alert(1)",
    ]
)
TEXTS = st.lists(st.one_of(NASTY, st.text(LETTERS, max_size=20)), min_size=1, max_size=4).map("".join)
KNOWN = {
    "a", "article", "aside", "b", "body", "button", "code", "dd", "details", "div", "dl", "dt", "footer", "form", "h1", "h2",
    "h3", "head", "header", "html", "i", "input", "label", "li", "link", "main", "mark", "meta", "nav", "ol", "p", "path",
    "rect", "script", "section", "span", "summary", "svg", "textarea", "title", "ul",
}  # fmt: skip


class Reader(HTMLParser):
    """What a browser would see: elements, attributes, text."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.elements, self.seen = [], []
        self.feed(html)
        self.close()

    def handle_starttag(self, name, attributes):
        self.elements.append((name, dict(attributes)))

    def handle_data(self, data):
        self.seen.append(data)

    @property
    def text(self):
        return "".join(self.seen)


@given(TEXTS, TEXTS)
def test_text_and_attributes_come_back_as_they_were(text, value):
    read = Reader(el("p", text, title=value))
    assert read.elements == [("p", {"title": value})] and read.text == text


@given(st.text())
def test_any_text_at_all_is_escaped(text):
    read = Reader(join(text))
    assert read.elements == []


@given(TEXTS, st.integers(-3, 90), st.integers(-3, 90))
def test_marking_changes_no_letter(text, start, end):
    read = Reader(marked(text, {"start": start, "end": end}, "pun-1"))
    assert read.text == text
    assert {name for name, _ in read.elements} <= {"a", "mark"}


def hit(text, docid):
    pun = {
        "word": text, "start": 0, "end": len(text), "kind": docid, "sentence": text,
        "glosses": [[text, text]], "support": [[[text], [text]]], "sounds": [{"form": text}],
    }  # fmt: skip
    why = {"matched": [text], text: 0.5}
    versions = [{"docid": docid, "text": text, "lang": "en"}]
    return {
        "rank": 1, "docid": docid, "text": text, "lang": "pt", "humour": 0.5, "topic": 0.5, "score": 1.0, "pun": pun,
        "family": 1, "versions": versions, "why": why, "probability": 0.7,
    }  # fmt: skip


def harmless(page):
    read = Reader(page)
    for name, attributes in read.elements:
        assert name in KNOWN
        for key, value in attributes.items():
            assert not key.startswith("on") and key not in ("style", "srcdoc", "formaction")
            if key in ("href", "src", "action"):
                assert value.startswith(("/", "#"))
    assert [attributes.get("src") for name, attributes in read.elements if name == "script"] in ([], ["/rimshot.js"])


@settings(deadline=None)
@given(TEXTS, TEXTS, st.sampled_from(["en", "pt"]))
def test_no_page_runs_what_a_stranger_wrote(text, docid, ui):
    facts = {"documents": 3, "languages": ("en", "pt"), "humour": True, "same": True, "syntax": True}
    assets = {name: f"/{name}" for name in ("rimshot.css", "rimshot.js", "rimshot.svg")}
    state = State(q=text, text=text, wanted=(("kind", "homographic"), ("lang", "pt")))
    frame = Frame(Look(ui, None, href("/", [("q", text)])), state, facts, assets)
    row = hit(text, docid)
    harmless(card({**row, "pun": {**row["pun"], "kind": "heterographic"}}, 1, frame.look))
    counted = {"kind": {"homographic": 1, "heterographic": 2}}
    harmless(card(row, 1, frame.look))
    harmless(results_page(frame, {"total": 11, "hidden": 2, "lang": "en", "hits": [row], "facets": counted}))
    harmless(results_page(frame, {"total": 0, "hidden": 0, "lang": None, "hits": []}, [text, docid]))
    harmless(home_page(frame, [text], row))
    harmless(joke_page(frame, row))
    harmless(told_page(frame, {"told": True, "versions": [row]}))
    harmless(fault_page(frame, "bad-input", text))
