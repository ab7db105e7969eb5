"""Whole matches of a referee whose bots are in the sandbox. The hostile ones are in tests/referee."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.league.model import SandboxSection
from arena.match.record import MatchRecord
from arena.referee.jobs import Setup
from arena.sandbox import Limits, Sandbox, probe
from tests.referees import RefereeRun
from tests.sandbox.start import strongest
from tests.sandbox.starting import INMATES, ROOT, has, needs_sandbox
from tests.tables import check_record, command, setup_of


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


def test_a_match_is_played_and_its_level_noted(tmp_path: Path) -> None:
    record = play(tmp_path, *GOOD)
    assert record.faults == ()
    assert record.sandbox == strongest()


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
def test_a_long_match_is_played_to_its_end(long_match: RefereeRun) -> None:
    """What asks the kernel to end a bot with its parent must not end it with a thread of its parent."""
    record = long_match.finished().record
    check_record(record)
    assert record.faults == ()
    assert record.finished_at - record.started_at > 12_000
