"""The rules for names, ids and other short texts of a league file: functions to the text or a ValueError.

Names end up on pages, in terminals and in file names, so they hold nothing that is invisible or that
reorders what stands around it. Pure; no TOML, no paths on a disk.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import urlsplit

ID_LENGTH = 40
_ID = re.compile(rf"[a-z0-9-]{{1,{ID_LENGTH}}}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_PLACEHOLDER = re.compile(r"\{[a-z_]+\}")
PYTHON = "{python}"
"""Stands in a command for the Python interpreter that runs the arena; replaced when a bot is started."""


def slug(text: str) -> str:
    """The id made from a name: its ASCII letters and digits in lower case, with "-" between; may be ""."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:ID_LENGTH].rstrip("-")


def folded(name: str) -> str:
    """The form in which two names count as the same: NFC of the casefolded name."""
    return unicodedata.normalize("NFC", name.casefold())


def visible(text: str) -> str:
    """Refuse what cannot be seen: control, format (bidi, zero width), unassigned and odd space characters."""
    for at, character in enumerate(text):
        if not character.isprintable():
            raise ValueError(f"character {at + 1} (U+{ord(character):04X}) cannot be seen")
    if unicodedata.normalize("NFC", text) != text:
        raise ValueError("is not in Unicode normal form C (NFC); type it again in an ordinary editor")
    return text


def name(text: str) -> str:
    """A visible text without a space at either end."""
    if text != text.strip():
        raise ValueError("a space at the beginning or end")
    return visible(text)


def identifier(text: str) -> str:
    """An id: the only form of a name that is used in paths."""
    if not _ID.fullmatch(text):
        raise ValueError(f'for example "{slug(text)}"' if slug(text) else "no other characters")
    return text


def published(text: str) -> str:
    """A text that is mixed into the deals: printable ASCII without the separator of what is hashed."""
    if not text.isascii() or not text.isprintable() or "|" in text:
        raise ValueError("other characters would not be typed alike by everybody who checks the deals")
    return text


def web_address(text: str) -> str:
    """An http or https address with a host, or nothing. Anything else could run a script on a page."""
    if not text:
        return text
    parts = urlsplit(visible(text))
    if parts.scheme not in {"http", "https"} or not parts.hostname or " " in text:
        raise ValueError('for example "https://example.org/duck"')
    return text


def database_address(text: str) -> str:
    """A database address, `kind://...`. One of SQLite names a file, or nothing would be kept."""
    scheme, separator, rest = visible(text).partition("://")
    if not separator or not re.fullmatch(r"[a-z0-9]+(\+[a-z0-9_]+)?", scheme):
        raise ValueError('for example "sqlite:///spring.db"')
    if scheme.startswith("sqlite") and (
        not rest.startswith("/") or rest[1:] in {"", ":memory:"} or "?" in rest
    ):
        raise ValueError('for SQLite write "sqlite:///" and the name of a file')
    return text


def argument(text: str) -> str:
    """One argument of a command. A placeholder that does not exist is a slip of the pen, never meant."""
    if "\0" in text:
        raise ValueError("a NUL character cannot be passed to a program")
    if _PLACEHOLDER.fullmatch(text) and text != PYTHON:
        raise ValueError(f'the only placeholder is "{PYTHON}"')
    return text


def command(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """A program and its arguments."""
    if not arguments or not arguments[0].strip():
        raise ValueError(f'for example ["{PYTHON}", "bot.py"]')
    return arguments


def variable(text: str) -> str:
    """The name of an environment variable."""
    if not _VARIABLE.fullmatch(text):
        raise ValueError("letters, digits and _, not beginning with a digit")
    return text


def path(text: str) -> str:
    """A path as people write it in the file: not empty, no control characters."""
    if not text.strip() or not text.isprintable():
        raise ValueError("empty, or with characters that cannot be seen")
    return text


def absolute_path(text: str) -> str:
    """A path that begins with "/"."""
    if not path(text).startswith("/"):
        raise ValueError('begin it with "/"')
    return text
