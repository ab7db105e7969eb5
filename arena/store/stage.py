"""The stage of a league that a season is, and the decision that began it, as its document holds them.

It has no SQL and decides nothing: that is `arena.season.stages`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from arena.errors import StoreError
from arena.store.views import SeasonView


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage of a league, from 1, `of` how many, and its name."""

    number: int
    of: int
    name: str

    def __str__(self) -> str:
        return f"stage {self.number} of {self.of}, {self.name}"


@dataclass(frozen=True, slots=True)
class Decision:
    """Who went on to a stage, and what that was decided from.

    `season`: the number of the one before, whose entries are named. `rule`: how many by rank, or "contenders
    k". `cuts`: among how many stages the error is divided. `cycles` and `sessions`: the complete cycles and
    the sessions that counted then; `void`: the sessions that did not, such as "3.1". `acts`: how many acts of
    the organiser there were. `field`: who was in the field, house bots too. `going_on` and `leaving`: best
    first. `no_look`: see `arena.score.cut.Cut`.
    """

    season: int
    rule: int | str
    cuts: int
    cycles: int
    sessions: int
    void: tuple[str, ...]
    acts: int
    field: tuple[str, ...]
    going_on: tuple[str, ...]
    leaving: tuple[str, ...]
    no_look: str

    @property
    def document(self) -> dict[str, Any]:
        """Return the decision as a season's document holds it."""
        return {
            key: list(value) if isinstance(value, tuple) else value for key, value in asdict(self).items()
        }


_DECISION: Final = TypeAdapter(Decision)


@dataclass(frozen=True, slots=True)
class StageView:
    """A season that is a stage. `came`: who went on to it, None in a first stage; `names`: of all in that.

    `went`: who went on from it, None before that was decided.
    """

    stage: Stage
    came: Decision | None
    names: Mapping[str, str]
    went: Decision | None


def stage_view(season: SeasonView, seasons: Iterable[SeasonView]) -> StageView | None:
    """Return the stage that a season is, among all seasons of its league; None where there are no stages.

    Raises StoreError as `stage_of` and `decision_of` do.
    """
    stage, came = stage_of(season), decision_of(season)
    if stage is None:
        return None
    by_number = {one.number: one for one in seasons}
    before = None if came is None else by_number.get(came.season)
    after = by_number.get(season.number + 1)
    went = None if after is None else decision_of(after)
    names = {} if before is None else {entry.bot: entry.name for entry in before.entries}
    return StageView(stage, came, names, went)


def words_of(season: SeasonView) -> tuple[str, ...]:
    """Return in sentences which stage a season is and who went on to it; none where there are no stages.

    Raises StoreError for a season that does not say so.
    """
    stage, decision = stage_of(season), decision_of(season)
    if stage is None:
        return ()
    first = f"This is stage {stage.number} of {stage.of}, {stage.name}."
    if decision is None:
        return (first,)
    return (first, *_decided(decision))


def _decided(decision: Decision) -> Iterator[str]:
    going, rule = len(decision.going_on), rule_of(decision)
    if decision.leaving:
        yield (
            f"Of the {going + len(decision.leaving)} bots of season {decision.season}, {going} went "
            f"on to it: {rule}."
        )
    else:
        yield f"All {going} bots went on to it: {rule}."
    if decision.no_look:
        reason = decision.no_look
        yield f"There were no verdicts, so nobody was surely behind: {reason}."
    if decision.leaving and isinstance(decision.rule, int):
        yield "Nothing guarantees that the best bot is among them."
    elif decision.leaving:
        yield "The best bot was cut with a chance of at most 5 %, over all stages together."
    yield "Scores are among those who went on, by what they played in this stage."


def rule_of(decision: Decision) -> str:
    """Return by which rule bots went on, in words."""
    if isinstance(decision.rule, int):
        return f"the first {decision.rule}"
    contenders = int(decision.rule.partition(" ")[2])
    if contenders == 1:
        return "all but those who had a surely better one before them"
    return f"all but those who had {contenders:,} surely better ones before them"


def stage_of(season: SeasonView) -> Stage | None:
    """Return the stage that a season is; None where its league has no stages. StoreError if it is damaged."""
    told = season.section("stage")
    try:
        return Stage(int(told["number"]), int(told["of"]), str(told["name"])) if told else None
    except (LookupError, ValueError, TypeError):
        raise StoreError(f"Season {season.number} does not say which stage it is: {dict(told)}") from None


def decision_of(season: SeasonView) -> Decision | None:
    """Return the decision by which a stage began; None in a first stage. StoreError if it is damaged."""
    told: Mapping[str, Any] | None = season.section("stage").get("after")
    if told is None:
        return None
    try:
        return _DECISION.validate_python(told)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise StoreError(
            f"Season {season.number} does not say who went on to it ({where}: {first['msg']})"
        ) from error


def season_title(season: SeasonView) -> str:
    """Return what people call a season: "Season 2", or "Stage 2: Final" in a league with stages.

    The name of a stage is the one under which it began. StoreError for a season that does not say it.
    """
    stage = stage_of(season)
    if stage is None:
        return f"Season {season.number}"
    if stage.name == f"Stage {stage.number}":  # that of a stage without a name
        return f"Stage {stage.number}"
    return f"Stage {stage.number}: {stage.name}"


def season_folder(number: int) -> str:
    """Return the name of the folder that has the pages of a season when another one has begun: "season-2"."""
    return f"season-{number}"
