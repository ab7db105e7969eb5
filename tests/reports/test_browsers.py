"""The two browsers answer alike, and hide no error: what the other tests of pages in a browser rest on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.reports.browsers import Browser
from tests.reports.browsing import served
from tests.reports.firefox import Firefox, FirefoxError

pytestmark = pytest.mark.slow

PAGE = """<!doctype html><meta charset=utf-8><title>served</title>
<meta name=viewport content="width=device-width">
<link rel=icon href="data:,">
<style>@media (prefers-color-scheme: dark) { body { color: red } }</style>
<body>café<script src=script.js></script>
"""
SCRIPT = "document.title = 'run';"
SEEN = "return [document.title, innerWidth, matchMedia('(prefers-color-scheme: dark)').matches];"


@pytest.fixture
def page(tmp_path: Path) -> str:
    (tmp_path / "script.js").write_text(SCRIPT)
    (tmp_path / "page.html").write_text(PAGE)
    return (tmp_path / "page.html").as_uri()


@pytest.mark.parametrize(("width", "scheme"), [(320, "light"), (768, "dark"), (1100, "light")])
def test_a_page_is_shown_as_asked(either: Browser, page: str, width: int, scheme: str) -> None:
    either.show(page, width, scheme)
    assert either.run(SEEN) == ["run", width, scheme == "dark"]
    either.resize(500, "dark")
    assert either.run(SEEN) == ["run", 500, True]
    assert either.errors() == []


def test_values_and_promises_come_back(either: Browser, page: str) -> None:
    either.show(page)
    given = {"ö\u2028": [1, None, True, 0.5, "</script>"]}
    assert either.run("return [arguments[0], arguments[1]];", given, 2) == [given, 2]
    later = "return new Promise((done) => { setTimeout(() => done('later'), 20); });"
    assert either.run(later) == "later"
    assert either.run("document.body.id = 'x'") is None


@pytest.mark.parametrize(
    ("script", "complaint"),
    [
        ("nonsense.of = mine;", "nonsense"),
        ("console.error('it', 'is wrong');", "wrong"),
        ("document.body.append(Object.assign(new Image(), { src: 'gone.png' }));", "gone.png"),
        ("document.body.setAttribute('style', 'color: red');", "Content"),
    ],
)
def test_an_error_is_seen_once(either: Browser, tmp_path: Path, script: str, complaint: str) -> None:
    policy = "<meta http-equiv=Content-Security-Policy content=\"style-src 'self'\">"
    (tmp_path / "page.html").write_text(re.sub("<style>.*</style>", policy, PAGE))
    (tmp_path / "script.js").write_text(script)
    with served(tmp_path) as root:
        either.show(f"{root}page.html")
        either.run("return new Promise((done) => { setTimeout(done, 100); });")
    found = either.errors()
    assert len(found) == 1, found
    assert complaint in found[0]
    assert either.errors() == []


def test_without_scripts_a_page_is_as_served(either: Browser, page: str) -> None:
    with either.without_scripts():
        either.show(page)
        assert either.run("return document.title;") == "served"
    either.show(page)
    assert either.run("return document.title;") == "run"


def test_pictures_and_paper(either: Browser, page: str) -> None:
    either.show(page)
    assert either.screenshot().startswith(b"\x89PNG")
    assert either.printed().startswith(b"%PDF")


def test_firefox_says_what_it_refuses(firefox: Firefox, page: str) -> None:
    firefox.show(page)
    with pytest.raises(FirefoxError, match="nonsense"):
        firefox.call("nonsense")
    with pytest.raises(FirefoxError, match="mine"):
        firefox.run("throw new Error('mine');")
    assert firefox.run("return 1;") == 1
    firefox.errors()
