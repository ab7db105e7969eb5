"""Reads the rules of the game in the languages that they are sold in: one file of text for each language.

A file holds sentences with named places, such as {hand}, for what the table decides. Where a noun would have
to agree with such a number, the sentence says "Cards each: {hand}", because the files know no plural forms.
This module knows no page; `pages.rules` puts the sentences on one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

Sentences = Mapping[str, str]
"""The text of one language, by the key with its part: "round.take"."""


@dataclass(frozen=True, slots=True)
class Language:
    """A language of the rules. `tag`: as in BCP 47, for `lang`; `name`: its own name for itself."""

    tag: str
    name: str

    @property
    def file(self) -> str:
        """Return the name of its file and of its page, without the ending."""
        return self.tag.lower()


ENGLISH = Language("en", "English")

LANGUAGES = (
    Language("bg", "български"),
    Language("cs", "čeština"),
    Language("da", "dansk"),
    Language("de", "Deutsch"),
    Language("et", "eesti"),
    Language("el", "ελληνικά"),
    ENGLISH,
    Language("es", "español"),
    Language("fr", "français"),
    Language("hr", "hrvatski"),
    Language("it", "italiano"),
    Language("lv", "latviešu"),
    Language("lt", "lietuvių"),
    Language("hu", "magyar"),
    Language("nl", "Nederlands"),
    Language("pl", "polski"),
    Language("pt", "português"),
    Language("ru", "русский"),
    Language("sk", "slovenčina"),
    Language("sl", "slovenščina"),
    Language("sr-Cyrl", "српски"),
    Language("fi", "suomi"),
    Language("sv", "svenska"),
    Language("ko", "한국어"),
    Language("zh-Hans", "简体中文"),
    Language("zh-Hant", "繁體中文"),
)
"""All of them, in the order in which a page lists them."""


@cache
def sentences(language: Language) -> Sentences:
    """Return the text in this language."""
    file = files("reports").joinpath("rules", f"{language.file}.toml")
    return dict(_flat(tomllib.loads(file.read_text(encoding="utf-8"))))


def _flat(table: Mapping[str, object], part: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{part}{key}.")
        else:
            assert isinstance(value, str), f"{part}{key} is no text"
            yield f"{part}{key}", value
