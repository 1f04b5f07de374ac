"""The report is one page that needs nothing else, reads well without colour or mouse, and works in a real browser."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from rimshot.evaluate.compare import compare
from rimshot.evaluate.measures import parse_measures
from rimshot.evaluate.qrels import Qrels
from rimshot.evaluate.report import write_report
from rimshot.evaluate.runs import make_run
from rimshot.evaluate.systems import measure_system

QRELS = Qrels({f"q{n}": {"1": 1, "2": 1, "9": 0} for n in range(12)})
TOPICAL = Qrels({qid: {**docs, "9": 1} for qid, docs in QRELS.judgments.items()})


def result(count=3):
    docs = ["1", "9", "7", "2"], ["9", "7", "8", "1"]
    systems = []
    for number in range(count):
        run = make_run(
            f"team<{number}>_task_1_x",
            [
                (qid, docs[(place * 7 + number) % (number + 2) > 0], [4, 3, 2, 1])
                for place, qid in enumerate(QRELS.judgments)
            ],
        )
        systems.append(measure_system(run, QRELS, parse_measures("joker2025"), TOPICAL, train=["q0", "q1"]))
    return compare(systems)


@pytest.fixture
def page(tmp_path):
    return write_report(result(), QRELS, tmp_path / "new" / "report", "a & b", {"q2": "domestic <animal>"})


class Checker(HTMLParser):
    VOID = frozenset({"meta", "circle", "line", "rect", "polygon", "polyline", "br"})

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.outside = [], [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.outside += [
            value for name, value in attrs if name in ("src", "href") and value and not value.startswith("#")
        ]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def checked(path):
    checker = Checker()
    checker.feed(path.read_text(encoding="utf-8"))
    assert checker.open == []
    return checker


def test_the_page_is_well_formed_and_takes_nothing_from_elsewhere(page):
    checker = checked(page)
    assert checker.outside == []
    text = page.read_text(encoding="utf-8")
    assert "http://" not in text and "https://" not in text and "@import" not in text and "url(" not in text


def test_names_are_escaped(page):
    text = page.read_text(encoding="utf-8")
    assert "team<0>" not in text and "team&lt;0&gt;" in text and "domestic <animal>" not in text


def test_all_plots_are_there_and_say_what_they_show(page):
    checker = checked(page)
    labels = [attrs.get("aria-label", "") for tag, attrs in checker.tags if tag == "svg"]
    for part in (
        "95% intervals",
        "for each query",
        "recall against",
        "official",
        "relevant documents",
        "training",
        "against MAP",
    ):
        assert any(part in label for label in labels), part
    marks = [attrs for tag, attrs in checker.tags if "mark" in attrs.get("class", "").split()]
    assert len(marks) > 80 and all(attrs.get("data-say") for attrs in marks)


def test_each_plot_is_one_stop_of_the_tab_key(page):
    checker = checked(page)
    figures = [attrs for tag, attrs in checker.tags if tag == "figure"]
    assert figures and all(attrs.get("tabindex") == "0" for attrs in figures)
    assert not [attrs for tag, attrs in checker.tags if tag in ("circle", "rect", "polygon") and "tabindex" in attrs]


def test_light_and_dark_give_every_colour(page):
    text = page.read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
    for colour in range(8):
        assert len(re.findall(rf"--c{colour}: #", text)) == 2


def test_one_system_makes_a_page_too(tmp_path):
    assert checked(write_report(result(1), QRELS, tmp_path, "one")).tags


def test_twenty_systems_make_a_page_too(tmp_path):
    assert checked(write_report(result(20), QRELS, tmp_path, "twenty")).tags


@pytest.mark.browser
def test_the_keyboard_walks_the_marks_and_chooses_systems_in_a_real_browser(page, tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
    if browser is None:
        pytest.skip("no Chromium is installed")
    script = """<script>
      const out = document.createElement("pre"); out.id = "out"; document.body.append(out);
      const log = (text) => { out.textContent += text + "\\n"; };
      window.onerror = (message) => log("ERROR " + message);
      const first = document.querySelector("figure[tabindex]");
      first.focus();
      const press = (key) => first.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
      press("ArrowRight"); log("one: " + first.querySelector(".say").textContent);
      press("End"); log("end: " + first.querySelector(".say").textContent);
      press("Escape"); log("none: " + first.querySelectorAll(".mark.on").length);
      const swap = document.querySelector("[data-swap]");
      swap.value = "0"; swap.dispatchEvent(new Event("change"));
      log("shown: " + Array.from(document.querySelectorAll('[data-of="bars"]')).filter((one) => !one.hidden).length);
      const selects = document.getElementById("pair").querySelectorAll("select");
      selects[0].value = "0"; selects[1].value = "0"; selects[0].dispatchEvent(new Event("change"));
      log("even: " + document.getElementById("pair-count").textContent);
    </script></body>"""
    copy = tmp_path / "probe.html"
    copy.write_text(page.read_text(encoding="utf-8").replace("</body>", script), encoding="utf-8")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom", copy.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    log = shown[shown.index('<pre id="out">') :]
    assert "ERROR" not in log
    assert "one: team&lt;" in log and "95% interval" in log and "end: team&lt;" in log
    assert "none: 0" in log and "shown: 1" in log and "they are even for 10." in log
