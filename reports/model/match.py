"""What a match page shows. Without `rounds` it is a page of scores only, and `hidden` says why."""

from __future__ import annotations

from dataclasses import dataclass

from reports.model.cards import RoundPart
from reports.model.common import MatchLink

__all__ = ["FaultRow", "GridRow", "MatchPage", "SeatRow", "StderrPart", "Ways"]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """Who sat where and what came of it: card points, fault points, both together, place.

    Times are microseconds a decision, None if the bot was never asked.

    `taken_over`: in words, from when on and why the stand-in decided; empty if it did not. `marks`:
    what else others should know of how it behaved.
    """

    seat: int
    bot: str
    place: int
    points: int
    charge: int
    total: int
    faults: int
    mean_us: float | None
    longest_us: int | None
    taken_over: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GridRow:
    """Card points of one round by seat; `faults`: how many each seat committed in it."""

    number: int
    dealer: int
    points: tuple[int, ...]
    faults: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FaultRow:
    """One fault, with its evidence. `where`: "round 1, trick 4"; `sent`: first bytes, made printable."""

    where: str
    round: int | None
    seat: int
    bot: str
    kind: str
    reason: str
    sent: str
    wall_us: int
    cpu_us: int | None
    queued_us: int | None


@dataclass(frozen=True, slots=True)
class StderrPart:
    """What the process of one seat wrote to its standard error: beginning and end, and how much in all."""

    seat: int
    bot: str
    head: str
    tail: str
    size: int


@dataclass(frozen=True, slots=True)
class Ways:
    """The ways from one match page to others: before and after it, and in the same session."""

    previous: MatchLink | None
    next: MatchLink | None
    siblings: tuple[MatchLink, ...]


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Everything on the page of one match.

    `session`: its name, "0.3"; `standing`: why it does not count, empty when it does. `rounds` is
    empty when the cards are not shown, and `hidden` then says why. `faults` are those that are shown,
    `faults_hidden` says why others are not, `faults_total` counts all. `file`: of the match as JSON,
    `messages`: the page of its messages, both in the same folder and empty if there is none.
    """

    number: int
    session: str
    order: int
    attempt: int
    standing: str
    sandbox: str
    seats: tuple[SeatRow, ...]
    grid: tuple[GridRow, ...]
    rounds: tuple[RoundPart, ...]
    hidden: str
    faults: tuple[FaultRow, ...]
    faults_total: int
    faults_hidden: str
    stderr: tuple[StderrPart, ...]
    ways: Ways
    file: str
    messages: str
