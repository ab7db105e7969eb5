"""The server of `arena serve`: what it sends, what it does not, and to whom."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.cli.organiser.page_server import HOST, Liveliness, PageServer, file_at

pytestmark = pytest.mark.slow

FILES = {
    "index.html": "<p>first",
    "matches/index.html": "<p>list",
    "matches/12.html": "<p>match",
    "matches/12.json": "{}",
    "bots/duck.html": "<p>Duck",
    "static/site.0123456789ab.css": "p {}",
    "static/replay.0123456789ab.js": "1",
    "static/live.0123456789ab.js": "2",
    "data/standings.csv": "a,b",
    "data/ä b.txt": "odd",
    ".hidden/index.html": "hidden",
    "matches/.tmp.html": "half",
    "league.db": "secret",
    "league.toml": "secret",
}
KINDS = {
    "/": "text/html; charset=utf-8",
    "/index.html": "text/html; charset=utf-8",
    "/matches/": "text/html; charset=utf-8",
    "/bots/duck.html?x=1#top": "text/html; charset=utf-8",
    "/matches/12.json": "application/json",
    "/static/site.0123456789ab.css": "text/css; charset=utf-8",
    "/static/replay.0123456789ab.js": "text/javascript; charset=utf-8",
    "/data/standings.csv": "text/csv; charset=utf-8",
    "/data/%C3%A4%20b.txt": "text/plain; charset=utf-8",
}
ABSENT = [
    "/nothing.html", "/static/", "/data", "/index.html/", "/../secret.html", "/%2e%2e/secret.html",
    "/matches/..%2f..%2fsecret.html", "//../secret.html", "/..\\secret.html", "/link.html",
    "/away/secret.html", "/.hidden/", "/matches/.tmp.html", "/league.db", "/league.toml",
    "/%00.html", f"/{'x' * 300}.html", "secret.html", "http://127.0.0.1/index.html", "/%ff.html",
    "/round.html", "/circle/index.html", "/circle/",
]  # fmt: skip
Ask = Callable[..., tuple[http.client.HTTPResponse, bytes]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Pages, things that are none, and ways out of the folder."""
    site = tmp_path / "site"
    for name, text in FILES.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    (tmp_path / "secret.html").write_text("secret")
    (site / "link.html").symlink_to(tmp_path / "secret.html")
    (site / "away").symlink_to(tmp_path)
    (site / "round.html").symlink_to("round.html")
    (site / "circle").symlink_to("elcric")
    (site / "elcric").symlink_to("circle")
    return site


class League:
    """One that can be started and stopped."""

    running = False


@pytest.fixture
def league() -> League:
    return League()


@pytest.fixture
def ask(folder: Path, league: League) -> Iterator[Ask]:
    """Asks the server in one connection a question; the answer, read whole."""
    with PageServer(folder, 0, Liveliness(lambda: league.running, 30)) as server:
        thread = threading.Thread(target=server.serve_forever, args=[0.01])
        thread.start()
        port = server.server_address[1]

        def once(
            path: str, method: str = "GET", host: str = f"127.0.0.1:{port}"
        ) -> tuple[http.client.HTTPResponse, bytes]:
            with closing(http.client.HTTPConnection(HOST, port, timeout=10)) as connection:
                connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
                connection.putheader("Host", host)
                connection.endheaders()
                response = connection.getresponse()
                return response, response.read()

        yield once
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(("path", "kind"), KINDS.items())
def test_files_come_as_they_are_with_their_kind(ask: Ask, path: str, kind: str) -> None:
    response, content = ask(path)
    assert (response.status, response.headers["Content-Type"]) == (200, kind)
    assert content.decode() in FILES.values()
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Content-Length"] == str(len(content))


@pytest.mark.parametrize("path", ABSENT)
def test_nothing_else_is_there(ask: Ask, path: str) -> None:
    response, content = ask(path)
    assert response.status == 404
    assert b"secret" not in content.replace(b"secret.html", b"")
    assert b"duck" not in content, "no list of files"


def test_a_folder_without_a_slash_leads_to_its_page(ask: Ask) -> None:
    response, _ = ask("/matches")
    assert (response.status, response.headers["Location"]) == (301, "/matches/")
    response, _ = ask("//matches")
    assert response.headers["Location"] == "/matches/", "never to another host"


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil.example:7250", "127.0.0.1.evil.example", "localhost:x", "[::1]:1"]
)
def test_other_names_for_this_machine_are_refused(ask: Ask, host: str) -> None:
    response, content = ask("/", host=host)
    assert response.status == 421
    assert b"first" not in content


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9000", "127.0.0.1", "127.0.0.1:80"])
def test_its_own_names_may_have_any_port_for_it_may_be_forwarded(ask: Ask, host: str) -> None:
    assert ask("/", host=host)[0].status == 200


def test_nothing_can_be_sent_to_it(ask: Ask) -> None:
    assert ask("/", "POST")[0].status == 501


FOLLOWS = b"</main>\n<script src=/static/live.0123456789ab.js data-seconds=30></script>"
RELOADS = b"<noscript><meta http-equiv=refresh content=30></noscript>\n</head>"


def write_pages(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("<head></head><main></main><p></p>")


def test_pages_of_a_running_league_follow_it(ask: Ask, folder: Path, league: League) -> None:
    pages = ("index.html", "matches/index.html", "matches/replay.html", "bots/duck.html")
    write_pages(folder, *pages)
    plain = ask("/")[1]
    assert plain == (folder / "index.html").read_bytes()
    league.running = True
    for name in pages:
        whole = b"<head>" + RELOADS + b"<main>" + FOLLOWS + b"<p></p>"
        assert ask(f"/{name}")[1] == whole
    assert (folder / "index.html").read_bytes() == plain, "the file itself is as ever"
    league.running = False


def test_nothing_else_follows_a_running_league(ask: Ask, folder: Path, league: League) -> None:
    league.running = True
    for path in (
        "/matches/12.json", "/static/site.0123456789ab.css", "/data/standings.csv", "/none.html",
    ):  # fmt: skip
        answer, content = ask(path)
        assert answer.status == (404 if path == "/none.html" else 200)
        assert b"live." not in content
        assert b"http-equiv" not in content
        assert answer.headers["Refresh"] is None


def test_a_page_has_another_tag_when_it_has_changed(ask: Ask, folder: Path, league: League) -> None:
    write_pages(folder, "index.html")
    first, same = (ask("/")[0].headers["ETag"] for _ in range(2))
    league.running = True
    assert first == same != ask("/")[0].headers["ETag"]


def test_they_are_got_again_until_their_last_writing() -> None:
    league, now = League(), 100.0
    liveliness = Liveliness(lambda: league.running, 30, lambda: now)
    assert liveliness.refresh_after() is None
    league.running = True
    assert liveliness.refresh_after() == 30
    league.running, now = False, 131.0
    assert liveliness.refresh_after() == 30, "it ended, but what was got may be older than its end"
    now = 300.0
    assert liveliness.refresh_after() is None


def test_a_folder_that_is_a_link_itself_is_served(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "current").symlink_to(folder)
    assert file_at(tmp_path / "current", "/index.html") == folder.resolve() / "index.html"
