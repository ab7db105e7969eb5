"""Checks of who is out: each decision of the limits is made again, and acts hold from planned cycles on.

Reads no database and plays nothing. Every check is lazy and yields what is wrong in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.conduct.disqualify import Conduct, Ruling
from arena.standings.entry_ids import bot_of
from arena.store.views import Role, SeasonView

__all__ = ["Decided", "check_acts", "check_rulings"]


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision cycle that is over.

    cycles: of the season, up to it. effect: the cycle from which on its rulings hold. made: whether it must
    have been decided on; a run may have been stopped just before.
    """

    cycles: int
    effect: int
    made: bool


def check_rulings(conduct: Conduct, rulings: Sequence[Ruling], ends: Sequence[Decided]) -> Iterator[str]:
    """Yield in words what is wrong with the rulings that the limits made, the earliest first.

    `rulings` are all of a season, the organiser's too, for a bot that is out is not judged. `conduct` knows
    every finished session. `ends`: the decision cycles that are over.
    """
    by_limits = [ruling for ruling in rulings if ruling.by_limits]
    for end in ends:
        due = {ruling.bot: ruling for ruling in conduct.decide(end.cycles, end.effect, rulings)}
        said = {ruling.bot: ruling for ruling in by_limits if ruling.decided == end.cycles}
        since = f"from session {end.effect}.0 on"
        for bot in sorted(said.keys() - due.keys()):
            yield f"{bot} is excluded {_since(said[bot])}, what was played does not say so"
        for bot in sorted(due.keys() - said.keys()):
            if end.made:
                yield f"{bot} is not excluded {since}, although {due[bot].reason}"
        for bot in sorted(due.keys() & said.keys()):
            if due[bot].reason != said[bot].reason:
                yield f"{bot} is excluded as {said[bot].reason}, what was played says {due[bot].reason}"
            elif due[bot] != said[bot]:
                yield f"{bot} is excluded {_since(said[bot])}, it must be {since}"
    known = {end.cycles for end in ends}
    for ruling in by_limits:
        if ruling.decided not in known:
            yield f"{ruling.bot} is excluded {_since(ruling)}; no decision cycle before is over"


def _since(ruling: Ruling) -> str:
    return f"from session {ruling.from_cycle}.0 on"


def check_acts(season: SeasonView, rulings: Sequence[Ruling]) -> Iterator[str]:
    """Yield in words which of the rulings no organiser can have made.

    Nobody can tell whether the organiser made the others, but what was played must agree with them.
    """
    planned = season.stretches[-1].cycles_planned if season.stretches else 0
    bots = {entry.bot for entry in season.entries if entry.role is not Role.STAND_IN}
    if season.open:  # there the organiser rules on a bot with all its versions
        bots |= {bot_of(entry) for entry in bots}
    for ruling in rulings:
        if ruling.bot not in bots:
            yield f"{ruling.bot} is {ruling.word}, and there is no such bot"
        elif not ruling.by_limits and not 0 <= ruling.from_cycle <= planned:
            yield f"{ruling.bot} is {ruling.word} {_since(ruling)}; {planned} cycles were planned"
