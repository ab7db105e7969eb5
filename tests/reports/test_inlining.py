"""A page as one file: what it named is inside, its policy allows that alone, and no link leads nowhere."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

import pytest

from reports.inlining import inlined

POLICY = """<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'self'">"""
STATIC = {"static/a.1.css": b"p { color: red }", "static/b.2.css": b"", "static/x.3.js": b"go('<a href=y>');"}


def page(body: str = "", scripts: str = "", head: str = "") -> str:
    return f"<head>\n{POLICY}\n{head}</head>\n<body>\n{body}{scripts}</body>\n"


def digest(content: bytes) -> str:
    return f"'sha256-{b64encode(sha256(content).digest()).decode()}'"


def test_what_the_page_names_is_inside() -> None:
    head = "<link rel=icon href=static/i.svg>\n<link rel=stylesheet href=../static/a.1.css>\n"
    made = inlined(page("<p>", '<script defer src="../static/x.3.js" data-a=1></script>\n', head), STATIC)
    assert "<style>p { color: red }</style>" in made
    assert made.endswith("<script data-a=1>go('<a href=y>');</script>\n</body>\n")
    assert "<link" not in made
    assert "src=" not in made


def test_the_policy_allows_it_and_nothing_else() -> None:
    head = "".join(f"<link rel=stylesheet href=static/{name}.css>" for name in ("a.1", "b.2"))
    made = inlined(page("", "<script src=static/x.3.js></script>", head), STATIC)
    styles = f"{digest(STATIC['static/a.1.css'])} {digest(b'')}"
    scripts = digest(STATIC["static/x.3.js"])
    allowed = f"default-src 'none';style-src {styles};script-src {scripts};base-uri 'none';form-action 'none'"
    assert f'content="{allowed}"' in made
    assert made.count("Content-Security-Policy") == 1
    assert "script-src" not in inlined(page("", "", head), STATIC)


LINKS = {
    "within": ("<a href=#r1>1</a>", "<a href=#r1>1</a>"),
    "outside": ('<a href="https://x.org/">x</a>',) * 2,
    "another page": (
        '<a class=brand href="../bots/a.html?x=1&amp;y"><bdi>A</bdi></a>',
        "<span class=brand><bdi>A</bdi></span>",
    ),
    "bare": ("<a rel=next href=3.html>3 &gt;</a>", "3 &gt;"),
    "file": ("<a href=3.json download>f</a>", "f"),
    "navigation": ("<nav>\n<a href=1.html>1</a>\n</nav>\n", ""),
    "navigation within": ("<nav><a href=#a>a</a><a href=b>b</a></nav>", "<nav><a href=#a>a</a>b</nav>"),
    "a name like a link": ('<p title="&lt;a href=x&gt;">&lt;a href=x&gt;</p>',) * 2,
}


@pytest.mark.parametrize(("given", "made"), LINKS.values(), ids=LINKS.keys())
def test_no_link_leads_nowhere(given: str, made: str) -> None:
    assert f"<body>\n{made}</body>" in inlined(page(given), {})


@pytest.mark.parametrize("content", [b"'</script>'", b"'</SCRIPT'", b"a <!-- b"])
def test_a_script_that_no_page_can_hold_is_refused(content: bytes) -> None:
    with pytest.raises(ValueError, match="cannot stand inside"):
        inlined(page("", "<script src=x.js></script>"), {"x.js": content})
