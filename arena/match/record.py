"""What determines a match before it is played, and what is kept of it afterwards, as plain, frozen data.

A `MatchRecord` alone is enough to rebuild every line that the referee sent to every seat. Cards here are
always canonical (before the relabelling of suits). Nothing here does any work.
"""

from __future__ import annotations

from dataclasses import dataclass

from arena.deals import MatchKey
from arena.match.faults import Fault, HandOver
from arena.papayoo import Board

MOST_TABLES = 64
"""The most tables at which one referee, and one process of a bot, plays at the same time."""

NO_CLOCK_BANK_MS = 86_400_000
"""The bank in milliseconds that a seat without a clock is told of: a day, which never gets less.

The protocol has no word for "no limit", and old bots know none. A day is more than anybody needs for a match,
and fits into the 32 bits that some language may give a number. Nothing is measured against it: the question
stays open after that day, too.
"""

NO_LIMIT_US = 1 << 53
"""The time in microseconds of a question to a seat without a clock; a link waits for its answer without end.

A number, so that sums and comparisons hold for such a question, too: some hundred years.
"""

RECORD_VERSION = 1
"""The version of `MatchRecord`, written into each record. Records of any other are refused."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The league's clocks in milliseconds, its points for a fault and its number of faults."""

    move_ms: int
    bank_ms: int
    fault_points: int
    max_faults: int


@dataclass(frozen=True, slots=True)
class MatchSetup:
    """Everything that determines a match except the answers of the bots and the stand-in's choices.

    `boards`: one for each round; round r is dealt by seat r mod players.
    `suits`: the letters that the canonical suits S, H, D, C bear on the wire in this match.
    `seeds`: each seat's own random seed (uint32), sent in `start`.
    `no_clock`: the seats, in ascending order, whose questions stay open until they are answered: people sit
    there. None where every seat has the clocks of `terms`, as in every league.
    """

    boards: tuple[Board, ...]
    suits: str
    seeds: tuple[int, ...]
    terms: Terms
    no_clock: tuple[int, ...] | None = None

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.seeds)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One round as it was played.

    Decisions are numbered inside their round: 0 .. players - 1 are the passes by seat, then come the plays in
    order. `stand_in` lists the decisions that the stand-in made. `took_us` holds the time charged to the bot
    for each decision in microseconds (0 where nobody was asked). `passes` are card sets by seat, `plays`
    cards in order of play, `points` by seat. `extended`: the decisions that got more time because the bot
    had no core, each with the microseconds by which its deadline moved, in ascending order.
    """

    passes: tuple[int, ...]
    plays: tuple[int, ...]
    points: tuple[int, ...]
    stand_in: tuple[int, ...]
    took_us: tuple[int, ...]
    extended: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """How one seat ended, and what is known of the process that sat there.

    `charge`: fault points in all. `place`: 1 for the fewest card and fault points. `faults`: their number.
    `hand_over`: why the stand-in took over, and `hand_over_at` the (round, question) from which on it
    decided. `late`: the number of answers that came after their question was closed. `id_key`: the
    hexadecimal key of all question ids of this seat. `table`: the number that this match had in its process.
    `pid`: the number of the process, that is, of the first of its family. `cpu_us`: processor time of all
    the bot's processes in microseconds, since the match before or since the bot was ready. `off_turn_us`: the
    part of it that was used without a question. Both are None where there was no process. `queued_us`: how
    long the bot was ready to run and had no core while the referee waited for it, in answers that took more
    than a few milliseconds. `frozen`: the bot thought so much off turn that it is stopped while it has no
    question. `left_core`: it was found on other cores than its referee's. `stderr_head`, `stderr_tail`: the
    beginning and the end of its standard error, decoded; `stderr_bytes`: all bytes of it.
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

    `lateness_count`: how often the referee itself was late, so that a deadline was moved or an answer was
    found late. `lateness_us`: by how much in the worst case, in microseconds. `sandbox`: the level under
    which the bots ran.
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
