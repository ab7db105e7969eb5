"""What a test asks of a browser, whichever it is, and Chromium as one of them; `firefox` has the other.

Knows no page of ours.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from tests.reports import browsing

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from selenium.webdriver import Chrome

A4 = (21.0, 29.7)
"""Width and height of the paper, in cm; both browsers leave a margin of 1 cm."""

KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Left": "\ue012",
    "Right": "\ue014",
    "Home": "\ue011",
    "End": "\ue010",
}
"""Signs of keys, as WebDriver has them. https://www.w3.org/TR/webdriver/#keyboard-actions"""

MIDDLE = """
const element = document.querySelector(arguments[0]);
element.scrollIntoView({ block: "nearest", behavior: "instant" });
const { left, top, width, height } = element.getBoundingClientRect();
return [left + width / 2, top + height / 2];
"""

_PATIENCE = 120  # seconds for a script, on a machine that does much else
_INCH = 2.54  # cm


class Browser(Protocol):
    """A window of a browser."""

    def show(self, address: str, width: int = 1100, scheme: str = "light") -> None:
        """Load a page in a window of that width with that colour scheme, light or dark."""

    def resize(self, width: int, scheme: str) -> None:
        """Change the window of the page that is shown, without loading the page again."""

    def run(self, script: str, *args: Any) -> Any:
        """What the body of a function returns in the page: JSON, or a promise of it."""

    def press(self, *keys: str) -> None:
        """Press keys one after another, as a keyboard does: letters, or the signs of `KEYS`."""

    def click(self, selector: str) -> None:
        """Click on the middle of the first element of this selector with a mouse."""

    def errors(self) -> list[str]:
        """What the browser has complained about since the last call: by scripts, and what did not load."""

    def printed(self) -> bytes:
        """The page on A4, as PDF."""

    def without_scripts(self) -> AbstractContextManager[None]:
        """Pages that are loaded inside run no scripts of their own."""


class Chromium:
    """Chromium, steered by selenium; a `Browser`."""

    def __init__(self, driver: Chrome) -> None:
        self.driver = driver
        driver.set_script_timeout(_PATIENCE)

    def show(self, address: str, width: int = 1100, scheme: str = "light") -> None:
        # One page may be another's with a fragment, which would not load it again.
        self.driver.get("about:blank")
        browsing.show(self.driver, address, width, scheme)

    def resize(self, width: int, scheme: str) -> None:
        browsing.resize(self.driver, width, scheme)

    def run(self, script: str, *args: Any) -> Any:
        # The driver waits for a promise that a script returns.
        return self.driver.execute_script(script, *args)

    def press(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        ActionChains(self.driver).send_keys(*keys).perform()

    def click(self, selector: str) -> None:
        x, y = self.run(MIDDLE, selector)
        mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
        for kind in ("mousePressed", "mouseReleased"):
            self.driver.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, **mouse})

    def errors(self) -> list[str]:
        return [str(entry["message"]) for entry in browsing.log(self.driver, "browser")]

    def printed(self) -> bytes:
        width, height = (length / _INCH for length in A4)
        paper = {"paperWidth": width, "paperHeight": height, "printBackground": False}
        answer = self.driver.execute_cdp_cmd("Page.printToPDF", paper)
        return base64.b64decode(answer["data"])

    @contextmanager
    def without_scripts(self) -> Iterator[None]:
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
