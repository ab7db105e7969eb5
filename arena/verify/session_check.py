"""Checks what became of a session against its matches and the organiser's acts. Reads no database."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arena.match.record import RECORD_VERSION, MatchRecord
from arena.season.agenda import MAX_TRIES
from arena.store.times import spent_by_seat
from arena.store.views import MatchState, MatchView, SessionKey, SessionState, SessionView

__all__ = ["Acts", "check_sums", "why_not_so"]


@dataclass(frozen=True, slots=True)
class Acts:
    """Which sessions were made void and why, before and after the sessions were read."""

    before: Mapping[SessionKey, str]
    after: Mapping[SessionKey, str]


def why_not_so(session: SessionView, attempts: Sequence[MatchView], acts: Acts, matches: int) -> str:
    """Why the session cannot be in the state that it is in; empty if it can.

    `attempts`: all at its matches, in every state; `matches`: how many a session has.
    """
    key = (session.cycle, session.index)
    voided = acts.after.get(key)
    if session.state is SessionState.VOIDED:
        if voided is None:
            return "it is void, and nobody made it so"
        if voided != session.reason:
            return f"it is void for the reason {session.reason!r}, the act says {voided!r}"
    elif key in acts.before:
        return f"it is {session.state.value}, and was made void: {acts.before[key]}"
    if session.state is SessionState.LEFT_OUT:
        tries = Counter(match.order for match in attempts if match.state is MatchState.ABORTED)
        if max(tries.values(), default=0) < MAX_TRIES:
            return f"it is left out, and no match of it was aborted {MAX_TRIES} times"
    elif session.state is SessionState.PLANNED and session.matches_finished == matches:
        return "all its matches are finished, and it is not complete"
    if session.reason and session.state in (SessionState.COMPLETE, SessionState.PLANNED):
        return f"it is {session.state.value}, and has a reason not to count: {session.reason}"
    return ""


def check_sums(match: MatchView, record: MatchRecord) -> Iterator[str]:
    """What is stored beside a match although it follows from it."""
    if match.record_version != RECORD_VERSION:
        yield f"its record is of version {match.record_version}, this arena knows {RECORD_VERSION}"
    if match.rounds != len(record.rounds):
        yield f"it is said to have {match.rounds} rounds, {len(record.rounds)} are stored"
    for seat, spent in zip(match.seats, spent_by_seat(record), strict=True):
        for name, number in spent._asdict().items():
            if getattr(seat, name) != number:
                yield f"{name} of seat {seat.seat} is {getattr(seat, name)}, its times give {number}"
