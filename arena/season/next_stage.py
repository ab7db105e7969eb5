"""Between two stages: is one over, who goes on, and the season of the next one.

A decision rests on the sessions that count when it is made; it is stored with the season that it begins, and
`arena verify` makes it again from there. Plays nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from arena.league.reader import LoadedLeague
from arena.league.stages import keep_after
from arena.season.opening import begin_stage, stored_season
from arena.season.staged import following
from arena.standings import Scoring, SessionResult
from arena.standings.cut import Keep, cut
from arena.store import read
from arena.store.acts import closing
from arena.store.database import Database
from arena.store.scoring import scored
from arena.store.stage import Decision, Stage, rule_of, stage_of
from arena.store.views import SeasonView, SessionKey, SessionState

__all__ = ["begin_next_stage", "decided"]

LEAST_BOTS = 2
"""The fewest bots that play a stage."""


def begin_next_stage(loaded: LoadedLeague, database: Database, say: Callable[[str], None]) -> bool:
    """Begin the stage after the newest season's, if that is over; return whether there is one to play.

    `loaded`: the whole league. `say` is told who goes on. Raises what opening a season raises.
    """
    season = stored_season(database)
    stage = stage_of(season)
    if stage is None or stage.number == stage.of or not _is_over(season, database):
        return False
    decision = _decision(loaded, season, stage, database)
    while len(decision.going_on) >= LEAST_BOTS:
        if begin_stage(following(loaded, season, decision), database, decision.acts):
            break
        # Somebody ruled, or made a session void, meanwhile.
        decision = _decision(loaded, season, stage, database)
    for line in told(stage, decision, {entry.bot: entry.name for entry in season.entries}):
        say(line)
    if len(decision.going_on) < LEAST_BOTS:
        say("a stage takes two bots, so the league is over")
        return False
    return True


def _is_over(season: SeasonView, database: Database) -> bool:
    """Return whether nothing more is played in a season that a run has just played to its end."""
    if not season.phases or season.unfinished is not None:
        return False
    return not season.open or closing(read.actions(database), season.number) is not None


def _decision(loaded: LoadedLeague, season: SeasonView, stage: Stage, database: Database) -> Decision:
    """Decide who goes on, by what counts now."""
    acts = len(read.actions(database))  # first, so that no act is counted that came while it was decided
    score = scored(database, season)
    states = read.session_states(database, season.number)
    void = [key for key, state in sorted(states.items()) if state is SessionState.VOIDED]
    keep = keep_after(loaded.league, stage.number)
    return decided(season, keep, (score.scoring, score.results), (void, acts))


def decided(
    season: SeasonView,
    keep: Keep,
    scored_by: tuple[Scoring, Iterable[SessionResult]],
    known: tuple[Iterable[SessionKey], int],
) -> Decision:
    """Return who goes on after a season.

    `scored_by`: the score at its end, and the sessions that counted. `known`: the sessions that were void,
    and the number of acts.
    """
    scoring, results = scored_by[0], list(scored_by[1])
    void, acts = known
    made = cut(scoring, results, keep)
    present = scoring.bots if scoring.present is None else sorted(scoring.present)
    return Decision(
        season=season.number,
        rule=keep.rule,
        cuts=keep.cuts,
        cycles=1 + max((result.cycle for result in results), default=-1),
        sessions=len(results),
        void=tuple(f"{cycle}.{index}" for cycle, index in void),
        acts=acts,
        field=tuple(bot for bot in present if bot not in scoring.departed),
        going_on=made.going_on,
        leaving=made.leaving,
        no_look=made.no_look,
    )


def told(stage: Stage, decision: Decision, names: dict[str, str]) -> list[str]:
    """Return in lines who goes on after a stage and who does not."""
    going, leaving = len(decision.going_on), len(decision.leaving)
    lines = [f"{stage}, is over: {going} of {going + leaving} bots go on: {rule_of(decision)}"]
    lines += [f"  go on: {_listed(decision.going_on, names)}"]
    if decision.leaving:
        lines += [f"  leave: {_listed(decision.leaving, names)}"]
    if decision.no_look:
        lines += [f"  there are no verdicts, so nobody is surely behind: {decision.no_look}"]
    return lines


def _listed(bots: Iterable[str], names: dict[str, str]) -> str:
    return ", ".join(names[bot] for bot in bots) or "nobody"
