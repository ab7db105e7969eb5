"""Compares the hosts that a league was played on, for the page about its health. It names none of them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from arena.store.hosts import compared, moved_sessions
from arena.translating import _, ngettext
from reports.facts import LeagueFacts

__all__ = ["HostRow", "host_rows", "host_sentences"]


@dataclass(frozen=True, slots=True)
class HostRow:
    """A host by its place among those of the season, from 1, and how its bots' time compares with all hosts.

    `relative`: 1.00 is usual; `error`: two standard errors. Both are None where that is not known. `slower`:
    slower than the others beyond chance.
    """

    number: int
    matches: int
    relative: float | None
    error: float | None
    slower: bool
    cores: int
    processor: str
    compiled: bool
    sandbox: str
    arena: str
    python: str


def host_rows(facts: LeagueFacts) -> Iterator[HostRow]:
    """Yield a row for each host, if there are several."""
    if len(facts.hosts) < 2:
        return
    played = Counter(match.host for match in facts.matches)
    found = compared(facts.host_times)
    for number, host in enumerate(facts.hosts, 1):
        seen = found.get(host.id)
        yield HostRow(
            number=number,
            matches=played[host.id],
            relative=None if seen is None else seen.relative,
            error=None if seen is None or math.isinf(seen.error) else 2 * seen.error,
            slower=seen is not None and seen.slower,
            cores=host.cores,
            processor=host.processor,
            compiled=host.compiled,
            sandbox=host.sandbox,
            arena=host.arena,
            python=host.python,
        )


def host_sentences(facts: LeagueFacts) -> Iterator[str]:
    """Yield what to know first: hosts that are slower than the others, and sessions that moved."""
    slower = [row.number for row in host_rows(facts) if row.slower]
    if slower:
        numbers = ", ".join(map(str, slower))
        yield (
            _("Host %(number)s is slower than the others.", number=numbers)
            if len(slower) == 1
            else _("Hosts %(numbers)s are slower than the others.", numbers=numbers)
        )
    if moved := moved_sessions(facts.matches):
        yield ngettext(
            "The matches of %(num)s session were played on several hosts.",
            "The matches of %(num)s sessions were played on several hosts.",
            len(moved),
        )
