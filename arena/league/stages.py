"""The stages of a league: each as a league of its own, with its bots, its cycles and its end.

A stage is played, scored and stored as a season. So nothing behind this module knows stages but who decides
who goes on. It reads no database.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.league.model import BotSection, League
from arena.score.cut import Keep


def stage_name(league: League, number: int) -> str:
    """Return the name of a stage, from 1, for people."""
    return league.stages[number - 1].name or f"Stage {number}"


def stage_league(league: League, number: int, bots: Sequence[BotSection] | None = None) -> League:
    """Return the league of a stage, from 1, as if the file described nothing else.

    `bots`: who plays in it; None in the first stage, whose bots are those of the file.
    """
    stage = league.stages[number - 1]
    own = {key: value for key, value in (("cycles", stage.cycles), ("stop", stage.stop)) if value is not None}
    update: dict[str, object] = {"schedule": league.schedule.model_copy(update=own)}
    if bots is not None:
        update["league"] = league.league.model_copy(update={"open": False, "entries": None})
        update["bots"] = tuple(bots)
    return league.model_copy(update=update)


def keep_after(league: League, number: int) -> Keep:
    """Return who goes on after a stage, from 1; it must not be the last."""
    stage = league.stages[number - 1]
    assert stage.keep is not None, "the model refuses a stage without keep before the last"
    return Keep(stage.keep, sum(isinstance(one.keep, str) for one in league.stages))


def section_from(document: Mapping[str, Any], **given: object) -> BotSection:
    """Return the section of a bot from the document of a season, with `given` keys beside or instead.

    Raises ValueError for a document that no season can have.
    """
    known = {key: value for key, value in document.items() if key in BotSection.model_fields}
    return BotSection.model_validate({**known, **given})
