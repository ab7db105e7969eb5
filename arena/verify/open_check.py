"""Checks of an open season by the acts before each phase: who may play, who owes sessions, when it ends.

What counted when a phase began follows from the sessions before it and from the acts that had been made by
then: a session that became void later counted. Reads no database and plays nothing. Every check is lazy and
yields what is wrong in words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from arena.conduct.exclusion import Ruling, disqualified, whole_bots_out
from arena.schedule import OpenPlan, catch_up_quota
from arena.standings import SessionResult
from arena.standings.entry_ids import bot_of
from arena.standings.open_field import eligible, sessions_of_each
from arena.store.acts import CLOSE, closing, rulings_from, voids_from
from arena.store.decisions import Decision
from arena.store.history import Action
from arena.store.planned import with_house
from arena.store.views import PhaseView, Role, SeasonView

__all__ = ["check_calls", "check_fields", "check_owed"]


def check_fields(season: SeasonView, acts: Sequence[Action], decisions: Sequence[Decision]) -> Iterator[str]:
    """Yield who plays in a phase of an open season that could not be there, and what began after the close.

    `acts`: all of the database, oldest first.
    """
    for phase in season.phases:
        if phase.acts > len(acts):
            yield f"phase {phase.number} followed from {phase.acts} acts, there are {len(acts)}"
        made = acts[: phase.acts]
        if (act := closing(made, season.number)) is not None:
            yield f"phase {phase.number} began after the season had been closed: {act.reason}"
        before = [one for one in decisions if one.cycles <= phase.first_cycle]
        rulings = rulings_from(made, before, season.number)
        yield from _out(phase, rulings)


def _out(phase: PhaseView, rulings: Sequence[Ruling]) -> Iterator[str]:
    """Check that nobody plays who was out: by the limits, by the organiser, or with three versions."""
    out = {**disqualified(rulings), **whole_bots_out(rulings)}
    for entry in phase.entries:
        ruling = out.get(entry) or out.get(bot_of(entry))
        if ruling is not None:
            yield f"{entry} plays in phase {phase.number}, and was {ruling.word} before: {ruling.reason}"


def check_owed(
    season: SeasonView, plan: OpenPlan, acts: Sequence[Action], results: Sequence[SessionResult]
) -> Iterator[str]:
    """Count again who was behind when each phase began, by the sessions that counted then.

    `plan`: of the whole season. `results`: of all sessions that were played to their end, void ones too, by
    their places.
    """
    before = OpenPlan(season.seats, season.digest, ())
    for phase in season.phases:
        # Planned on and not anew: a long season has hundreds of phases.
        before = before.going_on(plan.phases[: phase.number])
        void = voids_from(acts[: phase.acts], season.number)
        counting = [one for one in results if one.cycle < phase.first_cycle and one.key not in void]
        owed = _owed(season, phase, before, counting)
        if owed != phase.owed:
            yield (
                f"of phase {phase.number} is stored that {_owing(phase.owed)}; by what "
                f"counted when it began, {_owing(owed)}"
            )


def _owed(
    season: SeasonView, phase: PhaseView, before: OpenPlan, counting: Sequence[SessionResult]
) -> tuple[tuple[str, int], ...]:
    earlier = replace(season, phases=season.phases[: phase.number])
    counted = sessions_of_each(eligible(counting, with_house(earlier, phase.entries)))
    field = [entry for entry in season.entries if entry.bot in phase.entries]
    ranked = {entry.number: counted[entry.bot] for entry in field if entry.role is Role.ENTRANT}
    numbers = [entry.number for entry in field]
    due = catch_up_quota(before, numbers, phase.balanced_cycles, ranked).block
    return tuple((season.entries[number].bot, sessions) for number, sessions in due)


def _owing(owed: Sequence[tuple[str, int]]) -> str:
    if not owed:
        return "nobody owes a session"
    return ", ".join(f"{entry} owes {sessions}" for entry, sessions in owed)


def check_calls(acts: Sequence[Action], seasons: Sequence[SeasonView]) -> Iterator[str]:
    """Yield the acts that close a season and that nobody can have made. `acts`: all, oldest first."""
    known = {str(season.number): season for season in seasons}
    closed = set[str]()
    for act in acts:
        if act.what == CLOSE:
            season = known.get(act.subject)
            if season is None or not season.open:
                yield f"season {act.subject} is closed by an act, and is no open season"
            elif act.subject in closed:
                yield f"season {act.subject} was closed twice"
            closed.add(act.subject)
