"""Looks that decided something, as they are stored among the acts: from which sessions, of which field.

It has no SQL and decides nothing. A look is made again in `looks`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Final

from annotated_types import Ge
from pydantic import TypeAdapter, ValidationError

from arena.errors import StoreError
from arena.schedule import canonical_json
from arena.standings import Scoring, SessionResult
from arena.store.history import Action
from arena.store.views import SessionKey

__all__ = ["LOOK", "SETTLED", "DecidingLook", "field_of", "looks_from"]

LOOK = "look"
"""The name of the acts that store a look that decided something."""
SETTLED = "settled"
"""What a look decided that ended a league with `stop = "settled"`."""


@dataclass(frozen=True, slots=True)
class DecidingLook:
    """A look that decided something, and what it was made from.

    `what`: what it decided. `cycles`: the complete cycles at which it looked. `field`: who was in the field,
    house bots too, in the order of the entries. `sessions`: how many counted; `void`: those of these cycles
    that did not count, such as "3.1".
    """

    season: int
    what: str
    cycles: Annotated[int, Ge(1)]
    field: tuple[str, ...]
    sessions: Annotated[int, Ge(0)]
    void: tuple[str, ...]

    @classmethod
    def of(
        cls,
        season: int,
        what: str,
        cycles: int,
        scored_by: tuple[Scoring, Sequence[SessionResult]],
        void: Iterable[SessionKey],
    ) -> DecidingLook:
        """Return a look. `scored_by`: the score, and the sessions that counted; `void`: all that are void."""
        told = tuple(f"{cycle}.{index}" for cycle, index in sorted(void) if cycle < cycles)
        return cls(season, what, cycles, field_of(scored_by[0]), len(scored_by[1]), told)

    def act(self, at: int, who: str) -> Action:
        """Return the act that stores the look. The acts before it are those that it knew."""
        return Action(at, who, LOOK, str(self.season), self.what, canonical_json(asdict(self)))


_ADAPTER: Final = TypeAdapter(DecidingLook)


def looks_from(actions: Iterable[Action], season: int) -> tuple[tuple[int, DecidingLook], ...]:
    """Return the looks that decided something in a season, each with the number of acts before it.

    StoreError for an act that cannot be read.
    """
    found = []
    for before, act in enumerate(actions):
        if act.what == LOOK and act.subject == str(season):
            try:
                found.append((before, _ADAPTER.validate_json(act.detail, strict=True)))
            except ValidationError as error:
                raise StoreError(
                    f"The act {LOOK} {act.subject} does not say what it was made from: {act.detail[:200]!r}"
                ) from error
    return tuple(found)


def field_of(scoring: Scoring) -> tuple[str, ...]:
    """Return who is in the field, house bots too and nobody who is out, in the order of the entries."""
    away = scoring.disqualified | scoring.departed | scoring.stand_ins
    here = scoring.bots if scoring.present is None else [b for b in scoring.bots if b in scoring.present]
    return tuple(bot for bot in here if bot not in away)
