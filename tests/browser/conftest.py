"""The real page in a real Chromium (Debian's), driven by Playwright; skipped, with the reason, where there is none."""

import shutil

import pytest
from tests.serve.served import build, serving

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    with serving(build(tmp_path_factory.mktemp("browser") / "index")) as address:
        yield address.url


@pytest.fixture(scope="session")
def chromium():
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("no Chromium here: install it (apt-get install chromium) and run make test again")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed; make test installs it")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium, site):
    """Open pages in a fresh context each; whatever the page asks for elsewhere, or complains of, fails the test."""
    contexts, faults = [], []

    def opened(path="/", **options):
        context = chromium.new_context(**{"locale": "en-GB", "viewport": {"width": 1200, "height": 900}, **options})
        context.set_default_timeout(30_000)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: None if request.url.startswith(site) else faults.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
        page.goto(site + path)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert faults == []
