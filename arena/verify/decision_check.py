"""Checks of decisions: each is made again, and where a phase ended follows from them.

Also of who is out by acts of the organiser. Reads no database and plays nothing. Every check is lazy and
yields what is wrong in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from arena.conduct.exclusion import Ruling
from arena.errors import StoreError
from arena.schedule import DecisionCycles, Schedule
from arena.season.agenda import OVER
from arena.season.decide import History, compare, decide, why_broken_off
from arena.standings.entry_ids import bot_of
from arena.store.decisions import Decision
from arena.store.looks import Played
from arena.store.planned import decisions_of
from arena.store.views import PhaseView, Role, SeasonView, SessionKey, SessionView

__all__ = ["check_acts", "check_decisions", "check_end", "decision_cycles_over"]


@dataclass(frozen=True, slots=True)
class DecisionCycle:
    """A decision cycle that is over, by its end. `effect`: the cycle from which on its decision holds.

    `must`: whether it must have been made; a run may have been stopped just before.
    """

    end: int
    effect: int
    must: bool


def check_decisions(history: History, played: Played, cycles: Sequence[DecisionCycle]) -> Iterator[str]:
    """Make the decisions of a season again, earliest first, and yield what differs.

    `history`: all of it, with the decisions as they are stored. `played`: as it is now. `cycles`: the
    decision cycles that are over.
    """
    stored = {decision.cycles: decision for decision in history.decisions}
    for cycle in cycles:
        decision = stored.pop(cycle.end, None)
        if decision is not None:
            yield from _differences(_before(history, decision), decision, cycle, played)
        elif cycle.must:
            missing = decide(history, cycle.end, cycle.effect, None, 0)
            for bot, reason in missing.excluded:
                yield f"{bot} is not excluded after {cycle.end} cycles, although {reason}"
    for end in stored:
        yield f"something was decided after {end} cycles, which is no decision cycle that is over"


def _before(history: History, decision: Decision) -> History:
    """Return what was known when a decision was made."""
    earlier = [one for one in history.decisions if one.cycles < decision.cycles]
    return replace(history, acts=history.acts[: decision.acts], decisions=earlier)


def _differences(history: History, decision: Decision, cycle: DecisionCycle, played: Played) -> Iterator[str]:
    after = f"after {decision.cycles} cycles"
    if decision.acts != len(history.acts):
        yield f"what was decided {after} followed from {decision.acts} acts, there are {len(history.acts)}"
        return
    if history.decisions and history.decisions[-1].acts > decision.acts:
        yield f"what was decided {after} followed from fewer acts than what was decided before"
        return
    compared = compare(history, played, decision.cycles) if history.stops_when_settled else None
    again = decide(history, decision.cycles, cycle.effect, compared, decision.at)
    by_bot, said = dict(again.excluded), dict(decision.excluded)
    for bot in sorted(said.keys() - by_bot.keys()):
        yield f"{bot} is excluded {after}, what was played does not say so"
    for bot in sorted(by_bot.keys() - said.keys()):
        yield f"{bot} is not excluded {after}, although {by_bot[bot]}"
    for bot in sorted(by_bot.keys() & said.keys()):
        if by_bot[bot] != said[bot]:
            yield f"{bot} is excluded as {said[bot]}, what was played says {by_bot[bot]}"
    for name in ("effect", "settled", "field", "sessions", "void"):
        value, found = getattr(decision, name), getattr(again, name)
        if value != found:
            yield f"what was decided {after} has {name} = {value}; it was {found}"


def check_end(season: SeasonView, phase: PhaseView, history: History) -> Iterator[str]:
    """Yield what is wrong with where a phase ended."""
    number = phase.number
    try:
        decisions = decisions_of(season, phase)
    except StoreError as error:
        yield str(error)
        return
    ended, planned = phase.cycles_planned, decisions.planned
    if ended > planned or (ended < planned and phase.ended_at is None):
        yield f"phase {number} has {ended} cycles, {planned} were planned"
    elif ended < planned and not _may_end(season, ended, decisions, history):
        yield f"phase {number} ended after {ended} of {planned} cycles, and nothing says why"


def _may_end(season: SeasonView, cycles: int, decisions: DecisionCycles, history: History) -> bool:
    """Return whether a phase could end there: settled, with too few bots, or for another open field."""
    if season.open:
        return cycles >= decisions.first
    if any(one.settled and one.effect == cycles for one in history.decisions):
        return True
    # Who was reinstated from there on was out when it ended.
    rulings = [
        one for one in history.rulings if one.from_cycle < cycles or (one.out and one.from_cycle == cycles)
    ]
    return bool(why_broken_off(season, rulings))


def decision_cycles_over(
    season: SeasonView, plan: Schedule, sessions: Mapping[SessionKey, SessionView]
) -> tuple[DecisionCycle, ...]:
    """Return the decision cycles of a season that are over."""
    over = Counter(cycle for (cycle, _), view in sessions.items() if view.state in OVER)
    found: list[DecisionCycle] = []
    for phase in season.phases:
        cycles = range(phase.first_cycle, phase.cycles_planned)
        done = next((cycle for cycle in cycles if over[cycle] < plan.sessions_in(cycle)), cycles.stop)
        of_it = [key[0] for key, view in sessions.items() if view.phase == phase.number]
        decisions = decisions_of(season, phase)
        decided = decisions.decided_before(max(of_it, default=phase.first_cycle))
        if phase.ended_at is not None and done == cycles.stop:
            decided = done
        ends = (end for end in decisions.ends if end <= done)
        found += [DecisionCycle(end, decisions.effect(end), end <= decided) for end in ends]
    return tuple(found)


def check_acts(season: SeasonView, rulings: Sequence[Ruling]) -> Iterator[str]:
    """Yield in words which of the rulings no organiser can have made.

    Nobody can tell whether the organiser made the others, but what was played must agree with them.
    """
    planned = season.phases[-1].cycles_planned if season.phases else 0
    bots = {entry.bot for entry in season.entries if entry.role is not Role.STAND_IN}
    if season.open:  # there the organiser rules on a bot with all its versions
        bots |= {bot_of(entry) for entry in bots}
    for ruling in rulings:
        since = f"from session {ruling.from_cycle}.0 on"
        if ruling.bot not in bots:
            yield f"{ruling.bot} is {ruling.word}, and there is no such bot"
        elif not ruling.by_limits and not 0 <= ruling.from_cycle <= planned:
            yield f"{ruling.bot} is {ruling.word} {since}; {planned} cycles were planned"
