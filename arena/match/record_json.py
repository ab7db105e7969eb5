"""The record of a match as JSON: what a referee sends, what a file of a match holds, and what is stored.

One text in all these places. Cards are written as people read them ("S1 S3 | P20"), since a set of cards is
a number that most readers of JSON round off. What only the organiser and a bot's author may see stands in a
part of its own, `private`, which is left out where it says nothing: process ids, standard error, the reason
of a fault and what was sent.

Read, a record has the right shape, and every value is one that can be stored, added up and shown. Whether a
match can have been played as its record says is not looked at here: a run checks what comes in
(`arena.runner.record_check`), and `arena verify` all of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any, Final, NotRequired, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import to_json
from typing_extensions import TypedDict

from arena.deals import MatchKey
from arena.match.faults import Fault, FaultKind, HandOver
from arena.match.record import RECORD_VERSION, MatchRecord, MatchSetup, RoundRecord, SeatRecord, Terms
from arena.match.texts import plays_from, plays_text, sets_from, sets_text, storable
from arena.papayoo import MAX_PLAYERS, MIN_PLAYERS, PAPAYOOS, Board, card_name, dealer_of, parse_card

_PRIVATE_OF_SEAT: Final = {"pid": 0, "stderr_head": "", "stderr_tail": "", "stderr_bytes": 0}
_PRIVATE_OF_FAULT: Final = {"reason": "", "sent": ""}
"""The private fields, each with the value that says nothing."""
_Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
"""A number that every database can store."""
_Us = Annotated[int, Field(ge=0, le=2**40)]
"""Microseconds, 12 days at most: a person may have gone for a weekend. In 64 bits 2**23 of them add up."""
_Bytes = Annotated[int, Field(ge=0, le=2**45)]
_Date = Annotated[int, Field(ge=0, le=253_402_300_799_999)]
"""Milliseconds since 1970, up to the end of the year 9999, after which no date is written."""
_Seed = Annotated[int, Field(ge=0, le=2**32 - 1)]
_IdKey = Annotated[str, Field(pattern="^[0-9a-f]{0,64}$")]
_Log = Annotated[str, Field(max_length=32 * 1024)]
"""The beginning or the end of a bot's standard error: of both is kept far less."""
_Reason = Annotated[str, Field(max_length=4096)]
"""A reason, or what a bot sent: what is kept of both is far shorter."""
_hands_text = lru_cache(maxsize=512)(sets_text)
"""Writes hands as text, and keeps it: a session plays the same boards in every seat order."""


class _Seat(TypedDict):
    bot: str
    seed: _Seed
    points: int
    charge: int
    place: int
    faults: int
    hand_over: HandOver | None
    hand_over_at: tuple[int, int] | None
    late: _Number
    id_key: _IdKey
    table: _Number
    cpu_us: _Us | None
    off_turn_us: _Us | None
    queued_us: _Us | None
    frozen: bool
    left_core: bool


class RoundDocument(TypedDict):
    """A round; the fields are those of `RoundRecord`, beside the board as hands by seat, as dealt."""

    papayoo: str
    hands: str
    passes: str
    plays: str
    points: tuple[int, ...]
    stand_in: tuple[_Number, ...]
    took_us: tuple[_Us, ...]
    extended: tuple[tuple[_Number, _Us], ...]


class _Fault(TypedDict):
    seat: int
    kind: FaultKind
    round: int | None
    question: int | None
    wall_us: _Us
    cpu_us: _Us | None
    queued_us: _Us | None


class _PrivateSeat(TypedDict):
    pid: _Number
    stderr_head: _Log
    stderr_tail: _Log
    stderr_bytes: _Bytes


class _PrivateFault(TypedDict):
    reason: _Reason
    sent: _Reason


class _Private(TypedDict):
    seats: tuple[_PrivateSeat, ...]
    faults: tuple[_PrivateFault, ...]


class RecordDocument(TypedDict):
    """The fields are those of `MatchRecord`; seeds stand with seats, boards with their rounds.

    `no_clock`: only where a seat has none.
    """

    version: int
    key: MatchKey
    terms: Terms
    suits: str
    no_clock: NotRequired[tuple[int, ...]]
    started_at: _Date
    finished_at: _Date
    lateness_count: _Number
    lateness_us: _Us
    sandbox: str
    seats: tuple[_Seat, ...]
    rounds: tuple[RoundDocument, ...]
    faults: tuple[_Fault, ...]
    private: NotRequired[_Private]


_ADAPTER: Final = TypeAdapter(RecordDocument)
_SEAT_FIELDS: Final = tuple(name for name in _Seat.__annotations__ if name != "seed")
_FAULT_FIELDS: Final = tuple(_Fault.__annotations__)


def record_to_json(record: MatchRecord) -> str:
    """Return a record as JSON, in one line. Equal records give equal texts.

    Characters that no database takes are replaced: lone surrogates by "?", and NUL by its picture.
    """
    setup = record.setup
    document: dict[str, Any] = {
        "version": record.version,
        "key": record.key,
        "terms": setup.terms,
        "suits": setup.suits,
        **({} if setup.no_clock is None else {"no_clock": setup.no_clock}),
        "started_at": record.started_at,
        "finished_at": record.finished_at,
        "lateness_count": record.lateness_count,
        "lateness_us": record.lateness_us,
        "sandbox": storable(record.sandbox),
        "seats": [
            {"seed": seed, **_fields(seat, _SEAT_FIELDS)}
            for seat, seed in zip(record.seats, setup.seeds, strict=True)
        ],
        "rounds": list(map(_round_document, range(len(record.rounds)), setup.boards, record.rounds)),
        "faults": [_fields(fault, _FAULT_FIELDS) for fault in record.faults],
    }
    private = {
        "seats": [_written(seat, _PRIVATE_OF_SEAT) for seat in record.seats],
        "faults": [_written(fault, _PRIVATE_OF_FAULT) for fault in record.faults],
    }
    said = any(seat != _PRIVATE_OF_SEAT for seat in private["seats"])
    if said or any(fault != _PRIVATE_OF_FAULT for fault in private["faults"]):
        document["private"] = private
    return to_json(document).decode()


def _fields(of: Any, names: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(of, name) for name in names}


def _written(of: Any, names: Mapping[str, object]) -> dict[str, Any]:
    """Return private fields; the texts among them are of bots."""
    values = ((name, getattr(of, name)) for name in names)
    return {name: storable(value) if isinstance(value, str) else value for name, value in values}


def _round_document(number: int, board: Board, played: RoundRecord) -> dict[str, Any]:
    return {
        "papayoo": card_name(PAPAYOOS[board.papayoo_suit]),
        "hands": _hands_text(tuple(board.hands_by_seat(dealer_of(number, board.players)))),
        "passes": sets_text(played.passes),
        "plays": plays_text(played.plays),
        "points": played.points,
        "stand_in": played.stand_in,
        "took_us": played.took_us,
        "extended": played.extended,
    }


def document_of(text: str | bytes) -> RecordDocument:
    """Return the document of a text, as it is written there.

    Raises ValueError, in words, for a text of another shape or version.
    """
    try:
        found = _ADAPTER.validate_json(text, strict=True)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise ValueError(f"{where + ': ' if where else ''}{first['msg']}") from None
    if found["version"] != RECORD_VERSION:
        raise ValueError(f"its record has version {found['version']}, this arena knows {RECORD_VERSION}")
    return found


def record_from_json(text: str | bytes) -> MatchRecord:
    """Return the record of a text. Raises ValueError, in words, for a text of another shape or version."""
    found = document_of(text)
    seats, faults = found["seats"], found["faults"]
    private = found.get("private") or _nothing_private(len(seats), len(faults))
    if (len(private["seats"]), len(private["faults"])) != (len(seats), len(faults)):
        raise ValueError("private: it has another number of seats or faults")
    return MatchRecord(
        key=found["key"],
        setup=MatchSetup(
            boards=tuple(
                _board(number, played["hands"], played["papayoo"], len(seats))
                for number, played in enumerate(found["rounds"])
            ),
            suits=found["suits"],
            seeds=tuple(seat["seed"] for seat in seats),
            terms=found["terms"],
            no_clock=found.get("no_clock"),
        ),
        seats=tuple(map(_seat_record, seats, private["seats"])),
        rounds=tuple(map(_round_record, found["rounds"])),
        faults=tuple(Fault(**fault, **more) for fault, more in zip(faults, private["faults"], strict=True)),
        started_at=found["started_at"],
        finished_at=found["finished_at"],
        lateness_count=found["lateness_count"],
        lateness_us=found["lateness_us"],
        sandbox=found["sandbox"],
        version=found["version"],
    )


def _nothing_private(seats: int, faults: int) -> _Private:
    nothing: Any = {"seats": (_PRIVATE_OF_SEAT,) * seats, "faults": (_PRIVATE_OF_FAULT,) * faults}
    return cast(_Private, nothing)


def _seat_record(seat: _Seat, private: _PrivateSeat) -> SeatRecord:
    fields: dict[str, Any] = {**seat, **private}
    del fields["seed"]
    return SeatRecord(**fields)


@lru_cache(maxsize=512)  # a session plays the same boards in every seat order
def _board(number: int, hands_text: str, papayoo_text: str, players: int) -> Board:
    by_seat = sets_from(hands_text)
    if len(by_seat) != players or not MIN_PLAYERS <= players <= MAX_PLAYERS:
        raise ValueError(f"rounds.{number}.hands: {len(by_seat)} hands for {players} seats")
    dealer = dealer_of(number, players)
    hands = tuple(by_seat[(dealer + position) % players] for position in range(players))
    papayoo = parse_card(papayoo_text)
    if papayoo not in PAPAYOOS:
        raise ValueError(f"rounds.{number}.papayoo: {papayoo_text} is no 7 of a plain suit")
    return Board(hands, PAPAYOOS.index(papayoo))


def _round_record(played: RoundDocument) -> RoundRecord:
    return RoundRecord(
        passes=sets_from(played["passes"]),
        plays=plays_from(played["plays"]),
        points=played["points"],
        stand_in=played["stand_in"],
        took_us=played["took_us"],
        extended=played["extended"],
    )
