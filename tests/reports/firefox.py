"""Firefox without a window, steered by WebDriver BiDi over its debugging port; a `browsers.Browser`.

Debian's firefox-esr comes without geckodriver, which selenium would need. What BiDi cannot change there
(colour scheme, scripts), preferences do: Firefox is started so that they can be set while it runs. A file
may load any other whatever its policy says, and Firefox does not tell of one that is missing: what concerns
these needs a web server. Knows no page of ours. https://www.w3.org/TR/webdriver-bidi/
"""

from __future__ import annotations

import base64
import json
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import websocket

from tests.reports.browsers import A4, MIDDLE

_PATIENCE = 120.0  # seconds for the start and for each command, on a machine that does much else
_LEAVE = 10.0  # seconds for a clean end
_LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_SCHEME, _SCRIPTS = "layout.css.prefers-color-scheme.content-override", "javascript.enabled"
_TO_THE_PAGE = "() => { window.gBrowser.selectedBrowser.focus(); }"
_DARK = "return matchMedia('(prefers-color-scheme: dark)').matches;"
_EVENTS = ("log.entryAdded", "network.responseCompleted", "network.fetchError")

# Firefox makes a profile for automation by itself, once it is steered; this is for the time before, and
# whatever it forgets finds no network.
_PREFERENCES: Mapping[str, bool | int | str] = {
    "app.update.disabledForTesting": True,
    "browser.aboutwelcome.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.systemAddon.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",  # this machine itself is asked without it
    "network.proxy.http_port": 9,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": 9,
    "services.settings.server": "http://127.0.0.1:9/",
    "toolkit.telemetry.reportingpolicy.firstRun": False,
    "ui.useOverlayScrollbars": 1,  # as on a phone: the whole width is the page's
}


class FirefoxError(Exception):
    """Firefox refused a command, took too long for it, or is gone."""


class Firefox:
    """A Firefox with a profile of its own in `folder`, an empty one. To be used in a `with`."""

    def __init__(self, program: str, folder: Path) -> None:
        self._said: queue.Queue[str] = queue.Queue()
        self._errors: list[str] = []
        self._number = 0
        self._process = _start(program, folder)
        self._database = threading.Thread(target=self._read, daemon=True)
        self._database.start()
        try:
            self._connect()
        except BaseException:
            self._end()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(FirefoxError):
            self.call("browser.close")
        self._socket.close()
        self._end()

    def show(self, address: str, width: int = 1100, scheme: str = "light") -> None:
        # One page may be another's with a fragment, which would not load it again.
        for url in ("about:blank", address):
            self.resize(width, scheme)
            self.call("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def resize(self, width: int, scheme: str) -> None:
        size = {"width": width, "height": 800}
        self.call("browsingContext.setViewport", context=self._page, viewport=size, devicePixelRatio=1)
        self._prefer(_SCHEME, ["dark", "light"].index(scheme))
        # The page is in another process, which hears of it a little later.
        until = time.monotonic() + _PATIENCE
        while self.run(_DARK) is not (scheme == "dark"):
            if time.monotonic() > until:
                raise FirefoxError(f"the page does not become {scheme}")

    def run(self, script: str, *args: Any) -> Any:
        # Without scripts a page has no promises either, so only what is one is waited for.
        body = f"(function () {{{script}\n}}).apply(window, JSON.parse(given))"
        wrapped = f"""(given) => {{
            const found = {body};
            return found instanceof Promise ? found.then(JSON.stringify) : JSON.stringify(found);
        }}"""
        answer = self._function(self._page, wrapped, json.dumps(args))
        return json.loads(answer["value"]) if "value" in answer else None

    def press(self, *keys: str) -> None:
        # At first the bar of addresses has the focus, and keys do nothing on a page's buttons.
        self._function(self._chrome, _TO_THE_PAGE)
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": steps})

    def click(self, selector: str) -> None:
        x, y = (round(place) for place in self.run(MIDDLE, selector))
        steps = [{"type": "pointerMove", "x": x, "y": y}, {"type": "pointerDown", "button": 0}]
        steps.append({"type": "pointerUp", "button": 0})
        self._act({"type": "pointer", "id": "mouse", "actions": steps})

    def _act(self, source: Mapping[str, Any]) -> None:
        self.call("input.performActions", context=self._page, actions=[source])

    def errors(self) -> list[str]:
        # An answer comes after the events that were on their way before it.
        self.run("return 0")
        found, self._errors = self._errors, []
        return found

    def printed(self) -> bytes:
        paper = dict(zip(("width", "height"), A4, strict=True))
        return base64.b64decode(self.call("browsingContext.print", context=self._page, page=paper)["data"])

    @contextmanager
    def without_scripts(self) -> Iterator[None]:
        self._prefer(_SCRIPTS, False)
        try:
            yield
        finally:
            self._prefer(_SCRIPTS, True)

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        """What Firefox answers to a command of BiDi."""
        self._number += 1
        try:
            self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
            while True:
                message = json.loads(self._socket.recv())
                if message.get("id") == self._number:
                    break
                self._happened(message)
        except (OSError, websocket.WebSocketException) as error:
            raise FirefoxError(f"no answer to {method}: {error!r}") from error
        if message["type"] != "success":
            raise FirefoxError(f"{method}: {message['error']}: {message['message']}")
        result: dict[str, Any] = message["result"]
        return result

    def _happened(self, event: Mapping[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "log.entryAdded" and params["level"] in ("error", "warn"):
            self._errors.append(f"{params['level']}: {params['text']}")
        elif event.get("method") == "network.fetchError":
            self._errors.append(f"{params['request']['url']}: {params['errorText']}")
        elif event.get("method") == "network.responseCompleted" and params["response"]["status"] >= 400:
            self._errors.append(f"{params['request']['url']}: {params['response']['statusText']}")

    def _function(self, context: str, function: str, *texts: str) -> dict[str, Any]:
        answer = self.call(
            "script.callFunction",
            functionDeclaration=function,
            arguments=[{"type": "string", "value": text} for text in texts],
            awaitPromise=True,
            target={"context": context},
        )
        if answer["type"] != "success":
            raise FirefoxError(answer["exceptionDetails"]["text"])
        result: dict[str, Any] = answer["result"]
        return result

    def _prefer(self, name: str, value: bool | int) -> None:
        setter = "setBoolPref" if isinstance(value, bool) else "setIntPref"
        function = f"(name, value) => {{ Services.prefs.{setter}(name, JSON.parse(value)); }}"
        self._function(self._chrome, function, name, json.dumps(value))

    def _connect(self) -> None:
        address = f"{self._address()}/session"
        self._socket = websocket.create_connection(address, timeout=_PATIENCE, suppress_origin=True)
        try:
            self.call("session.new", capabilities={})
            self.call("session.subscribe", events=list(_EVENTS))
            (page,) = self.call("browsingContext.getTree")["contexts"]
            (chrome,) = self.call("browsingContext.getTree", **{"moz:scope": "chrome"})["contexts"]
        except BaseException:
            self._socket.close()
            raise
        self._page, self._chrome = str(page["context"]), str(chrome["context"])

    def _address(self) -> str:
        """Where it listens, which it says on its standard error."""
        said: list[str] = []
        try:
            while not (found := _LISTENS.search(said[-1] if said else "")):
                said.append(self._said.get(timeout=_PATIENCE))
        except queue.Empty:
            raise FirefoxError(f"it does not listen: {said}") from None
        return found[1]

    def _read(self) -> None:
        """Read what it says, all the time, for it waits when a pipe is full."""
        assert self._process.stderr is not None
        with self._process.stderr as stream:
            for line in stream:
                self._said.put(line)

    def _end(self) -> None:
        try:
            self._process.wait(_LEAVE)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._database.join()


def _start(program: str, folder: Path) -> subprocess.Popen[str]:
    """Start it in a session of its own, so that its helpers can be ended with it."""
    home, profile = folder / "home", folder / "profile"
    home.mkdir()
    profile.mkdir()
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines), encoding="utf-8")
    # It ends with the tests, however these end.
    command = ["setpriv", "--pdeathsig", "KILL", program, "--headless", "--no-remote"]
    command += ["--profile", str(profile), "--remote-debugging-port", "0", "--remote-allow-system-access"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "MOZ_"))}
    environment |= {"HOME": str(home), "MOZ_CRASHREPORTER_DISABLE": "1"}
    return subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        start_new_session=True,
    )
