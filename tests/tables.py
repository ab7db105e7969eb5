"""Tables of real programs: commands of good and hostile bots, their referee, the check of any record."""

from __future__ import annotations

import contextlib
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType

import trio

from arena.bot.launch import BotCommand
from arena.deals import Deals, MatchKey, PhaseDeals
from arena.linux.process_tree import below, children
from arena.match.messages import Message
from arena.match.rebuild import Line, rebuild
from arena.match.record import MatchRecord, MatchSetup, Terms
from arena.match.stand_in import from_deals
from arena.referee.jobs import (
    Finished,
    JobMessage,
    MatchJob,
    SessionDone,
    SessionJob,
    Setup,
    match_setup,
    read_message,
    write_message,
)

HOSTILE = Path(__file__).with_name("hostile")
HELLO: dict[str, object] = {"protocol": 1, "arena": "test", "tables_max": 1}
KEY = bytes(range(32))
FAULT_POINTS, MAX_FAULTS = 40, 3


def command(name: str, *arguments: str, bot: str = "", start_ms: int = 10_000) -> BotCommand:
    """Return the command of a program in tests/hostile, where "good" plays well.

    The bot's id is `bot`, or else the name and the arguments joined by "-".
    """
    argv = ("{python}", "-B", f"{name}.py", *arguments)
    return BotCommand(bot or "-".join((name, *arguments)), argv, str(HOSTILE), start_ms=start_ms)


def setup_of(commands: Iterable[BotCommand], rounds: int = 1, move_ms: int = 1000, bank_ms: int = 0) -> Setup:
    """Return a referee's setup, pinned to no core."""
    terms = Terms(move_ms, bank_ms, FAULT_POINTS, MAX_FAULTS)
    return Setup(tuple(commands), terms, rounds, None, "test")


def job(seats: Sequence[str], index: int = 0, order: int = 0) -> MatchJob:
    """Return the job of match `order` of session `index`."""
    return MatchJob(MatchKey(0, index, order), tuple(seats))


def deals_of(index: int = 0) -> Deals:
    """Return the deals of session `index` of the first cycle, at all tables of tests."""
    return PhaseDeals(KEY).session(0, index)


def match_of(seats: Sequence[str], rounds: int = 1, move_ms: int = 1000, index: int = 0) -> MatchSetup:
    """Return the setup of a match at one table."""
    return match_setup(setup_of((), rounds, move_ms), deals_of(index), job(seats, index))


def check_record(record: MatchRecord) -> None:
    """Check what holds of a record whatever the bots did.

    The match plays again to the same end, every choice of the stand-in follows from the key, each round has
    250 points, the charges are right, and a good bot has no fault and all its answers in the record.
    """
    rebuilt = rebuild(record, from_deals(deals_of(record.key.index), record.key))
    result = rebuilt.result
    assert result.rounds == record.rounds
    assert len(record.rounds) == len(record.setup.boards)
    assert all(sum(one.points) == 250 for one in record.rounds)
    for seat, of_seat in enumerate(record.seats):
        assert of_seat.points == sum(one.points[seat] for one in record.rounds)
        faults = [fault for fault in record.faults if fault.seat == seat]
        counted = MAX_FAULTS if of_seat.hand_over else len(faults)
        assert (of_seat.faults, of_seat.charge) == (len(faults), counted * FAULT_POINTS)
        if of_seat.bot.startswith("good"):
            assert not faults
            assert of_seat.hand_over is None
            _check_good_answers(seat, rebuilt.lines)


def _check_good_answers(seat: int, lines: Iterable[Line]) -> None:
    question: Message = {}
    answers = 0
    for line in lines:
        if line.seat != seat:
            continue
        if not line.from_bot:
            question = line.message
            continue
        answers += 1
        if question["type"] == "pass":
            assert line.message["cards"] == question["hand"][: question["count"]]
        else:
            assert line.message["card"] == question["legal"][0]
    assert answers > 0


async def until(condition: Callable[[], bool], patience: float = 60.0) -> None:
    """Return when the condition holds. Raises trio.TooSlowError after `patience` seconds."""
    with trio.fail_after(patience):
        while not condition():  # noqa: ASYNC110 - nobody tells of it
            await trio.sleep(0.01)


def state_of(pid: int) -> str:
    """Return the letter of a process's state (proc_pid_stat(5)): T when it is stopped, "" when it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[0]


def left_alive(pids: Iterable[int], patience: float = 20.0) -> list[int]:
    """Wait for these processes to end, and return those that still run. A zombie counts as ended."""
    deadline = time.monotonic() + patience
    while (
        alive := [pid for pid in pids if state_of(pid) not in ("", "Z", "X")]
    ) and time.monotonic() < deadline:
        time.sleep(0.01)
    return alive


def noted_pids(first: int, stderr: str, word: str = "left") -> list[int]:
    """Return the processes of a family whose numbers a bot wrote to standard error as `word PID`.

    `first`: the first of the family. The bot may have a process namespace of its own, in which they have
    other numbers than here.
    """
    noted = {line.split()[1] for line in stderr.splitlines() if line.startswith(f"{word} ")}
    return [member.pid for member in below(first) if _innermost(member.pid) in noted]


def _innermost(pid: int) -> str:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii", errors="replace")
    return status.partition("NSpid:")[2].splitlines()[0].split()[-1]


# A referee process: it is given jobs, heard with limited patience, and ended in any case

PATIENCE = 40.0
"""Seconds to wait for anything. Only a broken referee takes so long."""

DEAF = (
    sys.executable,
    "-c",
    "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN);"
    "os.execv(sys.argv[1], sys.argv[1:])",
)
"""The beginning of a command line: the rest of it is started to ignore the ends of its children."""

_BODY = "from arena.referee.referee import main; main()"


def descendants(pid: int) -> list[int]:
    """Return the descendants of a process, generation by generation."""
    found = children(pid)
    for child in found:
        found += children(child)
    return found


def is_between(pid: int) -> bool:
    """Say whether this process stands between the arena and a bot. One that has ended meanwhile does not."""
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[:5]
        return words[0].endswith(b"bwrap") or words[-1].endswith(b"supervisor.py")
    return False


class RefereeRun:
    """A referee for a `with` statement.

    `setup`: the setup to send at once, if any. `log`: the file of its standard error. `before`: a command
    that starts the referee, such as a wrapper, with its arguments. `first`: code that it runs before.
    """

    def __init__(self, setup: Setup | None, log: Path, before: Sequence[str] = (), first: str = "") -> None:
        self._log = log
        self._body = f"{first}{_BODY}"
        with log.open("wb") as errors:
            self._popen = subprocess.Popen(
                [*before, sys.executable, "-c", self._body],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                bufsize=0,
            )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._input, self._output = self._popen.stdin, self._popen.stdout
        self._rest = b""
        self._messages: list[JobMessage] = []
        self.pid = self._referee_below() if before else self._popen.pid
        if setup is not None:
            self.send(setup)

    def _referee_below(self) -> int:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for pid in descendants(self._popen.pid):
                with contextlib.suppress(OSError):
                    words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
                    if words[1:3] == [b"-c", self._body.encode()]:
                        return pid
            time.sleep(0.01)
        raise AssertionError(f"there is no referee: {self.errors()}")

    def __enter__(self) -> RefereeRun:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._input.close()
        try:
            self._popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
            raise
        finally:
            self._output.close()

    def send(self, message: JobMessage) -> None:
        self._input.write(write_message(message))

    def session(self, seats: Sequence[str], orders: Sequence[int], index: int = 0) -> None:
        """Send a session with these seat orders, all with the same seats."""
        matches = tuple(job(seats, index, order) for order in orders)
        self.send(SessionJob(0, index, deals_of(index).key.hex(), matches))

    def next(self) -> JobMessage | None:
        """Return the next message, or None at the end of the stream."""
        deadline = time.monotonic() + PATIENCE
        while not self._messages:
            readable, _, _ = select.select([self._output], [], [], deadline - time.monotonic())
            assert readable, f"nothing came from the referee within {PATIENCE} s"
            data = os.read(self._output.fileno(), 1 << 16)
            if not data:
                return None
            *lines, self._rest = (self._rest + data).split(b"\n")
            self._messages += [read_message(line) for line in lines]
        return self._messages.pop(0)

    def until_done(self) -> list[JobMessage]:
        """Return all messages up to the end of a session, or of the stream."""
        said: list[JobMessage] = []
        while (message := self.next()) is not None:
            said.append(message)
            if isinstance(message, SessionDone):
                break
        return said

    def finished(self) -> Finished:
        """Return the next finished match, and drop the messages before it."""
        while not isinstance(message := self.next(), Finished):
            assert message is not None, self.errors()
        return message

    def below(self) -> list[int]:
        """Return the referee's descendants, generation by generation."""
        return descendants(self.pid)

    def bots(self) -> list[int]:
        """Return the bots' processes: the referee's descendants without what is between."""
        return [pid for pid in self.below() if not is_between(pid)]

    def close_input(self) -> None:
        """Close the referee's input, as when the coordinator is gone."""
        self._input.close()

    def exit_code(self) -> int:
        """Wait for the referee to end, and return its exit code."""
        return self._popen.wait(PATIENCE)

    def errors(self) -> str:
        """Return what it wrote to standard error."""
        return self._log.read_text(encoding="utf-8")
