"""One bot process: what it is started with, how failing to start is told, what it said, and how it ends."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from arena.bot import launch
from arena.bot.answers import Settled, Wrong
from arena.bot.launch import BotCommand
from arena.bot.link import ask
from arena.bot.output_log import HEAD_BYTES, TAIL_BYTES, OutputLog
from arena.bot.process import BotProcess, StartFailure
from arena.linux import namespace
from arena.linux.family import adopting_orphans
from arena.linux.process_tree import below, children, read_file
from arena.match.faults import FaultKind
from arena.sandbox import Limits, Sandbox, probe
from protocol.messages import CardsAnswer
from tests.sandbox.starting import needs_sandbox
from tests.tables import HELLO, HOSTILE, command, left_alive, noted_pids, until


async def _started(bot: BotCommand, nursery: trio.Nursery) -> BotProcess:
    process = await BotProcess.start(bot, nursery, HELLO)
    assert isinstance(process, BotProcess), process
    return process


async def _failed(bot: BotCommand, nursery: trio.Nursery) -> StartFailure:
    failure = await BotProcess.start(bot, nursery, HELLO)
    assert isinstance(failure, StartFailure)
    return failure


def _autogroup(pid: int) -> int | None:
    """The nice of a process's autogroup. None where there are none, or it has the machine's own."""
    try:
        words = Path(f"/proc/{pid}/autogroup").read_text(encoding="ascii").split()
    except FileNotFoundError:
        return None
    return int(words[-1]) if words else None


async def test_a_bot_gets_an_environment_its_folder_and_three_descriptors(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARENA_SECRET", "for us only")
    inherited = os.open("/dev/null", os.O_RDONLY)
    os.set_inheritable(inherited, True)
    process = await _started(command("good", "tell"), nursery)
    await process.end("that was all")
    os.close(inherited)
    told = json.loads(process.stderr.head)
    assert told["cwd"] == str(HOSTILE)
    assert told["fds"] == [0, 1, 2]
    assert told["env"] == {
        "PATH": os.environ["PATH"],
        "HOME": str(HOSTILE),
        "LANG": "C.UTF-8",
        "PYTHONDONTWRITEBYTECODE": "1",
    }


async def test_each_is_in_a_session_of_its_own_with_lower_priority(nursery: trio.Nursery) -> None:
    """Several at once: of an ordinary user the kernel takes one autogroup's nice in 0.1 s, no more."""
    processes: list[BotProcess] = []

    async def start() -> None:
        processes.append(await _started(replace(command("good"), nice=7), nursery))

    async with trio.open_nursery() as starters:
        for _ in range(3):
            starters.start_soon(start)
    for process in processes:
        assert os.getpriority(os.PRIO_PROCESS, process.pid) == os.getpriority(os.PRIO_PROCESS, 0)
    bots = [below(process.pid)[-1].pid for process in processes]
    assert len({os.getsid(pid) for pid in bots} - {os.getsid(0)}) == 3
    assert {os.getpriority(os.PRIO_PROCESS, pid) for pid in bots} == {
        max(7, os.getpriority(os.PRIO_PROCESS, 0))
    }
    own = _autogroup(os.getpid())
    await until(lambda: {_autogroup(pid) for pid in bots} <= {None, 7})
    assert _autogroup(os.getpid()) == own
    for process in processes:
        await process.end("that was all")


async def test_a_failed_start_keeps_all_that_was_said(nursery: trio.Nursery) -> None:
    """The bot is gone before its output is looked at: its last words are what its author needs."""
    bot = replace(
        command("good"), argv=("{python}", "-c", "import sys; sys.stderr.write('x' * 40000 + 'END')")
    )
    failure = await _failed(bot, nursery)
    assert failure.reason == "the process ended by itself, with exit code 0"
    assert failure.stderr_bytes == 40003
    assert failure.stderr.endswith("xEND")


async def test_a_full_machine_is_no_fault_of_the_bot(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))

    namespace.has_namespaces.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(subprocess, "Popen", full)
        with pytest.raises(OSError, match="Too many open files"):
            await BotProcess.start(command("good"), nursery, HELLO)
    assert namespace.has_namespaces() == namespace.has_namespaces.__wrapped__(), "it is tried again"


async def test_nor_is_one_that_is_too_full_inside_of_what_is_started(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its own words are nothing but words."""
    line = "echo 'bwrap: Can not fork for pid 1: Resource temporarily unavailable' >&2; exit 1"
    assert (await _failed(replace(command("good"), argv=("sh", "-c", line)), nursery)).stderr_bytes == 64
    (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{line}\n")
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setattr(namespace, "has_namespaces", lambda: True)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with pytest.raises(OSError, match="Resource temporarily unavailable"):
        await BotProcess.start(command("good"), nursery, HELLO)


@pytest.mark.parametrize("sandboxed", [False, True])
async def test_its_own_process_is_told_from_what_is_around_it(nursery: trio.Nursery, sandboxed: bool) -> None:
    bot = command("good")
    if sandboxed:
        needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
        found = probe(Limits())
        assert isinstance(found, Sandbox)
        bot = replace(bot, sandbox=found)
    process = await _started(bot, nursery)
    words = read_file(f"/proc/{process.program}/cmdline").split(b"\0")
    assert words[:-1] == [sys.executable.encode(), b"-B", b"good.py"]
    await process.end("that was all")


PIECES = st.lists(st.tuples(st.sampled_from("abcdef"), st.integers(0, 70_000)), max_size=8)


@given(PIECES)
def test_head_and_tail_are_the_beginning_and_the_end(pieces: list[tuple[str, int]]) -> None:
    log = OutputLog()
    for letter, size in pieces:
        log.add(letter.encode() * size)
    whole = "".join(letter * size for letter, size in pieces)
    assert log.size == len(whole)
    assert log.head == whole[:HEAD_BYTES]
    assert log.tail == whole[HEAD_BYTES:][-TAIL_BYTES:]


PASS = {"type": "pass", "id": "", "hand": ["S1", "S2", "S3"], "count": 2}


async def _ask(process: BotProcess, question_id: str) -> Settled:
    reply = await ask(process.link, PASS | {"id": question_id}, question_id, CardsAnswer, 5_000_000)
    return reply.settled


async def test_a_bot_whose_family_is_killed_from_above_is_noticed_and_leaves_nothing(
    nursery: trio.Nursery,
) -> None:
    process = await _started(command("breeds", "child"), nursery)
    process.read_stderr()
    below = noted_pids(process.pid, process.stderr.head)
    os.kill(process.pid, signal.SIGKILL)
    await until(lambda: not process.usable)
    await until(lambda: not left_alive(below, patience=0))
    wrong = await _ask(process, "q1")
    assert isinstance(wrong, Wrong)
    assert wrong.kind is FaultKind.CRASHED  # though the child held its output open
    await process.end("that was all")


async def test_a_bot_that_kills_its_supervisor_has_crashed_and_leaves_nothing(
    nursery: trio.Nursery, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it can: the kernel protects the first process of a namespace."""
    for module in (launch, namespace):
        monkeypatch.setattr(module, "has_namespaces", lambda: False)
    with adopting_orphans():  # as a referee does
        process = await _started(command("breeds", "kills"), nursery)
        answers = [await _ask(process, f"q{number}") for number in (1, 2, 3)]
        process.read_stderr()
        # It notes the numbers that its processes have here, for there is no namespace.
        (demon,) = [int(line.split()[1]) for line in process.stderr.head.splitlines()]
        await until(lambda: not left_alive([demon], patience=0))
        await process.end("that was all")
    wrong = answers[2]
    assert isinstance(wrong, Wrong)
    assert (wrong.kind, wrong.reason) == (FaultKind.CRASHED, "the process was killed by SIGKILL")


async def test_its_number_stays_its_own_until_it_is_ended(nursery: trio.Nursery) -> None:
    """A killed group must never be somebody else's that got the number of a dead bot."""
    process = await _started(command("dies", "match_over", "0"), nursery)
    process.link.tell({"type": "match_over", "table": 0, "scores": [], "places": [], "events": []})
    process.link.flush()
    await until(lambda: not process.alive)
    assert await process.how_it_ended() == "the process ended by itself, with exit code 0"
    assert process.watchdog.cpu_us(), "a zombie's processor time can still be read"
    assert process.pid in children()
    await process.end("that was all")
    assert process.pid not in children()


async def test_ending_twice_at_once_closes_nobody_elses_descriptors(nursery: trio.Nursery) -> None:
    process = await _started(command("stubborn", "sits"), nursery)
    async with trio.open_nursery() as both:
        both.start_soon(process.end, "one")
        both.start_soon(process.end, "other")
    await process.end("once more")
    assert left_alive([process.pid]) == []
