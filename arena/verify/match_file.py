"""The file of one match: its whole record as JSON, so that an author needs no database to replay it.

The first three keys say what it is: `kind`, `number` (on the pages) and `names` (of the bots, by seat). The
fourth, `record`, is the record as `arena.match.record_json` writes it.

Knows nothing of pages or of who may see what; `without_private` returns the part that everybody may see.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from arena.match.record import MatchRecord
from arena.match.record_json import record_from_json, record_to_json
from arena.papayoo import IllegalMove
from arena.verify.match_check import Expected, check_match

_KIND: Final = "papayoo match"


@dataclass(frozen=True, slots=True)
class MatchFile:
    """A match with its number on the pages and the names of its bots by seat."""

    number: int
    names: tuple[str, ...]
    record: MatchRecord


class _Head(TypedDict):
    kind: Literal["papayoo match"]
    number: int
    names: tuple[str, ...]
    record: dict[str, Any]


_HEAD: Final = TypeAdapter(_Head)


def write_match_file(match: MatchFile) -> bytes:
    """Return the file's content: one line of JSON. Equal matches give equal bytes."""
    head = {"kind": _KIND, "number": match.number, "names": match.names}
    text = json.dumps(head, ensure_ascii=False, separators=(",", ":"))
    return f'{text[:-1]},"record":{record_to_json(match.record)}}}\n'.encode()


def read_match_file(content: bytes) -> MatchFile:
    """Return the match of a file. Raises ValueError, in words, unless it was played by the rules."""
    try:
        head = _HEAD.validate_json(content)
        record = record_from_json(json.dumps(head["record"]))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        what = f"{where + ': ' if where else ''}{first['msg']}"
        raise ValueError(f"it is not the file of a match: {what}") from None
    except (ValueError, RecursionError) as error:
        raise ValueError(f"it is not the file of a match: {error}") from None
    match = MatchFile(head["number"], head["names"], record)
    wrong = _contradiction(match)
    if wrong:
        raise ValueError(f"its record contradicts itself: {wrong}")
    return match


def _contradiction(match: MatchFile) -> str:
    """Return in words what cannot be as the record says, or an empty text."""
    setup, record = match.record.setup, match.record
    if not len(match.names) == len(record.seats) == setup.players:
        return f"{len(match.names)} names, {len(record.seats)} seats and {setup.players} seeds"
    if len(setup.boards) != len(record.rounds):
        return f"{len(setup.boards)} boards and {len(record.rounds)} rounds"
    bots = tuple(seat.bot for seat in record.seats)
    try:
        found = next(check_match(record, Expected(bots, len(record.rounds), None, None)), None)
    except (ValueError, LookupError, IllegalMove) as error:
        return str(error)
    return "" if found is None else found.text


def without_private(record: MatchRecord, stderr: Collection[int], evidence: Collection[int]) -> MatchRecord:
    """Return the record without process ids, and with private texts of the given seats only.

    `stderr`: the seats whose standard error stays. `evidence`: the seats whose faults keep their reason and
    the bytes that were sent.
    """
    faults = tuple(
        fault if fault.seat in evidence else replace(fault, reason="", sent="") for fault in record.faults
    )
    seats = tuple(
        replace(seat, pid=0)
        if number in stderr
        else replace(seat, pid=0, stderr_head="", stderr_tail="", stderr_bytes=0)
        for number, seat in enumerate(record.seats)
    )
    return replace(record, seats=seats, faults=faults)
