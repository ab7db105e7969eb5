"""Neither browser hides an error: what the other tests of pages in a browser rest on."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.reports.browsers import Browser
from tests.reports.browsing import served

pytestmark = pytest.mark.slow

PAGE = """<!doctype html><meta charset=utf-8><title>served</title>
<meta name=viewport content="width=device-width">
<link rel=icon href="data:,">
<style>@media (prefers-color-scheme: dark) { body { color: red } }</style>
<body>café<script src=script.js></script>
"""


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
