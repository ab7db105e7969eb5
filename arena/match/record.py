"""What a match is made of before it is played and what is kept of it afterwards: plain, frozen data.

A `MatchRecord` alone is enough to rebuild every line that the referee sent to every seat. Cards
here are always canonical (before the relabelling of suits). Nothing here does any work.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.deals import MatchKey
from arena.match.faults import Fault, HandOver
from arena.papayoo import Board

__all__ = ["RECORD_VERSION", "MatchRecord", "MatchSetup", "RoundRecord", "SeatRecord", "Terms"]

RECORD_VERSION = 1


@dataclass(frozen=True, slots=True)
class Terms:
    """The league's clocks and penalties: milliseconds and points."""

    move_ms: int
    bank_ms: int
    fault_points: int
    max_faults: int


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """Everything that determines a match except the answers of the bots and the stand-in's choices.

    `boards`: one a round; round r is dealt by seat r mod players.
    `suits`: the letters that the canonical suits S, H, D, C bear on the wire in this match.
    `seeds`: each seat's own random seed (uint32), sent in `start`.
    `names`: the names by seat that bots are told, or None when the league does not show names.
    """

    boards: tuple[Board, ...]
    suits: str
    seeds: tuple[int, ...]
    terms: Terms
    names: tuple[str, ...] | None = None

    @property
    def players(self) -> int:
        """How many seats the table has."""
        return len(self.seeds)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round as it was played.

    A decision has a number inside its round: 0 .. players - 1 are the passes by seat, then come
    the plays in order. `stand_in` lists the decisions that the stand-in made, `took_us` holds the
    time charged to the bot for each decision in microseconds (0 where nobody was asked).
    `passes` are card sets by seat, `plays` cards in order of play, `points` by seat.
    """

    passes: tuple[int, ...]
    plays: tuple[int, ...]
    points: tuple[int, ...]
    stand_in: tuple[int, ...]
    took_us: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What became of one seat, and what is known of the process that sat there.

    `charge`: fault points in all. `hand_over_at`: (round, question) from which on the stand-in
    decided. `late`: answers that came after their question was closed. `id_key`: hexadecimal key
    that all question ids of this seat follow from. `table`: the number this match had in its
    process. `cpu_us`: processor time of all its processes in microseconds, since the match before or
    since it was ready, `off_turn_us` what of it was used while it had no question; None where there
    was no process. `queued_us`: how long it was ready to run and had no core while it was waited for,
    in answers that took more than a few milliseconds. `frozen`: it thought so much off turn that it is
    stopped while it has no question; `left_core`: it was found on other cores than its referee's.
    `stderr_head`, `stderr_tail`: decoded text, the beginning and the end.
    """

    bot: str
    points: int
    charge: int
    place: int
    faults: int
    hand_over: HandOver | None = None
    hand_over_at: tuple[int, int] | None = None
    late: int = 0
    id_key: str = ""
    table: int = 0
    pid: int = 0
    cpu_us: int | None = None
    off_turn_us: int | None = None
    queued_us: int | None = None
    frozen: bool = False
    left_core: bool = False
    stderr_head: str = ""
    stderr_tail: str = ""
    stderr_bytes: int = 0


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """A finished match. Times are milliseconds since 1970 (UTC).

    `lateness_count` and `lateness_us`: how many deadlines were moved because the referee itself
    was late, and by how much in the worst case.
    """

    key: MatchKey
    setup: MatchSetup
    seats: tuple[SeatRecord, ...]
    rounds: tuple[RoundRecord, ...]
    faults: tuple[Fault, ...]
    started_at: int
    finished_at: int
    lateness_count: int = 0
    lateness_us: int = 0
    sandbox: str = "off"
    version: int = RECORD_VERSION
