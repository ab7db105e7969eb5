"""A worker as a plain process: it plays by a warm host process, and leaves nothing behind however it ends."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.bot.snapshot import Snapshot
from arena.cluster.orders import Order, Ready
from arena.linux.leftovers import MARK
from arena.match.record import MatchRecord
from arena.referee.jobs import Aborted, Finished, JobMessage, Met, SessionDone
from tests.cluster.working import (
    ARENA,
    OFF,
    REQUIRED,
    WorkerProcess,
    facts_of,
    heard,
    host_folder,
    hostile_bots,
    order_of,
    session,
)
from tests.referees import PATIENCE, RefereeRun, descendants
from tests.sandbox.start import strongest
from tests.sandbox.starting import needs_sandbox
from tests.tables import check_record, command, left_alive, setup_of

NAMES = ("good-a", "good-b", "good-c")


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Snapshot:
    """A copy of the hostile bots."""
    return hostile_bots(tmp_path_factory.mktemp("bots"))


def sent(bots: Snapshot, *commands: BotCommand) -> list[BotCommand]:
    """The commands as an order names them."""
    return [replace(one, folder=bots.digest) for one in commands]


def good(bots: Snapshot) -> list[BotCommand]:
    return sent(bots, *(command("good", bot=name) for name in NAMES))


def ready(worker: WorkerProcess, bots: Snapshot, order: Order) -> None:
    """Make a worker ready."""
    assert worker.bring(bots) == ""
    assert isinstance(worker.begin(order)[-1], Ready)


def records(messages: list[JobMessage]) -> list[MatchRecord]:
    return [message.record for message in messages if isinstance(message, Finished)]


def played(record: MatchRecord) -> object:
    """What does not depend on clocks, process ids or the keys of questions."""
    seats = [(seat.bot, seat.points, seat.charge, seat.place) for seat in record.seats]
    rounds = [(one.passes, one.plays, one.points, one.stand_in) for one in record.rounds]
    return record.key, record.setup, seats, rounds, record.faults


def until_below(worker: WorkerProcess, least: int) -> list[int]:
    """The processes below a worker, as soon as there are so many."""
    deadline = time.monotonic() + PATIENCE
    while len(found := descendants(worker.pid)) < least:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "wish", [pytest.param(OFF, id="no sandbox"), pytest.param(REQUIRED, id="sandbox", marks=pytest.mark.slow)]
)
def test_it_plays_what_a_local_referee_plays(bots: Snapshot, tmp_path: Path, wish: object) -> None:
    if wish is REQUIRED:
        needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    commands = good(bots)
    order = replace(order_of(commands), sandbox=wish)
    with WorkerProcess(tmp_path / "host") as worker:
        assert worker.call("missing", [bots.digest]) == [bots.digest]
        assert worker.bring(bots) == ""
        assert worker.call("missing", [bots.digest]) == []
        facts, answer = worker.begin(order)
        level = "off" if wish is OFF else strongest()
        assert facts_of([facts]).sandbox == level
        assert facts_of([facts]).arena == ARENA
        assert isinstance(answer, Ready)
        assert answer.core is None
        messages, ended = worker.play(order.run, session(commands, 0, 2), session(commands, 1, 1))
        assert worker.call("leave", order.run) is None
    assert ended == ""
    assert [one for one in messages if isinstance(one, SessionDone)] == [SessionDone(0, 0), SessionDone(0, 1)]
    assert messages[-1] == SessionDone(0, 1)
    assert sorted(one.bot for one in messages if isinstance(one, Met)) == sorted(NAMES)
    found = records(messages)
    for record in found:
        check_record(record)
        assert record.sandbox == level
    local = setup_of([command("good", bot=name) for name in NAMES], move_ms=5000)
    with RefereeRun(local, tmp_path / "log") as referee:
        for index, orders in enumerate((2, 1)):
            referee.session(NAMES, range(orders), index)
        expected = [*records(referee.until_done()), *records(referee.until_done())]
    assert [played(record) for record in found] == [played(record) for record in expected]


@pytest.mark.slow
def test_its_bots_are_warm_between_tasks_and_begin_is_idempotent(bots: Snapshot, tmp_path: Path) -> None:
    commands = good(bots)
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host") as worker:
        assert worker.bring(bots) == ""
        first = worker.begin(order)
        host = worker.host
        assert worker.begin(order) == first
        assert worker.host == host
        messages, _ = worker.play(order.run, session(commands, 0))
        again, _ = worker.play(order.run, session(commands, 1))
        [one], [other] = records(messages), records(again)
        assert [seat.pid for seat in one.seats] == [seat.pid for seat in other.seats]
        assert [seat.table for seat in other.seats] == [1, 1, 1]
        assert worker.play("league-2", session(commands)) == (
            [],
            "its worker does not play for this run, or was started anew",
        )
        below = descendants(worker.pid)
        assert isinstance(worker.begin(replace(order, run="league-2"))[-1], Ready)
        assert worker.host != host
        assert not left_alive(below), "another order ends the process before"
        assert worker.play("league-2", session(commands))[1] == ""


@pytest.mark.slow
def test_a_host_process_that_ends_in_mid_play_is_told_and_started_again(
    bots: Snapshot, tmp_path: Path
) -> None:
    slow = sent(bots, command("slow", "always", "0.05", bot="slow"))
    commands = [*good(bots)[:2], *slow]
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host") as worker:
        ready(worker, bots, order)
        first = worker.play(order.run, session(commands, 0))
        assert len(records(first[0])) == 1
        answer = worker.asks_to_play(order.run, session(commands, 1, 50))
        below = until_below(worker, 4)
        time.sleep(0.2)
        os.kill(worker.host, signal.SIGKILL)
        messages, ended = heard(answer.get(timeout=PATIENCE))
        assert not any(isinstance(one, SessionDone) for one in messages)
        assert ended == "its process was killed by signal 9"
        assert not left_alive(below)
        messages, ended = worker.play(order.run, session(commands, 2))
        assert ended == ""
        assert len(records(messages)) == 1


@pytest.mark.slow
def test_kill_9_of_a_worker_leaves_no_process(bots: Snapshot, tmp_path: Path) -> None:
    commands = [*good(bots)[:2], *sent(bots, command("stubborn", "terminate", bot="stubborn"))]
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host") as worker:
        ready(worker, bots, order)
        worker.asks_to_play(order.run, session(commands, 0, 50))
        below = until_below(worker, 7)
        worker.kill()
        assert not left_alive(below)


@pytest.mark.slow
def test_kill_9_of_a_worker_and_its_host_process_leaves_only_what_the_next_one_ends(
    bots: Snapshot, tmp_path: Path
) -> None:
    """Even if the keepers are killed too: the next worker at this place finds what is left by its mark."""
    commands = good(bots)
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host") as worker:
        ready(worker, bots, order)
        worker.play(order.run, session(commands))
        below = descendants(worker.pid)
        os.kill(worker.host, signal.SIGSTOP)  # now nobody ends its bots
        marks = {mark_of(pid) for pid in below}
        assert marks == {host_folder(tmp_path / "host").mark_of_place(0)}
        worker.kill()
        assert left_alive(below, patience=0.5) == below
        with WorkerProcess(tmp_path / "elsewhere") as other:
            ready(other, bots, order)
            assert left_alive(below, patience=0.1) == below, "another host folder is another worker's"
        with WorkerProcess(tmp_path / "host") as successor:
            ready(successor, bots, order)
            assert not left_alive(below)
            assert successor.play(order.run, session(commands))[1] == ""


def mark_of(pid: int) -> str:
    """The mark in a process's environment."""
    environment = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    [mark] = [one.decode().partition("=")[2] for one in environment if one.startswith(MARK.encode() + b"=")]
    return mark


@pytest.mark.slow
def test_a_host_process_without_work_ends_and_the_next_task_starts_it_again(
    bots: Snapshot, tmp_path: Path
) -> None:
    commands = good(bots)
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host", first="worker.IDLE_SECONDS = 0.3") as worker:
        ready(worker, bots, order)
        worker.play(order.run, session(commands))
        assert not left_alive(descendants(worker.pid))
        slow = [*commands[:2], *sent(bots, command("slow", "always", "0.03", bot="good-c"))]
        messages, ended = worker.play(order.run, session(commands, 1))
        assert (len(records(messages)), ended) == (1, "")
        # A task that takes longer than that is not idle.
        longer = order_of(slow, run="league-2")
        assert isinstance(worker.begin(longer)[-1], Ready)
        messages, ended = worker.play(longer.run, session(slow, 1))
        assert (len(records(messages)), ended) == (1, "")


@pytest.mark.slow
def test_what_is_not_done_in_time_comes_with_the_next_call(bots: Snapshot, tmp_path: Path) -> None:
    commands = [*good(bots)[:2], *sent(bots, command("slow", "always", "0.02", bot="slow"))]
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host") as worker:
        ready(worker, bots, order)
        at_once = worker.asks_to_play(order.run, session(commands), session(commands, 1), seconds=0.0)
        first = at_once.get(timeout=PATIENCE)
        assert (first.left, first.ended) == (2, "")
        rest = worker.asks_to_play(order.run).get(timeout=PATIENCE)
        assert (rest.left, rest.ended) == (0, "")
        messages = [*heard(first)[0], *heard(rest)[0]]
    assert len(records(messages)) == 2
    assert messages[-1] == SessionDone(0, 1)


@pytest.mark.slow
def test_stop_finishes_the_match_that_is_being_played(bots: Snapshot, tmp_path: Path) -> None:
    slow = sent(bots, command("slow", "always", "0.02", bot="slow"))
    commands = [*good(bots)[:2], *slow]
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host") as worker:
        ready(worker, bots, order)
        answer = worker.asks_to_play(order.run, session(commands, 0, 100))
        until_below(worker, 7)
        worker.call("stop", "league-2")  # another run: nothing happens
        worker.call("stop", order.run)
        messages, ended = heard(answer.get(timeout=PATIENCE))
    assert ended == "its process ended with exit code 0"
    found = records(messages)
    assert 1 <= len(found) < 100
    assert not any(isinstance(one, Aborted | SessionDone) for one in messages)


@pytest.mark.slow
def test_leave_ends_a_play_at_once_but_not_that_of_another_run(bots: Snapshot, tmp_path: Path) -> None:
    slow = sent(bots, command("slow", "always", "0.5", bot="slow"))
    commands = [*good(bots)[:2], *slow]
    order = order_of(commands)
    with WorkerProcess(tmp_path / "host") as worker:
        ready(worker, bots, order)
        answer = worker.asks_to_play(order.run, session(commands, 0, 100))
        below = until_below(worker, 7)
        worker.call("leave", "league-2")
        assert left_alive(below, patience=0.3) == below
        worker.call("leave", order.run)
        assert heard(answer.get(timeout=PATIENCE))[1] != ""
        assert not left_alive(below)


@pytest.mark.slow
def test_a_run_takes_over_from_one_of_its_own_league_only(bots: Snapshot, tmp_path: Path) -> None:
    slow = sent(bots, command("slow", "always", "0.5", bot="slow"))
    commands = [*good(bots)[:2], *slow]
    order = order_of(commands, run="mine-1")
    with WorkerProcess(tmp_path / "host") as worker:
        assert worker.call("take_over", "mine-1") == ""
        ready(worker, bots, order)
        answer = worker.asks_to_play(order.run, session(commands, 0, 100))
        below = until_below(worker, 7)
        assert "plays for another league" in worker.call("take_over", "theirs-1")
        assert left_alive(below, patience=0.3) == below
        assert worker.call("take_over", "mine-2") == ""
        assert heard(answer.get(timeout=PATIENCE))[1] != ""
        assert not left_alive(below)
        assert worker.call("take_over", "theirs-1") == "", "nobody plays any more"
