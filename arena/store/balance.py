"""The balance certificate of a stored season: counted from the matches that were really played and count."""

from __future__ import annotations

from collections.abc import Iterable

from arena.conduct.balance import Balance, certificate
from arena.store.views import MatchView, Role, SeasonView

__all__ = ["played_balance"]


def played_balance(season: SeasonView, matches: Iterable[MatchView]) -> Balance[str]:
    """The certificate of those `matches` of the season that count, by bot id.

    A stand-in counts where it had a disqualified bot's seats, once a match however many they were. In a
    gauntlet only the candidates are counted, each with its opponents.
    """
    rows = [(_seats(match), match.rounds) for match in matches if match.counts]
    bots = [entry.bot for entry in season.entries if entry.role is not Role.STAND_IN]
    candidates = [entry.bot for entry in season.entries if entry.role is Role.ENTRANT]
    return certificate(rows, bots, candidates if season.line_ups == "gauntlet" else ())


def _seats(match: MatchView) -> tuple[str, ...]:
    return tuple(seat.bot for seat in match.seats)
