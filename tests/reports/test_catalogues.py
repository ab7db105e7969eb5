"""Pages in other languages: no sentence is left in English, and every one of the catalogue is whole.

A made-up language puts marks round every text that goes through a catalogue, and none round what is filled
in. So what stands outside of marks on a page was never translated.
"""

from __future__ import annotations

import re
from gettext import NullTranslations
from pathlib import Path

import pytest

import reports.league
from arena.translating import Tongue
from reports.catalogues import FRENCH
from reports.translations import Language
from tests.reports import kinds
from tests.reports.kinds import KINDS
from tests.reports.parsed import Element, parsed
from tests.shared import once

BEGIN, END = "⟦", "⟧"
PLACE = re.compile(r"%\(\w+\)s|\$\{[^}]*\}")
OTHERS = {"bdi", "code", "pre", "time", "i", "style", "script"}
"""Elements whose texts are no sentences of ours: names, commands, dates, cards."""

SPOKEN = {"aria-label", "alt", "placeholder", "label", "aria-roledescription", "aria-valuetext"}
"""Attributes that people read or hear. `title` is one, except that of a page."""

ALIKE = re.compile(
    r"house|bubblewrap|papayoo-\d|score-\d"
    r"|[SHDCP]\d+|Papayoo( arena)?|Payoos?|JSON|CPU|SHA-256|KiB|MiB|GiB|ms|s|d|r\d+|t\d+|§ ?\d+"
    r"|standings\.(csv|json)|\d+\.json|Duck|Low|Random|Moody|English|Python|C|Ada|Grace|Edsger|Student"
)
"""Words that are the same in every language."""


class Marking(NullTranslations):
    """The made-up language."""

    def gettext(self, message: str) -> str:
        return marked(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return marked(msgid1 if n == 1 else msgid2)

    def pgettext(self, context: str, message: str) -> str:
        return marked(message)


def marked(message: str) -> str:
    return BEGIN + PLACE.sub(lambda place: END + place[0] + BEGIN, message) + END


def folder_of(factory: pytest.TempPathFactory) -> Path:
    """The pages of all kinds, whose French is the made-up language."""

    def make(folder: Path) -> None:
        def tongue(language: Language) -> Tongue:
            return Tongue(Marking()) if language is FRENCH else Tongue()

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reports.league, "tongue", tongue)
            kinds.make(folder, ("en", "fr"))

    return once(factory, "marked-pages", make)


def texts(element: Element) -> list[str]:
    """What people read or hear, in order: the texts, and each attribute with marks of its own."""
    found: list[str] = []
    if element.tag in OTHERS or element.attributes.get("lang") == "en":
        return found
    # The rules of the game have texts of their own in each language, see `reports.translations`.
    if "rules" in element.attributes.get("class", "").split():
        return found
    heard = [value for name, value in element.attributes.items() if name in SPOKEN]
    assert all(value.count(BEGIN) == value.count(END) for value in heard), heard
    found.extend(f"{value} " for value in heard)
    if "title" in element.attributes:
        found.append(element.attributes["title"] + " ")
    for child in element.children:
        found.extend([child] if isinstance(child, str) else texts(child))
    return found


def left(page: str) -> list[str]:
    """What is left in English on a page."""
    whole = "\x00".join(texts(parsed(page)))
    depth, outside = 0, []
    for part in re.split(f"([{BEGIN}{END}])", whole):
        depth += {BEGIN: 1, END: -1}.get(part, 0)
        if depth == 0 and part != END:
            outside += part.split("\x00")
    assert depth == 0
    words = (ALIKE.sub(" ", text) for text in outside)
    return [
        text.strip() for text, rest in zip(outside, words, strict=True) if re.search(r"[^\W\d_]{2}", rest)
    ]


def own(kind: str) -> str:
    folder, _, path = KINDS[kind].partition("#")[0].partition("/")
    return f"{folder}/fr/{path}"


WRITTEN = [kind for kind in KINDS if kind != "private review"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITTEN)
def test_no_sentence_of_a_page_is_left_in_english(
    kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = (folder_of(tmp_path_factory) / own(kind)).read_text(encoding="utf-8")
    assert left(page) == []
