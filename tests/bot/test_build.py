"""Building bots: once for each copy, in a copy of its own, with a word on what went wrong."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
import trio

from arena.bot import build as module
from arena.bot.build import MOST_TIMES, BuildClock, Builder
from arena.bot.launch import BotCommand
from arena.bot.process import StartFailure
from arena.bot.snapshot import BOT_BOUNDS, folder_digest, take_snapshot
from arena.bot.waits import Reading, ThreadTimes
from arena.linux.family import adopting_orphans
from arena.sandbox import Failure, Limits, Sandbox, probe
from tests.running import processes

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


def contents(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): stat.filemode(path.lstat().st_mode) for path in folder.rglob("*")}


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
@pytest.mark.parametrize(
    "change",
    [
        "chmod 644 product; echo other > product",
        "ln -sfn /etc/passwd link",
        "rm product",
        "rm ../*.mark",
        "python3 -c \"import os\nfor _ in range(1500): os.mkdir('d'); os.chdir('d')\"",
    ],
)
async def test_what_is_not_as_it_was_built_is_built_again(yard: Yard, change: str) -> None:
    lines = "echo made > product; ln -s /dev/null link"
    built = await yard.script(lines)
    assert isinstance(built, BotCommand)
    await trio.run_process(["sh", "-ec", change], cwd=built.folder)
    assert await yard.script(lines) == built
    assert contents(Path(built.folder)).keys() == {"link", "main.txt", "part", "part/more.txt", "product"}
    assert (Path(built.folder) / "product").read_text() == "made\n"
    assert len(yard.said) == 2


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ("echo no such header; exit 2", "exit code 2"),
        ("kill -9 $$", "killed by SIGKILL|exit code 137"),
    ],
)
async def test_a_build_that_fails_says_why(yard: Yard, lines: str, why: str) -> None:
    failure = await yard.script(lines)
    assert isinstance(failure, StartFailure)
    said = failure.reason.removeprefix(f"not built: sh -c {lines}: ")
    assert said in why.split("|")
    assert ("no such header" in failure.stderr) == ("header" in lines)


async def test_a_build_that_takes_too_long_is_ended_with_all_it_started(yard: Yard) -> None:
    failure = await yard.build("sh", "-c", "sleep 77 & setsid sleep 77 & sleep 77", ms=500)
    assert isinstance(failure, StartFailure)
    assert failure.reason.endswith("not done within 0.5 s")


async def test_a_build_that_fills_the_disk_is_ended(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    bounds = replace(BOT_BOUNDS, total_bytes=32 << 20)
    monkeypatch.setattr(module, "BOT_BOUNDS", bounds)
    failure = await yard.script("head -c 40000000 /dev/zero > big; exec sleep 60")
    assert isinstance(failure, StartFailure)
    assert failure.reason.endswith("/big: with this file more than 32 MiB in all")


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


# Its clock: what counts of its time when other programs have its core. Readings are made up.


@pytest.mark.parametrize(
    ("ran", "queued", "seconds"),
    [
        (1.0, 0.0, 30),
        (0.0, 0.0, 30),
        (0.25, 0.75, 120),
        (0.25, 0.5, 60),  # it sleeps, too
        (0.01, 0.99, 30 * MOST_TIMES),
    ],
)
def test_time_in_which_others_have_its_core_does_not_count(ran: float, queued: float, seconds: int) -> None:
    """It has 30 s, and in each second it ran and waited for a core so long."""
    clock = BuildClock(30, 100.0)
    for second in range(1, seconds + 1):
        assert clock.why == "", second
        times = ThreadTimes(round(ran * second * 1e6), round(queued * second * 1e6), slept=0, ready=False)
        clock.take(Reading(100.0 + second, times.ran_us, {7: times}))
    assert clock.why.startswith(
        "not done within 300 s, 10 times" if seconds == 300 else "not done within 30 s"
    )
