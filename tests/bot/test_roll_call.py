"""The roll call: who is ready, who is not and why, in words that their authors can use."""

from __future__ import annotations

from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from arena.bot import roll_call
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.roll_call import call_the_roll, causes
from tests.running import make_bot

GOOD = "from papayoo_bot import run\nrun('good', lambda q: q['hand'][:q['count']], lambda q: q['legal'][0])\n"


def command(folder: Path, source: str, *, start_ms: int = 10_000, argv: tuple[str, ...] = ()) -> BotCommand:
    make_bot(folder, source)
    return BotCommand(folder.name, argv or ("{python}", "bot.py"), str(folder), start_ms=start_ms)


async def test_every_cause_is_told(tmp_path: Path) -> None:
    commands = [
        command(tmp_path / "good", GOOD),
        command(tmp_path / "crash", "import sys\nprint('\\x1b[2Jwhy\\tnot', file=sys.stderr)\n1 / 0\n"),
        command(tmp_path / "mute", "import time\ntime.sleep(60)\n", start_ms=300),
        command(tmp_path / "missing", "", argv=("no-such-program", "x")),
        command(tmp_path / "chatty", "print('hello')\ninput()\n"),
        command(tmp_path / "plain", "#!/bin/sh", argv=("./bot.py",)),
        command(tmp_path / "windows", "#!/bin/sh\r\n", argv=("./bot.py",)),
        command(tmp_path / "elsewhere", "#!/opt/no/sh\n", argv=("./bot.py",)),
    ]
    for bot in ("windows", "elsewhere"):
        (tmp_path / bot / "bot.py").chmod(0o755)
    with trio.fail_after(60):
        roll = await call_the_roll(commands, "test")
    assert set(roll.ready) == {"good"}
    table = causes(commands, roll.failed)
    assert "\x1b" not in table
    assert "  crash: the process ended by itself, with exit code 1\n      command: {python} bot.py" in table
    assert "stderr: \\x1b[2Jwhy not" in table
    assert "stderr: ZeroDivisionError: division by zero" in table
    assert "  mute: not ready within 0.3 s" in table
    assert "  missing: cannot be started: no-such-program: No such file or directory" in table
    assert "it sent: hello" in table
    assert "  plain: cannot be started: ./bot.py: Permission denied; chmod +x" in table
    assert "  windows: cannot be started: ./bot.py: its first line ends with CR LF" in table
    assert "  elsewhere: cannot be started: ./bot.py: its first line names /opt/no/sh, and there" in table
    found = [line.strip().partition(":")[0] for line in table.splitlines() if line[:3].strip()]
    assert found == [command.bot for command in commands[1:]]


class Starts:
    """Starts that are made up: bots called "hang" fail after ten seconds, any other after a tenth of one."""

    def __init__(self) -> None:
        self.now = 0
        self.most = 0

    async def start(
        self, command: BotCommand, nursery: trio.Nursery, hello: dict[str, object]
    ) -> StartFailure:
        self.now += 1
        self.most = max(self.most, self.now)
        await trio.sleep(10 if command.bot.startswith("hang") else 0.1)
        self.now -= 1
        return StartFailure("made up")


async def test_so_many_start_at_once_and_some_that_hang_hold_up_nobody(
    autojump_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In whatever order: five hang for ten seconds, forty others need four seconds one after another."""
    starts = Starts()
    monkeypatch.setattr(roll_call, "BotProcess", starts)
    monkeypatch.setattr(roll_call.os, "sched_getaffinity", lambda pid: {0, 1})
    commands = [BotCommand(f"hang{number}", (), "") for number in range(5)]
    commands += [BotCommand(f"bot{number}", (), "") for number in range(40)]
    roll = await call_the_roll(commands, "test")
    assert len(roll.failed) == 45
    assert trio.current_time() <= 10 + 4.001
    assert starts.most == 6
