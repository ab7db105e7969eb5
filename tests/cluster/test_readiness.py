"""What a host does once for all its workers: unpack, build, call the roll. Whoever does it may be killed."""

from __future__ import annotations

import os
import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from arena.bot.launch import BotCommand
from arena.bot.snapshot import Snapshot, is_intact, take_snapshot
from arena.cluster.bundles import pieces
from arena.cluster.host_folder import HostFolder
from arena.cluster.orders import ORDER_LINES, Ready, Unready, Why
from tests.cluster.working import WorkerProcess, host_folder, order_of, said, session
from tests.referees import PATIENCE, descendants
from tests.tables import HOSTILE, command, left_alive

_BUILD = """
import sys, time
from pathlib import Path
marks = Path(sys.argv[1])
with (marks / "builds").open("a") as log:
    log.write("build\\n")
while not (marks / "go").exists():
    time.sleep(0.01)
Path("built").write_text("built")
"""
_BOT = """
import sys, time
from pathlib import Path
from speak import play
marks = Path(sys.argv[1])
assert Path("built").read_text() == "built"
with (marks / "starts").open("a") as log:
    log.write("start\\n")
while not (marks / "ready").exists():
    time.sleep(0.01)
play()
"""


class Marks:
    """The folder in which a bot notes its builds and starts, and which tells it how far it may go."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def lets(self, what: str) -> None:
        (self.folder / what).touch()

    def lines(self, what: str) -> int:
        path = self.folder / what
        return path.read_text().count("\n") if path.exists() else 0

    def until(self, what: str, count: int) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.lines(what) < count:
            assert time.monotonic() < deadline, (what, count)
            time.sleep(0.005)


@pytest.fixture
def marks(tmp_path: Path) -> Marks:
    return Marks(tmp_path / "marks")


@pytest.fixture
def bot(tmp_path: Path) -> Snapshot:
    """A bot that has to be built."""
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "speak.py").write_text((HOSTILE / "speak.py").read_text())
    (folder / "build.py").write_text(_BUILD)
    (folder / "bot.py").write_text(_BOT)
    return take_snapshot(folder, tmp_path / "copies")


def commands_of(bot: Snapshot, marks: Marks) -> list[BotCommand]:
    """Three bots of the same sources, so one build is enough for them."""
    base = replace(
        command("good"),
        argv=("{python}", "-B", "bot.py", str(marks.folder)),
        build=("{python}", "build.py", str(marks.folder)),
        folder=bot.digest,
        start_ms=60_000,
    )
    return [replace(base, bot=f"bot-{letter}") for letter in "abc"]


def note_of(folder: HostFolder) -> list[str]:
    return [path.name for path in folder.rolls.iterdir()]


@pytest.mark.slow
def test_two_workers_unpack_build_and_call_once(bot: Snapshot, marks: Marks, tmp_path: Path) -> None:
    marks.lets("go")
    marks.lets("ready")
    folder = tmp_path / "host"
    commands = commands_of(bot, marks)
    order = order_of(commands)
    with WorkerProcess(folder) as one, WorkerProcess(folder) as other:
        [piece] = pieces(bot.path)
        both = [worker.asks("take", bot.digest, 0, piece.data, True) for worker in (one, other)]
        assert [answer.get(timeout=PATIENCE) for answer in both] == ["", ""]
        copy = Snapshot(bot.digest, host_folder(folder).bundle(bot.digest))
        assert is_intact(copy)
        unpacked = copy.path.stat().st_ino
        assert other.call("take", bot.digest, 0, piece.data, True) == ""
        assert copy.path.stat().st_ino == unpacked
        line = ORDER_LINES.write(order)
        both = [worker.asks("begin", line) for worker in (one, other)]
        for answer in both:
            assert isinstance(said(answer.get(timeout=PATIENCE))[-1], Ready)
        assert (marks.lines("builds"), marks.lines("starts")) == (1, 3)
        assert len(note_of(host_folder(folder))) == 1
        for index, worker in enumerate((one, other)):
            assert worker.play(order.run, session(commands, index))[1] == ""
        assert (marks.lines("builds"), marks.lines("starts")) == (1, 9)
        # Another run starts every bot once more, but builds nothing.
        assert isinstance(one.begin(replace(order, run="league-2"))[-1], Ready)
        assert (marks.lines("builds"), marks.lines("starts")) == (1, 12)


@pytest.mark.slow
@pytest.mark.parametrize(("who", "during"), [("worker", "build"), ("both", "roll call")])
def test_whoever_makes_the_bots_ready_may_be_killed(
    bot: Snapshot, marks: Marks, tmp_path: Path, who: str, during: str
) -> None:
    folder = tmp_path / "host"
    order = order_of(commands_of(bot, marks))
    if during == "roll call":
        marks.lets("go")
    waits_at = {"build": "builds", "roll call": "starts"}[during]
    with WorkerProcess(folder) as first, WorkerProcess(folder) as second:
        assert first.bring(bot) == ""
        line = ORDER_LINES.write(order)
        begun = first.asks("begin", line)
        marks.until(waits_at, 1)
        following = second.asks("begin", line)
        below = descendants(first.pid)
        host = first.host
        if who != "host process":
            first.kill()
        if who != "worker":
            os.kill(host, signal.SIGKILL)
        assert not left_alive(below)
        before = marks.lines(waits_at)
        marks.lets("go")
        marks.lets("ready")
        assert isinstance(said(following.get(timeout=PATIENCE))[-1], Ready)
        assert marks.lines(waits_at) > before, "it was done again"
        if who == "host process":
            answer = said(begun.get(timeout=PATIENCE))[-1]
            assert isinstance(answer, Unready)
            assert (answer.why, answer.text) == (Why.PROCESS, "its process was killed by signal 9")
            starts = marks.lines("starts")
            assert isinstance(first.begin(order)[-1], Ready)
            assert marks.lines("starts") == starts, "what the other one found is enough"


def test_whoever_unpacks_may_be_killed(bot: Snapshot, tmp_path: Path) -> None:
    folder = host_folder(tmp_path / "host")
    # It stops when the files are there and the last step is missing.
    stops = "import time; from arena.cluster import bundles; bundles.open_folders = lambda _: time.sleep(600)"
    with WorkerProcess(tmp_path / "host", first=stops) as first, WorkerProcess(tmp_path / "host") as second:
        [piece] = pieces(bot.path)
        first.asks("take", bot.digest, 0, piece.data, True)
        deadline = time.monotonic() + PATIENCE
        while not list(folder.bundles.glob(".making-*/copy/speak.py")):
            assert time.monotonic() < deadline
            time.sleep(0.005)
        answer = second.asks("take", bot.digest, 0, piece.data, True)
        first.kill()
        assert answer.get(timeout=PATIENCE) == ""
        assert is_intact(Snapshot(bot.digest, folder.bundle(bot.digest)))
        assert [path.name for path in folder.bundles.iterdir()] == [bot.digest], "nothing half done"


@pytest.mark.slow
def test_bots_that_are_not_ready_are_told_to_all_workers_and_tried_again_later(
    bot: Snapshot, marks: Marks, tmp_path: Path
) -> None:
    marks.lets("go")
    folder = tmp_path / "host"
    commands = [*commands_of(bot, marks), replace(command("good", bot="gone"), argv=("no-such-program",))]
    commands = [replace(one, folder=bot.digest, start_ms=60_000) for one in commands]
    marks.lets("ready")
    order = order_of(commands)
    with WorkerProcess(folder) as one, WorkerProcess(folder) as other:
        assert one.bring(bot) == ""
        for worker in (one, other):
            answer = worker.begin(order)[-1]
            assert isinstance(answer, Unready)
            assert answer.why is Why.BOT
            assert answer.text.startswith("1 of 4 bots is not ready:\n  gone: ")
            assert "command: no-such-program" in answer.text
        assert marks.lines("starts") == 3, "the second worker believes the first"
        [note] = host_folder(folder).rolls.iterdir()
        os.utime(note, (time.time() - 120,) * 2)
        other.begin(order)
        assert marks.lines("starts") == 6, "but not for ever"
        # Where that is allowed, the others play.
        answer = one.begin(replace(order, run="league-2", allow_broken=True))[-1]
        assert isinstance(answer, Ready)
        assert answer.said[-1].startswith("1 of 4 bots is not ready")
        assert one.play("league-2", session(commands[1:]))[1] == ""


@pytest.mark.slow
def test_a_build_that_fails_is_told_with_what_it_said(bot: Snapshot, marks: Marks, tmp_path: Path) -> None:
    broken = replace(
        commands_of(bot, marks)[0], build=("{python}", "-c", "raise SystemExit('no compiler here')")
    )
    with WorkerProcess(tmp_path / "host") as worker:
        assert worker.bring(bot) == ""
        answer = worker.begin(order_of([broken]))[-1]
        assert isinstance(answer, Unready)
        assert answer.why is Why.BOT
        assert "no compiler here" in answer.text
        assert not worker.call("take_over", "other-1")


@pytest.mark.slow
def test_a_copy_that_was_changed_on_the_host_is_not_played_but_sent_again(
    bot: Snapshot, marks: Marks, tmp_path: Path
) -> None:
    marks.lets("go")
    marks.lets("ready")
    order = order_of(commands_of(bot, marks))
    with WorkerProcess(tmp_path / "host") as worker:
        assert worker.bring(bot) == ""
        changed = host_folder(tmp_path / "host").bundle(bot.digest) / "bot.py"
        changed.chmod(0o644)
        changed.write_text("print('I am another bot')\n")
        answer = worker.begin(order)[-1]
        assert isinstance(answer, Unready)
        assert answer.why is Why.BOT
        assert "were changed here" in answer.text
        assert worker.call("missing", [bot.digest]) == [bot.digest]
        assert worker.bring(bot) == ""
        assert isinstance(worker.begin(replace(order, run="league-2"))[-1], Ready)
