"""Sites without most languages of the rules, and real browsers.

The browsers are Chromium without a window, steered by selenium, and Firefox, see `firefox`.

Needs the packages selenium, websocket-client and axe-core-python (the rules of axe, to be run in the
page), and the programs chromium, chromedriver and firefox-esr (Debian: chromium, chromium-driver and
firefox-esr). Where one is missing the tests are skipped, but with CI=true they fail.
"""

from __future__ import annotations

import importlib.resources
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from reports import website
from reports.pages import rules
from reports.translations import ENGLISH, LANGUAGES
from tests.reports.browsers import Browser, Chromium

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

    from tests.reports.firefox import Firefox

ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


FEW = (LANGUAGES[0], ENGLISH)


@pytest.fixture(scope="module")
def few_languages() -> Iterator[None]:
    """Write the rules in two languages instead of all, for tests of sites that look at something else."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (website, rules):
            patch.setattr(module, "LANGUAGES", FEW)
        yield


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One Chromium for all tests, with a profile of its own."""
    binary, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if binary is None or driver is None:
        _missing("chromium or chromedriver")
    try:
        from selenium import webdriver
    except ImportError:
        _missing("selenium")
    options = webdriver.ChromeOptions()
    options.binary_location = str(binary)
    for argument in (*ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    chrome = webdriver.Chrome(options, webdriver.ChromeService(str(driver)))
    yield chrome
    chrome.quit()


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One Firefox for all tests, with a profile of its own."""
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if program is None:
        _missing("firefox-esr")
    try:
        from tests.reports.firefox import Firefox
    except ImportError:
        _missing("websocket-client")
    with Firefox(str(program), tmp_path_factory.mktemp("firefox")) as firefox:
        yield firefox


@pytest.fixture(scope="session", params=["browser", "firefox"], ids=["chromium", "firefox"])
def either(request: pytest.FixtureRequest) -> Browser:
    """Each browser in turn, for a test that asks of it what a `Browser` can do."""
    found = request.getfixturevalue(request.param)
    return Chromium(found) if request.param == "browser" else found


@pytest.fixture(scope="session")
def axe() -> str:
    """The script that knows the rules of axe (https://github.com/dequelabs/axe-core)."""
    try:
        script = importlib.resources.files("axe_core_python") / "axe.min.js"
    except ModuleNotFoundError:
        _missing("axe-core-python")
    # Its measuring of contrast takes four fifths of the time, and LOW_CONTRAST measures the same in a moment.
    rest = "axe.configure({ rules: [{ id: 'color-contrast', enabled: false }] });"
    return f"{script.read_text(encoding='utf-8')}\n{rest}"


def _missing(what: str) -> None:
    """Without a browser nothing can be said: fine for a developer, not for CI."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and CI=true")
    pytest.skip(f"{what} is missing")
