"""Pages in other languages: no sentence is left in English, and every one of the catalogue is whole.

A made-up language puts marks round every text that goes through a catalogue, and none round what is filled
in. So what stands outside of marks on a page was never translated.
"""

from __future__ import annotations

import re
from gettext import NullTranslations
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po

import reports.league
from arena.translating import Tongue
from reports.catalogues import FRENCH
from reports.translations import Language, sentences
from tests.reports import kinds
from tests.reports.kinds import KINDS
from tests.reports.parsed import Element, parsed
from tests.shared import once

BEGIN, END = "⟦", "⟧"
PLACE = re.compile(r"%\(\w+\)s|\$\{[^}]*\}")
OTHERS = {"bdi", "code", "pre", "time", "i", "style", "script"}
"""Elements whose texts are no sentences of ours: names, commands, dates, cards."""

NAMES = sorted({*kinds.names(), sentences(FRENCH)["title"]}, key=len, reverse=True)
"""Names of leagues and bots, which titles and drawings have in no element of their own; a French title."""

SPOKEN = {"aria-label", "alt", "placeholder", "label", "aria-roledescription", "aria-valuetext"}
"""Attributes that people read or hear. `title` is one, except that of a page."""

ALIKE = re.compile(
    r"\b(house|bubblewrap|papayoo-\d|score-\d|[SHDCP]\d+|Papayoo( arena)?|Payoos?|JSON|CPU|SHA-256|[KMG]iB|ms"
    r"|standings\.(csv|json)|\d+\.json|English|Python|C|Ada|Grace|Edsger|Student)\b"
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
            kinds.make(folder)

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
    words = (ALIKE.sub(" ", unnamed(text)) for text in outside)
    return [
        text.strip() for text, rest in zip(outside, words, strict=True) if re.search(r"[^\W\d_]{2}", rest)
    ]


def unnamed(text: str) -> str:
    """The text without names."""
    text = " ".join(text.split())
    for name in NAMES:
        text = text.replace(name.strip(), " ")
    return text


def own(kind: str) -> str:
    folder, _, path = KINDS[kind].partition("#")[0].partition("/")
    return f"{folder}/fr/{path}"


WRITTEN = [kind for kind, path in KINDS.items() if path.startswith(("site/", "many/")) and "/fr/" not in path]


@pytest.mark.slow
@pytest.mark.parametrize("kind", WRITTEN)
def test_no_sentence_of_a_page_is_left_in_english(
    kind: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    page = (folder_of(tmp_path_factory) / own(kind)).read_text(encoding="utf-8")
    assert left(page) == []


ROOT = Path(reports.__file__).parents[1]
CATALOGUE = ROOT / "reports" / "languages" / "fr.po"
TAG = re.compile(r"<[^>]*>")


def translated() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="fr")


def keys(catalog: Catalog) -> set[tuple[object, str]]:
    return {(message.id, message.context or "") for message in catalog if message.id}


def unread(sentence: str) -> str:
    """A sentence without the attributes that are read out, which are translated with it."""
    return re.sub(r' (title|aria-label)=("[^"]*"|[\w-]+)', r" \1", sentence)


def forms(text: object) -> list[str]:
    """The singular and the plural of a message, or its only form."""
    return list(text) if isinstance(text, (list, tuple)) else [str(text)]


def marked_in_the_sources() -> Catalog:
    """All sentences that gettext's tools find."""
    config = (ROOT / "reports" / "languages" / "babel.cfg").open(encoding="utf-8")
    with config:
        methods, options = parse_mapping_cfg(config)
    keywords = {**DEFAULT_KEYWORDS, "pgettext": ((1, "c"), 2)}
    found = Catalog()
    for part in ("arena", "reports"):
        base = [
            (pattern.removeprefix(f"{part}/"), method)
            for pattern, method in methods
            if pattern.startswith(part)
        ]
        own = {key.removeprefix(f"{part}/"): value for key, value in options.items()}
        for _, _, message, _, context in extract_from_dir(ROOT / part, base, own, keywords):
            found.add(message, context=context)
    return found


@pytest.mark.slow
def test_the_catalogue_has_the_sentences_of_the_sources_and_no_others() -> None:
    assert keys(translated()) == keys(marked_in_the_sources())


def test_every_sentence_is_translated_with_the_same_places_and_tags() -> None:
    for message in translated():
        if not message.id or "${" in message.id:  # scripts have tests of their own
            continue
        assert not message.fuzzy, message.id
        assert list(message.check()) == []
        for one in forms(message.string):
            assert one, message.id
            for pattern in (PLACE, TAG):
                allowed = [sorted(pattern.findall(unread(form))) for form in forms(message.id)]
                assert sorted(pattern.findall(unread(one))) in allowed, one
            assert '"' not in TAG.sub("", one) or '"' in forms(message.id)[0], one


class Strict(NullTranslations):
    """French, and a note of what it lacks."""

    def __init__(self) -> None:
        super().__init__()
        self.known = keys(translated())
        self.missing: set[object] = set()

    def gettext(self, message: str) -> str:
        self._note(message)
        return message

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self._note((msgid1, msgid2))
        return msgid1

    def pgettext(self, context: str, message: str) -> str:
        self._note(message, context)
        return message

    def _note(self, message: object, context: str = "") -> None:
        if (message, context) not in self.known:
            self.missing.add(message)


def sources_of(part: str) -> list[Path]:
    return [path for path in (ROOT / part).rglob("*") if path.suffix in (".py", ".html", ".js")]


@pytest.mark.slow
def test_what_pages_ask_for_is_in_the_catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also what the tools cannot see: a sentence that only a table holds must be marked there."""
    strict = Strict()
    french = Tongue(strict)
    monkeypatch.setattr(reports.league, "tongue", lambda language: french if language is FRENCH else Tongue())
    kinds.make(tmp_path)
    sources = [path.read_text(encoding="utf-8") for part in ("arena", "reports") for path in sources_of(part)]
    ours = {text for text in strict.missing if any(f'"{forms(text)[0]}"' in source for source in sources)}
    assert ours == set(), "what is not in the sources was stored, and is asked for in vain"
