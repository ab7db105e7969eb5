"""Checks of decisions: each is made again, and where a phase ended, and who plays a stage, follows from them.

Changes and plays nothing. Every check is lazy and yields what is wrong in words. What was played must have
been checked already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.conduct.exclusion import Conduct
from arena.errors import StoreError
from arena.schedule import DecisionCycles, Schedule
from arena.score.cut import Keep
from arena.score.entry_ids import bot_of
from arena.season.agenda import OVER
from arena.season.decide import compare, decide, stops_when_settled, why_broken_off
from arena.season.stages import decided
from arena.store import read
from arena.store.acts import Decision, voids_from
from arena.store.database import Database
from arena.store.history import NEW_SEASON, Action
from arena.store.scoring import Played, played_of, scoring_then
from arena.store.stage import Decision as StageDecision
from arena.store.stage import Stage, decision_of, stage_of
from arena.store.stored_season import StoredSeason, decisions_of
from arena.store.views import PhaseView, Role, SeasonView, SessionKey, SessionView
from arena.verify.match_check import unlike


@dataclass(frozen=True, slots=True)
class DecisionCycle:
    """A decision cycle that is over, by its end. `effect`: the cycle from which on its decision holds.

    `must`: whether it must have been made; a run may have been stopped just before.
    """

    end: int
    effect: int
    must: bool


def check_decisions(
    stored: StoredSeason, conduct: Conduct, played: Played, cycles: Sequence[DecisionCycle]
) -> Iterator[str]:
    """Make the decisions of a season again, earliest first, and yield what differs.

    `conduct`: knows every finished session. `played`: as it is now. `cycles`: the decision cycles that are
    over.
    """
    decided = {decision.cycles: decision for decision in stored.decisions}
    for cycle in cycles:
        decision = decided.pop(cycle.end, None)
        if decision is not None:
            yield from _differences(_before(stored, decision), conduct, decision, cycle, played)
        elif cycle.must:
            missing = decide(stored, conduct, cycle.end, cycle.effect, None, 0)
            for bot, reason in missing.excluded:
                yield f"{bot} is not excluded after {cycle.end} cycles, although {reason}"
    for end in decided:
        yield f"something was decided after {end} cycles, which is no decision cycle that is over"


def _before(stored: StoredSeason, decision: Decision) -> StoredSeason:
    """Return what was known when a decision was made."""
    earlier = [one for one in stored.decisions if one.cycles < decision.cycles]
    return replace(stored, acts=stored.acts[: decision.acts], decisions=earlier)


def _differences(
    known: StoredSeason, conduct: Conduct, decision: Decision, cycle: DecisionCycle, played: Played
) -> Iterator[str]:
    after = f"after {decision.cycles} cycles"
    if decision.acts != len(known.acts):
        yield f"what was decided {after} followed from {decision.acts} acts, there are {len(known.acts)}"
        return
    if known.decisions and known.decisions[-1].acts > decision.acts:
        yield f"what was decided {after} followed from fewer acts than what was decided before"
        return
    compared = compare(known, played, decision.cycles) if stops_when_settled(known) else None
    again = decide(known, conduct, decision.cycles, cycle.effect, compared, decision.at)
    by_bot, said = dict(again.excluded), dict(decision.excluded)
    for bot in sorted(said.keys() - by_bot.keys()):
        yield f"{bot} is excluded {after}, what was played does not say so"
    for bot in sorted(by_bot.keys() - said.keys()):
        yield f"{bot} is not excluded {after}, although {by_bot[bot]}"
    for bot in sorted(by_bot.keys() & said.keys()):
        if by_bot[bot] != said[bot]:
            yield f"{bot} is excluded as {said[bot]}, what was played says {by_bot[bot]}"
    for text in unlike(decision, again, ("effect", "settled", "field", "sessions", "void"), "it was"):
        yield f"what was decided {after}: {text}"


def check_end(stored: StoredSeason, phase: PhaseView) -> Iterator[str]:
    """Yield what is wrong with where a phase ended."""
    number = phase.number
    try:
        decisions = decisions_of(stored.view, phase)
    except StoreError as error:
        yield str(error)
        return
    ended, planned = phase.cycles_planned, decisions.planned
    if ended > planned or (ended < planned and phase.ended_at is None):
        yield f"phase {number} has {ended} cycles, {planned} were planned"
    elif ended < planned and not _may_end(stored, ended, decisions):
        yield f"phase {number} ended after {ended} of {planned} cycles, and nothing says why"


def _may_end(stored: StoredSeason, cycles: int, decisions: DecisionCycles) -> bool:
    """Return whether a phase could end there: settled, with too few bots, or for another open field."""
    if stored.view.open:
        return cycles >= decisions.first
    if any(one.settled and one.effect == cycles for one in stored.decisions):
        return True
    # Who was reinstated from there on was out when it ended.
    rulings = [
        one for one in stored.rulings if one.from_cycle < cycles or (one.out and one.from_cycle == cycles)
    ]
    return bool(why_broken_off(stored.view, rulings))


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


# From stage to stage


def check_stage(season: SeasonView, before: SeasonView | None, database: Database) -> Iterator[str]:
    """Yield what is wrong with the stage that a season is. `before`: the season before it, if there is one.

    Raises StoreError for a season that does not say which stage it is.
    """
    stage, decision = stage_of(season), decision_of(season)
    if stage is None:
        return
    stages = season.keys.get("stages")
    if not isinstance(stages, list) or len(stages) != stage.of or not 1 <= stage.number <= stage.of:
        yield f"it is {stage}, and its document has other stages"
    elif (stage.number == 1) != (decision is None):
        yield f"it is {stage}, and its document {'says' if decision else 'does not say'} who went on to it"
    elif decision is not None:
        yield from _followed(season, stage, decision, before, database)


def _followed(
    season: SeasonView, stage: Stage, decision: StageDecision, before: SeasonView | None, database: Database
) -> Iterator[str]:
    """Yield what is wrong with how a stage followed the one before."""
    earlier = None if before is None else stage_of(before)
    if (
        before is None
        or earlier is None
        or (decision.season, earlier.number + 1) != (before.number, stage.number)
    ):
        yield f"it is {stage}, and season {decision.season} is not the stage before it"
        return
    if before.keys.get("stages") != season.keys.get("stages"):
        yield f"the stages of its document are not those of season {before.number}"
        return
    yield from _those_who_went_on(season, before, decision)
    rule = before.keys["stages"][earlier.number - 1]
    again = _decided_again(before, _keep(before, rule), season.number, database)
    for text in unlike(decision, again, decision.document, f"season {before.number} says"):
        yield f"who went on to it was decided so: {text}"


def _keep(before: SeasonView, rule: Mapping[str, Any]) -> Keep:
    cuts = sum(isinstance(one["keep"], str) for one in before.keys["stages"])
    return Keep(rule["keep"], cuts)


def _decided_again(before: SeasonView, keep: Keep, number: int, database: Database) -> StageDecision:
    acts = read.actions(database)
    opened = _opened(acts, number)
    # By what counted when the stage began: what became void later counted then.
    made, played = acts[:opened], played_of(database, before.number)
    decisions = read.decisions(database, before.number)
    cycles = 1 + max((one.cycle for one in played.progress.cycles), default=-1)
    void = sorted(voids_from(made, before.number))
    return decided(before, keep, scoring_then(before, made, decisions, played, cycles), (void, opened))


def _opened(acts: Sequence[Action], season: int) -> int:
    """Return how many acts there were when a season began."""
    begun = (place for place, act in enumerate(acts) if (act.what, act.subject) == (NEW_SEASON, str(season)))
    return next(begun, len(acts))


def _those_who_went_on(season: SeasonView, before: SeasonView, decision: StageDecision) -> Iterator[str]:
    """Check that those play who went on, as they were."""
    going = {bot_of(entry.bot): entry.digest for entry in before.entries if entry.bot in decision.going_on}
    here = {entry.bot: entry.digest for entry in season.entries if entry.role is Role.ENTRANT}
    for bot in sorted(going.keys() ^ here.keys()):
        yield f"{bot} {'went on and does not play' if bot in going else 'plays and did not go on to it'}"
    for bot in sorted(going.keys() & here.keys()):
        if going[bot] != here[bot]:
            yield f"{bot} went on with the files {going[bot]}, and plays with {here[bot]}"
