"""Puts our own sentences into the language that is being written: English, unless somebody chose another.

The English text is the key, as with gettext, and the functions have the names that its tools look for. Pages
are written in other languages, too (`reports.catalogues`); a terminal is always English. Must not know any
translation.

A sentence has named places, `%(name)s`, and a percent sign is written twice: it is always filled in. What is
defined before the language is known (a constant, a table) is marked with `N_` and put through `_` later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from gettext import NullTranslations

__all__ = [
    "N_", "Tongue", "_", "decimals", "found", "found_for", "in_english", "ngettext", "pgettext", "writing_in",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tongue:
    """How a language is written. Both are None for English. `texts`: the translations of our sentences.

    `marks` maps the comma between thousands and the point before decimals of an English number, as
    `str.translate` wants it.
    """

    texts: NullTranslations | None = None
    marks: Mapping[int, str] | None = None


_ENGLISH = Tongue()
_tongue: ContextVar[Tongue] = ContextVar("tongue", default=_ENGLISH)


@contextmanager
def writing_in(tongue: Tongue) -> Iterator[None]:
    """Write everything in this language until the end of the block."""
    token = _tongue.set(tongue)
    try:
        yield
    finally:
        _tongue.reset(token)


def N_(text: str) -> str:  # noqa: N802 - the name that gettext's tools look for
    """Return the text itself. It is translated later, by `_`."""
    return text


def _(text: str, /, **places: object) -> str:
    """Return a sentence in the language that is being written, its places filled in."""
    return found(text) % places


def ngettext(one: str, many: str, number: int, /, **places: object) -> str:
    """Return the sentence for a number of things. The place `num` gets the number, in its usual form."""
    return found_for(one, many, number) % {"num": decimals(f"{number:,}"), **places}


def pgettext(context: str, text: str, /, **places: object) -> str:
    """Return a text that needs a word of context: one English word may be two in another language."""
    texts = _tongue.get().texts
    return (text if texts is None else texts.pgettext(context, text)) % places


def found(text: str) -> str:
    """Return the translation of a text, its places not yet filled in."""
    texts = _tongue.get().texts
    # The empty text is the key of a catalogue's own description.
    return texts.gettext(text) if text and texts is not None else text


def found_for(one: str, many: str, number: int) -> str:
    """Return the translation of the sentence for a number of things, its places not yet filled in."""
    texts = _tongue.get().texts
    if texts is None:
        return one if number == 1 else many
    return texts.ngettext(one, many, number)


def in_english() -> bool:
    """Return whether English is being written."""
    return _tongue.get().texts is None


def decimals(number: str) -> str:
    """Return a number that is written as in English, such as "1,920.5", with the signs of the language."""
    marks = _tongue.get().marks
    return number.translate(marks) if marks else number
