"""Leagues long enough for verdicts, made up from results alone: nothing is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from arena.score.results import SessionResult
from arena.score.scoring import Scoring
from arena.score.table import Plan
from arena.store.scoring import Scored
from arena.store.views import Entry, SeasonView
from tests.score import leagues

SIZE, SEATS, PER_CYCLE = 6, 4, 15


def results(gap: float, cycles: int = 8, size: int = SIZE) -> tuple[list[SessionResult], list[str]]:
    """Every line-up once a cycle, neighbours `gap` points apart in strength."""
    skill = {f"bot{number:02}": gap * number for number in range(size)}
    sessions, bots = leagues.complete(7, size, SEATS, cycles, skill)
    per_cycle = len(sessions) // cycles
    return [replace(session, index=session.index % per_cycle) for session in sessions], bots


@cache
def score(gap: float, cycles: int = 8, size: int = SIZE, margin: float = 2.0) -> Scored:
    """The score of such a league."""
    played, bots = results(gap, cycles, size)
    scoring = Scoring(tuple(bots), SEATS, plan=Plan(len(played) // cycles, cycles), margin=margin)
    return Scored(scoring, tuple(played), scoring.standings(played), scoring.look(played))


def moody(bot: str, form: float, cycles: int = 8) -> Scored:
    """The score of equal bots, one of which plays `form` points better and worse in turn, cycle by cycle."""
    played: list[SessionResult] = []
    for cycle in range(cycles):
        skill = {bot: form if cycle % 2 else -form}
        of_it, bots = leagues.complete(cycle, SIZE, SEATS, 1, skill)
        played += [replace(session, cycle=cycle) for session in of_it]
    scoring = Scoring(tuple(bots), SEATS, plan=Plan(PER_CYCLE, cycles), margin=2.0)
    return Scored(scoring, tuple(played), scoring.standings(played), scoring.look(played))


def season(bots: Sequence[str], names: Sequence[str] = ()) -> SeasonView:
    """A season of these bots; names are the ids with a capital unless given."""
    entries = tuple(
        Entry(bot, number, names[number] if names else bot.title(), "", "", ())
        for number, bot in enumerate(bots)
    )
    return SeasonView(0, "{}", "", "", "all", SEATS, 4, len(bots), PER_CYCLE, 4, "", "", entries, 1, ())
