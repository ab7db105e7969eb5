"""`arena decode`: decodes lines of the protocol into text, and encodes text as lines."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from arena.cli.exits import NO
from arena.cli.options import examples

__all__ = ["decode"]

_MOST_BYTES = 1 << 17
"""The most bytes of a line that are kept: a longer line is refused anyway."""


@dataclass(frozen=True, slots=True)
class _Given:
    """A line and where it was found."""

    place: str
    data: bytes


@click.command(
    epilog=examples(
        "arena decode g6R0eXBlpGNhcmSiaWSqcTdaazFjMFhiV6RjYXJkolMz",
        """arena decode '{"type": "card", "id": "q1", "card": "S3"}'""",
        "arena decode --file lines.txt",
    )
)
@click.argument("lines", nargs=-1, metavar="[LINE]...")
@click.option("--file", type=click.Path(path_type=Path, dir_okay=False), help="Read lines from a file.")
@click.option("--hex", "as_hex", is_flag=True, help="Show the bytes of the msgpack map as well.")
@click.pass_context
def decode(ctx: click.Context, lines: tuple[str, ...], file: Path | None, as_hex: bool) -> None:
    """Decode lines of the protocol into text, and encode text as lines.

    A LINE that begins with "{" is a message as JSON: it is encoded as the line that a bot or referee writes.
    Any other LINE is such a line: it is decoded into JSON, one message a line. Without LINE and --file, lines
    are read from standard input and answered one by one. Empty lines are skipped.

    A line that cannot be read is reported on standard error, with its place; the others are still converted.
    So is an answer that a referee would refuse (a card that does not exist, a missing key), although it is
    converted.

    Exit codes: 0 nothing was reported, 1 something was.
    """
    wrong = 0
    for given in _given(lines, file):
        text, remark = _turned(given.data, as_hex)
        if text is not None:
            click.echo(text)
        if remark is not None:
            wrong += 1
            click.echo(f"{given.place}: {remark}", err=True)
    if wrong:
        ctx.exit(NO)


def _turned(data: bytes, as_hex: bool) -> tuple[str | None, str | None]:
    """Return what a line is converted into, or None, and what is wrong with it, or None."""
    from protocol.codec import decode as decoded
    from protocol.readable import Unreadable, line_of_text, readable, refusal_of
    from protocol.refusal import BadMessage

    try:
        if data.lstrip().startswith(b"{"):
            line = line_of_text(data.decode())
            message, text = decoded(line), line.decode("ascii").rstrip("\n")
        else:
            line, message = data, decoded(data)
            text = readable(message)
    except BadMessage as refused:
        return None, f"{refused.reason.name}: {refused}"
    except Unreadable as wrong:
        return None, str(wrong)
    except UnicodeDecodeError as error:
        return None, f"not UTF-8 at byte {error.start + 1}"
    refusal = refusal_of(message, line)
    remark = None if refusal is None else f"a referee would refuse this answer: {refusal}"
    return (f"{text}\n{_hex(line)}" if as_hex else text), remark


def _hex(line: bytes) -> str:
    """Return the bytes behind the base64, sixteen a row."""
    from binascii import a2b_base64

    data = a2b_base64(line)
    rows = (data[start : start + 16] for start in range(0, len(data), 16))
    return "\n".join(f"  {row.hex(' ')}" for row in rows)


def _given(lines: tuple[str, ...], file: Path | None) -> Iterator[_Given]:
    """Yield all lines that are given, with their places, except empty ones."""
    if lines and file is not None:
        raise click.UsageError("give LINE or --file, not both")
    if lines:
        source, found = "argument", iter([line.encode("utf-8", "surrogateescape") for line in lines])
    elif file is not None:
        source, found = str(file), _read(file)
    else:
        source, found = "standard input", iter(sys.stdin.buffer.readline, b"")
    for number, data in enumerate(found, start=1):
        if data.strip():
            place = f"{source} {number}" if lines else f"{source}, line {number}"
            yield _Given(place, data[:_MOST_BYTES])


def _read(file: Path) -> Iterator[bytes]:
    from arena.errors import UsageError

    try:
        lines: Iterable[bytes] = file.read_bytes().split(b"\n")
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    return iter(lines)
