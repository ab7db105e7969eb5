"""When, with what and on what a league was played, as terms with what is said. Reads and writes nothing."""

from __future__ import annotations

from collections.abc import Iterator

from reports.facts import LeagueFacts
from reports.text import count, minute, number

__all__ = ["played_on"]


def played_on(facts: LeagueFacts) -> Iterator[tuple[str, str]]:
    """The time, and of the machine that played last the command, the versions and the hardware."""
    ends = [match.finished_at for match in facts.matches if match.finished_at is not None]
    if ends:
        still = "" if facts.over else ", the last match so far"
        yield "Played", f"{minute(facts.season.opened_at)} to {minute(max(ends))} UTC{still}"
    for machine in facts.machines[-1:]:
        yield "Command", f"arena run {machine.league_file}"
        yield "Versions", f"arena {machine.arena}, Python {machine.python}, SQLite {machine.sqlite}"
        memory = f", {number(machine.memory_mib)} MiB" if machine.memory_mib else ""
        before = ", after others" if len(facts.machines) > 1 else ""
        hardware = " ".join(part for part in (machine.processor, f"({machine.platform})") if part)
        yield "Machine", f"{hardware}, {count(machine.cores, 'core')}{memory}{before}"
