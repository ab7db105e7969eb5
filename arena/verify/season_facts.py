"""What a season's document says of its matches, and what matches are worth, without the database's own sums.

Checks nothing and reads no database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from arena.conduct.disqualify import Conduct, Limits
from arena.league.model import milliseconds
from arena.match.record import MatchRecord, Terms
from arena.standings import SessionResult
from arena.store.limits import limits_of
from arena.store.views import SeasonView, SessionView, section_of

__all__ = ["conduct_of", "names_of", "result_of", "terms_of"]


def terms_of(document: Mapping[str, object]) -> Terms | None:
    """Return the clocks and penalties of the season's document, or None if any of them is missing."""
    time, faults = section_of(document, "time"), section_of(document, "faults")
    match (
        time.get("move_seconds"),
        time.get("bank_seconds"),
        faults.get("fault_points"),
        faults.get("max_faults"),
    ):
        case (float() | int() as move, float() | int() as bank, int() as points, int() as most):
            return Terms(milliseconds(move), milliseconds(bank), points, most)
    return None


def conduct_of(season: SeasonView) -> Conduct:
    """Return the judge of the bots' conduct by the limits of the season's document."""
    return Conduct(limits_of(season) or Limits(1.0, 1), season.matches_per_session)


def names_of(season: SeasonView, document: Mapping[str, object]) -> Mapping[str, str] | None:
    """Return the names that bots are told, by id, or None when they are told no names."""
    if section_of(document, "league").get("show_names") is not True:
        return None
    return {entry.bot: entry.name for entry in season.entries}


def result_of(session: SessionView, records: Sequence[MatchRecord]) -> SessionResult:
    """Return the result of a complete session from what was played, without the database's own sums."""
    cards: defaultdict[str, int] = defaultdict(int)
    charges: defaultdict[str, int] = defaultdict(int)
    sat: defaultdict[str, int] = defaultdict(int)
    for record in records:
        for number, seat in enumerate(record.seats):
            sat[seat.bot] += len(record.rounds)
            cards[seat.bot] += sum(played.points[number] for played in record.rounds)
            charges[seat.bot] += seat.charge
    rounds = sum(len(record.rounds) for record in records)
    several = {bot: played for bot, played in sat.items() if played != rounds}
    return SessionResult(session.cycle, session.index, rounds, dict(cards), dict(charges), several)
