"""Turns one of our pages into one file that loads nothing: style and scripts inside, no link to nowhere.

It changes tags of pages that our own templates made, and knows nothing of what is on them.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import unescape

_ATTRIBUTES = r"""(?:"[^"]*"|'[^']*'|[^"'>])*"""
_LINK = re.compile(rf"<link\b({_ATTRIBUTES})>\n?")
_STYLE = re.compile(r"\brel=[\"']?stylesheet\b")
_SCRIPT = re.compile(rf"<script\b({_ATTRIBUTES})></script>\n?")
_POLICY = re.compile(rf'<meta http-equiv="Content-Security-Policy" {_ATTRIBUTES}>')
_ANCHOR = re.compile(rf"<a\b({_ATTRIBUTES})>(.*?)</a>", re.DOTALL)
_NAV = re.compile(r"<nav\b.*?</nav>\n?", re.DOTALL)
_TARGET = re.compile(r"""\b(?:href|src)=(?:"([^"]*)"|([^\s"'>]+))""")
_LATER = re.compile(r"""\s(?:src=(?:"[^"]*"|[^\s"'>]+)|defer|async)(?=\s|$)""")
_OF_LINKS = re.compile(r"""\s(?:(?:href|rel)=(?:"[^"]*"|[^\s"'>]+)|download)(?=\s|$)""")
_ABSOLUTE = ("https://", "http://", "mailto:")


def inlined(page: str, static: Mapping[str, bytes]) -> str:
    """Return the page with the style sheets and scripts that it names inside, and a policy that allows these.

    `static`: the contents of the static files by path, of which only the last part counts. Scripts come at
    the end, in their order. Links within the page stay; of others the text stays, and a navigation that has
    no link left goes.

    Raises KeyError for a file that is not among the static ones, ValueError for one that no page can hold.
    """
    files = {path.rpartition("/")[2]: content.decode() for path, content in static.items()}
    styles: list[str] = []
    scripts: list[str] = []
    ends: list[str] = []

    def link(found: re.Match[str]) -> str:
        if not _STYLE.search(found[1]):
            return ""
        styles.append(_inside(files[_name(found[1])], "style"))
        return f"<style>{styles[-1]}</style>\n"

    def script(found: re.Match[str]) -> str:
        scripts.append(_inside(files[_name(found[1])], "script"))
        ends.append(f"<script{_LATER.sub('', found[1])}>{scripts[-1]}</script>\n")
        return ""

    # Links first: nothing that is put in may be taken for one.
    page = _NAV.sub(lambda found: _with_links(found[0]), page)
    page = _ANCHOR.sub(_anchor, page)
    head, start, body = _SCRIPT.sub(script, page).partition("<body>")
    head = _LINK.sub(link, head)
    head = _POLICY.sub(lambda _: _policy(styles, scripts), head, count=1)
    body, end, rest = body.rpartition("</body>")
    return "".join((head, start, body, *ends, end, rest))


def _policy(styles: list[str], scripts: list[str]) -> str:
    """Return the tag of the policy that allows what is inside, by its content, and nothing else."""
    sources = [
        f"{kind}-src {' '.join(map(_digest, texts))};"
        for kind, texts in (("style", styles), ("script", scripts))
        if texts
    ]
    policy = f"default-src 'none';{''.join(sources)}base-uri 'none';form-action 'none'"
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">'


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _inside(text: str, tag: str) -> str:
    """Return what stands inside an element of that tag; ValueError if that would end before its end."""
    if f"</{tag}" in text.lower() or "<!--" in text:
        raise ValueError(f"a static file cannot stand inside a <{tag}>")
    return text


def _name(attributes: str) -> str:
    """Return the last part of the path that a tag names."""
    return _target(attributes).rpartition("/")[2]


def _target(attributes: str) -> str:
    found = _TARGET.search(attributes)
    return "" if found is None else unescape(found[1] or found[2] or "")


def _leads_on(target: str) -> bool:
    """Return whether a link works wherever the page is."""
    return target.startswith(("#", *_ABSOLUTE))


def _with_links(nav: str) -> str:
    """Return a navigation, or nothing if none of its links would lead anywhere."""
    alive = any(_leads_on(_target(found[1])) for found in _ANCHOR.finditer(nav))
    return nav if alive else ""


def _anchor(found: re.Match[str]) -> str:
    """Return a link as it is, or as its text."""
    attributes, text = found[1], found[2]
    target = _target(attributes)
    if not target or _leads_on(target):
        return found[0]
    rest = _OF_LINKS.sub("", attributes)
    return f"<span{rest}>{text}</span>" if rest else text
