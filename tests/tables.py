"""Tables of real programs for tests: commands of good and hostile bots, and the check of any record."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import trio

from arena.bot.launch import BotCommand
from arena.deals import Deals, MatchKey, PhaseDeals
from arena.linux.process_tree import below
from arena.match.messages import Message
from arena.match.rebuild import Line, rebuild
from arena.match.record import MatchRecord, MatchSetup, Terms
from arena.match.stand_in import from_deals
from arena.referee.jobs import MatchJob, Setup, match_setup

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
    """Return a referee's setup: pinned to no core, passes asked together."""
    terms = Terms(move_ms, bank_ms, FAULT_POINTS, MAX_FAULTS)
    return Setup(tuple(commands), terms, rounds, None, True, "test")


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
        while True:
            if condition():
                return
            await trio.sleep(0.01)


def state_of(pid: int) -> str:
    """Return the letter of a process's state (proc_pid_stat(5)): T when it is stopped, "" when it is gone."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
    return stat.rpartition(")")[2].split()[0]


def comes_to(pid: int, state: str, patience: float = 30.0) -> bool:
    """Wait for a process to be in this state, and return whether it came to that."""
    deadline = time.monotonic() + patience
    while state_of(pid) != state:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)
    return True


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
