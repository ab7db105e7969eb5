"""What the page about the method shows: the rules as played, the schedule and its balance, how to check."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["BalanceRow", "Check", "MethodPage"]


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """One line of the balance certificate: what was counted, the least and the most, and their spread."""

    name: str
    least: int
    most: int
    spread: int


@dataclass(frozen=True, slots=True)
class Check:
    """A command, and what it does."""

    command: str
    purpose: str


@dataclass(frozen=True, slots=True)
class MethodPage:
    """Everything on the page. `facts`: terms with a sentence each, in order.

    `kind`: "all", "balanced", "gauntlet" or "duel". `counted`: matches behind `balance`, which is of those
    that count. `margin`: in points, as it is written; `verdicts` says what they rest on or why there
    are none.
    """

    seats: int
    par: float
    kind: str
    rules: tuple[tuple[str, str], ...]
    schedule: tuple[tuple[str, str], ...]
    balance: tuple[BalanceRow, ...]
    counted: int
    margin: str
    verdicts: str
    checks: tuple[Check, ...]
    predictable: bool
