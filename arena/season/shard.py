"""A part of a league that is played on its own: which sessions are its, and that it may be played. Pure.

Parts need not talk to one another: which sessions are whose follows from the schedule alone, and all
follow from the secret that their databases share. So a part takes no decision that needs the whole,
such as whether the next cycle is played and by whom.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Self

from arena.store.views import SessionKey

__all__ = ["MAX_SHARDS", "Shard", "part_of", "undecided"]

MAX_SHARDS = 10_000

_GIVEN = re.compile(r"([0-9]{1,5})/([0-9]{1,5})")
_NAME = re.compile(r"\.shard-[0-9]+-of-[0-9]+$")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` (from 1) of `of` parts."""

    number: int
    of: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """The part that is written "1/3". ValueError, in words, for anything else."""
        found = _GIVEN.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r}: expected a part as K/N, such as 1/3")
        shard = cls(int(found[1]), int(found[2]))
        if not 1 <= shard.number <= shard.of <= MAX_SHARDS:
            raise ValueError(f"{text}: the parts of N are 1/N to N/N, and N is at most {MAX_SHARDS:,}")
        return shard

    @property
    def name(self) -> str:
        """What stands behind the league's id in the names of the part's files."""
        return f".shard-{self.number}-of-{self.of}"

    def __str__(self) -> str:
        return f"{self.number}/{self.of}"

    def has(self, session: SessionKey, sessions_per_cycle: int) -> bool:
        """Whether a session is of this part.

        Sessions are counted through all cycles and dealt out in turn, so that parts are equally large also
        where a cycle has fewer sessions than there are parts. A session is never divided: its matches
        share their boards, and are compared with one another.
        """
        cycle, index = session
        return (cycle * sessions_per_cycle + index) % self.of == self.number - 1


def part_of(stem: str) -> str:
    """What names the files of a part, found in the name of its database; empty if it is of none."""
    found = _NAME.search(stem)
    return found[0] if found else ""


def undecided(schedule: tuple[int, int], over: Container[SessionKey], decisions: Mapping[str, bool]) -> str:
    """Why a part may not be played: what is decided between cycles of which more than one is open.

    `schedule`: cycles planned, and sessions of each. `over`: the sessions of which nothing is left to play,
    as far as this part's database knows. `decisions`: what the league file has decided between cycles, in
    words, and whether it does. Empty when the part may be played.
    """
    cycles, sessions = schedule
    first = next(cycle for cycle in count() if any((cycle, index) not in over for index in range(sessions)))
    asked = [what for what, does in decisions.items() if does]
    if not asked or cycles - first <= 1:
        return ""
    return (
        f"{cycles - first} cycles are left to play, and between them is decided "
        f"{' and '.join(asked)}: that takes the whole league, a part sees only its own sessions"
    )
