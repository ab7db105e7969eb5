"""Says what acts of the organiser and decisions of the arena mean: who is out, which sessions are void.

Plain data and no SQL: acts are rows of the table `action`, decisions documents in the table `decision`.
Nothing is decided here: that is `arena.season.decide`.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from annotated_types import Ge
from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from arena.conduct.exclusion import Ruling
from arena.store.history import NOTED_KEYS, Action
from arena.store.views import SeasonView, SessionKey

BEGUN_ANEW = "season begun anew"
"""The name of the act by which a season of which nothing was played is replaced."""
CLOSE = "close"
"""The name of the act that ends an open season."""
EXCLUDE = "exclude"
"""The name of the act by which the organiser takes a bot out."""
NOT_READY = "not ready"
"""The name of the act that notes that a version did not start before a phase."""
REINSTATE = "reinstate"
"""The name of the act that lets a bot play again."""
RULINGS = (EXCLUDE, REINSTATE)
"""The names of all acts that say who plays."""
VOID = "void"
"""The name of the act that takes a session out of the score."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided after the first `cycles` cycles of a season. It holds from the cycle `effect` on.

    `excluded`: the bots that the limits take out, each with the reason. `settled`: whether the league ends,
    because it was to stop when it is settled. What that rested on: `field`, who was compared, house bots too,
    in the order of the entries; `sessions`, how many counted; `void`, those of these cycles that did not,
    such as "3.1". `claims`: the orders that are claimed, each with the number of cycles after which it was
    claimed first: better, worse, cycles. These are empty where nothing was compared. `acts`: how many acts
    had been made by then, at the time `at`.
    """

    cycles: Annotated[int, Ge(1)]
    effect: Annotated[int, Ge(1)]
    excluded: tuple[tuple[str, str], ...]
    settled: bool
    field: tuple[str, ...]
    sessions: Annotated[int, Ge(0)]
    void: tuple[str, ...]
    claims: tuple[tuple[str, str, Annotated[int, Ge(1)]], ...]
    acts: Annotated[int, Ge(0)]
    at: Annotated[int, Ge(0)]

    @property
    def rulings(self) -> tuple[Ruling, ...]:
        """Return the rulings on who is out."""
        after = None if self.effect == self.cycles else self.cycles
        return tuple(Ruling(bot, True, self.effect, reason, after=after) for bot, reason in self.excluded)


def claims_from(decisions: Sequence[Decision], void: Collection[str]) -> dict[tuple[str, str], int]:
    """Return the orders (better, worse) that decisions claimed and that stand, with when they first did.

    `void`: the sessions that do not count now, such as "3.1". One that counted when an order was claimed
    reopens it.
    """
    if not decisions:
        return {}
    known = {one.cycles: set(one.void) for one in decisions}
    cycles_of_void = {text: int(text.partition(".")[0]) for text in void}
    return {
        (better, worse): first
        for better, worse, first in decisions[-1].claims
        if all(cycle >= first or text in known.get(first, ()) for text, cycle in cycles_of_void.items())
    }


def rulings_from(actions: Iterable[Action], decisions: Iterable[Decision], season: int) -> tuple[Ruling, ...]:
    """Return who is out and who is back by the acts and the decisions of a season, in the order of time."""
    found: list[Ruling] = []
    decided = deque(decisions)
    for before, act in enumerate(actions):
        while decided and decided[0].acts <= before:
            found += decided.popleft().rulings
        if act.what in RULINGS:
            detail, out = json.loads(act.detail), act.what == EXCLUDE
            if detail["season"] == season:
                found.append(Ruling(act.subject, out, detail["from_cycle"], act.reason, by_organiser=out))
    return (*found, *(ruling for decision in decided for ruling in decision.rulings))


def ruling_act(season: int, ruling: Ruling, act: tuple[int, str]) -> Action:
    """Return the act by which the organiser rules on a bot; `act`: when, and by whom."""
    at, who = act
    detail = json.dumps({"season": season, "from_cycle": ruling.from_cycle})
    return Action(at, who, EXCLUDE if ruling.out else REINSTATE, ruling.bot, ruling.reason, detail)


def closing(actions: Iterable[Action], season: int) -> Action | None:
    """Return the act by which the organiser closed an open season; None as long as it is open."""
    return next((act for act in actions if act.what == CLOSE and act.subject == str(season)), None)


def void_act(season: int, session: SessionKey, reason: str, act: tuple[int, str]) -> Action:
    """Return the act by which a session becomes void, for a reason; `act`: when, and by whom."""
    at, who = act
    cycle, index = session
    return Action(at, who, VOID, f"{cycle}.{index}", reason, json.dumps({"season": season}))


def voids_from(actions: Iterable[Action], season: int) -> dict[SessionKey, str]:
    """Return the sessions of a season that acts made void, and why."""
    found: dict[SessionKey, str] = {}
    for act in actions:
        if act.what == VOID and json.loads(act.detail)["season"] == season:
            cycle, index = map(int, act.subject.split("."))
            found[cycle, index] = act.reason
    return found


# What acts have to say


_Sections: TypeAlias = dict[str, dict[str, Any] | list[dict[str, Any]]]
"""Sections of a league file by name. Bots and stages are lists."""


class _Noted(TypedDict):
    free: _Sections
    growing: _Sections


class _OfSeason(TypedDict):
    season: int


class _Ruled(_OfSeason):
    from_cycle: int


_RULED: tuple[TypeAdapter[Any], str] = (TypeAdapter(_Ruled), "of which cycle")
_DETAILS: Mapping[str, tuple[TypeAdapter[Any], str]] = {
    NOTED_KEYS: (TypeAdapter(_Noted), "which keys there were"),
    VOID: (TypeAdapter(_OfSeason), "which session of which season"),
    EXCLUDE: _RULED,
    REINSTATE: _RULED,
}
"""The shape of the detail by the name of an act, and what is missing where it has another one."""
_SESSION = re.compile(r"[0-9]{1,9}\.[0-9]{1,9}")


def unsaid(act: Action) -> str:
    """Return in words what an act does not say although all of its name do, or an empty text."""
    if act.what not in _DETAILS:
        return ""
    shape, missing = _DETAILS[act.what]
    try:
        shape.validate_json(act.detail, strict=True)
        if act.what != VOID or _SESSION.fullmatch(act.subject):
            return ""
    except ValidationError:
        pass
    return f"the act {act.what} {act.subject} does not say {missing}: {act.detail[:60]!r}"


@dataclass(frozen=True, slots=True)
class FailedStart:
    """Why a version did not start before a phase, and the printable lines that it left behind."""

    reason: str
    last_words: tuple[str, ...] = ()


def failed_start(season: int, entry: str, failed: FailedStart, at: int, who: str) -> Action:
    """Return the act that notes that a version did not start; `failed_starts` reads it."""
    return Action(at, who, NOT_READY, entry, failed.reason, "\n".join([str(season), *failed.last_words]))


def failed_starts(season: SeasonView, actions: Sequence[Action]) -> Mapping[str, Sequence[FailedStart]]:
    """Return how each version failed to start, each time in a row: since it last took its place.

    `actions`: all of the database. Their order tells what was later, for a machine's clock may be wrong.
    """
    played = {entry: phase.acts for phase in season.phases for entry in phase.entries}
    found: dict[str, list[FailedStart]] = {}
    for before, act in enumerate(actions):
        if (act.what, act.subject) == (BEGUN_ANEW, str(season.number)):
            found.clear()  # it has other entries now
        elif act.what == NOT_READY and before >= played.get(act.subject, 0):
            number, *words = act.detail.split("\n")
            if number == str(season.number):
                found.setdefault(act.subject, []).append(FailedStart(act.reason, tuple(words)))
    return found
