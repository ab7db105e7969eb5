"""What the tests in a browser have in common: opening a page, and what the browser says of it."""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.reports.parsed import Element, parsed

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


def show(browser: Chrome, address: str, width: int = 1100, scheme: str = "light") -> None:
    """Open a page in a window of that width with that colour scheme, and wait for the match that it shows."""
    from selenium.webdriver.support.ui import WebDriverWait

    resize(browser, width, scheme)
    browser.get(address)
    if "replay.html#m" in address:
        ready = "return !document.querySelector('#match').hidden"
        WebDriverWait(browser, 10).until(lambda shown: shown.execute_script(ready))


def resize(browser: Chrome, width: int, scheme: str) -> None:
    """Give the window another width and colour scheme."""
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


def shown_match(browser: Chrome, matches: Path, number: int) -> Element:
    """The page of a match as its script has made it. `matches`: the folder of match pages."""
    show(browser, "about:blank")
    show(browser, f"{(matches / 'replay.html').as_uri()}#m{number}")
    return parsed(str(browser.execute_script("return document.documentElement.outerHTML")))


def log(browser: Chrome, kind: str) -> list[dict[str, Any]]:
    """What the browser has logged since the last call."""
    entries: list[dict[str, Any]] = browser.get_log(kind)  # type: ignore[no-untyped-call]
    return entries


def requests(browser: Chrome) -> list[str]:
    """The addresses asked for since the last call."""
    messages: list[dict[str, Any]] = [
        json.loads(entry["message"])["message"] for entry in log(browser, "performance")
    ]
    sent = (m["params"] for m in messages if m["method"] == "Network.requestWillBeSent")
    return [str(params["request"]["url"]) for params in sent]


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a plain web server for the files of a folder."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/"
        finally:
            server.shutdown()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""
