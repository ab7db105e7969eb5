"""Building bots: once for each copy, in a copy of its own, with a word on what went wrong."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from arena.bot import build as module
from arena.bot.build import MOST_TIMES, BuildClock, Builder, fingerprint
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.snapshot import BOT_BOUNDS, folder_digest, take_snapshot
from arena.bot.waits import Reading, ThreadTimes
from arena.linux.family import adopting_orphans
from arena.linux.process_tree import MOST_BELOW, Member
from arena.sandbox import Failure, Limits, Sandbox, probe
from tests.running import make_league, matches, play, processes

LEVELS = ("off", "bubblewrap")


@pytest.fixture(params=LEVELS)
def sandbox(request: pytest.FixtureRequest) -> Sandbox | None:
    """No sandbox, and the one of this machine."""
    if request.param == "off":
        return None
    found = probe(Limits())
    if isinstance(found, Failure):
        assert "CI" not in os.environ, str(found)
        pytest.skip(str(found))
    return found


class Yard:
    """A bot's snapshot and the place where it is built."""

    def __init__(self, folder: Path, sandbox: Sandbox | None) -> None:
        source = folder / "source"
        source.mkdir()
        (source / "main.txt").write_text("source")
        (source / "part").mkdir()
        (source / "part" / "more.txt").write_text("more")
        copy = take_snapshot(source, folder / "bots")
        self.digest = copy.digest
        self.store = folder / "built"
        self.said: list[str] = []
        self.command = BotCommand("b", ("./bot",), str(copy.path), sandbox=sandbox, build=("true",))

    async def build(self, *argv: str, ms: int = 20_000) -> BotCommand | StartFailure:
        command = replace(self.command, build=argv, build_ms=ms)
        (built,), failed = await Builder(self.store, self.said.append).build_all([command])
        return failed.get("b", built)

    async def script(self, lines: str) -> BotCommand | StartFailure:
        return await self.build("sh", "-c", lines)


@pytest.fixture
def yard(tmp_path: Path, sandbox: Sandbox | None) -> Yard:
    tmp_path.chmod(0o755)
    return Yard(tmp_path, sandbox)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("processes", "mib", "why"),
    [
        (1, 2049, "it used more than 2048 MiB of memory"),
        (MOST_BELOW, 0, f"it had {MOST_BELOW} processes at once, or more"),
    ],
)
async def test_a_build_that_uses_too_much_is_ended(
    yard: Yard, monkeypatch: pytest.MonkeyPatch, processes: int, mib: int, why: str
) -> None:
    """What it uses is made up."""
    monkeypatch.setattr(module, "_LOOK_SECONDS", 0.01)
    monkeypatch.setattr(module, "below", lambda first: [Member(1, 0, 1, 0, 0, 0)] * processes)
    monkeypatch.setattr(module, "resident_bytes", lambda pids: mib << 20)
    failure = await yard.build("sleep", "600")
    assert isinstance(failure, StartFailure)
    assert failure.reason == f"not built: sleep 600: {why}"


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): stat.filemode(path.lstat().st_mode) for path in folder.rglob("*")}


def owners(folder: Path) -> set[int]:
    return {path.lstat().st_uid for path in (folder, *folder.rglob("*"))}


async def test_a_bot_is_built_in_a_copy_of_its_snapshot(yard: Yard) -> None:
    built = await yard.script("echo made >> main.txt && echo x > part/bot && chmod 4750 part/bot && mkfifo f")
    assert isinstance(built, BotCommand), built
    folder = Path(built.folder)
    assert folder.parent == yard.store.resolve()
    assert (folder / "main.txt").read_text() == "sourcemade\n"
    assert contents(folder) == {
        "main.txt": "-r--r--r--",
        "part": "drwxr-xr-x",
        "part/bot": "-r-xr-xr-x",
        "part/more.txt": "-r--r--r--",
    }
    assert owners(folder) == {os.geteuid()}
    assert folder_digest(Path(yard.command.folder)) == yard.digest, "the snapshot is as it was"


async def test_it_is_built_once(yard: Yard) -> None:
    lines = "date +%N > product"
    first = await yard.script(lines)
    assert isinstance(first, BotCommand)
    product = (Path(first.folder) / "product").read_text()
    assert await yard.script(lines) == first
    assert (Path(first.folder) / "product").read_text() == product
    assert yard.said == [f"building b: sh -c {lines}"]
    other = await yard.script(lines + " # otherwise")
    assert isinstance(other, BotCommand)
    assert other.folder != first.folder


@pytest.mark.parametrize("sandbox", ["off"], indirect=True)
@pytest.mark.parametrize("change", ["write", "link", "remove", "unmark"])
async def test_what_is_not_as_it_was_built_is_built_again(yard: Yard, change: str) -> None:
    built = await yard.script("echo made > product; ln -s /dev/null link")
    assert isinstance(built, BotCommand)
    folder = Path(built.folder)
    if change == "write":
        (folder / "product").chmod(0o644)
        (folder / "product").write_text("other")
    elif change == "link":
        (folder / "link").unlink()
        (folder / "link").symlink_to("/etc/passwd")
    elif change == "remove":
        (folder / "product").unlink()
    else:
        folder.with_name(folder.name + ".mark").unlink()
    assert await yard.script("echo made > product; ln -s /dev/null link") == built
    assert (folder / "product").read_text() == "made\n"
    assert len(yard.said) == 2


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("echo no such header; exit 2", "exit code 2"),
        ("kill -9 $$", "killed by SIGKILL|exit code 137"),
        ("kill -40 $$", "killed by signal 40|exit code 168"),
    ],
)
async def test_a_build_that_fails_says_why(yard: Yard, lines: str, why: str) -> None:
    failure = await yard.script(lines)
    assert isinstance(failure, StartFailure)
    said = failure.reason.removeprefix(f"not built: sh -c {lines}: ")
    assert said in why.split("|")
    assert ("no such header" in failure.stderr) == ("header" in lines)


async def test_a_program_that_is_not_there(yard: Yard) -> None:
    failure = await yard.build("nonesuch", "all")
    assert isinstance(failure, StartFailure)
    assert failure.reason == "not built: nonesuch all: cannot be started: nonesuch: No such file or directory"


async def test_a_build_that_takes_too_long_is_ended_with_all_it_started(yard: Yard) -> None:
    failure = await yard.build("sh", "-c", "sleep 77 & setsid sleep 77 & sleep 77", ms=500)
    assert isinstance(failure, StartFailure)
    assert failure.reason.endswith("not done within 0.5 s")


async def test_a_build_that_fills_the_disk_is_ended(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = replace(BOT_BOUNDS, total_bytes=32 << 20)
    monkeypatch.setattr(module, "BOT_BOUNDS", bounds)
    monkeypatch.setattr(module, "_LOOK_SECONDS", 0.1)
    failure = await yard.script("head -c 40000000 /dev/zero > big; exec sleep 60")
    assert isinstance(failure, StartFailure)
    assert failure.reason.endswith("/big: with this file more than 32 MiB in all")


DIG = "import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')"


@pytest.mark.slow
async def test_a_build_that_leaves_a_deep_folder_has_failed_and_leaves_nothing(yard: Yard) -> None:
    for _ in range(2):  # the second build must remove what the first has left
        failure = await yard.build(sys.executable, "-c", DIG)
        assert isinstance(failure, StartFailure)
        assert "what it wrote is too much: " in failure.reason
        assert failure.reason.endswith("/d/d: more than 64 levels of folders")
        assert not [path for path in yard.store.iterdir() if path.is_dir()]


@pytest.mark.parametrize("sandbox", ["off"], indirect=True)
async def test_a_built_folder_that_a_bot_has_dug_into_is_built_again(yard: Yard) -> None:
    built = await yard.script("echo made > product")
    assert isinstance(built, BotCommand)
    await trio.run_process([sys.executable, "-c", DIG], cwd=built.folder)
    assert await yard.script("echo made > product") == built
    assert not (Path(built.folder) / "d").exists()


async def test_an_unfinished_build_is_cleared_away(yard: Yard) -> None:
    await yard.script("mkdir closed; echo 1 > closed/x; chmod 0 closed; test -e again || exit 1")
    built = await yard.script("mkdir closed; echo 1 > closed/x; chmod 0 closed; test -e again || exit 1")
    assert isinstance(built, StartFailure)
    assert "File exists" not in built.stderr


async def test_bots_without_a_build_are_left_alone(yard: Yard) -> None:
    plain: Sequence[BotCommand] = [replace(yard.command, build=())]
    assert await Builder(yard.store, yard.said.append).build_all(plain) == (tuple(plain), {})
    assert not yard.store.exists()


def test_the_fingerprint_sees_every_kind_of_change(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text")
    seen = {fingerprint(tmp_path)}
    (tmp_path / "a").chmod(0o755)
    seen.add(fingerprint(tmp_path))
    (tmp_path / "a").rename(tmp_path / "b")
    seen.add(fingerprint(tmp_path))
    (tmp_path / "empty").mkdir()
    seen.add(fingerprint(tmp_path))
    (tmp_path / "l").symlink_to("b")
    seen.add(fingerprint(tmp_path))
    assert len(seen) == 5
    with pytest.raises(OSError, match="gone"):
        fingerprint(tmp_path / "gone")


async def test_a_build_keeps_to_its_core_and_gives_way(yard: Yard) -> None:
    """With all that it starts: every process that it has inherits both."""
    core = max(os.sched_getaffinity(0))
    yard.command = replace(yard.command, cores=(core,), nice=19)
    nice = "$(cut -d' ' -f19 /proc/self/stat)"
    lines = f"until [ {nice} = 19 ]; do sleep 0.05; done; (cat /proc/self/status; echo {nice}) > said"
    built = await yard.script(lines)
    assert isinstance(built, BotCommand), built
    said = (Path(built.folder) / "said").read_text()
    assert f"\nCpus_allowed_list:\t{core}\n" in said
    assert said.splitlines()[-1] == "19"
    assert built == replace(yard.command, folder=built.folder, build=built.build, build_ms=built.build_ms)
    assert os.sched_getaffinity(0) != {core} or len(os.sched_getaffinity(0)) == 1


async def test_builds_at_once_are_so_many_and_one_folder_is_built_once(yard: Yard) -> None:
    """Twins share a folder, so that one waits for the other and finds it built."""
    marks = yard.store.parent / "marks"
    marks.mkdir(mode=0o777)
    marks.chmod(0o777)
    yard.command = replace(yard.command, sandbox=None)
    running = f"touch {marks}/$0; while ! [ -e {marks}/a -a -e {marks}/b ]; do sleep 0.01; done"
    commands = [
        replace(yard.command, bot=bot, build=("sh", "-c", running, part))
        for bot, part in (("one", "a"), ("two", "b"), ("twin", "b"))
    ]
    builder = Builder(yard.store, yard.said.append, at_once=2)
    built: dict[str, BotCommand | StartFailure] = {}

    async def build(command: BotCommand) -> None:
        built[command.bot] = await builder.build(command)

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            for command in commands:
                assert not await builder.is_built(command)
                nursery.start_soon(build, command)
    assert {bot: getattr(one, "folder", one) for bot, one in built.items()} == {
        command.bot: builder.folder_of(command) for command in commands
    }
    assert len(yard.said) == 2, "the twin is not built again"
    assert await builder.is_built(commands[0])


async def test_a_build_that_is_given_up_is_ended_and_not_used(yard: Yard) -> None:
    folder = yard.store.parent
    with adopting_orphans(), trio.move_on_after(0.5):  # as a run does
        await yard.script("echo half > product; sleep 77 & setsid sleep 77 & sleep 77")
    assert not processes(folder)
    assert not list(yard.store.glob("*.mark"))
    assert isinstance(await yard.script("echo whole > product"), BotCommand)


@pytest.mark.slow
def test_a_league_with_a_bot_that_must_be_built(tmp_path: Path) -> None:
    more = 'build = ["sh", "-c", "cp bot.py built.py"]\n'
    league = make_league(tmp_path, more=more)
    text = league.read_text()
    head, last, tail = text.rpartition('command = ["{python}", "bot.py"]')
    league.write_text(head + last.replace("bot.py", "built.py") + tail)
    first = play(league)
    assert first.code == 0, first.err
    assert "building b3: sh -c cp bot.py built.py" in first.err
    assert matches(league)


# Its clock: what counts of its time when other programs have its core. Readings are made up.

_SECOND = 1_000_000


def _reading(at: float, ran: float, queued: float) -> Reading:
    """What a build of one thread has used until then; times in seconds."""
    thread = ThreadTimes(round(ran * _SECOND), round(queued * _SECOND), slept=0, ready=False)
    return Reading(at, thread.ran_us, {7: thread})


def _took(clock: BuildClock, seconds: int, *, ran: float, queued: float) -> None:
    """So many seconds, in each of which the build ran and waited for a core so long."""
    for second in range(1, seconds + 1):
        assert not clock.is_over, second
        clock.take(_reading(100.0 + second, ran * second, queued * second))


@pytest.mark.parametrize(("ran", "queued"), [(1.0, 0.0), (0.0, 0.0), (0.95, 0.05)])
def test_time_counts_as_on_the_wall_when_nobody_else_has_its_core(ran: float, queued: float) -> None:
    clock = BuildClock(30, 100.0)
    _took(clock, 29, ran=ran, queued=queued)
    assert not clock.is_over
    assert clock.left(129.0) == pytest.approx(1.0)
    clock.take(_reading(130.0, 30 * ran, 30 * queued))
    assert clock.is_over
    assert clock.left(130.0) == 0.0
    assert clock.why == "not done within 30 s"


def test_while_others_have_its_core_only_its_processor_time_counts() -> None:
    clock = BuildClock(30, 100.0)
    _took(clock, 119, ran=0.25, queued=0.75)
    assert clock.left(219.0) == pytest.approx(30 - 119 / 4)
    clock.take(_reading(220.0, 30.0, 90.0))
    assert clock.is_over


def test_who_gets_no_core_at_all_is_ended_in_the_end() -> None:
    clock = BuildClock(30, 100.0)
    _took(clock, 30 * MOST_TIMES, ran=0.01, queued=0.99)
    assert clock.is_over
    assert clock.why == "not done within 300 s, 10 times its time, for other programs had its core"


def test_of_a_build_whose_processes_wait_for_each_other_all_time_counts() -> None:
    """Four compilers on one core that nobody else has."""
    clock = BuildClock(3, 100.0)
    for second in (1, 2, 3):
        assert not clock.is_over
        each = ThreadTimes(_SECOND * second // 4, 3 * _SECOND * second // 4, slept=0, ready=False)
        clock.take(Reading(100.0 + second, _SECOND * second, dict.fromkeys(range(4), each)))
    assert clock.is_over
