"""What the tests in a browser have in common: opening a page, and what the browser says of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

__all__ = ["log", "requests", "show"]


def show(browser: Chrome, address: str, width: int = 1100, scheme: str = "light") -> None:
    """Open a page in a window of that width with that colour scheme."""
    size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    browser.get(address)


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
