"""`python -m arena.protocol`: lines of the protocol as text for people, text as lines, and the JSON Schema.

It uses nothing of the arena but the package `protocol`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from importlib.resources import files
from typing import NoReturn

import click

from protocol import BadMessage, decode, encode, read_answer
from protocol.refusal import readable

_ANSWERS = frozenset({"ready", "cards", "card"})
"""The types of the messages that a bot may send."""
_EXAMPLE = '{"type": "card", "id": "q1", "card": "S7"}'
_MOST_BYTES = 1 << 17
"""The most bytes of a line that are kept: a longer line is refused anyway."""
_REPORTED = 1


class _Unreadable(ValueError):  # noqa: N818 - it says what is wrong with a text
    """Raised for a text that is no message of the protocol."""


@click.command(
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=f"\b\nExamples:\n  python -m arena.protocol g6R0eXBlpGNhcmSiaWSicTGkY2FyZKJTMw==\n"
    f"  python -m arena.protocol '{_EXAMPLE}'\n  python -m arena.protocol < lines.txt",
)
@click.argument("lines", nargs=-1, metavar="[LINE]...")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of all messages instead.")
def main(lines: tuple[str, ...], schema: bool) -> None:
    """Turn lines of the protocol into text, and text into lines.

    A LINE that begins with "{" is a message as JSON: it is encoded as the line that a bot or referee writes.
    Any other LINE is such a line: it is decoded into JSON, one message a line. Without LINE, lines are read
    from standard input and answered one by one. Empty lines are skipped.

    A line that cannot be read is reported on standard error, with its place; the others are still turned. So
    is an answer that a referee would refuse (a card that does not exist, a missing key), although it is
    turned.

    Exit codes: 0 nothing was reported, 1 something was.
    """
    if schema:
        click.echo(files("protocol").joinpath("schema.json").read_text(encoding="utf-8"), nl=False)
        return
    wrong = False
    for place, data in _given(lines):
        text, remark = _turned(data)
        if text is not None:
            click.echo(text)
        if remark is not None:
            wrong = True
            click.echo(f"{place}: {remark}", err=True)
    if wrong:
        sys.exit(_REPORTED)


def _given(lines: tuple[str, ...]) -> Iterator[tuple[str, bytes]]:
    """Yield each line that is not empty, after its place."""
    found: Iterable[bytes] = [line.encode("utf-8", "surrogateescape") for line in lines]
    place = "argument"
    if not lines:
        found, place = iter(sys.stdin.buffer.readline, b""), "standard input, line"
    for number, data in enumerate(found, start=1):
        if data.strip():
            yield f"{place} {number}", data[:_MOST_BYTES]


def _turned(data: bytes) -> tuple[str | None, str | None]:
    """Return what a line is turned into, or None, and what is wrong with it, or None."""
    try:
        if data.lstrip().startswith(b"{"):
            line = _line_of(data.decode())
            message, text = decode(line), line.decode("ascii").rstrip("\n")
        else:
            line, message = data, decode(data)
            text = readable(message)
    except BadMessage as refused:
        return None, f"{refused.reason.name}: {refused}"
    except _Unreadable as wrong:
        return None, str(wrong)
    except UnicodeDecodeError as error:
        return None, f"not UTF-8 at byte {error.start + 1}"
    if message.get("type") in _ANSWERS:
        try:
            read_answer(line)
        except BadMessage as refused:
            return text, f"a referee would refuse this answer: {refused}"
    return text, None


def _line_of(text: str) -> bytes:
    """Return the canonical line of a message given as JSON, with its newline; keys in the order given."""
    try:
        value: object = json.loads(
            text, object_pairs_hook=_once, parse_float=_no_float, parse_constant=_no_float
        )
    except json.JSONDecodeError as error:
        near = text[error.pos : error.pos + 20]
        found = f'found "{near}"' if near else "found the end"
        raise _Unreadable(f"not JSON: {error.msg} at character {error.pos + 1}, {found}") from None
    except RecursionError:
        raise _Unreadable("maps and arrays are nested far too deep") from None
    if not isinstance(value, dict):
        raise _Unreadable(f"not a message: expected a JSON object such as {_EXAMPLE}")
    try:
        line = encode(value)
        decode(line)
    except BadMessage as refused:
        raise _Unreadable(str(refused)) from None
    except (ValueError, OverflowError) as error:
        raise _Unreadable(f"cannot be a line: {error}") from None
    return line


def _once(pairs: Iterable[tuple[str, object]]) -> dict[str, object]:
    items = list(pairs)
    found = dict(items)
    if len(found) != len(items):
        keys = [key for key, _ in items]
        twice = next(key for place, key in enumerate(keys) if key in keys[:place])
        raise _Unreadable(f'the key "{twice}" stands twice in one object')
    return found


def _no_float(text: str) -> NoReturn:
    raise _Unreadable(f"{text}: a message holds no floats; write a whole number, without a point")


if __name__ == "__main__":
    main(prog_name="python -m arena.protocol")
