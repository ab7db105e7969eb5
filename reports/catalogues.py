"""The languages that whole pages are written in, and their catalogues: `languages/fr.po` and so on.

A catalogue is in gettext's format, which translators and their programs know. docs/pages.md says how to bring
one up to date. The rules of the game are in more languages than these, see `reports.translations`.
"""

from __future__ import annotations

import gettext
import io
from functools import cache
from importlib.resources import files

from arena.translating import Tongue
from reports.translations import ENGLISH, LANGUAGES, Language

__all__ = ["FRENCH", "SITES", "catalogue", "folder_of", "language_of", "tongue"]

FRENCH = next(language for language in LANGUAGES if language.tag == "fr")

SITES = (ENGLISH, FRENCH)
"""The languages of pages, in the order in which a page names them. English is always written."""

_FRENCH_MARKS = {ord(","): "\N{NARROW NO-BREAK SPACE}", ord("."): ","}


def language_of(tag: str) -> Language:
    """Return the language of pages with this tag. KeyError if there is none."""
    return {language.tag: language for language in SITES}[tag]


def folder_of(language: Language) -> str:
    """Return where the pages of a language are in the site: "" or "fr/"."""
    return "" if language is ENGLISH else f"{language.file}/"


@cache
def tongue(language: Language) -> Tongue:
    """Return how pages of a language of `SITES` are written."""
    if language is ENGLISH:
        return Tongue()
    return Tongue(catalogue(language), _FRENCH_MARKS)


def catalogue(language: Language) -> gettext.NullTranslations:
    """Read the catalogue of a language other than English."""
    from babel.messages.mofile import write_mo  # not for those who write English pages only
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with files("reports").joinpath("languages", f"{language.file}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=language.tag))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
