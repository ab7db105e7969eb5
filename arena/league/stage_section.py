"""The sections `[[stages]]`: the stages of a league, and what does not fit together in them.

It must not know the rest of the league; how a stage becomes a league of its own is `arena.league.stages`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated

from pydantic import Field

from arena.league import fieldtypes as ft
from arena.league.fieldtypes import Section, free, grows, season

__all__ = ["MOST_STAGES", "StageSection", "stages_that_do_not_fit"]

MOST_STAGES = 20
"""The most stages that a league may have."""


class StageSection(Section):
    """A section `[[stages]]`: one stage. Without a key of its own it has that of the whole league."""

    name: Annotated[ft.Name | None, free("shown on the pages", default="Stage 1, Stage 2, ...")] = None
    keep: Annotated[
        Annotated[int, Field(ge=2, le=500)] | ft.Contenders | None,
        season(
            'who goes on to the next stage: the first so many, or "contenders 3": all but those who have 3 '
            "surely better ones before them",
            default="none in the last stage",
        ),
    ] = None
    at_most: Annotated[
        Annotated[int, Field(ge=2, le=500)] | None,
        season("the most that go on, by score and then by lot; else all who are equal stay", default="none"),
    ] = None
    cycles: Annotated[
        ft.Auto | Annotated[int, Field(ge=1, le=100_000)] | None,
        grows("cycles of this stage", default="as in [schedule]"),
    ] = None
    stop: Annotated[ft.Stop | None, free("what ends this stage", default="as in [schedule]")] = None
    rounds: Annotated[
        Annotated[int, Field(ge=3, le=1000)] | None,
        season("rounds in a match of this stage", default="as in [league]"),
    ] = None
    move_seconds: Annotated[
        Annotated[float, Field(ge=0.001, le=3600)] | None,
        season("time for one pass or one play in this stage", default="as in [time]"),
    ] = None


def stages_that_do_not_fit(
    stages: Sequence[StageSection], seats: int, is_open: bool, gauntlet: bool
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield the place of each key that does not fit, and why."""
    if not stages:
        return
    if len(stages) == 1:
        yield ("stages", 0), "one stage is the league itself; add a second [[stages]], or remove this one"
    if gauntlet:
        yield ("stages", 0), "a gauntlet compares candidates and has no stages; remove [[stages]]"
    for number, stage in enumerate(stages):
        for key, why in _wrong(stage, seats, is_last=number == len(stages) - 1):
            yield ("stages", number, key), why
    if is_open and stages[0].stop == "settled":
        never = "the first stage is open and never settled, for bots may still come; remove the key"
        yield ("stages", 0, "stop"), never


def _wrong(stage: StageSection, seats: int, is_last: bool) -> Iterator[tuple[str, str]]:
    if is_last:
        for key in ("keep", "at_most"):
            if getattr(stage, key) is not None:
                yield key, "nobody goes on from the last stage; remove the key, or add a stage"
        return
    if stage.keep is None:
        yield "keep", 'missing; say who goes on, for example keep = 12 or keep = "contenders 3"'
    least = stage.keep if isinstance(stage.keep, int) else seats
    if stage.at_most is not None and stage.at_most < least:
        what = "keep" if isinstance(stage.keep, int) else "seats"
        yield "at_most", f"expected {least} or more, as many as {what}, got {stage.at_most}"
