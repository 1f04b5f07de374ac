from pathlib import Path

import pytest

# A page's content security policy lets no string be evaluated in it, so waiting is done from outside.
expect = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed; make test installs it").expect

pytestmark = pytest.mark.browser


def texts(page):
    return page.locator(".card .joke").all_inner_texts()


def test_searching_opening_the_pun_and_the_versions(open_page):
    page = open_page("/")
    page.get_by_role("searchbox").or_(page.get_by_role("combobox")).fill("yeast")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/?q=yeast*")
    assert page.locator("mark").first.inner_text() == "yeast"
    assert not page.locator(".senses > div").is_visible()
    page.locator("a.pun").click()
    expect(page.locator(".senses > div")).to_contain_text("least")
    expect(page.locator(".senses > div")).to_be_visible()
    page.get_by_text("One other version of this joke").click()
    expect(page.locator(".versions li")).to_have_count(1)
    expect(page.locator(".versions li")).to_be_visible()


def test_facets_change_the_list_and_the_address(open_page):
    page = open_page("/?q=bread+yeast")
    before = texts(page)
    page.locator(".facets").get_by_role("link", name="sound-alike").click()
    page.wait_for_url("**kind=heterographic**")
    after = texts(page)
    assert 0 < len(after) < len(before)
    page.get_by_role("link", name="Remove this filter").click()
    page.wait_for_url(lambda url: "kind=" not in url)
    assert texts(page) == before
    page.go_back()
    page.wait_for_url("**kind=heterographic**")
    expect(page.locator(".card")).to_have_count(len(after))
    assert texts(page) == after


@pytest.mark.parametrize("script", [True, False])
def test_hits_in_any_language_by_keyboard(open_page, script):
    page = open_page("/?q=bread&kind=homographic", java_script_enabled=script)
    assert page.locator(".joke[lang=pt]").count() == 0
    page.get_by_role("link", name="Any language").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**lang=any**")
    expect(page.locator(".joke[lang=pt]")).to_have_count(1)
    page.fill("#q", "bread bank")
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**q=bread+bank**")
    assert "lang=any" in page.url, "the choice outlives the search"
    page.get_by_role("link", name="any language").click()
    page.wait_for_url(lambda url: "lang=" not in url)


def test_the_page_in_portuguese_gives_its_reasons_in_portuguese(open_page):
    page = open_page("/?q=yeast&preset=bm25-humour", locale="pt-PT")
    page.get_by_text("Porquê?").click()
    expect(page.locator(".why dl")).to_contain_text("90% de probabilidade de ser jogo de palavras")
    assert page.get_by_role("link", name="Em qualquer língua").is_visible()


def test_the_slider_searches_again(open_page):
    page = open_page("/?q=bread")
    first = texts(page)
    page.locator("#mix").focus()
    page.keyboard.press("End")
    page.wait_for_url("**mix=100**")
    expect(page.locator(".joke").first).not_to_have_text(first[0])
    assert page.locator("mark").count() > 3


def test_language_and_theme_are_remembered(open_page):
    page = open_page("/?q=bread")
    page.get_by_role("link", name="Português").click()
    page.wait_for_load_state()
    assert page.locator("html").get_attribute("lang") == "pt" and "Piadas sobre" in page.locator("h1").inner_text()
    page.goto(page.url.split("?")[0])
    assert page.get_by_role("button", name="Procurar", exact=True).is_visible()
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.locator(".theme").click()
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert light != dark
    page.reload()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark


def test_the_theme_follows_the_system(open_page):
    colours = [
        open_page("/", color_scheme=scheme).evaluate("getComputedStyle(document.body).backgroundColor")
        for scheme in ("light", "dark")
    ]
    assert colours[0] != colours[1]


def test_everything_works_without_javascript(open_page):
    page = open_page("/", java_script_enabled=False)
    page.fill("#q", "yeast")
    page.get_by_role("button", name="Search").click()
    expect(page.locator(".card")).to_have_count(1)
    expect(page.locator(".copy").first).to_be_hidden()
    page.locator("a.pun").click()
    expect(page.locator(".senses > div"), "following the mark opens what it leads to").to_be_visible()
    page.goto(page.url.split("?")[0] + "?q=bread")
    page.locator(".facets").get_by_role("link", name="sound-alike").click()
    page.wait_for_url("**kind=heterographic**")
    expect(page.locator(".card").first).to_be_visible()
    page.get_by_role("link", name="Random joke").click()
    page.wait_for_url("**/joke?id=*")
    expect(page.locator(".senses > div"), "a joke by chance is an explained one").to_be_visible()


def test_by_keyboard_alone(open_page):
    page = open_page("/?q=bread")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Control+k")
    assert page.evaluate("document.activeElement.id") == "q"
    page.keyboard.type("bre")
    page.wait_for_selector("#options li")
    page.keyboard.press("ArrowDown")
    assert page.locator("#q").get_attribute("aria-activedescendant") == "option-0"
    page.keyboard.press("Escape")
    assert page.locator("#options").count() == 0
    page.fill("#q", "yeast")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=yeast**")
    expect(page.locator(".card")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.className") == "card"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "pun"
    page.keyboard.press("Enter")
    expect(page.locator(".senses > div")).to_be_visible()
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.id") == "q"


def test_suggestions_are_taken_by_mouse(open_page):
    page = open_page("/")
    page.locator("#q").press_sequentially("bre")
    page.locator("#options li", has_text="bread").first.click()
    page.wait_for_url("**q=bread**")
    assert page.locator(".card").count() > 3


def test_copying(open_page):
    page = open_page("/?q=yeast", permissions=["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy").click()
    page.get_by_role("button", name="Copied").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == texts(page)[0]
    page.get_by_role("link", name="Copy link").click()
    for _ in range(100):
        if "q=yeast" in page.evaluate("navigator.clipboard.readText()"):
            return
        page.wait_for_timeout(50)
    pytest.fail("the link was not copied")


def test_a_script_in_a_joke_is_shown_and_not_run(open_page):
    page = open_page("/?q=quotes")
    page.on("dialog", lambda dialog: pytest.fail(f"ran: {dialog.message}"))
    assert "<script>alert('crumbs')</script>" in page.locator(".joke").first.inner_text()
    page.fill("#q", "<img src=x onerror=alert(1)>")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("h1")).to_contain_text("onerror")


def test_has_this_been_told(open_page):
    page = open_page("/told")
    page.get_by_label("Paste a joke").fill(
        "Among my worries, told the miller, the bread that rises in secret is the yeast."
    )
    page.get_by_role("button", name="Look for it").click()
    page.wait_for_url("**/told?text=**")
    assert page.locator(".verdict").inner_text() == "Yes, it has been told."
    assert "miller" in texts(page)[0]


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_nothing_sticks_out_at_any_width(open_page, width):
    page = open_page("/", viewport={"width": width, "height": 800}, locale="pt-PT")
    for path in ("/", "/?q=bread", "/?q=bread&lang=any", "/?q=zzz&kind=homographic", "/joke?id=j2", "/told"):
        page.goto(page.url.split("/", 3)[0] + "//" + page.url.split("/", 3)[2] + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path


def axe():
    import axe_playwright_python

    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "path",
    ["/", "/?q=bread&kind=heterographic", "/?q=bread+yeastt&lang=any", "/?q=zzz", "/joke?id=j2", "/told?text=bread"],
)
def test_no_serious_finding_of_axe(open_page, path, scheme):
    pytest.importorskip("axe_playwright_python", reason="axe-core is not installed; make test installs it")
    page = open_page(path, color_scheme=scheme, bypass_csp=True)
    for details in page.locator("details").all():
        details.evaluate("node => { node.open = true }")
    page.evaluate(axe())
    rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found = page.evaluate("rules => axe.run({ runOnly: { type: 'tag', values: rules } })", rules)
    told = [
        f"{one['id']} ({one['impact']}): {one['help']}: {[node['html'][:120] for node in one['nodes']][:3]}"
        for one in found["violations"]
    ]
    assert told == [] and len(found["passes"]) > 15
