"""The limits of one bot: memory, processes, processor time of a match, a fifth of a core off turn, its core.

`Watchdog` looks at all processes of a bot, lowers their priority and stops them. It does not end them:
`process` decides when to look, and ends the bot. A look comes every quarter of a second while the bot runs,
and every second while it is stopped. So a limit may be exceeded for that long. While the bot waits and no
clock of its processes moves, only every fourth look goes further than these clocks. All limits hold for the
whole process tree, whatever a sandbox puts between the referee and the bot.

**Off turn.** A bot may use a fifth of a core while it has no question. The measure is a leaky bucket
(`OffTurn`): what it uses beyond that fifth fills it, what it leaves unused drains it, and it holds one
second. So a burst is allowed, as when a runtime compiles or a bot prepares itself; a bot that spins without
end is found after 1.25 s. Whoever has used too much is stopped from then on while it has no question, and
nobody else is. But a bot that has played and waits for its next match is stopped too, when it has come to
rest and a second after its last match at the latest, so that it hears nothing of the matches of others.

**Side by side.** What a process uses while it plays several matches is split among them (`EvenShares`).
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Container, Iterable, Sequence
from typing import Final, NamedTuple

from arena.bot.answers import Wrong
from arena.bot.launch import BotCommand
from arena.bot.waits import Threads, read_threads, ticks_ago
from arena.linux.cpu_ledger import CpuLedger
from arena.linux.namespace import head_of
from arena.linux.process_tree import (
    MOST_BELOW,
    Member,
    proportional_bytes,
    signal_member,
    stop_below,
    threads,
    tree,
)
from arena.linux.scheduling import RETRY_SECONDS, Priority
from arena.match.fault_wording import FaultSentence
from arena.match.faults import FaultKind

_PLAYING_SECONDS: Final = 0.25
_WAITING_SECONDS: Final = 1.0
_AT_REST: Final = 3
"""The most looks in a row that go no further than the clocks. Without a limit a process could hide from the
lists (one that is always being replaced by the next), and start to work once nobody makes lists any more."""
_MOST_UNREST: Final = 4
"""The look at which a bot that waits for a match is stopped although it has not come to rest."""
_MIB: Final = 1 << 20
ALLOWED_SHARE: Final = 0.20
"""The share of one core that is allowed in the time without a question."""
# Not Final, because tests lower it, also where this is compiled.
BURST_US = 1_000_000
"""The processor time beyond the allowed share that each process may use, in microseconds."""


class _Bucket:
    """The processor time that was used beyond the allowed share, in microseconds."""

    def __init__(self) -> None:
        self._over_us = 0.0

    def pour(self, cpu_us: int, wall_us: int) -> float:
        """Add what was used in `wall_us` more time, and return what is in the bucket then."""
        self._over_us = max(0.0, self._over_us + cpu_us - ALLOWED_SHARE * wall_us)
        return self._over_us


class BotOffTurn:
    """The account of all processes of one bot in one referee.

    Without it, ten processes that wait for a match and share a core could take the whole core together, while
    none of them exceeds a fifth. Its bucket holds a second for each process that runs, because each starts
    and compiles by itself, and it drains at all times. A bot uses too much when a bucket of one process, or
    that of all together, has flowed over.
    """

    def __init__(self) -> None:
        self.too_much = False
        """Whether one process, or all of them together, have ever used too much."""
        self.processes = 0
        self._bucket = _Bucket()
        self._now_us: int | None = None

    def add(self, cpu_us: int, now_us: int) -> None:
        """Add what one of the processes has used. `now_us`: the time of any clock that never goes back."""
        wall_us = 0 if self._now_us is None else now_us - self._now_us
        self._now_us = now_us
        if self._bucket.pour(cpu_us, wall_us) > max(1, self.processes) * BURST_US:
            self.too_much = True


class OffTurn:
    """The account of one process of `bot`, whose bucket drains while the process has no question.

    All times are in microseconds, and totals only grow.
    """

    def __init__(self, bot: BotOffTurn) -> None:
        self._bot = bot
        self._bot.processes += 1
        self._bucket = _Bucket()
        self._cpu_us = 0
        self._wall_us = 0

    def add(self, cpu_us: int, wall_us: int, now_us: int) -> bool:
        """Take in the totals off turn so far, and return whether the bot has ever used too much.

        It has if this process, another one of the bot, or all of them together have used too much.
        """
        cpu, self._cpu_us = max(0, cpu_us - self._cpu_us), max(cpu_us, self._cpu_us)
        wall, self._wall_us = max(0, wall_us - self._wall_us), max(wall_us, self._wall_us)
        if self._bucket.pour(cpu, wall) > BURST_US:
            self._bot.too_much = True
        self._bot.add(cpu, now_us)
        return self._bot.too_much

    def close(self) -> None:
        """Note that the process has ended. What it used stays counted."""
        self._bot.processes -= 1


class EvenShares:
    """The even shares of one growing total: at every moment the members of that moment have equal parts.

    The whole could not be divided by their number at the end, for they come and go at different times. With
    one member at a time, each share is what the total grew by while the member was there.
    """

    def __init__(self) -> None:
        self._total = 0
        # The share of a member that had been there from the beginning. The share of any other member is what
        # this has grown by since it joined, so no member needs an account of its own.
        self._each = 0.0
        self._joined: list[float] = []

    def __len__(self) -> int:
        """Return how many members share it now."""
        return len(self._joined)

    def join(self, total: int) -> float:
        """Add a member, and return the value with which it must `leave`."""
        self._grow(total)
        self._joined.append(self._each)
        return self._each

    def leave(self, total: int, joined: float) -> int:
        """Remove the member that `join` gave the value `joined`, and return its whole share."""
        self._grow(total)
        self._joined.remove(joined)
        return round(self._each - joined)

    def largest(self, total: int) -> int:
        """Return the share of the member that has been there longest, or 0 without members."""
        self._grow(total)
        return round(self._each - min(self._joined, default=self._each))

    def _grow(self, total: int) -> None:
        if self._joined:
            self._each += (total - self._total) / len(self._joined)
        self._total = total


class Usage(NamedTuple):
    """What one match cost a bot.

    `cpu_us`: processor time in microseconds. What the processes used while they waited for the match belongs
    to it. `off_turn_us`: the part of it that was used without a question, which includes that waiting.
    `frozen`: the bot is stopped while it has no question. `left_core`: it was found on cores other than its
    own or its referee's.
    """

    cpu_us: int
    off_turn_us: int
    frozen: bool
    left_core: bool


class Sitting(NamedTuple):
    """A match that has begun for the bot.

    `cpu` and `off_turn`: where its shares of these began. `waited_us` and `waited_off_turn_us`: what the bot
    had used since its match before, while it waited for this one. They are 0 for a match that begins beside
    others, because the first of them has it.
    """

    cpu: float
    off_turn: float
    waited_us: int
    waited_off_turn_us: int


class Watchdog:
    """The watchdog of one process of a bot and of all that it starts.

    `first`: the first process of its family (see `arena.linux.family`); once the bot has started, the first
    one of its namespace stands for it. Its own memory is not the bot's. It is in the sums of processor time,
    because it has that of orphans that it has reaped; its own is little. `off_turn`: the account that the
    process shares with the other processes of the bot, if there are any.
    """

    def __init__(self, first: int, command: BotCommand, off_turn: BotOffTurn | None = None) -> None:
        self.restrained = False
        """Whether the bot may run only while it has a question."""
        self.memory_bytes = 0
        """The resident memory of all its processes at the last look."""
        self._first = first
        self._in_namespace = command.in_namespace
        self._memory_mib = command.memory_mib
        self._cpu_ms = command.cpu_ms
        self._threads = command.threads
        self._cores = frozenset(command.cores)
        self._stopped: Sequence[Member] | None = None
        """The processes that are stopped until the next question, or None while the bot may run."""
        self._ledger = CpuLedger()
        self._priority = Priority(command.nice)
        self._lowered = False
        self._off_turn = OffTurn(off_turn or BotOffTurn())
        self._looks_at_rest = 0
        self._has_played = False
        self._looks_waiting = 0
        self._members: list[Member] = []
        """The processes at the last look, without the first of its family."""
        self._pids: tuple[int, ...] = ()
        self._born_us = _now_us()
        self._in_turn_us = 0
        """The processor time at the last look off turn, and that of turns since."""
        self._off_turn_us = 0
        """The processor time off turn at that look."""
        self._turn_wall_us = 0
        self._unexplained_us = 0
        """What `_unexplained` returned at that look."""
        # The first thing that it is asked is to get ready.
        self._asked = True
        self._ready = False
        self._cpu_shares = EvenShares()
        self._off_turn_shares = EvenShares()
        self._told = (0, 0)
        """The processor time, and that off turn, when the last match was over."""
        self._left_core = False

    # What it uses

    def cpu_us(self) -> int:
        """Return the processor time of all its processes so far, in microseconds."""
        return self._ledger.now_us()

    def threads(self, states: bool, known: Container[int] | None, seconds: float) -> Threads:
        """Return the threads of the processes of the last look, if wanted with their states.

        `known`: leave out processes that are not among these numbers and existed `seconds` ago.
        """
        if known is None or not self._ready:
            return read_threads(self._pids, states=states)
        since = ticks_ago(seconds)
        young = [one.pid for one in self._members if one.pid in known or one.started >= since]
        return read_threads(young, states=states)

    def find_all(self) -> None:
        """Look at each process now, so that new ones are known, and judge nothing."""
        self._look_at_each()

    @property
    def interval(self) -> float:
        """Return the seconds until the next look is due."""
        if not self._lowered:
            return RETRY_SECONDS
        runs = self._cpu_shares or (self._has_played and self._stopped is None)
        return _PLAYING_SECONDS if runs else _WAITING_SECONDS

    def look(self) -> Wrong | None:
        """Look at every process, and return the limit that the bot exceeds, or None.

        While the bot waits for a match and none of its processes runs, they are taken to be as they were, for
        some looks. So hundreds of bots that wait cost those that play little.
        """
        found_us = 0 if self._is_at_rest() else self._look_at_each()
        if not self._asked:
            self._settle_off_turn(found_us)
            # Who was just being begun while the others were stopped may have escaped.
            if self._stopped is not None and not self._ledger.at_rest():
                self._stop()
        self._rest_in_time()
        return self._too_many() or self._too_much_memory() or self._too_much_cpu()

    def _is_at_rest(self) -> bool:
        waits = self._lowered and not self._cpu_shares and self._looks_at_rest < _AT_REST
        self._looks_at_rest = self._looks_at_rest + 1 if waits and self._ledger.at_rest() else 0
        return self._looks_at_rest > 0

    def _look_at_each(self) -> int:
        """Look at each process, and return the processor time of those that were not known before."""
        found = tree(self._first)
        self._members = members = found[1:]
        self._pids = tuple([member.pid for member in members])
        self.memory_bytes = sum([member.resident for member in members])
        known_us = self.cpu_us()
        self._ledger.enter(found)
        found_us = self.cpu_us() - known_us
        self._lowered = self._priority.lower(members)
        self._mind_the_core([thread for pid in self._pids for thread in threads(pid)])
        return found_us

    def _too_many(self) -> Wrong | None:
        if len(self._members) < MOST_BELOW:
            return None
        # There may be more, in no list: nobody would count what they use, nor stop them.
        return Wrong(FaultKind.RESOURCE, FaultSentence.TOO_MANY.say(count=MOST_BELOW))

    def _too_much_memory(self) -> Wrong | None:
        limit = self._memory_mib * _MIB
        if not limit or self.memory_bytes <= limit:
            return None
        # Resident memory counts a shared page in each process, so it may say too much. The shares take some
        # milliseconds to read, so they are read only here.
        used = proportional_bytes(self._members)
        if used <= limit:
            return None
        reason = FaultSentence.MEMORY.say(used=used // _MIB, limit=self._memory_mib)
        return Wrong(FaultKind.RESOURCE, reason)

    def _too_much_cpu(self) -> Wrong | None:
        if not self._cpu_ms or not self._cpu_shares:
            return None
        used_us = self._cpu_shares.largest(self.cpu_us())
        if used_us <= self._cpu_ms * 1000:
            return None
        used, limit = f"{used_us / 1e6:.1f}", f"{self._cpu_ms / 1000:g}"
        return Wrong(FaultKind.RESOURCE, FaultSentence.PROCESSOR.say(used=used, limit=limit))

    def _mind_the_core(self, threads_: Iterable[int]) -> None:
        """Note whether a thread has left its cores, and bring it back if that is possible.

        Its cores are those that the bot was given, or else the referee's.
        """
        cores = self._cores or os.sched_getaffinity(0)
        for thread in threads_:
            try:
                if not os.sched_getaffinity(thread) <= cores:
                    self._left_core = True
                    os.sched_setaffinity(thread, cores)
            # It has ended.
            except OSError:
                continue

    # A match, and the turns in it

    def is_ready(self) -> None:
        """Note that the bot has started. What it used for that counts nowhere."""
        if self._in_namespace:
            # What bubblewrap has put between is not the bot's, and is looked at no more.
            self._first = head_of(self._first)
            self._ledger = CpuLedger()
        self.look()
        self._ready = True
        self._asked = False
        self._born_us = _now_us()
        self._in_turn_us = self.cpu_us()
        self._unexplained_us = -self._in_turn_us
        self._told = (self._in_turn_us, 0)
        self._judge_off_turn(self._in_turn_us)

    def sit_down(self) -> Sitting:
        """Begin a match, maybe beside others, which share what the bot uses from now on.

        A bot that was stopped while it waited goes on.
        """
        if not self.restrained:
            self.let_go_on()
        cpu_us = self.cpu_us()
        off_turn_us = self._off_turn_at(cpu_us)
        waited, waited_off = cpu_us - self._told[0], off_turn_us - self._told[1]
        if self._cpu_shares:
            waited = waited_off = 0
        joined = self._cpu_shares.join(cpu_us), self._off_turn_shares.join(off_turn_us)
        return Sitting(*joined, max(0, waited), max(0, waited_off))

    def turn_begins(self) -> None:
        """Let the bot run, because a question is about to be put.

        To be called before the clock of the question runs, so that a stopped bot loses no time.
        """
        self._asked = True
        if self._stopped is not None:
            self.let_go_on()

    def turn_ends(self, wall_us: int, cpu_us: int | None = None, unseen_us: int = 0) -> None:
        """Note that the turn is over, and stop the bot until its next question if it is restrained.

        `wall_us`: how long the turn was. `cpu_us`: the processor time of the turn without its first
        `unseen_us`, or None where nothing was measured. What was not measured counts as used in the turn, by
        as many threads as the bot has, so that time off turn is never overstated.
        """
        self._asked = False
        self._turn_wall_us += wall_us
        if cpu_us is None:
            self._in_turn_us += self._threads * wall_us
        else:
            self._in_turn_us += self._threads * unseen_us + cpu_us
        if self.restrained:
            self._stop()

    def stand_up(self, sitting: Sitting) -> Usage:
        """End a match for this bot, and return what it used since `sit_down`, and waiting before it."""
        self._mind_the_core(self._pids)
        cpu_us = self.cpu_us()
        # While it has a question of another match, it is not off turn.
        if not self._asked:
            self._judge_off_turn(cpu_us)
        off_turn_us = self._off_turn_at(cpu_us)
        self._told = cpu_us, off_turn_us
        self._has_played = True
        return Usage(
            cpu_us=sitting.waited_us + max(0, self._cpu_shares.leave(cpu_us, sitting.cpu)),
            off_turn_us=sitting.waited_off_turn_us
            + max(0, self._off_turn_shares.leave(off_turn_us, sitting.off_turn)),
            frozen=self.restrained,
            left_core=self._left_core,
        )

    # Thinking off turn

    def _off_turn_at(self, cpu_us: int) -> int:
        return self._off_turn_us + max(0, cpu_us - self._in_turn_us)

    def _settle_off_turn(self, found_us: int) -> None:
        """Judge the time off turn. What was counted too generously in turns excuses nothing after this look.

        `found_us`: the processor time of processes that have begun since the last look, so that no turn was
        told of them. They are taken to have worked in turns, as far as the turns lasted longer than what was
        counted for them.
        """
        unexplained_us = self._unexplained() - self._unexplained_us
        self._in_turn_us += max(0, min(found_us, unexplained_us))
        cpu_us = self.cpu_us()
        self._judge_off_turn(cpu_us)
        self._off_turn_us, self._in_turn_us = self._off_turn_at(cpu_us), cpu_us
        self._unexplained_us = self._unexplained()

    def _unexplained(self) -> int:
        """Return how much processor time the turns had room for, less what was counted for them.

        Only its growth from one look to the next means anything.
        """
        return self._threads * self._turn_wall_us - self._in_turn_us

    def _judge_off_turn(self, cpu_us: int) -> None:
        """Restrain the bot from now on if it uses too much off turn, here or in its other processes."""
        now_us = _now_us()
        wall_us = now_us - self._born_us - self._turn_wall_us
        self.restrained = self._off_turn.add(self._off_turn_at(cpu_us), wall_us, now_us)
        if self.restrained and self._stopped is None:
            self._stop()

    def _rest_in_time(self) -> None:
        """Stop a bot that waits for a match, so that it hears nothing of the matches of others.

        First it may come to rest, as it may have to tidy up or to end itself after a match.
        """
        if self._cpu_shares or self._asked or not self._has_played:
            self._looks_waiting = 0
            return
        self._looks_waiting += 1
        if self._stopped is not None:
            return
        if self._looks_waiting > 1 and self._ledger.at_rest():
            # None of them has begun another process, so these are all.
            self._stopped = self._members
            for member in self._members:
                signal_member(member, signal.SIGSTOP)
        elif self._looks_waiting >= _MOST_UNREST:
            self._stop()

    def _stop(self) -> None:
        """Stop all processes of the bot now."""
        self._stopped = stop_below(self._first)

    def let_go_on(self) -> None:
        """Let the bot go on, if it is stopped, also what has stopped itself before."""
        stopped, self._stopped = self._stopped or (), None
        # Stopped processes start no others, so these are all.
        for member in stopped:
            signal_member(member, signal.SIGCONT)

    def forget(self) -> None:
        """Give up the account, because the processes have ended."""
        self._off_turn.close()


def _now_us() -> int:
    return time.monotonic_ns() // 1000
