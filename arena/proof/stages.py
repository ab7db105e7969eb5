"""Simulates contests in stages: who goes on, stage after stage, by several rules. Judges nothing.

A stage is a season of its own: its own deals, its own schedule of the arena, its own score. What bots do to
one another stays the same. All rules see the same first stage, so they are compared by the same luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from arena.proof.changing import Entries
from arena.proof.world import stream
from arena.schedule import Field, LineUps, Plan
from arena.standings import Fit, Look, NoLook, SessionResult, fit
from arena.standings.contenders import going_on
from arena.standings.cut import Keep
from arena.standings.open_field import OpenFit
from arena.standings.open_look import open_judged
from arena.standings.verdicts import judged, too_early

__all__ = ["Contenders", "Contest", "Rule", "Shares", "Stage", "knocked_out", "look_at"]

_MARGIN = 2.0
_SESSIONS_OF_EACH = 16
"""The sessions of a bot in four balanced cycles at four seats."""


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage that was played.

    `present`: the numbers of its bots. `found`: the fit of its sessions. In an open stage these are all
    sessions until it was closed, and `present` are those of its last phase.
    """

    present: tuple[int, ...]
    cycles: int
    sessions: Sequence[SessionResult]
    found: Fit

    def in_order(self, names: Sequence[str]) -> list[int]:
        """Return its bots, the best score first; `names`: of all bots."""
        return sorted(self.present, key=lambda bot: (self.found.scores[names[bot]], bot))


class Rule(Protocol):
    """Decides who goes on after a stage."""

    @property
    def key(self) -> str:
        """Return its name in keys of figures."""

    @property
    def label(self) -> str:
        """Return its name for people."""

    def on(self, contest: Contest) -> tuple[int, ...]:
        """Return the bots that go on after the last stage of a contest, ascending."""


@dataclass(slots=True)
class Contest:
    """One simulated contest of `stages` stages; `name` seeds its deals. `played`: those so far."""

    entries: Entries
    name: str
    stages: int
    played: list[Stage] = field(default_factory=list)

    def stage(self, present: Sequence[int], cycles: int, dice: Random) -> Stage:
        """Play a stage of balanced cycles; of one for each session where there is one line-up."""
        seats, names = self.entries.seats, self.entries.names
        place = Field(len(present), seats, f"{self.name}|{len(self.played)}", LineUps.BALANCED)
        plan = Plan(place)
        # Four bots are one line-up, which a cycle plays once: then more cycles give as many sessions.
        times = cycles * seats // place.sessions_of_each
        sessions = [
            self.entries.played(dice, (cycle, session.index), tuple(present[i] for i in session.order))
            for cycle in range(times)
            for session in plan.cycle(cycle)
        ]
        found = fit(sessions, [names[i] for i in present], seats)
        self.played.append(Stage(tuple(present), times, sessions, found))
        return self.played[-1]

    def by(self, rule: Rule, cycles: int) -> list[Stage]:
        """Return all stages as they go on by a rule after the first, which was played."""
        dice = stream(0, self.name, rule.key)
        own = Contest(self.entries, f"{self.name}|{rule.key}", self.stages, self.played[:1])
        while len(own.played) < self.stages:
            own.stage(rule.on(own), cycles, dice)
        return own.played


def look_at(stage: Stage, error: float | None = None) -> Look | NoLook:
    """Return the look at the end of a stage; `error`: that of a pair, by default 5 % over all pairs."""
    bots = stage.found.bots
    if isinstance(stage.found, OpenFit):
        return open_judged(stage.cycles, stage.found, bots, _MARGIN, error)
    reason = too_early(list(stage.sessions), bots, 3)
    if reason or not stage.found.intervals:
        return NoLook(reason or "the bots have not met often enough to be compared")
    pairs = len(bots) * (len(bots) - 1) / 2
    return judged(stage.cycles, stage.found, bots, 0.05 / pairs if error is None else error, _MARGIN)


@dataclass(frozen=True, slots=True)
class Contenders:
    """`keep = "contenders k"`: who is surely behind k bots leaves."""

    least: int

    @property
    def key(self) -> str:
        """See `Rule`."""
        return f"contenders-{self.least}"

    @property
    def label(self) -> str:
        """See `Rule`."""
        return f"contenders {self.least}"

    def on(self, contest: Contest) -> tuple[int, ...]:
        """See `Rule`."""
        stage, names = contest.played[-1], contest.entries.names
        error = Keep(self.label, contest.stages - 1).error(len(stage.present))
        ranked = tuple(names[i] for i in stage.present)
        staying = set(going_on(look_at(stage, error), ranked, self.least, contest.entries.seats))
        return tuple(i for i in stage.present if names[i] in staying)


@dataclass(frozen=True, slots=True)
class Shares:
    """`keep = 12`: so many bots go on, the best scores first; `keep`: after each stage, or halves if empty.

    A stage beyond them keeps everybody.
    """

    key: str
    label: str
    keep: tuple[int, ...] = ()

    def on(self, contest: Contest) -> tuple[int, ...]:
        """See `Rule`."""
        stage, cuts = contest.played[-1], len(contest.played) - 1
        count = len(stage.present)
        keep = max(count // 2, contest.entries.seats)
        if self.keep:
            keep = self.keep[cuts] if cuts < len(self.keep) else count
        return tuple(sorted(stage.in_order(contest.entries.names)[:keep]))


def knocked_out(entries: Entries, name: str, bots: Sequence[int]) -> list[list[int]]:
    """Return who plays in each round of a knock-out; last the winner alone. It is no rule of the arena.

    Tables are drawn by lot and play sixteen sessions; the first of each goes on. Seats that are left over at
    the last table are filled by lot from those who are out: they cannot win.
    """
    dice, left, out = stream(0, name, "knock-out"), list(bots), list[int]()
    rounds = [left]
    while len(left) > 1:
        dice.shuffle(left)
        dice.shuffle(out)
        tables = [left[at : at + entries.seats] for at in range(0, len(left), entries.seats)]
        winners = [_winner(entries, table, out, dice) for table in tables]
        out += [bot for bot in left if bot not in winners]
        left = winners
        rounds.append(left)
    return rounds


def _winner(entries: Entries, table: Sequence[int], out: Sequence[int], dice: Random) -> int:
    line_up = [*table, *out[: entries.seats - len(table)]]
    points = dict.fromkeys(table, 0)
    for number in range(_SESSIONS_OF_EACH):
        dice.shuffle(line_up)
        result = entries.played(dice, (0, number), tuple(line_up))
        for bot in table:
            points[bot] += result.card_points[entries.names[bot]]
    return min(table, key=lambda bot: (points[bot], bot))
