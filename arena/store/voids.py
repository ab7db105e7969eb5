"""Sessions that an organiser took out of the score, as acts in the table `action`. Executes no SQL."""

from __future__ import annotations

import json
from collections.abc import Iterable

from arena.errors import StoreError
from arena.store.views import Action, SessionKey

__all__ = ["VOID", "void_act", "voids_from"]

VOID = "void"
"""What the act is called."""


def void_act(season: int, session: SessionKey, reason: str, act: tuple[int, str]) -> Action:
    """The act by which a session becomes void, for a reason; `act`: when, and by whom."""
    at, who = act
    cycle, index = session
    return Action(at, who, VOID, f"{cycle}.{index}", reason, json.dumps({"season": season}))


def voids_from(actions: Iterable[Action], season: int) -> dict[SessionKey, str]:
    """The sessions of a season that acts made void, and why. StoreError for an act that cannot be read."""
    found: dict[SessionKey, str] = {}
    for act in actions:
        if act.what == VOID:
            of_season, session = _meant(act)
            if of_season == season:
                found[session] = act.reason
    return found


def _meant(act: Action) -> tuple[int, SessionKey]:
    try:
        cycle, index = act.subject.split(".")
        return int(json.loads(act.detail)["season"]), (int(cycle), int(index))
    except (ValueError, LookupError, TypeError) as error:
        raise StoreError(
            f"The act {VOID} {act.subject!r} does not say which session of which season: {act.detail!r}"
        ) from error
