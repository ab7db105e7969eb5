"""A page as a tree of elements, for tests: strict where a browser forgives.

Only the end tags that HTML allows to be left out in tables may be missing; anything else raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "br", "col", "line", "rect", "circle", "input"}
_CLOSED_BY = {  # which open elements a start tag ends, innermost first
    "td": ("td", "th"),
    "th": ("td", "th"),
    "tr": ("td", "th", "tr"),
    "thead": ("caption",),
    "tbody": ("td", "th", "tr", "thead", "tbody"),
    "tfoot": ("td", "th", "tr", "tbody"),
}
_MAY_BE_OPEN = {"td", "th", "tr", "tbody", "tfoot"}


@dataclass(slots=True)
class Element:
    """An element with its attributes; children are elements and text in order."""

    tag: str
    attributes: dict[str, str]
    children: list[Element | str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All text inside, white space made single."""
        parts = (child if isinstance(child, str) else child.text for child in self.children)
        return " ".join("".join(parts).split())

    @property
    def classes(self) -> list[str]:
        return self.attributes.get("class", "").split()

    def walk(self) -> Iterator[Element]:
        """This element and all inside it, in order."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child.walk()

    def all(self, tag: str, class_: str | None = None) -> list[Element]:
        """The elements inside with that tag, and class if given."""
        found = (e for e in self.walk() if e.tag == tag)
        return [e for e in found if class_ is None or class_ in e.classes]

    def one(self, tag: str, class_: str | None = None) -> Element:
        """The only such element."""
        (found,) = self.all(tag, class_)
        return found

    def rows(self) -> list[list[Element]]:
        """The cells of each row of a table."""
        return [[c for c in row.children if isinstance(c, Element)] for row in self.all("tr")]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("", {})
        self._open = [self.root]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        while self._open[-1].tag in _CLOSED_BY.get(tag, ()):
            self._open.pop()
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names), f"<{tag}> has an attribute twice: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._open[-1].children.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in _VOID and self._open[-1].tag != tag:
            return
        while self._open[-1].tag != tag and self._open[-1].tag in _MAY_BE_OPEN:
            self._open.pop()
        assert self._open[-1].tag == tag, f"</{tag}> ends <{self._open[-1].tag}>"
        self._open.pop()

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)

    def finish(self) -> Element:
        self.close()
        assert len(self._open) == 1, f"<{self._open[-1].tag}> is never ended"
        return self.root


def parsed(html: str) -> Element:
    """The page; AssertionError when it is not well formed."""
    reader = _Reader()
    reader.feed(html)
    return reader.finish()
