"""The rules for names, ids and other short texts of a league file, as functions to the text or a ValueError.

Names end up on pages, in terminals and in file names, so they must hold nothing that is invisible or that
reorders the text around it. They must not know TOML or look at a disk.
"""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import parse_qsl, urlsplit

ID_LENGTH = 40
"""The most characters of an id."""
NAME_LENGTH = 40
"""The most characters of the name of a bot."""
_ID = re.compile(rf"[a-z0-9-]{{1,{ID_LENGTH}}}")
_PLACEHOLDER = re.compile(r"\{[a-z_]+\}")
PYTHON = "{python}"
"""The placeholder in a command for the Python interpreter that runs the arena, replaced at a bot's start."""


_SERVER = "postgresql+psycopg"
"""The kind of addresses of databases on a server: PostgreSQL, and the driver."""
_SERVER_KEYS = (
    "host", "port", "sslmode", "sslrootcert", "sslcert", "sslkey", "sslcrl", "channel_binding", "passfile",
    "service", "target_session_attrs",
)  # fmt: skip
"""What an address of a server may say after its "?"; see libpq's parameters, without those for passwords."""
_PASSWORD = re.compile(r"(://[^/:@]*:)[^/]*(?=@)|(password=)[^&]*", re.IGNORECASE)
_CONTENDERS = re.compile("contenders [1-9][0-9]{0,2}")
HOUSE_ID = re.compile(r"house-[0-9]+")
"""The ids that the arena gives to its own house bots."""

BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\ufffc\U00016fe4\U0001d159"
)
"""Characters that count as printable and show nothing: joiners, fillers, braille without a dot, a note
without a head, and what stands for an object that is not there."""
_SELECTOR = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Characters that choose another shape of the one before, as in many emoji, and show nothing themselves."""


def slug(text: str) -> str:
    """Return the id made from a name: its ASCII letters and digits in lower case, with "-" between.

    It may be "".
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:ID_LENGTH].rstrip("-")


def folded(name: str) -> str:
    """Return the form in which two names count as the same: NFC of the casefolded name, without selectors."""
    return unicodedata.normalize("NFC", _SELECTOR.sub("", name).casefold())


def visible(text: str) -> str:
    """Return the text, or raise ValueError for characters that cannot be seen, or a text that is not NFC.

    They are control, format (bidi, zero width), unassigned and odd space characters, and letters that are
    blank.
    """
    for at, character in enumerate(text):
        if not character.isprintable() or character in BLANK:
            raise ValueError(f"character {at + 1} (U+{ord(character):04X}) cannot be seen")
    # Otherwise two names that look the same could be different texts.
    if unicodedata.normalize("NFC", text) != text:
        raise ValueError("is not in Unicode normal form C (NFC); type it again in an ordinary editor")
    return text


def contenders(text: str) -> str:
    """Return a rule such as "contenders 3", or raise ValueError for another text."""
    if not _CONTENDERS.fullmatch(text):
        raise ValueError('write a number of bots, or for example "contenders 3"')
    return text


def name(text: str) -> str:
    """Return the text if it is visible and has no space at either end. Raises ValueError otherwise.

    Marks alone are no name: an accent without a letter joins what stands before it on a page.
    """
    if text and not text.strip():
        raise ValueError("nothing but spaces")
    if text != text.strip():
        raise ValueError("a space at the beginning or end")
    if text and not _SELECTOR.sub("", text):
        raise ValueError(f"character 1 (U+{ord(text[0]):04X}) cannot be seen")
    if text and all(unicodedata.category(character)[0] == "M" for character in visible(text)):
        raise ValueError(f"character 1 (U+{ord(text[0]):04X}) is a mark without a letter")
    return visible(text)


def identifier(text: str) -> str:
    """Return the text if it is an id, the only form of a name that is used in paths.

    Raises ValueError otherwise.
    """
    if not _ID.fullmatch(text):
        raise ValueError(f'for example "{slug(text)}"' if slug(text) else "no other characters")
    return text


def database_address(text: str) -> str:
    """Return the text if it is a database address, `kind://...`. Raises ValueError otherwise.

    An address of SQLite must name a file, or nothing would be kept. One of a server must name a database, and
    holds no password: the league file is stored, copied and shown.
    """
    scheme, separator, rest = visible(text).partition("://")
    if not separator or not re.fullmatch(r"[a-z0-9]+(\+[a-z0-9_]+)?", scheme):
        raise ValueError('for example "sqlite:///league.db"')
    if scheme.startswith("sqlite"):
        if not rest.startswith("/") or rest[1:] in {"", ":memory:"} or "?" in rest:
            raise ValueError('for SQLite write "sqlite:///" and the name of a file')
    elif scheme != _SERVER:
        raise ValueError(f'for SQLite "sqlite:///league.db", for a server "{_SERVER}://host/spring"')
    else:
        _check_server(text)
    return text


def _check_server(text: str) -> None:
    try:
        parts = urlsplit(text)
        password, _ = parts.password, parts.port
    except ValueError:
        raise ValueError("its host or port cannot be read") from None
    keys = [key for key, _ in parse_qsl(parts.query, keep_blank_values=True)]
    if password is not None or any("password" in key for key in keys):
        raise ValueError("leave the password out: it is read from PGPASSWORD or a passfile, ~/.pgpass")
    if not parts.path.strip("/") or parts.fragment:
        raise ValueError(f'it must name a database: "{_SERVER}://host/spring"')
    for key in keys:
        if key not in _SERVER_KEYS:
            raise ValueError(f"it may not have the key {key}, but only {', '.join(_SERVER_KEYS)}")


def without_password(text: str) -> str:
    """Return a text as it may be shown, though somebody may have put a password into an address in it."""
    return _PASSWORD.sub(r"\1\2***", text)


def argument(text: str) -> str:
    """Return the text if it can be an argument of a command. Raises ValueError otherwise.

    A placeholder that does not exist is refused, because it can only be a slip of the pen.
    """
    if any(unicodedata.category(letter) == "Cc" and letter not in "\t\n" for letter in text):
        raise ValueError("a control character is no part of a command")
    if _PLACEHOLDER.fullmatch(text) and text != PYTHON:
        raise ValueError(f'the only placeholder is "{PYTHON}"')
    return text


def command(arguments: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments if the first is not empty: the program. Raises ValueError otherwise."""
    if not arguments or not arguments[0].strip():
        raise ValueError(f'for example ["{PYTHON}", "bot.py"]')
    return arguments


def path(text: str) -> str:
    """Return the text if it can be a path: not empty, no control characters. Raises ValueError otherwise."""
    if not text.strip() or not text.isprintable():
        raise ValueError("empty, or with characters that cannot be seen")
    return text


def folder_pattern(text: str) -> str:
    """Return the text if it is a folder, below that of the league file, and "/*". ValueError otherwise."""
    *folders, last = path(text).split("/")
    if last != "*" or not folders or not all(part.strip(".") and "*" not in part for part in folders):
        raise ValueError(f'for example "{text.strip("./*") or "bots"}/*"')
    return text


def absolute_path(text: str) -> str:
    """Return the text if it is a path that begins with "/". Raises ValueError otherwise."""
    if not path(text).startswith("/"):
        raise ValueError('begin it with "/"')
    return text
