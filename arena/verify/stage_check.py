"""Checks of a season that is a stage of a league: who went on to it, decided again from the season before.

Changes nothing. Every check is lazy and yields what is wrong in words. What the season before has stored must
have been checked already.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from arena.season.next_stage import decided
from arena.standings.cut import Keep
from arena.standings.entry_ids import bot_of
from arena.store import read
from arena.store.acts import voids_from
from arena.store.database import Database
from arena.store.history import NEW_SEASON, Action
from arena.store.looks import played_of, scoring_then
from arena.store.stage import Decision, Stage, decision_of, stage_of
from arena.store.views import Role, SeasonView

__all__ = ["check_stage"]


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
    season: SeasonView, stage: Stage, decision: Decision, before: SeasonView | None, database: Database
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
    yield from _bots(season, before, decision)
    rule = before.keys["stages"][earlier.number - 1]
    again = _decided_again(before, _keep(before, rule), season.number, database)
    for name, value in decision.document.items():
        if (found := again.document[name]) != value:
            yield f"who went on to it was decided with {name} = {value}, season {before.number} says {found}"


def _keep(before: SeasonView, rule: Mapping[str, Any]) -> Keep:
    cuts = sum(isinstance(one["keep"], str) for one in before.keys["stages"])
    return Keep(rule["keep"], cuts)


def _decided_again(before: SeasonView, keep: Keep, number: int, database: Database) -> Decision:
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


def _bots(season: SeasonView, before: SeasonView, decision: Decision) -> Iterator[str]:
    """Check that those play who went on, as they were."""
    going = {bot_of(entry.bot): entry.digest for entry in before.entries if entry.bot in decision.going_on}
    here = {entry.bot: entry.digest for entry in season.entries if entry.role is Role.ENTRANT}
    for bot in sorted(going.keys() ^ here.keys()):
        yield f"{bot} {'went on and does not play' if bot in going else 'plays and did not go on to it'}"
    for bot in sorted(going.keys() & here.keys()):
        if going[bot] != here[bot]:
            yield f"{bot} went on with the files {going[bot]}, and plays with {here[bot]}"
