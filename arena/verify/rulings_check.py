"""Checks who was disqualified against what was played, deciding again. Reads no database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from arena.conduct.disqualify import Conduct, Ruling

__all__ = ["check_rulings"]


def check_rulings(
    conduct: Conduct, rulings: Sequence[Ruling], cycles_over: int, decided: int
) -> Iterator[str]:
    """What is wrong with the rulings of a season, the earliest first, in words.

    `conduct` knows every finished session; the first `cycles_over` cycles are over, and the ends of the
    first `decided` of them must have been decided on: a run may have been stopped just before that.
    """
    for cycle in range(cycles_over):
        due = {ruling.bot: ruling.reason for ruling in conduct.decide(cycle, rulings)}
        said = {
            ruling.bot: ruling.reason for ruling in rulings if ruling.out and ruling.from_cycle == cycle + 1
        }
        for bot in sorted(said.keys() - due.keys()):
            yield f"{bot} is disqualified from session {cycle + 1}.0 on, what was played does not say so"
        for bot in sorted(due.keys() - said.keys()):
            if cycle < decided:
                yield f"{bot} is not disqualified from session {cycle + 1}.0 on, although {due[bot]}"
        for bot in sorted(due.keys() & said.keys()):
            if due[bot] != said[bot]:
                yield f"{bot} is disqualified as {said[bot]}, what was played says {due[bot]}"
    for ruling in rulings:
        if ruling.out and not 1 <= ruling.from_cycle <= cycles_over:
            since = f"from session {ruling.from_cycle}.0 on"
            yield f"{ruling.bot} is disqualified {since}; no cycle before is over"
