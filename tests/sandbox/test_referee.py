"""Whole matches of a referee whose bots are in the sandbox, good and hostile ones."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.league.model import SandboxSection
from arena.match.faults import FaultKind
from arena.match.record import MatchRecord
from arena.referee.jobs import Setup
from arena.sandbox import Limits, Sandbox, probe
from tests.referees import RefereeRun
from tests.sandbox.start import strongest
from tests.sandbox.starting import INMATES, ROOT, has, needs_sandbox
from tests.tables import check_record, command, left_alive, setup_of


def sandboxed(*bots: BotCommand) -> tuple[BotCommand, ...]:
    needs_sandbox("root" if os.geteuid() == 0 else "ordinary")
    found = probe(Limits())
    assert isinstance(found, Sandbox)
    return tuple(replace(bot, sandbox=found, nice=10) for bot in bots)


def setup(*bots: BotCommand, move_ms: int = 5000) -> Setup:
    return replace(setup_of(sandboxed(*bots), move_ms=move_ms), sandbox=strongest())


GOOD = tuple(command("good", bot=f"good-{n}") for n in range(3))


@pytest.fixture
def long_match(tmp_path: Path) -> Iterator[RefereeRun]:
    """A match of more than 12 s with good but slow bots."""
    bots = (*GOOD[:2], command("slow", "always", "0.85"))
    with RefereeRun(setup(*bots), tmp_path / "log") as run:
        run.session([bot.bot for bot in bots], [0])
        yield run


def play(folder: Path, *bots: BotCommand, move_ms: int = 5000) -> MatchRecord:
    with RefereeRun(setup(*bots, move_ms=move_ms), folder / "log") as run:
        run.session([bot.bot for bot in bots], [0])
        record = run.finished().record
    check_record(record)
    return record


def below(run: RefereeRun, least: int) -> list[int]:
    """The processes of a referee, as soon as there are so many."""
    deadline = time.monotonic() + 30
    while len(found := run.below()) < least:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return found


def test_a_match_is_played_and_its_level_noted(tmp_path: Path) -> None:
    record = play(tmp_path, *GOOD)
    assert record.faults == ()
    assert record.sandbox == strongest()


@pytest.mark.slow
def test_the_time_of_the_bot_itself_is_counted(tmp_path: Path) -> None:
    """What is around it does nothing while it plays."""
    busy = command("hungry", "cpu", bot="busy")
    record = play(tmp_path, *GOOD[:2], busy)
    counted = [seat.cpu_us or 0 for seat in record.seats]
    assert all(counted), counted
    assert counted[2] > 100_000, counted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("SIGSEGV", "the process was killed by SIGSEGV (exit code 139)"),
        ("3", "the process ended by itself, with exit code 3"),
    ],
)
def test_a_bot_that_ends_is_found_out_at_once(tmp_path: Path, how: str, words: str) -> None:
    record = play(tmp_path, *GOOD[:2], command("dies", "1", how, bot="bad"), move_ms=20_000)
    assert record.finished_at - record.started_at < 10_000
    (fault,) = record.faults
    assert (fault.kind, fault.reason) == (FaultKind.CRASHED, words)


def _java(folder: Path) -> BotCommand:
    javac = shutil.which("javac")
    if javac is None:
        assert "CI" not in os.environ, "CI needs javac"
        pytest.skip("no Java here")
    subprocess.run([javac, "-d", str(folder), str(INMATES / "Bot.java")], check=True, timeout=60)
    folder.chmod(0o755)
    return BotCommand("java", ("java", "Bot"), str(folder))


def _node(_folder: Path) -> BotCommand:
    if not has("node"):
        pytest.skip("no node here")
    return BotCommand("node", ("node", "bot.js"), str(ROOT / "bots" / "javascript" / "duck"))


@pytest.mark.slow
@pytest.mark.parametrize("made", [_java, _node])
def test_bots_with_a_large_runtime_play_under_the_default_limits(
    tmp_path: Path, made: Callable[[Path], BotCommand]
) -> None:
    limits = SandboxSection()
    bot = replace(made(tmp_path), memory_mib=limits.memory_mib)
    record = play(tmp_path, *GOOD[:2], bot)
    assert record.faults == ()
    assert record.seats[2].hand_over is None


@pytest.mark.slow
def test_a_bot_that_cannot_be_started_costs_itself_the_match(tmp_path: Path) -> None:
    missing = BotCommand("bad", ("nonesuch",), str(tmp_path))
    record = play(tmp_path, *GOOD[:2], missing)
    (fault,) = record.faults
    assert fault.kind is FaultKind.START_FAILED
    assert fault.reason == "cannot be started: nonesuch: No such file or directory"


def test_nothing_is_left_when_the_referee_is_killed(tmp_path: Path) -> None:
    stubborn = (command("stubborn", "sits"), command("stubborn", "stopped"), command("slow", "silent"))
    with RefereeRun(setup(*stubborn, move_ms=60_000), tmp_path / "log") as run:
        run.session([bot.bot for bot in stubborn], [0])
        pids = below(run, 9)  # bubblewrap twice, and the bot
        os.kill(run.pid, signal.SIGKILL)
        assert left_alive(pids) == []


@pytest.mark.slow
def test_a_long_match_is_played_to_its_end(long_match: RefereeRun) -> None:
    """What asks the kernel to end a bot with its parent must not end it with a thread of its parent."""
    record = long_match.finished().record
    check_record(record)
    assert record.faults == ()
    assert record.finished_at - record.started_at > 12_000
