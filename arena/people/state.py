"""What the page of a seat is sent: the person's own cards and what everybody sees, as plain data for JSON.

Made of values that hold no other seat's hidden cards, so none can get out.
"""

from __future__ import annotations

from arena.match.record import SeatRecord
from arena.people.shared import SharedTable
from arena.seat.onlooker import RoundSeen
from arena.seat.view import Taken, View

__all__ = ["state_of"]


def state_of(view: View, table: SharedTable, seat: int, seconds_left: float | None) -> dict[str, object]:
    """Return the state of a match as one seat may know it. It is for the page of this arena, and may change.

    Cards have the names of the wire. `stage`: see `Stage`; `question`: the id of the open one, "" for none;
    `left`: the seconds for it where there is a clock. `round`: that of the own cards, which may be the one
    before the newest: others are told of a new round a moment earlier.
    """
    seen = table.seen
    return {
        "seat": seat,
        "names": table.names,
        "people": table.people,
        "away": sorted(table.away),
        "rounds": table.rounds,
        "stage": view.stage.value,
        "round": view.round,
        "bye": bool(view.bye),
        "question": view.question,
        "count": view.count,
        "hand": view.hand,
        "legal": view.legal,
        "passed": view.passed,
        "received": view.received,
        "left": seconds_left,
        "played": [_round(one) for one in seen.rounds],
        "thinking": sorted(seen.thinking),
        "notes": [{"what": note.what.value, "seat": note.seat, "why": note.why} for note in table.notes],
        "result": None if table.result is None else [_result(one) for one in table.result],
    }


def _result(one: SeatRecord) -> dict[str, int]:
    return {"points": one.points, "charge": one.charge, "place": one.place}


def _round(one: RoundSeen) -> dict[str, object]:
    return {
        "dealer": one.dealer,
        "papayoo": one.papayoo,
        "tricks": [_trick(trick) for trick in one.tricks],
        "trick": [fallen.card for fallen in one.trick],
        "leader": one.leader,
        "stars": sorted(one.stood_in),
    }


def _trick(trick: Taken) -> dict[str, object]:
    return {
        "leader": trick.cards[0].seat,
        "cards": [fallen.card for fallen in trick.cards],
        "taker": trick.taker,
        "points": trick.points,
    }
