"""`arena serve`, as a process of its own: its address, its end, its port."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.cli.organiser.page_server import PageServer
from arena.store.lock import RunLock
from tests.cli.calling import Arena


@contextmanager
def serving(*arguments: object) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command with these arguments, and the address that it printed."""
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "serve", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process.stdout, process.stderr:
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()
            process.wait()


@pytest.mark.slow
def test_it_writes_the_pages_if_need_be_and_ends_in_order(stopped: Path) -> None:
    index = stopped.parent / "spring-report" / "index.html"
    with serving(stopped, "--port", 0) as (process, url):
        with urllib.request.urlopen(url, timeout=90) as answer:
            assert answer.read() == index.read_bytes()
        with (
            RunLock(stopped.with_name("spring.lock")),
            urllib.request.urlopen(url, timeout=90) as answer,
        ):
            page = answer.read()
        for script in re.findall(rb"<script src=(/static/live\S+) data-seconds=30>", page):
            with urllib.request.urlopen(url + script.decode()[1:], timeout=90) as answer:
                assert answer.headers["Content-Type"].startswith("text/javascript")
        assert len(page) > len(index.read_bytes()), "the file itself is as ever"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=90) == 130
        said = process.stderr.read()
    assert "to this machine only" in said
    assert said.strip().endswith("Ctrl-C ends it")


def old_pages(league: Path) -> None:
    """Pages that are there before anything is served."""
    static = league.parent / "spring-report" / "static"
    static.mkdir(parents=True)
    (static / "live.0123456789ab.js").write_text("")
    (static.parent / "index.html").write_text("<main>older</main>")


def fetched(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=90) as answer:
        page: bytes = answer.read()
    return page


def test_pages_that_are_there_are_left_as_they_are(
    arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_pages(stopped)
    served: list[bytes] = []

    def serve_once(server: PageServer) -> None:
        with ThreadPoolExecutor() as pool:
            page = pool.submit(fetched, server.url)
            server.handle_request()
            served.append(page.result())

    monkeypatch.setattr("arena.cli.organiser.serve.PageServer.serve_forever", serve_once)
    assert arena("serve", stopped, "--port", 0).code == 0
    assert served == [b"<main>older</main>"]


def test_a_port_that_is_taken(arena: Arena, stopped: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        called = arena("serve", stopped, "--port", port)
    assert (called.code, called.out) == (2, "")
    assert f"--port {port}: cannot listen on 127.0.0.1: Address already in use" in called.err


def test_the_usual_port_gives_way_to_a_free_one(
    arena: Arena, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.cli.organiser.serve.PageServer.serve_forever", lambda server: None)
    opened: list[str] = []
    monkeypatch.setattr("arena.cli.browser.open_page", opened.append)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("arena.cli.organiser.serve._PORT", port)
        called = arena("serve", stopped, "--open")
    assert called.code == 0
    assert called.out.startswith("http://127.0.0.1:")
    assert f":{port}/" not in called.out
    assert opened == [called.out.strip()]
